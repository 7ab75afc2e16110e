package stats

import (
	"strconv"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// bucketNames are the latency buckets: le_1 to le_1000 (ms), and over_1000.
func bucketNames() []string {
	names := make([]string, 0, store.StatBuckets)
	for _, b := range store.StatBounds {
		names = append(names, "le_"+strconv.FormatInt(b, 10))
	}
	return append(names, "over_"+strconv.FormatInt(store.StatBounds[len(store.StatBounds)-1], 10))
}

// percentile estimates the latency in ms that a share of verdicts did not pass, as if
// those of a bucket were spread evenly in it. What is in the last bucket is its bound
// at least, and is given as that.
func percentile(by []int64, share float64) table.Value {
	bounds := make([]float64, len(store.StatBounds))
	for i, b := range store.StatBounds {
		bounds[i] = float64(b)
	}
	return quantile(by, bounds, share)
}

// quantile does so for buckets with these upper bounds and one more.
func quantile(by []int64, bounds []float64, share float64) table.Value {
	var total int64
	for _, n := range by {
		total += n
	}
	if total == 0 {
		return table.Value{}
	}
	rank, below := share*float64(total), 0.0
	low := 0.0
	for i, bound := range bounds {
		n := float64(by[i])
		if n > 0 && below+n >= rank {
			return table.Real(low + (bound-low)*(rank-below)/n)
		}
		below, low = below+n, bound
	}
	return table.Real(low)
}

// within is how many took at most so many ms, one of the bounds.
func within(by []int64, ms int64) (n int64) {
	for i, b := range store.StatBounds {
		if b <= ms {
			n += by[i]
		}
	}
	return n
}
