package bench

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestHistogramQuantile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var values []time.Duration
	var a, b histogram
	for i := range 20_000 {
		d := time.Duration(rng.ExpFloat64() * float64(300*time.Microsecond))
		if i%1000 == 0 {
			d *= 1000 // a long tail
		}
		values = append(values, d)
		if i%2 == 0 {
			a.add(d)
		} else {
			b.add(d)
		}
	}
	a.merge(&b)
	slices.Sort(values)
	for _, q := range []float64{0.001, 0.5, 0.9, 0.99, 0.999, 1} {
		want := values[max(0, int(q*float64(len(values))+0.999999)-1)]
		got := a.quantile(q)
		if got < want || float64(got) > float64(want)*1.0079+1 {
			t.Errorf("quantile(%v) = %v, want %v to 0.8 %% above it", q, got, want)
		}
	}
	if got, want := a.n, uint64(len(values)); got != want {
		t.Errorf("n = %d, want %d", got, want)
	}
	if got, want := a.max, values[len(values)-1]; got != want {
		t.Errorf("max = %v, want %v", got, want)
	}
}

func TestHistogramEdges(t *testing.T) {
	var h histogram
	if got := h.quantile(0.5); got != 0 {
		t.Errorf("quantile of nothing = %v, want 0", got)
	}
	h.add(-time.Second)
	h.add(24 * time.Hour) // over what the buckets hold: the last one
	if got := h.quantile(0.5); got != 0 {
		t.Errorf("quantile(0.5) = %v, want 0 for a negative value", got)
	}
	if got, want := h.quantile(1), time.Duration(1<<maxBits-1); got != want {
		t.Errorf("quantile(1) = %v, want the top of the last bucket, %v", got, want)
	}
}

// TestBuckets holds that the buckets tile the numbers without a gap.
func TestBuckets(t *testing.T) {
	for i := range len(histogram{}.counts) {
		top := topOf(i)
		if got := bucketOf(top); got != i {
			t.Fatalf("bucketOf(%d) = %d, want %d", top, got, i)
		}
		if i+1 < len(histogram{}.counts) {
			if got := bucketOf(top + 1); got != i+1 {
				t.Fatalf("bucketOf(%d) = %d, want %d", top+1, got, i+1)
			}
		}
	}
}
