package onnx_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// The cases of a session share one file, as the library is loaded once a process.

func session(t *testing.T, model []byte) *onnx.Session {
	t.Helper()
	onnxtest.Start(t)
	s, err := onnx.New(model)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestRun(t *testing.T) {
	s := session(t, onnxtest.Product(2, 3, []float32{1, 2, 3, 10, 20, 30}))
	if got := s.Inputs()[0]; got.Name != "x" || len(got.Shape) != 2 || got.Shape[0] != -1 || got.Shape[1] != 2 {
		t.Errorf("Inputs() = %v, want x [-1 2]", got)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				a, b := float32(g), float32(i)
				in := onnx.Tensor{Shape: []int{2, 2}, Data: []float32{a, b, 0, 1}}
				err := s.Run([]onnx.Tensor{in}, func(out []onnx.Tensor) error {
					want := []float32{a + 10*b, 2*a + 20*b, 3*a + 30*b, 10, 20, 30}
					if out[0].Size() != len(want) {
						t.Errorf("output of shape %v, want [2 3]", out[0].Shape)
						return nil
					}
					for j := range want {
						if out[0].Data[j] != want[j] {
							t.Errorf("y[%d] = %v, want %v", j, out[0].Data[j], want[j])
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
				if i%10 == 0 {
					runtime.GC() // what the library points to must stay
				}
			}
		})
	}
	wg.Wait()
}

func TestRunRefuses(t *testing.T) {
	s := session(t, onnxtest.Product(2, 1, []float32{1, 1}))
	for name, in := range map[string][]onnx.Tensor{
		"no input":       {},
		"two inputs":     {{Shape: []int{1, 2}, Data: []float32{1, 1}}, {Shape: []int{1, 2}, Data: []float32{1, 1}}},
		"fewer values":   {{Shape: []int{2, 2}, Data: []float32{1, 1}}},
		"other width":    {{Shape: []int{1, 3}, Data: []float32{1, 1, 1}}},
		"other rank":     {{Shape: []int{2}, Data: []float32{1, 1}}},
		"empty":          {{Shape: []int{0, 2}, Data: nil}},
		"negative":       {{Shape: []int{-1, 2}, Data: []float32{1, 1}}},
		"past all sizes": {{Shape: []int{1 << 40, 2}, Data: []float32{1, 1}}},
	} {
		err := s.Run(in, func([]onnx.Tensor) error { return nil })
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	used := errors.New("of the user")
	err := s.Run([]onnx.Tensor{{Shape: []int{1, 2}, Data: []float32{1, 1}}}, func([]onnx.Tensor) error { return used })
	if !errors.Is(err, used) {
		t.Errorf("Run = %v, want the error of its user", err)
	}
}

func TestClosed(t *testing.T) {
	s := session(t, onnxtest.Product(1, 1, []float32{1}))
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	err := s.Run([]onnx.Tensor{{Shape: []int{1, 1}, Data: []float32{1}}}, func([]onnx.Tensor) error { return nil })
	if !errors.Is(err, onnx.ErrClosed) {
		t.Errorf("Run after Close = %v, want ErrClosed", err)
	}
}

func TestNewRefusesWhatIsNoModel(t *testing.T) {
	onnxtest.Start(t)
	good := onnxtest.Product(1, 1, []float32{1})
	for name, model := range map[string][]byte{
		"empty": nil, "text": []byte("no model"), "cut": good[:len(good)/2],
	} {
		if s, err := onnx.New(model); err == nil {
			t.Errorf("%s: no error", name)
			_ = s.Close()
		}
	}
}

func TestStartTwice(t *testing.T) {
	onnxtest.Start(t)
	onnxtest.Start(t)
	if v := onnx.Version(); !strings.HasPrefix(v, "1.") {
		t.Errorf("Version() = %q", v)
	}
	if err := onnx.Start(filepath.Join(t.TempDir(), "other.so")); err == nil {
		t.Error("a second library was loaded")
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "given.so")
	t.Setenv(onnx.LibraryEnv, path)
	if _, err := onnx.Find(dir); !errors.Is(err, onnx.ErrNoLibrary) {
		t.Errorf("Find = %v, want ErrNoLibrary for a variable that names no file", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := onnx.Find(dir); err != nil || got != path {
		t.Errorf("Find = %q, %v, want what the variable says", got, err)
	}
	t.Setenv(onnx.LibraryEnv, "")
	name := map[string]string{"windows": "onnxruntime.dll", "darwin": "libonnxruntime.dylib"}[runtime.GOOS]
	if name == "" {
		name = "libonnxruntime.so"
	}
	path = filepath.Join(dir, "lib", name)
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if got, err := onnx.Find(t.TempDir(), dir); err != nil || got != path {
		t.Errorf("Find = %q, %v, want %s", got, err, path)
	}
}
