//go:build cgo && linux && amd64

package eight

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRounding holds rounded weights to what they promise: each within a step, all of a row within half of one.
func TestRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same numbers each time
	for n := 1; n < 300; n += 7 {
		row := make([]float32, n)
		for i := range row {
			row[i] = float32(rng.NormFloat64()) + .3
		}
		var scale float32
		left := 0.
		for i, q := range rounded(row, &scale) {
			d := float64(row[i])/float64(scale) - float64(q)
			if left += d; math.Abs(d) > 1.001 {
				t.Errorf("%d weights: %v became %d, of steps of %v", n, row[i], q, scale)
			}
		}
		if math.Abs(left) > .501 && n > 1 {
			t.Errorf("%d weights: their errors add up to %v steps", n, left)
		}
	}
	var scale float32
	if q := rounded(make([]float32, 3), &scale); scale != 1 || q[0] != 0 {
		t.Errorf("nothing became %v of %v", q, scale)
	}
}

// TestProduct holds a product to its definition: within what rounding a pixel and the weights can make.
func TestProduct(t *testing.T) {
	if !Able() {
		t.Skip("this processor has no AVX-512 VNNI")
	}
	rng := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same numbers each time
	for _, c := range []struct{ pixels, in, out, act int }{
		{1, 16, 16, actNone}, {2, 24, 48, actNone}, {11, 48, 30, actGELU}, {13, 88, 528, actRELU6}, {49, 64, 168, actRELU}, {97, 176, 24, actGELU},
	} {
		n := newNet(1)
		w, bias := make([]float32, c.in*c.out), make([]float32, c.out)
		for i := range w {
			w[i] = float32(rng.NormFloat64()) / float32(c.in)
		}
		for i := range bias {
			bias[i] = float32(rng.NormFloat64())
		}
		p := n.pointwise(w, bias, nil, c.in, c.out, c.act)
		k, m := padded(c.in), padded(c.out)
		x, add, out := make([]float32, c.pixels*k), make([]float32, c.pixels*m), make([]float32, c.pixels*m)
		for i := range x {
			if i%k < c.in {
				x[i] = float32(rng.NormFloat64()) * 3
			}
		}
		for i := range add {
			if i%m < c.out {
				add[i] = float32(i % 5)
			}
		}
		multiply(newRoom(), p, c.pixels, x, add, out)
		for px := range c.pixels {
			for o := range m {
				want := 0.
				if o < c.out {
					want = float64(bias[o])
					for i := range c.in {
						want += float64(x[px*k+i]) * float64(w[o*c.in+i])
					}
					want = activated(want, c.act) + float64(add[px*m+o])
				}
				if got := float64(out[px*m+o]); math.Abs(got-want) > .06 || o >= c.out && got != activated(0, c.act) {
					t.Fatalf("%+v: pixel %d, channel %d: %v, not %v", c, px, o, got, want)
				}
			}
		}
		_ = n.Close()
	}
}

func activated(v float64, act int) float64 {
	switch act {
	case actRELU:
		return max(v, 0)
	case actRELU6:
		return min(max(v, 0), 6)
	case actGELU:
		return v / 2 * (1 + math.Erf(v/math.Sqrt2))
	}
	return v
}

// TestConvolutions holds the convolutions to their definition.
func TestConvolutions(t *testing.T) {
	if !Able() {
		t.Skip("this processor has no AVX-512 VNNI")
	}
	rng := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same numbers each time
	random := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(rng.NormFloat64())
		}
		return v
	}
	n, r := newNet(1), newRoom()
	defer func() { _ = n.Close() }()
	const side, c = 14, 32
	x, bias := random(side*side*c), random(c)
	at := func(y, col, channel int) float64 {
		if y < 0 || y >= side || col < 0 || col >= side {
			return 0
		}
		return float64(x[(y*side+col)*c+channel])
	}
	own := random(9 * c)
	d := n.each(own, bias, c, 1, 1)
	out := make([]float32, side*side*c)
	depthwise(r, d, side, x, out)
	for i, got := range out {
		y, col, ch := i/c/side, i/c%side, i%c
		want := float64(bias[ch])
		for k := range 9 {
			want += at(y-1+k/3, col-1+k%3, ch) * float64(own[ch*9+k])
		}
		if math.Abs(float64(got)-want) > 1e-4 {
			t.Fatalf("depthwise: (%d, %d), channel %d: %v, not %v", col, y, ch, got, want)
		}
	}
	all := random(c * c * 9)
	p := n.three(all, bias, c, c, actNone)
	for before := range 2 {
		convolve(r, p, side, c, before, x, out)
		for i, got := range out[:side/2*side/2*c] {
			y, col, ch := i/c/(side/2), i/c%(side/2), i%c
			want := float64(bias[ch])
			for in := range c {
				for k := range 9 {
					want += at(2*y-before+k/3, 2*col-before+k%3, in) * float64(all[(ch*c+in)*9+k])
				}
			}
			if math.Abs(float64(got)-want) > 1 { // of sums of about 17
				t.Fatalf("patches from %d: (%d, %d), channel %d: %v, not %v", before, col, y, ch, got, want)
			}
		}
	}
}
