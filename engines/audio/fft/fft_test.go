package fft

import (
	"math"
	"math/cmplx"
	"strconv"
	"testing"
)

// bin is one of a transform, by definition.
func bin(in []complex64, k int) (sum complex128) {
	for i, v := range in {
		sum += complex128(v) * cmplx.Exp(complex(0, -2*math.Pi*float64(i*k)/float64(len(in))))
	}
	return sum
}

// sound is a sound of n samples, and the same as a complex one.
func sound(n int) (pcm []float32, in []complex64) {
	pcm, in = make([]float32, n), make([]complex64, n)
	for i := range pcm {
		pcm[i] = float32(math.Sin(float64(i*i)*0.1) + 0.3*math.Cos(float64(i)*0.7))
		in[i] = complex(pcm[i], 0)
	}
	return pcm, in
}

// The powers of bins are those by definition, of every size, with a window.
func TestPower(t *testing.T) {
	for n := 8; n <= 2048; n *= 2 {
		pcm, in := sound(n)
		window := Hann(n)
		for i := range in {
			in[i] *= complex(window[i], 0)
		}
		got := make([]float32, n/2+1)
		New(window).Power(got, pcm, make([]complex64, n/2), 3)
		for k, p := range got {
			want := 3 * math.Pow(cmplx.Abs(bin(in, k)), 2)
			if math.Abs(float64(p)-want) > 1e-4*(float64(n)+want) {
				t.Fatalf("%d samples: bin %d = %v, want %v", n, k, p, want)
			}
		}
	}
}

// The mixed transform is held against its definition, as is what it says of two sounds.
func TestMixed(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 7, 12, 30, 400} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			a, _ := sound(n)
			in, out := make([]complex64, n), make([]complex64, n)
			one, two := make([]complex64, n), make([]complex64, n)
			for i := range in {
				in[i] = complex(a[i], a[n-1-i])
				one[i], two[i] = complex(a[i], 0), complex(a[n-1-i], 0)
			}
			NewMixed(n).Of(out, in)
			for k := range out {
				if want := bin(in, k); cmplx.Abs(want-complex128(out[k])) > 1e-3 {
					t.Fatalf("bin %d = %v, want %v", k, out[k], want)
				}
			}
			x, y := make([]float32, n/2+1), make([]float32, n/2+1)
			TwoReal(x, y, out)
			for k := range x {
				p, q := math.Pow(cmplx.Abs(bin(one, k)), 2), math.Pow(cmplx.Abs(bin(two, k)), 2)
				if math.Abs(float64(x[k])-p) > 1e-3*(1+p) || math.Abs(float64(y[k])-q) > 1e-3*(1+q) {
					t.Fatalf("bin %d has powers %v and %v, want %v and %v", k, x[k], y[k], p, q)
				}
			}
		})
	}
}

// Two stages at a time give what one after the other does, to the last bit.
func TestStages(t *testing.T) {
	for half := 8; half <= 1024; half *= 2 {
		f := New(Hann(2 * half))
		_, in := sound(half)
		for i := range in {
			in[i] += complex(0, real(in[(i*7+3)%half]))
		}
		want := append([]complex64(nil), in...)
		for at := 0; at < half; at += 4 {
			f.transform(want[at : at+4]) // the first two, which are the same for all
		}
		for size := 8; size <= half; size *= 2 {
			f.stage(want, size)
		}
		f.transform(in)
		for i := range in {
			if in[i] != want[i] {
				t.Fatalf("%d values: %d is %v, want %v", half, i, in[i], want[i])
			}
		}
	}
}

// What can't be transformed is refused, not transformed wrongly.
func TestMixedRefuses(t *testing.T) {
	for _, n := range []int{11, 22, 4 * 13} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d values are taken", n)
				}
			}()
			NewMixed(n)
		}()
	}
}
