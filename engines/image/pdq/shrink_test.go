package pdq

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFourLines: lines that are filtered four at a time come out as one by one, to the last bit.
func TestFourLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same numbers each time
	for _, w := range []int{5, 64, 65, 100, 128, 256, 300, 512} {
		const h = 7 // four, and three
		in := make(plane, w*h)
		for i := range in {
			in[i] = 255 * rng.Float32()
		}
		got, want := make(plane, w*h), make(plane, w*h)
		boxAlongAll(in, got, w, h, window(w))
		for y := range h {
			boxAlong(in[y*w:(y+1)*w], want[y*w:(y+1)*w], window(w))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d px wide: four lines come out otherwise than one by one", w)
		}
	}
}
