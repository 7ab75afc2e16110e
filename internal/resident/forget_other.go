//go:build !linux

package resident

// forget is for systems that say what lies where.
func forget() {}
