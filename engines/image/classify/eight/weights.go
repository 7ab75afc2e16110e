package eight

import (
	"fmt"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// file is a network's file, read. The first thing that is not as expected is kept as err, and what follows is
// made of nothing.
type file struct {
	weights map[string]onnxfile.Weight
	nodes   []onnxfile.Node
	err     error
}

func open(model []byte) (*file, error) {
	f := &file{}
	if f.weights, f.err = onnxfile.Floats(model); f.err == nil {
		f.nodes, f.err = onnxfile.Nodes(model)
	}
	if f.err != nil {
		return nil, fmt.Errorf("read model: %w", f.err)
	}
	return f, nil
}

func (f *file) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("read model: "+format, args...)
	}
}

// floats are the weights of a name, which must have the shape.
func (f *file) floats(name string, shape ...int) []float32 {
	w, n := f.weights[name], 1
	same := len(w.Shape) == len(shape)
	for i, d := range shape {
		same = same && w.Shape[i] == d
		n *= d
	}
	if !same || len(w.Floats) != n {
		f.fail("%s has the shape %v, not %v", name, w.Shape, shape)
		return make([]float32, n)
	}
	return w.Floats
}

// shape is that of a weight of four dimensions, all 1 where it has not as many.
func (f *file) shape(name string) [4]int {
	s := f.weights[name].Shape
	if len(s) != 4 {
		f.fail("%s has the shape %v", name, s)
		return [4]int{1, 1, 1, 1}
	}
	return [4]int(s)
}

// gives is the node that gives a value.
func (f *file) gives(value string) *onnxfile.Node {
	for i := range f.nodes {
		if slices.Contains(f.nodes[i].Out, value) {
			return &f.nodes[i]
		}
	}
	f.fail("nothing gives %q", value)
	return &onnxfile.Node{}
}

// takes is the first node of a kind that takes a value.
func (f *file) takes(op, value string) *onnxfile.Node {
	for i := range f.nodes {
		if f.nodes[i].Op == op && slices.Contains(f.nodes[i].In, value) {
			return &f.nodes[i]
		}
	}
	f.fail("no %s takes %q", op, value)
	return &onnxfile.Node{}
}

// norm is what batch normalisation multiplies a channel by, and adds.
func (f *file) norm(name string, channels int) (mul, add []float32) {
	weight, bias := f.floats(name+".weight", channels), f.floats(name+".bias", channels)
	mean, variance := f.floats(name+".running_mean", channels), f.floats(name+".running_var", channels)
	mul, add = make([]float32, channels), make([]float32, channels)
	for i := range mul {
		mul[i] = weight[i] / sqrt(variance[i]+1e-5)
		add[i] = bias[i] - mean[i]*mul[i]
	}
	return mul, add
}

// pointwise prepares weights [out][in], times each output channel's mul where there is one.
func (n *Net) pointwise(w, bias, mul []float32, in, out, act int) *product {
	scaled := slices.Clone(bias)
	times := func(int) float32 { return 1 }
	if mul != nil {
		times = func(o int) float32 { return mul[o] }
		for o := range scaled {
			scaled[o] *= mul[o]
		}
	}
	return n.arena.product(newMatrix(padded(in), out, func(o, i int) float32 {
		if i >= in {
			return 0
		}
		return w[o*in+i] * times(o)
	}, scaled), act)
}

// three prepares weights [out][in][3][3] for patches.
func (n *Net) three(w, bias []float32, in, out, act int) *product {
	p := padded(in)
	return n.arena.product(newMatrix(9*p, out, func(o, i int) float32 {
		if i%p >= in {
			return 0
		}
		return w[(o*in+i%p)*9+i/p]
	}, bias), act)
}

// each prepares weights [channels][3][3], each for its own channel.
func (n *Net) each(w, bias []float32, channels, stride, before int) *depth {
	p := padded(channels)
	turned, b := make([]float32, 9*p), make([]float32, p)
	copy(b, bias)
	for c := range channels {
		for i := range 9 {
			turned[i*p+c] = w[c*9+i]
		}
	}
	return n.arena.depth(p, stride, before, turned, b)
}

// first prepares weights [out][3][3][3] of the first convolution, for three pixels of a line and three bytes more. What
// the network makes of bytes is part of them; beyond the picture is the byte that comes closest to 0.
func (n *Net) first(w, bias []float32, out, act int) {
	const seen = 12
	plus := slices.Clone(bias)
	for c := range 3 {
		n.start.beyond[c] = uint8(min(max(math.RoundToEven(float64(-n.start.add[c]/n.start.mul[c])), 0), 255))
		for o := range out {
			for i := range 9 {
				plus[o] += w[o*27+c*9+i] * n.start.add[c]
			}
		}
	}
	n.start.product = n.arena.product(newMatrix(3*seen, out, func(o, i int) float32 {
		row, at := i/seen, i%seen
		if at >= 9 {
			return 0
		}
		return w[o*27+at%3*9+row*3+at/3] * n.start.mul[at%3]
	}, plus), act)
}
