package bench

import (
	"math/bits"
	"time"
)

// subBuckets is how many buckets each power of two has: a quantile is at most
// 1/128 (0.8 %) above the true value.
const (
	subBits    = 7
	subBuckets = 1 << subBits
	// maxBits caps a value at 2^42 ns, over an hour.
	maxBits = 42
)

// histogram counts durations in log-linear buckets of at most 0.8 % width. The
// zero value is ready; it isn't safe for concurrent use.
type histogram struct {
	counts [(maxBits - subBits + 1) * subBuckets]uint64
	n      uint64
	max    time.Duration
}

func bucketOf(v uint64) int {
	if v >= 1<<maxBits {
		v = 1<<maxBits - 1
	}
	if v < subBuckets {
		return int(v)
	}
	shift := bits.Len64(v) - subBits - 1
	return shift<<subBits + int(v>>shift)
}

// topOf is the largest value that bucketOf puts into bucket i.
func topOf(i int) uint64 {
	if i < subBuckets {
		return uint64(i)
	}
	shift := i>>subBits - 1
	return (uint64(i&(subBuckets-1)|subBuckets)+1)<<shift - 1
}

// add counts one duration; a negative one counts as 0.
func (h *histogram) add(d time.Duration) {
	d = max(d, 0)
	h.counts[bucketOf(uint64(d))]++
	h.n++
	h.max = max(h.max, d)
}

// merge adds all that other has counted.
func (h *histogram) merge(other *histogram) {
	for i, c := range other.counts {
		h.counts[i] += c
	}
	h.n += other.n
	h.max = max(h.max, other.max)
}

// quantile is the smallest duration that a share q of the values doesn't pass,
// by nearest rank; 0 of an empty histogram.
func (h *histogram) quantile(q float64) time.Duration {
	if h.n == 0 {
		return 0
	}
	rank := uint64(q * float64(h.n))
	if float64(rank) < q*float64(h.n) || rank == 0 {
		rank++
	}
	var seen uint64
	for i, c := range h.counts {
		if seen += c; seen >= rank {
			return min(time.Duration(topOf(i)), h.max)
		}
	}
	return h.max
}
