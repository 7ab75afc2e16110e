package fft

import (
	"fmt"
	"math"
)

// Mixed is the discrete Fourier transform of a fixed length whose prime factors are 7 at
// most (Cooley and Tukey 1965): 400 is 2·2·2·2·5·5. It does not change once it is made.
type Mixed struct {
	n       int
	factors []int
	turns   []complex64 // e^(-2πi·k/n)
}

// NewMixed makes the transform of n values. It panics where n has another factor: what it
// gave would be no transform.
func NewMixed(n int) *Mixed {
	f := &Mixed{n: n, turns: make([]complex64, n)}
	for k := range f.turns {
		s, c := math.Sincos(-2 * math.Pi * float64(k) / float64(n))
		f.turns[k] = complex(float32(c), float32(s))
	}
	rest := n
	for _, p := range []int{4, 2, 3, 5, 7} {
		for ; rest%p == 0; rest /= p {
			f.factors = append(f.factors, p)
		}
	}
	if rest != 1 {
		panic(fmt.Sprintf("fft: %d has a prime factor above 7", n))
	}
	return f
}

// Of writes the transform of in to out, which must not overlap; both have length n.
func (f *Mixed) Of(out, in []complex64) {
	if f.n == 1 {
		out[0] = in[0]
		return
	}
	f.part(out, in, 1, f.factors)
}

// part transforms every stride-th value of in, len(out) of them.
func (f *Mixed) part(out, in []complex64, stride int, factors []int) {
	p := factors[0]
	m := len(out) / p
	for r := range p {
		if m == 1 {
			out[r] = in[r*stride]
		} else {
			f.part(out[r*m:(r+1)*m], in[r*stride:], stride*p, factors[1:])
		}
	}
	switch p {
	case 4:
		f.four(out, m, f.n/len(out))
	case 5:
		f.five(out, m, f.n/len(out))
	default:
		f.some(out, p, m, f.n/len(out))
	}
}

// some joins p transforms of m values to one: that of out.
func (f *Mixed) some(out []complex64, p, m, step int) {
	var x [8]complex64
	for k := range m {
		for r := range p {
			x[r] = times(out[r*m+k], f.turns[r*k*step])
		}
		for q := range p {
			sum := x[0]
			for r := 1; r < p; r++ {
				sum += times(x[r], f.turns[r*q%p*(f.n/p)])
			}
			out[q*m+k] = sum
		}
	}
}

// four is some for four: they turn by quarters.
func (f *Mixed) four(out []complex64, m, step int) {
	w, x, y, z := out[:m], out[m:2*m], out[2*m:3*m], out[3*m:4*m]
	for k := range w {
		at := k * step
		b, c, d := times(x[k], f.turns[at]), times(y[k], f.turns[2*at]), times(z[k], f.turns[3*at])
		even, odd, sum, diff := w[k]+c, w[k]-c, b+d, b-d
		diff = complex(imag(diff), -real(diff))
		w[k], x[k], y[k], z[k] = even+sum, odd+diff, even-sum, odd-diff
	}
}

// The cosines and sines of one and two fifths of a turn.
const (
	cos1, cos2 = 0.30901699437494742, -0.80901699437494742
	sin1, sin2 = 0.95105651629515357, 0.58778525229247313
)

// five is some for five: of two turns that are one another's mirror, the real and the
// imaginary parts are calculated once.
func (f *Mixed) five(out []complex64, m, step int) {
	v, w, x, y, z := out[:m], out[m:2*m], out[2*m:3*m], out[3*m:4*m], out[4*m:5*m]
	for k := range v {
		at := k * step
		a := v[k]
		b, c, d, e := times(w[k], f.turns[at]), times(x[k], f.turns[2*at]), times(y[k], f.turns[3*at]), times(z[k], f.turns[4*at])
		be, cd, bMinusE, cMinusD := b+e, c+d, b-e, c-d
		near := complex(real(a)+cos1*real(be)+cos2*real(cd), imag(a)+cos1*imag(be)+cos2*imag(cd))
		far := complex(real(a)+cos2*real(be)+cos1*real(cd), imag(a)+cos2*imag(be)+cos1*imag(cd))
		turned := complex(sin1*imag(bMinusE)+sin2*imag(cMinusD), -sin1*real(bMinusE)-sin2*real(cMinusD))
		further := complex(sin2*imag(bMinusE)-sin1*imag(cMinusD), -sin2*real(bMinusE)+sin1*real(cMinusD))
		v[k], w[k], x[k], y[k], z[k] = a+be+cd, near+turned, far+further, far-further, near-turned
	}
}

// times is a product in single precision: Go's own goes through double.
func times(a, b complex64) complex64 {
	return complex(real(a)*real(b)-imag(a)*imag(b), real(a)*imag(b)+imag(a)*real(b))
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
