// Package resample changes the rate of sound as it comes, block by block: a polyphase
// FIR low-pass (a windowed sinc, Kaiser's window), as in Crochiere and Rabiner,
// "Multirate Digital Signal Processing", 1983, chapter 4. Of a change to 16 kHz, what lies
// below 7 kHz stays as it is within 0.05 dB, and what lies above 8.6 kHz is 75 dB down.
package resample

import (
	"fmt"
	"math"
)

// The rates that New takes, Hz.
const (
	MinRate = 1000
	MaxRate = 768000
)

const (
	// reach is how many samples of the slower rate the filter sees to each side: 1.5 ms
	// at 16 kHz, which is what it delays a stream by.
	reach = 24
	// cutoff is where the filter has fallen by half, of the slower rate; beta is of
	// Kaiser's window.
	cutoff = 0.484
	beta   = 7.6
	// exact is the most phases that are kept as they are. Ratios with more (of rates
	// that nobody uses) take the middle between two of them, which is off by -106 dB.
	exact = 640
	block = 2048
)

// Resampler changes one stream of mono sound. It is not safe for concurrent use.
type Resampler struct {
	up, down int // the ratio in lowest terms: to/from
	phases   int
	taps     int
	filter   []float32 // phases+1 rows of taps, which others may share
	buf      []float32 // what the next outputs still need, then room for a block
	have     int       // samples in buf
	pos      int       // where in buf the next output's window begins
	frac     int       // and how far behind that it lies, in parts of up
}

// New makes one for rates in Hz; they must be between MinRate and MaxRate, which is for
// the caller to check where a file says them.
func New(from, to int) *Resampler {
	if min(from, to) < MinRate || max(from, to) > MaxRate {
		panic(fmt.Sprintf("resample: from %d Hz to %d Hz: rates must be from %d to %d", from, to, MinRate, MaxRate))
	}
	g := gcd(from, to)
	r := &Resampler{up: to / g, down: from / g}
	if r.up == r.down {
		return r
	}
	r.phases = min(r.up, exact)
	half := int(math.Ceil(reach * max(1, float64(from)/float64(to))))
	r.taps = 2 * half
	r.filter = shared.filter(ratio{r.up, r.down}, func() []float32 {
		return r.design(half, float64(half), cutoff*min(1, float64(to)/float64(from)))
	})
	r.buf = make([]float32, r.taps+block)
	r.Reset()
	return r
}

// Reset has it begin anew, as if it had heard nothing.
func (r *Resampler) Reset() {
	clear(r.buf)
	r.have, r.pos, r.frac = max(0, r.taps/2-1), 0, 0
}

// design computes the rows: row p is the low-pass seen p/phases of a sample later. Each
// sums to 1, so that a constant stays what it is.
func (r *Resampler) design(half int, width, fc float64) []float32 {
	filter := make([]float32, (r.phases+1)*r.taps)
	row := make([]float64, r.taps)
	for p := range r.phases + 1 {
		shift := float64(p) / float64(r.phases)
		sum := 0.0
		for k := range row {
			t := float64(k-(half-1)) - shift
			row[k] = sinc(2*fc*t) * kaiser(t/width)
			sum += row[k]
		}
		for k, v := range row {
			filter[p*r.taps+k] = float32(v / sum)
		}
	}
	return filter
}

// Push takes the next samples of the stream and appends to dst what can be said of it.
// Sample n of the output lies at the time of n/to; the last ones come with Flush. Where
// dst has room nothing is allocated.
func (r *Resampler) Push(dst, src []float32) []float32 {
	if r.up == r.down {
		return append(dst, src...)
	}
	for len(src) > 0 {
		n := copy(r.buf[r.have:], src)
		r.have += n
		src = src[n:]
		dst = r.drain(dst)
	}
	return dst
}

// Flush appends what is left at the end of the stream, as if silence followed, and
// begins anew.
func (r *Resampler) Flush(dst []float32) []float32 {
	if r.up == r.down {
		return dst
	}
	for range r.taps / 2 {
		if r.have == len(r.buf) {
			dst = r.drain(dst)
		}
		r.buf[r.have] = 0
		r.have++
	}
	dst = r.drain(dst)
	r.Reset()
	return dst
}

// drain computes the outputs whose windows are full and moves the rest to the front.
func (r *Resampler) drain(dst []float32) []float32 {
	for r.pos+r.taps <= r.have {
		window := r.buf[r.pos : r.pos+r.taps]
		if r.phases == r.up {
			dst = append(dst, dot(window, r.row(r.frac)))
		} else {
			at := float64(r.frac) * float64(r.phases) / float64(r.up)
			p := int(at)
			part := float32(at - float64(p))
			a, b := dot(window, r.row(p)), dot(window, r.row(p+1))
			dst = append(dst, a+(b-a)*part)
		}
		r.frac += r.down
		r.pos += r.frac / r.up
		r.frac %= r.up
	}
	// Of a change to a much slower rate the next window may begin behind what is there.
	if keep := min(r.pos, r.have); keep > 0 {
		copy(r.buf, r.buf[keep:r.have])
		r.have -= keep
		r.pos -= keep
	}
	return dst
}

func (r *Resampler) row(p int) []float32 { return r.filter[p*r.taps : (p+1)*r.taps] }

// dot has four sums, as one alone waits for each addition.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// kaiser is Kaiser's window at x of -1 to 1.
func kaiser(x float64) float64 {
	if x <= -1 || x >= 1 {
		return 0
	}
	return bessel(beta*math.Sqrt(1-x*x)) / bessel(beta)
}

// bessel is the modified Bessel function of the first kind and order 0, by its series.
func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > 1e-12*sum; k++ {
		term *= (x / (2 * k)) * (x / (2 * k))
		sum += term
	}
	return sum
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
