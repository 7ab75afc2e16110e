package tesseract_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/image/ocr/tesseract"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

func vietnamese(t *testing.T) *tesseract.Language {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(onnxtest.Models(t), "tesseract", "vie.traineddata"))
	if err != nil {
		t.Fatalf("%v (make setup)", err)
	}
	l, err := tesseract.Open("vie", data)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestOpenRefuses(t *testing.T) {
	for name, data := range map[string][]byte{"empty": nil, "text": []byte("no data at all"), "zeros": make([]byte, 5000)} {
		if _, err := tesseract.Open("vie", data); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestReadAtOnce(t *testing.T) {
	l := vietnamese(t)
	blank := tesseract.Gray{Width: 200, Height: 50, Pix: bytes.Repeat([]byte{255}, 200*50)}
	first, _, err := l.Read(blank)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 3 {
				// It sees a sign in anything; that several at a time see the same counts.
				if text, _, err := l.Read(blank); err != nil || text != first {
					t.Errorf("a white line reads %q, %v, at first %q", text, err, first)
				}
			}
		})
	}
	wg.Wait()
	if _, _, err := l.Read(tesseract.Gray{Width: 10, Height: 10, Pix: make([]byte, 99)}); err == nil {
		t.Error("99 bytes for 10x10 were taken")
	}
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Error(err)
	}
	if _, _, err := l.Read(blank); !errors.Is(err, tesseract.ErrClosed) {
		t.Errorf("Read after Close = %v", err)
	}
}

func TestVersion(t *testing.T) {
	if v, err := tesseract.Version(); err != nil || !strings.HasPrefix(v, "5.") {
		t.Errorf("Version() = %q, %v", v, err)
	}
}
