package acoustic

import (
	"math"
	"math/bits"
	"sync"
)

// fft has the tables of a transform of one size, which all meters share: a window of n
// real samples through a complex transform of half the size (Numerical Recipes, 12.3).
type fft struct {
	n       int
	window  []float32   // Hann's
	twiddle []complex64 // of the complex transform, then of the split
	split   []complex64
	order   []uint16
}

var (
	fft512  = sync.OnceValue(func() *fft { return newFFT(frame) })
	fft1024 = sync.OnceValue(func() *fft { return newFFT(lowFrame) })
)

func newFFT(n int) *fft {
	half := n / 2
	f := &fft{n: n, window: make([]float32, n), twiddle: make([]complex64, half/2), split: make([]complex64, half/2+1), order: make([]uint16, half)}
	for i := range f.window {
		f.window[i] = float32(0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n)))
	}
	for i := range f.twiddle {
		s, c := math.Sincos(-2 * math.Pi * float64(i) / float64(half))
		f.twiddle[i] = complex(float32(c), float32(s))
	}
	for i := range f.split {
		s, c := math.Sincos(-2 * math.Pi * float64(i) / float64(n))
		f.split[i] = complex(float32(c), float32(s))
	}
	shift := 16 - bits.Len(uint(half-1))
	for i := range f.order {
		f.order[i] = bits.Reverse16(uint16(i)) >> shift //nolint:gosec // i is less than 2^16
	}
	return f
}

// power gives the power of each bin, 0 to n/2, of n samples: that of a full-scale sine
// on a bin sums to 0.5 over the bins that Hann's window spreads it to. work holds n/2.
func (f *fft) power(dst, samples []float32, work []complex64) {
	half := f.n / 2
	samples, window := samples[:f.n], f.window[:f.n]
	for i, to := range f.order {
		work[to] = complex(samples[2*i]*window[2*i], samples[2*i+1]*window[2*i+1])
	}
	f.transform(work[:half])
	// Hann's window has a mean square of 3/8; one side of the spectrum has half.
	scale := 2 / (float32(f.n) * float32(f.n) * 0.375)
	work = work[:half]
	f.unravel(dst, 0, work[0], work[0], scale)
	for k := 1; k <= half/2; k++ {
		f.unravel(dst, k, work[k], work[half-k], scale)
	}
}

// unravel makes of bins k and half-k of the complex transform those of the real one.
func (f *fft) unravel(dst []float32, k int, a, b complex64, scale float32) {
	b = complex(real(b), -imag(b))
	even, d, w := complex(0.5*(real(a)+real(b)), 0.5*(imag(a)+imag(b))), a-b, f.split[k]
	odd := complex(0.5*imag(d), -0.5*real(d))
	t := complex(real(w)*real(odd)-imag(w)*imag(odd), real(w)*imag(odd)+imag(w)*real(odd))
	x, y := even+t, even-t
	dst[k] = (real(x)*real(x) + imag(x)*imag(x)) * scale
	dst[f.n/2-k] = (real(y)*real(y) + imag(y)*imag(y)) * scale
}

// transform is the radix-2 decimation in time, in place, of what lies in its order.
func (f *fft) transform(x []complex64) {
	n := len(x)
	for i := 0; i+4 <= n; i += 4 { // the first two stages turn by nothing and by a quarter
		q := x[i : i+4 : i+4]
		a, b, c, d := q[0]+q[1], q[0]-q[1], q[2]+q[3], q[2]-q[3]
		d = complex(imag(d), -real(d))
		q[0], q[1], q[2], q[3] = a+c, b+d, a-c, b-d
	}
	for size := 8; size <= n; size *= 2 {
		half, stride := size/2, n/size
		for start := 0; start < n; start += size {
			low, high := x[start:start+half], x[start+half:start+size]
			high = high[:len(low)]
			for j, at := 0, 0; j < len(low); j, at = j+1, at+stride {
				w, h := f.twiddle[at], high[j]
				t := complex(real(w)*real(h)-imag(w)*imag(h), real(w)*imag(h)+imag(w)*real(h))
				high[j] = low[j] - t
				low[j] += t
			}
		}
	}
}

// log2 is within 0.01 of the binary logarithm of a positive number: what a spectrum
// needs, and a tenth of the time.
func log2(x float32) float32 {
	b := math.Float32bits(x)
	e := float32(int32(b>>23) - 127) //nolint:gosec // eight bits
	m := math.Float32frombits(b&0x7fffff | 0x3f800000)
	return e + (-0.34484843*m+2.02466578)*m - 1.67487759
}

// db is the level of a power in dB, -120 at least.
func db(power float64) float64 { return 10 * math.Log10(power+1e-12) }

// exp2 is the inverse of log2, within a percent.
func exp2(x float32) float32 {
	if x < -126 {
		return 0
	}
	whole := float32(math.Floor(float64(x)))
	part := x - whole
	m := 1 + part*(0.6565+0.3435*part)
	return m * math.Float32frombits(uint32(int32(whole)+127)<<23) //nolint:gosec // x is not below -126
}
