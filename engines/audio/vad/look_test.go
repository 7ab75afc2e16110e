package vad

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/silero"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

func session(tb testing.TB) *onnx.Session {
	tb.Helper()
	onnxtest.Start(tb)
	b, err := os.ReadFile(filepath.Join(onnxtest.Models(tb), file))
	if err != nil {
		tb.Fatal(err)
	}
	s, err := onnx.New(b)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

func model(tb testing.TB) *Model {
	tb.Helper()
	onnxtest.Start(tb)
	m, err := Open(onnxtest.Models(tb))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = m.Close() })
	return m
}

func some(rng *rand.Rand, level float64, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64() * level)
	}
	return x
}

// TestLook: the same probabilities and the same memory as Silero's own file, for any
// number of frames of any number of voices, of any level, from any state.
func TestLook(t *testing.T) {
	own, m := session(t), model(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, voices := range []int{1, 2, 5, 33} {
		for _, level := range []float64{1e-4, 0.1, 1, 4} {
			streams := make([]*Stream, voices)
			for v := range streams {
				s := m.New()
				s.sound = some(rng, level, context+(1+v%4)*Frame)
				copy(s.h, some(rng, 0.5, hidden))
				copy(s.c, some(rng, 0.5, hidden))
				streams[v] = s
			}
			want := make([][3][]float32, voices)
			for v, s := range streams {
				var rows []float32
				for i := range s.frames() {
					rows = append(rows, s.row(i)...)
				}
				want[v] = of(t, own, s.frames(), rows, s.h, s.c)
			}
			if err := m.look(streams...); err != nil {
				t.Fatal(err)
			}
			for v, s := range streams {
				for i, got := range [...][]float32{s.probs, s.h, s.c} {
					alike(t, want[v][i], got)
				}
			}
		}
	}
}

func alike(t *testing.T, want, got []float32) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d numbers, want %d", len(got), len(want))
	}
	for j := range want {
		d, most := want[j]-got[j], 1e-3*(1+max(want[j], -want[j]))
		if d > most || d < -most || d != d {
			t.Fatalf("number %d is %v, want %v", j, got[j], want[j])
		}
	}
}

// of is what Silero's own network says.
func of(t *testing.T, s *onnx.Session, frames int, rows, h, c []float32) (out [3][]float32) {
	t.Helper()
	state := []int{1, 1, hidden}
	in := []onnx.Tensor{{Shape: []int{frames, silero.Row}, Data: rows}, {Shape: state, Data: h}, {Shape: state, Data: c}}
	err := s.Run(in, func(outputs []onnx.Tensor) error {
		for i, o := range outputs {
			out[i] = append([]float32(nil), o.Data...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// BenchmarkLook is a frame of each of some voices; Silero's own has one of one.
func BenchmarkLook(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, n := range map[string][2]int{"1x1": {1, 1}, "1x4": {1, 4}, "8x1": {8, 1}, "32x1": {32, 1}, "64x1": {64, 1}} {
		b.Run(name, func(b *testing.B) {
			m := model(b)
			streams := make([]*Stream, n[0])
			for v := range streams {
				streams[v] = m.New()
				streams[v].sound = some(rng, 0.1, context+n[1]*Frame)
			}
			for b.Loop() {
				if err := m.look(streams...); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n[0]*n[1]), "us/frame")
		})
	}
	b.Run("original", func(b *testing.B) {
		s := session(b)
		state := []int{1, 1, hidden}
		in := []onnx.Tensor{{Shape: []int{1, silero.Row}, Data: some(rng, 0.1, silero.Row)}, {Shape: state, Data: make([]float32, hidden)}, {Shape: state, Data: make([]float32, hidden)}}
		for b.Loop() {
			if err := s.Run(in, func([]onnx.Tensor) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
}
