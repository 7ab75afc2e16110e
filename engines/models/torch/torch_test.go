package torch

import (
	"os"
	"slices"
	"testing"
)

// small is a checkpoint that Python's own pickle wrote: weights m, 2 by 3, and v in one
// storage, and what an optimiser leaves besides.
func small(tb testing.TB) []byte {
	tb.Helper()
	b, err := os.ReadFile("testdata/small.pt")
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func TestWeights(t *testing.T) {
	w, err := weights(small(t))
	if err != nil {
		t.Fatal(err)
	}
	if m := w["m"]; !slices.Equal(m.shape, []int{2, 3}) || !slices.Equal(m.values, []float32{1.5, 2.5, 3.5, 4.5, 5.5, 6.5}) {
		t.Errorf("m = %+v", m)
	}
	if v := w["v"]; !slices.Equal(v.values, []float32{0.5}) || len(w) != 2 {
		t.Errorf("v = %+v of %d weights", v, len(w))
	}
}

func TestRefuses(t *testing.T) {
	b := small(t)
	for n := range b {
		if _, err := weights(b[:n]); err == nil {
			t.Errorf("the first %d bytes are taken for a checkpoint", n)
		}
	}
	if _, err := Speaker(b); err == nil {
		t.Error("a checkpoint of something else was converted")
	}
}

// FuzzWeights: whatever the file, an error or weights, and no more memory than it has.
func FuzzWeights(f *testing.F) {
	f.Add(small(f))
	f.Add([]byte("\x80\x02."))
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = weights(b) })
}
