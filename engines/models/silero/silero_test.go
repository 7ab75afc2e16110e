package silero_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/silero"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

func original(tb testing.TB) []byte {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join(onnxtest.Models(tb), "silero-vad.onnx"))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func session(tb testing.TB, file []byte) *onnx.Session {
	tb.Helper()
	s, err := onnx.New(file)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

func rewritten(tb testing.TB) []byte {
	tb.Helper()
	b, err := silero.Rewrite(original(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// TestRewrite: the same probabilities and the same memory as Silero's own file, for any
// number of frames, of any level, from any state.
func TestRewrite(t *testing.T) {
	onnxtest.Start(t)
	one, two := session(t, original(t)), session(t, rewritten(t))
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 4, 7, 32} {
		for _, level := range []float64{0, 1e-4, 0.1, 1, 4} {
			in := []onnx.Tensor{some(rng, level, n, 576), some(rng, 0.5, 1, 1, 128), some(rng, 0.5, 1, 1, 128)}
			want, got := run(t, one, in), run(t, two, in)
			for i := range want {
				for j := range want[i] {
					d, most := want[i][j]-got[i][j], 1e-3*(1+max(want[i][j], -want[i][j]))
					if d > most || d < -most || d != d {
						t.Fatalf("%d frames at %v: output %d[%d] = %v, want %v", n, level, i, j, got[i][j], want[i][j])
					}
				}
			}
		}
	}
}

func some(rng *rand.Rand, level float64, shape ...int) onnx.Tensor {
	x := onnx.Tensor{Shape: shape}
	x.Data = make([]float32, x.Size())
	for i := range x.Data {
		x.Data[i] = float32(rng.NormFloat64() * level)
	}
	return x
}

func run(tb testing.TB, s *onnx.Session, in []onnx.Tensor) (out [][]float32) {
	tb.Helper()
	err := s.Run(in, func(outputs []onnx.Tensor) error {
		for _, o := range outputs {
			out = append(out, append([]float32(nil), o.Data...))
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// TestRewriteRefuses: what is no network, or another one.
func TestRewriteRefuses(t *testing.T) {
	good := original(t)
	for name, file := range map[string][]byte{
		"empty": nil, "text": []byte("no network, and longer than a tag"), "cut": good[:len(good)/2], "another": onnxtest.Product(2, 1, []float32{1, 1}),
	} {
		if _, err := silero.Rewrite(file); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// BenchmarkFrames is four frames at once, as a call has them.
func BenchmarkFrames(b *testing.B) {
	onnxtest.Start(b)
	for name, file := range map[string][]byte{"original": original(b), "rewritten": rewritten(b)} {
		b.Run(name, func(b *testing.B) {
			s, rng := session(b, file), rand.New(rand.NewPCG(1, 2))
			in := []onnx.Tensor{some(rng, 0.1, 4, 576), some(rng, 0.5, 1, 1, 128), some(rng, 0.5, 1, 1, 128)}
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Run(in, func([]onnx.Tensor) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
