//go:build !cgo || !linux

package tesseract

// Version says ErrNotBuilt.
func Version() (string, error) { return "", ErrNotBuilt }

// Language can't be had in this build.
type Language struct{}

// Open says ErrNotBuilt.
func Open(string, []byte) (*Language, error) { return nil, ErrNotBuilt }

// Read says ErrNotBuilt.
func (*Language) Read(Gray) (string, float64, error) { return "", 0, ErrNotBuilt }

// Close does nothing.
func (*Language) Close() error { return nil }
