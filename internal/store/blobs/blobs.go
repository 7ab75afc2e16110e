// Package blobs keeps files by the SHA-256 of their content: evidence and other
// bytes that don't belong in a database row. What Put returned is on disk. It
// knows nothing of who may read a blob or for how long it is kept.
package blobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// ErrTooLarge says that the content is longer than the store takes.
var ErrTooLarge = errors.New("blobs: content is too large")

// Config says where blobs are and how large one may be.
type Config struct {
	Dir     string
	MaxSize int64
}

// Validate returns every fault of the configuration, each naming its key.
func (c Config) Validate() error {
	var errs []error
	if c.Dir == "" {
		errs = append(errs, errors.New("blobs.dir: must be set"))
	}
	if c.MaxSize <= 0 {
		errs = append(errs, errors.New("blobs.max_size: must be positive"))
	}
	return errors.Join(errs...)
}

// Store is a directory of blobs. Its methods are safe for concurrent use, by
// several processes too.
type Store struct {
	dir string
	max int64
}

// Open makes the directory when it is missing.
func Open(cfg Config) (*Store, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("open blobs: %w", err)
	}
	return &Store{dir: cfg.Dir, max: cfg.MaxSize}, nil
}

// path spreads blobs over 256 folders. A name that is no lower-case SHA-256 is
// not found, so that no name leads out of the directory.
func (s *Store) path(sum string) (string, error) {
	raw, err := hex.DecodeString(sum)
	if err != nil || len(raw) != sha256.Size || hex.EncodeToString(raw) != sum {
		return "", fmt.Errorf("blob: %w", store.ErrNotFound)
	}
	return filepath.Join(s.dir, sum[:2], sum), nil
}

// Put reads r to its end and keeps what it held under its SHA-256. ErrTooLarge:
// it was longer than the limit; nothing is kept. Content that is there already is
// not written twice.
func (s *Store) Put(ctx context.Context, r io.Reader) (sum string, size int64, err error) {
	tmp, err := os.CreateTemp(s.dir, ".put-*") // mode 0600
	if err != nil {
		return "", 0, unavailable("put blob", err)
	}
	defer func() {
		_ = tmp.Close()
		_ = os.Remove(tmp.Name()) // gone already where all went well
	}()
	hash := sha256.New()
	size, err = io.Copy(io.MultiWriter(diskWriter{tmp}, hash), &limited{ctx: ctx.Err, r: r, left: s.max})
	if err != nil {
		return "", 0, fmt.Errorf("put blob: %w", err)
	}
	if err := errors.Join(tmp.Sync(), tmp.Close()); err != nil {
		return "", 0, unavailable("put blob", err)
	}
	sum = hex.EncodeToString(hash.Sum(nil))
	path, err := s.path(sum)
	if err != nil {
		return "", 0, err
	}
	folder := filepath.Dir(path)
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", 0, unavailable("put blob", err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return "", 0, unavailable("put blob", err)
	}
	// The new names are on disk only once their directories are.
	if err := errors.Join(syncDir(folder), syncDir(s.dir)); err != nil {
		return "", 0, unavailable("put blob", err)
	}
	return sum, size, nil
}

// Open returns the content of a blob, which the caller closes. store.ErrNotFound:
// there is none of this name.
func (s *Store) Open(sum string) (io.ReadSeekCloser, error) {
	path, err := s.path(sum)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("blob: %w", store.ErrNotFound)
	}
	if err != nil {
		return nil, unavailable("open blob", err)
	}
	return f, nil
}

// Delete removes a blob; one that is gone already is no error. Readers that have
// it open read on.
func (s *Store) Delete(sum string) error {
	path, err := s.path(sum)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unavailable("delete blob", err)
	}
	return nil
}

// unavailable names what went wrong on the disk; the path stays out of it.
func unavailable(doing string, err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return fmt.Errorf("%s: %w: %w", doing, store.ErrUnavailable, err)
}

// diskWriter tells the disk's errors from the reader's.
type diskWriter struct{ f *os.File }

func (w diskWriter) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	if err != nil {
		return n, unavailable("write", err)
	}
	return n, nil
}

// limited ends with ErrTooLarge past its size, and when the caller's context does.
type limited struct {
	ctx  func() error
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if err := l.ctx(); err != nil {
		return 0, err
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
