package resample

import "sync"

// ratio is a change of rate in lowest terms.
type ratio struct{ up, down int }

// filters are those that resamplers share: of 44.1 kHz one takes 86 KB and 3 ms to
// compute, and is the same for every stream. It is safe for concurrent use.
type filters struct {
	mu  sync.Mutex
	all map[ratio][]float32
}

// Full-rule: no more than so many are kept, and none that is larger, so that files of
// odd rates fill no memory; they get one of their own.
const (
	mostShared    = 16
	largestShared = 64 << 10 // coefficients
)

var shared filters

// filter is that of a ratio, which design computes where nobody has.
func (f *filters) filter(of ratio, design func() []float32) []float32 {
	f.mu.Lock()
	have, ok := f.all[of]
	f.mu.Unlock()
	if ok {
		return have
	}
	made := design() // two may do so at once, which costs only time
	if len(made) > largestShared {
		return made
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all == nil {
		f.all = make(map[ratio][]float32, mostShared)
	}
	if len(f.all) < mostShared {
		f.all[of] = made
	}
	return made
}
