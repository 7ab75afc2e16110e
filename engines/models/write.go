package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// Write puts a file of the manifest into the folder, whole or not at all. Bytes that
// are not the manifest's are refused.
func (s *Store) Write(f *File, b []byte) error {
	if sum := sha256.Sum256(b); int64(len(b)) != f.Size || hex.EncodeToString(sum[:]) != f.SHA256 {
		return fmt.Errorf("%s: it has %d bytes with sha256 %x, not %d with %s", f.Name, len(b), sum, f.Size, f.SHA256)
	}
	path := s.Path(f)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return fmt.Errorf("write model: %w", err)
	}
	defer func() { _ = os.Remove(temp.Name()) }() // it was renamed, unless something failed
	_, err = temp.Write(b)
	if err == nil {
		err = temp.Chmod(0o644) //nolint:gosec // models are no secret, and a gateway may run as another user than who fetched them
	}
	if err == nil {
		err = temp.Sync()
	}
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write model %s: %w", f.Name, err)
	}
	return nil
}
