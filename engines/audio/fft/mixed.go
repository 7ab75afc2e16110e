package fft

import "math"

// Mixed is the discrete Fourier transform of a fixed length whose prime factors are 7 at
// most (Cooley and Tukey 1965): 400 is 2·2·2·2·5·5. It does not change once it is made.
type Mixed struct {
	n       int
	factors []int
	turns   []complex64 // e^(-2πi·k/n)
}

// NewMixed makes the transform of n values.
func NewMixed(n int) *Mixed {
	f := &Mixed{n: n, turns: make([]complex64, n)}
	for k := range f.turns {
		s, c := math.Sincos(-2 * math.Pi * float64(k) / float64(n))
		f.turns[k] = complex(float32(c), float32(s))
	}
	for rest, p := n, 2; rest > 1; {
		if rest%p != 0 {
			p++
			continue
		}
		f.factors = append(f.factors, p)
		rest /= p
	}
	return f
}

// Of writes the transform of in to out, which must not overlap; both have length n.
func (f *Mixed) Of(out, in []complex64) { f.part(out, in, 1, f.factors) }

// part transforms every stride-th value of in, len(out) of them.
func (f *Mixed) part(out, in []complex64, stride int, factors []int) {
	if len(factors) == 0 {
		out[0] = in[0]
		return
	}
	p := factors[0]
	m := len(out) / p
	for r := range p {
		f.part(out[r*m:(r+1)*m], in[r*stride:], stride*p, factors[1:])
	}
	var x [8]complex64
	step := f.n / len(out)
	for k := range m {
		for r := range p {
			x[r] = out[r*m+k] * f.turns[r*k*step]
		}
		if p == 2 {
			out[k], out[m+k] = x[0]+x[1], x[0]-x[1]
			continue
		}
		for q := range p {
			sum := x[0]
			for r := 1; r < p; r++ {
				sum += x[r] * f.turns[r*q%p*(f.n/p)]
			}
			out[q*m+k] = sum
		}
	}
}

// TwoReal gives the power of the bins 0 to n/2 of two real sounds whose transform, the one
// real, the other imaginary, is given.
func TwoReal(a, b []float32, transform []complex64) {
	n := len(transform)
	for k := range n/2 + 1 {
		x, y := transform[k], transform[(n-k)%n]
		evenRe, evenIm := (real(x)+real(y))/2, (imag(x)-imag(y))/2
		oddRe, oddIm := (imag(x)+imag(y))/2, (real(y)-real(x))/2
		a[k], b[k] = evenRe*evenRe+evenIm*evenIm, oddRe*oddRe+oddIm*oddIm
	}
}
