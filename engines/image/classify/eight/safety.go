package eight

import (
	"fmt"
	"math"
	"slices"
)

// Safety prepares image-safety-s, a SwiftFormer-S (Shaker et al. 2023), of its file. It gives
// probabilities of 3 classes.
func Safety(model []byte) (*Net, error) {
	if !Able() {
		return nil, ErrUnable
	}
	f, err := open(model)
	if err != nil {
		return nil, err
	}
	n := newNet(3)
	n.start.before = 1
	mean, std := f.floats("mean", 1, 3, 1, 1), f.floats("std", 1, 3, 1, 1)
	for c := range 3 {
		n.start.mul[c], n.start.add[c] = 1/(255*std[c]), -mean[c]/std[c]
	}
	b := &swift{Net: n, file: f, side: Side / 2}
	n.first(f.floats("model.stem.0.weight", 24, 3, 3, 3), f.floats("model.stem.0.bias", 24), 24, actRELU)
	b.smaller("model.stem.3", 24, 48, actRELU)
	for i, s := range []struct{ blocks, channels int }{{3, 48}, {3, 64}, {9, 168}, {6, 224}} {
		stage := fmt.Sprintf("model.stages.%d.", i)
		if i > 0 {
			b.smaller(stage+"downsample.proj", b.channels, s.channels, actNone)
		}
		for j := range s.blocks - 1 {
			b.local(fmt.Sprintf("%sblocks.%d.", stage, j), 4*s.channels)
		}
		last := fmt.Sprintf("%sblocks.%d.", stage, s.blocks-1)
		b.local(last+"local_representation.", s.channels)
		b.attention(last + "attn.")
		b.linear(last)
	}
	b.head()
	if f.err != nil {
		_ = n.Close()
		return nil, f.err
	}
	return n, nil
}

// swift builds the network: what it adds works on side × side pixels of channels.
type swift struct {
	*Net
	*file

	side, channels int
}

func (b *swift) add(step func(*room)) { b.steps = append(b.steps, step) }

// smaller halves the sides by a convolution of 3 × 3.
func (b *swift) smaller(name string, in, out, act int) {
	p := b.three(b.floats(name+".weight", out, in, 3, 3), b.floats(name+".bias", out), in, out, act)
	side := b.side
	b.add(func(r *room) {
		convolve(r, p, side, padded(in), 1, r.x, r.y)
		r.x, r.y = r.y, r.x
	})
	b.side, b.channels = side/2, out
}

// local is a convolution of each channel, then two products with GELU between, added to what was.
func (b *swift) local(name string, hidden int) {
	c, side := b.channels, b.side
	d := b.each(b.floats(name+"dwconv.weight", c, 1, 3, 3), b.floats(name+"dwconv.bias", c), c, 1, 1)
	wide := b.pointwise(b.floats(name+"pwconv1.weight", hidden, c, 1, 1), b.floats(name+"pwconv1.bias", hidden), nil, c, hidden, actGELU)
	back := b.pointwise(b.floats(name+"pwconv2.weight", c, hidden, 1, 1), b.floats(name+"pwconv2.bias", c), b.floats(name+"layer_scale.gamma", c, 1, 1), hidden, c, actNone)
	b.add(func(r *room) {
		local(r, d, wide, back, side, r.x, r.y)
		r.x, r.y = r.y, r.x
	})
}

// attention is additive: one query, pooled of all, times each pixel's key.
func (b *swift) attention(name string) {
	c, pixels := b.channels, b.side*b.side
	linear := func(part string, mul []float32) *product {
		bias := name + part + ".bias"
		sum := b.takes("Add", bias)
		w := ""
		for _, in := range sum.In {
			if in == bias {
				continue
			}
			if m := b.gives(in); m.Op == "MatMul" && len(m.In) == 2 {
				w = m.In[1]
			}
		}
		from := b.floats(w, c, c)
		turned := make([]float32, c*c)
		for i := range c {
			for o := range c {
				turned[o*c+i] = from[i*c+o]
			}
		}
		return b.pointwise(turned, b.floats(bias, c), mul, c, c, actNone)
	}
	query, key, proj := linear("to_query", nil), linear("to_key", nil), linear("proj", nil)
	final := linear("final", b.floats(name[:len(name)-len("attn.")]+"layer_scale_1.gamma", c, 1, 1))
	weigh := make([]float32, padded(c))
	copy(weigh, b.floats(name+"w_g", c, 1))
	g := b.arena.floats(weigh)
	p := padded(c)
	b.add(func(r *room) {
		multiply(r, query, pixels, r.x, nil, r.y)
		unit(r.y, pixels, p)
		multiply(r, key, pixels, r.x, nil, r.z)
		unit(r.z, pixels, p)
		pooled(r, r.y, pixels, p, g, r.small)
		byChannel(r.z, pixels, p, r.small)
		multiply(r, proj, pixels, r.z, r.y, r.y)
		multiply(r, final, pixels, r.y, r.x, r.x)
	})
}

// linear is batch normalisation, which goes into the first of two products with GELU between.
func (b *swift) linear(name string) {
	c, pixels := b.channels, b.side*b.side
	hidden := 4 * c
	mul, add := b.norm(name+"linear.norm1", c)
	w := slices.Clone(b.floats(name+"linear.fc1.weight", hidden, c, 1, 1))
	bias := slices.Clone(b.floats(name+"linear.fc1.bias", hidden))
	for o := range hidden {
		for i := range c {
			bias[o] += w[o*c+i] * add[i]
			w[o*c+i] *= mul[i]
		}
	}
	wide := b.pointwise(w, bias, nil, c, hidden, actGELU)
	back := b.pointwise(b.floats(name+"linear.fc2.weight", c, hidden, 1, 1), b.floats(name+"linear.fc2.bias", c), b.floats(name+"layer_scale_2.gamma", c, 1, 1), hidden, c, actNone)
	b.add(func(r *room) { multiplyTwice(r, wide, back, pixels, r.x, r.x, r.x) })
}

// head is the mean of two linear heads of the mean of all pixels, normalised.
func (b *swift) head() {
	c, pixels := b.channels, b.side*b.side
	mul, add := b.norm("model.norm", c)
	w := make([]float32, 3*c)
	var bias [3]float32
	for _, name := range []string{"model.head.weight", "model.head_dist.weight"} {
		gemm := b.takes("Gemm", name)
		if len(gemm.In) != 3 {
			b.fail("%s has no bias", name)
			return
		}
		from, plus := b.floats(name, 3, c), b.floats(gemm.In[2], 3)
		for o := range 3 {
			bias[o] += plus[o] / 2
			for i := range c {
				w[o*c+i] += from[o*c+i] * mul[i] / 2
				bias[o] += from[o*c+i] * add[i] / 2
			}
		}
	}
	b.add(func(r *room) {
		mean(r.x, pixels, padded(c), r.small)
		for o := range r.scores {
			sum := float64(bias[o])
			for i, v := range r.small[:c] {
				sum += float64(w[o*c+i] * v)
			}
			r.scores[o] = float32(sum)
		}
		softmax(r.scores)
	})
}

func sqrt(v float32) float32 { return float32(math.Sqrt(float64(v))) }
