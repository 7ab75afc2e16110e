//go:build !unix

package meaning

import (
	"fmt"
	"os"
)

// mapped reads a file.
func mapped(path string) (file []byte, unmap func() error, err error) {
	if file, err = os.ReadFile(path); err != nil { //nolint:gosec // in the folder of models
		return nil, nil, fmt.Errorf("read: %w", err)
	}
	return file, func() error { return nil }, nil
}
