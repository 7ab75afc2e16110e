package blobs_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/blobs"
)

func open(t *testing.T, limit int64) (*blobs.Store, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := blobs.Open(blobs.Config{Dir: dir, MaxSize: limit})
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func TestPutOpenDelete(t *testing.T) {
	s, _ := open(t, 1<<20)
	for _, content := range [][]byte{{}, []byte("one"), bytes.Repeat([]byte{7}, 1<<20)} {
		sum, size, err := s.Put(t.Context(), bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		want := sha256.Sum256(content)
		if sum != hex.EncodeToString(want[:]) || size != int64(len(content)) {
			t.Errorf("Put(%d bytes) = %s, %d", len(content), sum, size)
		}
		f, err := s.Open(sum)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("read back %d bytes, %v, want %d", len(got), err, len(content))
		}
		if err := errors.Join(f.Close(), s.Delete(sum), s.Delete(sum)); err != nil {
			t.Error(err)
		}
		if _, err := s.Open(sum); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Open after Delete: %v, want ErrNotFound", err)
		}
	}
}

func TestPutRefuses(t *testing.T) {
	s, dir := open(t, 10)
	if _, _, err := s.Put(t.Context(), strings.NewReader("eleven chars")); !errors.Is(err, blobs.ErrTooLarge) {
		t.Errorf("too large: %v, want ErrTooLarge", err)
	}
	broken := errors.New("reader broke")
	if _, _, err := s.Put(t.Context(), io.MultiReader(strings.NewReader("a"), errReader{broken})); !errors.Is(err, broken) {
		t.Errorf("broken reader: %v, want its own error", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Put(ended, strings.NewReader("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v, want context.Canceled", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("refused blobs left %v, %v", left, err)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

func TestNamesLeadNowhereElse(t *testing.T) {
	s, _ := open(t, 10)
	for _, name := range []string{"", "../../etc/passwd", strings.Repeat("A", 64), strings.Repeat("a", 63), strings.Repeat("/", 64)} {
		if _, err := s.Open(name); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Open(%q): %v, want ErrNotFound", name, err)
		}
	}
}

func TestConcurrentPutsOfOneContent(t *testing.T) {
	s, _ := open(t, 1<<20)
	content := bytes.Repeat([]byte("x"), 1<<16)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, _, err := s.Put(t.Context(), bytes.NewReader(content)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	sum := sha256.Sum256(content)
	f, err := s.Open(hex.EncodeToString(sum[:]))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, content) {
		t.Errorf("read back %d bytes, %v", len(got), err)
	}
}

func TestValidateNamesEveryKey(t *testing.T) {
	err := blobs.Config{}.Validate()
	for _, key := range []string{"blobs.dir", "blobs.max_size"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("Validate() = %v, want it to name %s", err, key)
		}
	}
}
