package ct2

import (
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// graph is a network being built from a table. The first fault stays.
type graph struct {
	onnxfile.Builder

	t    table
	int8 bool // matrices in 8 bits
	err  error
}

func (g *graph) fail(format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf(format, args...)
	}
}

// floats are the values of a tensor, which must have the shape. Those of an int8 tensor
// are multiplied with its scales: one of the whole, or one of each row.
func (g *graph) floats(name string, shape ...int) []float32 {
	size := 1
	for _, d := range shape {
		size *= d
	}
	t := g.t[name]
	if t == nil {
		g.fail("it has no tensor %s", name)
		return make([]float32, size)
	}
	if len(t.shape) != len(shape) {
		g.fail("tensor %s has shape %v, not %v", name, t.shape, shape)
		return make([]float32, size)
	}
	for i, d := range shape {
		if d != t.shape[i] {
			g.fail("tensor %s has shape %v, not %v", name, t.shape, shape)
			return make([]float32, size)
		}
	}
	v := t.floats()
	if t.kind == typeInt8 {
		g.scale(name, v)
	}
	return v
}

func (g *graph) scale(name string, v []float32) {
	s := g.t[name+"_scale"]
	if s == nil || len(s.raw) == 0 {
		g.fail("it has no tensor %s_scale", name)
		return
	}
	scales := s.floats()
	if len(v)%len(scales) != 0 {
		g.fail("tensor %s has %d scales", name, len(scales))
		return
	}
	row := len(v) / len(scales)
	for i := range v {
		v[i] /= scales[i/row]
	}
}

// norm is a layer's normalisation.
func (g *graph) norm(x, name string, d int) string {
	return g.Norm(x, g.floats(name+"/gamma", d), g.floats(name+"/beta", d), 1e-5)
}

// linear is x·Wᵀ + b, of rows from to from+out of the matrix, times a factor.
func (g *graph) linear(x, name string, rows, from, out, in int, factor float32) string {
	w := g.floats(name+"/weight", rows, in)[from*in : (from+out)*in]
	b := g.floats(name+"/bias", rows)[from : from+out]
	if factor != 1 {
		for i := range b {
			b[i] *= factor
		}
		for i := range w {
			w[i] *= factor
		}
	}
	return g.Op("Add", []string{g.product(x, w, out, in), g.Weight(b, out)})
}

// product is x·Wᵀ.
func (g *graph) product(x string, w []float32, out, in int) string {
	if !g.int8 {
		turned := make([]float32, len(w))
		for o := range out {
			for i := range in {
				turned[i*out+o] = w[o*in+i]
			}
		}
		return g.Op("MatMul", []string{x, g.Weight(turned, in, out)})
	}
	turned, scales := onnxfile.EightBits(w, out, in)
	return g.Product8(x, turned, scales, in)
}

// feed is a layer's feed-forward part with its residual.
func (g *graph) feed(x, name string, d int) string {
	h := g.GELU(g.linear(g.norm(x, name+"/ffn/layer_norm", d), name+"/ffn/linear_0", 4*d, 0, 4*d, d, 1))
	return g.Op("Add", []string{x, g.linear(h, name+"/ffn/linear_1", d, 0, d, 4*d, 1)})
}
