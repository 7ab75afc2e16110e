package ct2

import (
	"fmt"
	"math"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// graph is a network being built from a table. The first fault stays.
type graph struct {
	onnxfile.Model

	t    table
	int8 bool // matrices in 8 bits
	n    int  // of names that were made
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

func (g *graph) name() string {
	g.n++
	return fmt.Sprintf("t%d", g.n)
}

// op adds a node of one output and gives its name.
func (g *graph) op(op string, in []string, attrs ...onnxfile.Attr) string {
	out := g.name()
	g.Nodes = append(g.Nodes, onnxfile.Node{Op: op, In: in, Out: []string{out}, Attrs: attrs})
	return out
}

// ops adds a node of several.
func (g *graph) ops(op string, n int, in []string, attrs ...onnxfile.Attr) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = g.name()
	}
	g.Nodes = append(g.Nodes, onnxfile.Node{Op: op, In: in, Out: out, Attrs: attrs})
	return out
}

// as names a value as an output of the graph.
func (g *graph) as(name, value string, shape ...int) {
	g.Nodes = append(g.Nodes, onnxfile.Node{Op: "Identity", In: []string{value}, Out: []string{name}})
	g.Outputs = append(g.Outputs, onnxfile.Value{Name: name, Shape: shape})
}

func (g *graph) weight(v []float32, shape ...int) string {
	name := g.name()
	g.Weights = append(g.Weights, onnxfile.Weight{Name: name, Shape: shape, Floats: v})
	return name
}

func (g *graph) ints(v ...int64) string {
	name := g.name()
	g.Weights = append(g.Weights, onnxfile.Weight{Name: name, Shape: []int{len(v)}, Ints: v})
	return name
}

// norm is a layer's normalisation.
func (g *graph) norm(x, name string, d int) string {
	return g.op("LayerNormalization", []string{x, g.weight(g.floats(name+"/gamma", d), d), g.weight(g.floats(name+"/beta", d), d)},
		onnxfile.Int("axis", -1), onnxfile.Float("epsilon", 1e-5))
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
	return g.op("Add", []string{g.product(x, w, out, in), g.weight(b, out)})
}

// product is x·Wᵀ. In 8 bits each row of W has its scale, and each x its own when it
// comes (dynamic quantisation), so that nothing has to be calibrated.
func (g *graph) product(x string, w []float32, out, in int) string {
	if !g.int8 {
		turned := make([]float32, len(w))
		for o := range out {
			for i := range in {
				turned[i*out+o] = w[o*in+i]
			}
		}
		return g.op("MatMul", []string{x, g.weight(turned, in, out)})
	}
	turned, scales := eightBits(w, out, in)
	name := g.name()
	g.Weights = append(g.Weights, onnxfile.Weight{Name: name, Shape: []int{in, out}, Int8s: turned})
	zero := g.name()
	g.Weights = append(g.Weights, onnxfile.Weight{Name: zero, Int8s: []int8{0}})
	q := g.ops("DynamicQuantizeLinear", 3, []string{x})
	y := g.op("Cast", []string{g.op("MatMulInteger", []string{q[0], name, q[2], zero})}, onnxfile.Int("to", 1))
	return g.op("Mul", []string{y, g.op("Mul", []string{q[1], g.weight(scales, out)})})
}

// eightBits is a matrix turned, each of its rows scaled to what 8 bits hold.
func eightBits(w []float32, out, in int) (turned []int8, scales []float32) {
	turned, scales = make([]int8, len(w)), make([]float32, out)
	for o := range out {
		row, largest := w[o*in:(o+1)*in], float32(0)
		for _, v := range row {
			largest = max(largest, v, -v)
		}
		if largest == 0 {
			largest = 1
		}
		scales[o] = largest / levels
		for i, v := range row {
			turned[i*out+o] = int8(math.RoundToEven(float64(v / scales[o])))
		}
	}
	return turned, scales
}

// levels are the steps on either side of zero. Processors without the VNNI instructions
// add two products in 16 bits, which more than 64 would overflow: engines/onnx has the
// library use others there.
const levels = 127

// gelu is x·Φ(x), exact.
func (g *graph) gelu(x string) string {
	e := g.op("Erf", []string{g.op("Div", []string{x, g.weight([]float32{math.Sqrt2})})})
	y := g.op("Mul", []string{x, g.op("Add", []string{e, g.weight([]float32{1})})})
	return g.op("Mul", []string{y, g.weight([]float32{0.5})})
}

// heads turns [1, n, d] into [1, heads, n, d/heads], or with the last two swapped.
func (g *graph) heads(x string, heads, each int, swapped bool) string {
	r := g.op("Reshape", []string{x, g.ints(1, -1, int64(heads), int64(each))})
	if swapped {
		return g.op("Transpose", []string{r}, onnxfile.Ints("perm", 0, 2, 3, 1))
	}
	return g.op("Transpose", []string{r}, onnxfile.Ints("perm", 0, 2, 1, 3))
}

// joined is what heads undoes.
func (g *graph) joined(x string, d int) string {
	return g.op("Reshape", []string{g.op("Transpose", []string{x}, onnxfile.Ints("perm", 0, 2, 1, 3)), g.ints(1, -1, int64(d))})
}

// feed is a layer's feed-forward part with its residual.
func (g *graph) feed(x, name string, d int) string {
	h := g.gelu(g.linear(g.norm(x, name+"/ffn/layer_norm", d), name+"/ffn/linear_0", 4*d, 0, 4*d, d, 1))
	return g.op("Add", []string{x, g.linear(h, name+"/ffn/linear_1", d, 0, d, 4*d, 1)})
}
