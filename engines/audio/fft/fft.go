// Package fft gives the power spectrum of windows of sound.
package fft

import (
	"math"
	"math/bits"
)

// Transform has the tables of a transform of one size: a window of n real samples through a
// complex transform of half the size (Numerical Recipes, 12.3). It does not change once it
// is made, so that all who need one share it.
type Transform struct {
	n       int
	window  []float32
	twiddle []complex64 // of the complex transform, then of the split
	split   []complex64
	order   []uint16
}

// Hann is Hann's window for a transform of n samples.
func Hann(n int) []float32 {
	w := make([]float32, n)
	for i := range w {
		w[i] = float32(0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n)))
	}
	return w
}

// New makes the transform of windows of len(window) samples, a power of two from 8 to
// 65,536, each of which is multiplied with what window has for it.
func New(window []float32) *Transform {
	n := len(window)
	half := n / 2
	f := &Transform{n: n, window: window, twiddle: make([]complex64, half/2), split: make([]complex64, half/2+1), order: make([]uint16, half)}
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

// Power gives the power of each bin, 0 to n/2, of n samples: the square of the transform's
// magnitude times scale. work holds n/2 values, dst n/2+1.
func (f *Transform) Power(dst, samples []float32, work []complex64, scale float32) {
	half := f.n / 2
	samples, window := samples[:f.n], f.window[:f.n]
	for i, to := range f.order {
		work[to] = complex(samples[2*i]*window[2*i], samples[2*i+1]*window[2*i+1])
	}
	f.transform(work[:half])
	work = work[:half]
	f.unravel(dst, 0, work[0], work[0], scale)
	for k := 1; k <= half/2; k++ {
		f.unravel(dst, k, work[k], work[half-k], scale)
	}
}

// unravel makes of bins k and half-k of the complex transform those of the real one.
func (f *Transform) unravel(dst []float32, k int, a, b complex64, scale float32) {
	b = complex(real(b), -imag(b))
	even, d, w := complex(0.5*(real(a)+real(b)), 0.5*(imag(a)+imag(b))), a-b, f.split[k]
	odd := complex(0.5*imag(d), -0.5*real(d))
	t := complex(real(w)*real(odd)-imag(w)*imag(odd), real(w)*imag(odd)+imag(w)*real(odd))
	x, y := even+t, even-t
	dst[k] = (real(x)*real(x) + imag(x)*imag(x)) * scale
	dst[f.n/2-k] = (real(y)*real(y) + imag(y)*imag(y)) * scale
}

// transform is the radix-2 decimation in time, in place, of what lies in its order.
func (f *Transform) transform(x []complex64) {
	n := len(x)
	for i := 0; i+4 <= n; i += 4 { // the first two stages turn by nothing and by a quarter
		q := x[i : i+4 : i+4]
		a, b, c, d := q[0]+q[1], q[0]-q[1], q[2]+q[3], q[2]-q[3]
		d = complex(imag(d), -real(d))
		q[0], q[1], q[2], q[3] = a+c, b+d, a-c, b-d
	}
	size := 8
	if n >= size && bits.TrailingZeros(uint(n))%2 != 0 { // an odd number of stages
		f.stage(x, size)
		size *= 2
	}
	for ; size < n; size *= 4 {
		f.stages(x, size)
	}
}

// stage makes transforms of size of those of half of it.
func (f *Transform) stage(x []complex64, size int) {
	half, stride := size/2, len(x)/size
	for start := 0; start < len(x); start += size {
		low, high := x[start:start+half], x[start+half:start+size]
		high = high[:len(low)]
		for j, at := 0, 0; j < len(low); j, at = j+1, at+stride {
			t := times(f.twiddle[at], high[j])
			high[j] = low[j] - t
			low[j] += t
		}
	}
}

// stages is the stage of size and the next one, to the last bit, with half of the ways to
// memory.
func (f *Transform) stages(x []complex64, size int) {
	half, stride := size/2, len(x)/(2*size)
	first, second, third := f.twiddle[:(half-1)*2*stride+1], f.twiddle[:(half-1)*stride+1], f.twiddle[half*stride:]
	for start := 0; start < len(x); start += 2 * size {
		q0, q1, q2, q3 := x[start:start+half], x[start+half:start+size], x[start+size:start+size+half], x[start+size+half:start+2*size]
		q1, q2, q3 = q1[:len(q0)], q2[:len(q0)], q3[:len(q0)]
		for j, at := 0, 0; j < len(q0); j, at = j+1, at+stride {
			w := first[2*at]
			b, d := times(w, q1[j]), times(w, q3[j])
			a0, a1, c0, c1 := q0[j]+b, q0[j]-b, q2[j]+d, q2[j]-d
			c0, c1 = times(second[at], c0), times(third[at], c1)
			q0[j], q1[j], q2[j], q3[j] = a0+c0, a1+c1, a0-c0, a1-c1
		}
	}
}
