//go:build !linux

package sqlstore

// giveWay does nothing: other systems know no priority of a single thread.
func giveWay() {}
