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
	all := random(c * c * 9)
	p, out := n.three(all, bias, c, c, actNone), make([]float32, side*side*c)
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

// TestBlocks holds both networks' blocks to their definition, in floats.
func TestBlocks(t *testing.T) {
	if !Able() {
		t.Skip("this processor has no AVX-512 VNNI")
	}
	rng := rand.New(rand.NewPCG(7, 8)) //nolint:gosec // the same numbers each time
	random := func(n int, by float64) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(by * rng.NormFloat64())
		}
		return v
	}
	n, r := newNet(1), newRoom()
	defer func() { _ = n.Close() }()
	times := func(x []float64, in int, w, bias []float32, act int) []float64 {
		out := make([]float64, 0, len(x)/in*len(bias))
		for ; len(x) > 0; x = x[in:] {
			for o, v := range bias {
				sum := float64(v)
				for i, xv := range x[:in] {
					sum += xv * float64(w[o*in+i])
				}
				out = append(out, activated(sum, act))
			}
		}
		return out
	}
	each := func(x []float64, c, side, stride, before int, w, bias []float32, act int) []float64 {
		var out []float64
		for y := 0; y < side; y += stride {
			for col := 0; col < side; col += stride {
				for ch := range c {
					sum := float64(bias[ch])
					for k := range 9 {
						if v, h := y-before+k/3, col-before+k%3; v >= 0 && v < side && h >= 0 && h < side {
							sum += x[(v*side+h)*c+ch] * float64(w[ch*9+k])
						}
					}
					out = append(out, activated(sum, act))
				}
			}
		}
		return out
	}
	held := func(what string, got []float32, want []float64) {
		t.Helper()
		var off, size float64
		for i, v := range want {
			d := float64(got[i]) - v
			off, size = off+d*d, size+v*v
		}
		if off = math.Sqrt(off / size); !(off < .02) {
			t.Errorf("%s: off by %.3g of what it is", what, off)
		}
	}
	exact := func(x []float32) []float64 {
		all := make([]float64, len(x))
		for i, v := range x {
			all[i] = float64(v)
		}
		return all
	}
	for _, side := range []int{7, 14, 28, 56} {
		const c, hidden = 16, 48 // one slice and a half
		x, own, ownBias := random(side*side*c, 1), random(9*c, .3), random(c, .3)
		a, aBias, b, bBias := random(hidden*c, .3), random(hidden, .5), random(c*hidden, .2), random(c, .3)
		wide, back := n.pointwise(a, aBias, nil, c, hidden, actGELU), n.pointwise(b, bBias, nil, hidden, c, actNone)
		out := make([]float32, len(x))
		local(r, n.each(own, ownBias, c, 1, 1), wide, back, side, x, out)
		want := times(times(each(exact(x), c, side, 1, 1, own, ownBias, actNone), c, a, aBias, actGELU), hidden, b, bBias, actNone)
		for i, v := range x {
			want[i] += float64(v)
		}
		held("local", out, want)

		for stride := 1; stride <= 2; stride++ {
			if side%stride != 0 {
				continue
			}
			own, ownBias := random(9*hidden, .3), random(hidden, .3)
			d, more := n.each(inBytes(own), inBytes(ownBias), hidden, stride, 2-stride), n.pointwise(a, aBias, nil, c, hidden, actRELU6)
			inverted(r, more, d, back, side, x, nil, out)
			grown := times(exact(x), c, a, aBias, actRELU6)
			want := times(each(grown, hidden, side, stride, 2-stride, own, ownBias, actRELU6), hidden, b, bBias, actNone)
			held("inverted", out, want)
			if stride == 1 {
				inverted(r, more, d, back, side, x, x, out)
				for i, v := range x {
					want[i] += float64(v)
				}
				held("inverted and added", out, want)
			}
			seen, shown := random(side*side*hidden, 1), make([]float32, side*side*c)
			inverted(r, nil, d, back, side, seen, nil, shown)
			held("inverted without more", shown, times(each(exact(seen), hidden, side, stride, 2-stride, own, ownBias, actRELU6), hidden, b, bBias, actNone))
		}
	}
}
