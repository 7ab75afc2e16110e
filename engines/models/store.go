package models

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Errors of a Store; what it returns wraps them and names the file.
var (
	// ErrMissing: the file is not in the folder.
	ErrMissing = errors.New("not fetched: run portcullis models pull")
	// ErrDamaged: the file is not the manifest's.
	ErrDamaged = errors.New("damaged or another version: run portcullis models pull")
)

// Store is a folder of models, which need not exist. It is safe for concurrent use.
type Store struct{ dir string }

// NewStore names the folder.
func NewStore(dir string) *Store { return &Store{dir} }

// Dir is the folder.
func (s *Store) Dir() string { return s.dir }

// Path is where a file lies, or will.
func (s *Store) Path(f *File) string { return filepath.Join(s.dir, filepath.FromSlash(f.Name)) }

// Read gives the bytes of the file of a model, by its name in the folder, once their
// sha256 is the manifest's.
func (s *Store) Read(m *Model, name string) ([]byte, error) {
	for i := range m.Files {
		if m.Files[i].Name == name {
			return s.read(&m.Files[i])
		}
	}
	return nil, fmt.Errorf("model %s has no file %s", m.ID, name)
}

func (s *Store) read(f *File) ([]byte, error) {
	if err := s.look(f); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(s.Path(f))
	if err != nil {
		return nil, fmt.Errorf("read model %s: %w", f.Name, err)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != f.SHA256 {
		return nil, fmt.Errorf("%s: %w", f.Name, ErrDamaged)
	}
	return b, nil
}

// Look says whether all files of a model are there by their sizes, which is quick.
func (s *Store) Look(m *Model) error {
	for i := range m.Files {
		if err := s.look(&m.Files[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) look(f *File) error {
	info, err := os.Stat(s.Path(f))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", f.Name, ErrMissing)
	case err != nil:
		return fmt.Errorf("read model %s: %w", f.Name, err)
	case !info.Mode().IsRegular() || info.Size() != f.Size:
		return fmt.Errorf("%s: %w", f.Name, ErrDamaged)
	}
	return nil
}

// Verify says whether all files of a model are the manifest's, by their sha256.
func (s *Store) Verify(m *Model) error {
	for i := range m.Files {
		if err := s.verify(&m.Files[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) verify(f *File) error {
	if err := s.look(f); err != nil {
		return err
	}
	file, err := os.Open(s.Path(f))
	if err != nil {
		return fmt.Errorf("read model %s: %w", f.Name, err)
	}
	defer func() { _ = file.Close() }() // it was only read
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return fmt.Errorf("read model %s: %w", f.Name, err)
	}
	if hex.EncodeToString(hash.Sum(nil)) != f.SHA256 {
		return fmt.Errorf("%s: %w", f.Name, ErrDamaged)
	}
	return nil
}
