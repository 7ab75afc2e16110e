//go:build unix

package meaning

import (
	"fmt"
	"os"
	"syscall"
)

// mapped gives a file's bytes without reading them: the system fetches what is looked at, and
// takes it back when memory is short. unmap ends that.
func mapped(path string) (file []byte, unmap func() error, err error) {
	f, err := os.Open(path) //nolint:gosec // in the folder of models
	if err != nil {
		return nil, nil, fmt.Errorf("map: %w", err)
	}
	defer func() { _ = f.Close() }() // what is mapped stays
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("map: %w", err)
	}
	if file, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED); err != nil { //nolint:gosec // a descriptor
		return nil, nil, fmt.Errorf("map %s: %w", path, err)
	}
	return file, func() error { return syscall.Munmap(file) }, nil
}
