package onnxfile

import (
	"fmt"
	"math"
)

// Builder is a Model that is being built node by node; it makes the names.
type Builder struct {
	Model

	// Prefix is what names begin with, so that they are none of another graph.
	Prefix string

	n int // of names that were made
}

// Fresh is a name that no other value of the graph has.
func (g *Builder) Fresh() string {
	g.n++
	return fmt.Sprintf("%st%d", g.Prefix, g.n)
}

// Op adds a node of one output and gives its name.
func (g *Builder) Op(op string, in []string, attrs ...Attr) string {
	out := g.Fresh()
	g.Nodes = append(g.Nodes, Node{Op: op, In: in, Out: []string{out}, Attrs: attrs})
	return out
}

// Ops adds a node of n outputs.
func (g *Builder) Ops(op string, n int, in []string, attrs ...Attr) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = g.Fresh()
	}
	g.Nodes = append(g.Nodes, Node{Op: op, In: in, Out: out, Attrs: attrs})
	return out
}

// As names a value as an output of the graph.
func (g *Builder) As(name, value string, shape ...int) {
	g.Nodes = append(g.Nodes, Node{Op: "Identity", In: []string{value}, Out: []string{name}})
	g.Outputs = append(g.Outputs, Value{Name: name, Shape: shape})
}

// Weight adds a constant.
func (g *Builder) Weight(v []float32, shape ...int) string {
	name := g.Fresh()
	g.Weights = append(g.Weights, Weight{Name: name, Shape: shape, Floats: v})
	return name
}

// Ints adds a constant list of whole numbers.
func (g *Builder) Ints(v ...int64) string {
	name := g.Fresh()
	g.Weights = append(g.Weights, Weight{Name: name, Shape: []int{len(v)}, Ints: v})
	return name
}

// Norm is the normalisation of rows of d values.
func (g *Builder) Norm(x string, gamma, beta []float32, epsilon float32) string {
	d := len(gamma)
	return g.Op("LayerNormalization", []string{x, g.Weight(gamma, d), g.Weight(beta, d)}, Int("axis", -1), Float("epsilon", epsilon))
}

// Product8 is x·Wᵀ in 8 bits. Each row of W has its scale, and each x its own when it
// comes (dynamic quantisation), so that nothing has to be calibrated. turned is W in 8
// bits, [in, out].
func (g *Builder) Product8(x string, turned []int8, scales []float32, in int) string {
	name := g.Fresh()
	g.Weights = append(g.Weights, Weight{Name: name, Shape: []int{in, len(scales)}, Int8s: turned})
	zero := g.Fresh()
	g.Weights = append(g.Weights, Weight{Name: zero, Int8s: []int8{0}})
	q := g.Ops("DynamicQuantizeLinear", 3, []string{x})
	y := g.Op("Cast", []string{g.Op("MatMulInteger", []string{q[0], name, q[2], zero})}, Int("to", 1))
	return g.Op("Mul", []string{y, g.Op("Mul", []string{q[1], g.Weight(scales, len(scales))})})
}

// GELU is x·Φ(x), exact.
func (g *Builder) GELU(x string) string {
	e := g.Op("Erf", []string{g.Op("Div", []string{x, g.Weight([]float32{math.Sqrt2})})})
	y := g.Op("Mul", []string{x, g.Op("Add", []string{e, g.Weight([]float32{1})})})
	return g.Op("Mul", []string{y, g.Weight([]float32{0.5})})
}

// Heads turns [1, n, d] into [1, heads, n, each], or with the last two swapped.
func (g *Builder) Heads(x string, heads, each int, swapped bool) string {
	r := g.Op("Reshape", []string{x, g.Ints(1, -1, int64(heads), int64(each))})
	if swapped {
		return g.Op("Transpose", []string{r}, Ints("perm", 0, 2, 3, 1))
	}
	return g.Op("Transpose", []string{r}, Ints("perm", 0, 2, 1, 3))
}

// Joined is what Heads undoes, [1, n, d].
func (g *Builder) Joined(x string, d int) string {
	return g.Op("Reshape", []string{g.Op("Transpose", []string{x}, Ints("perm", 0, 2, 1, 3)), g.Ints(1, -1, int64(d))})
}

// levels are the steps on either side of zero. Processors without the VNNI instructions
// add two products in 16 bits, which more than 64 would overflow: engines/onnx has the
// library use others there.
const levels = 127

// EightBits is a matrix [out, in] turned, each of its rows scaled to what 8 bits hold.
func EightBits(w []float32, out, in int) (turned []int8, scales []float32) {
	values, scales := Rounded(w, out, in)
	return Turned(values, out, in), scales
}

// Rounded is a matrix [out, in], each of its rows scaled to what 8 bits hold.
func Rounded(w []float32, out, in int) (values []int8, scales []float32) {
	values, scales = make([]int8, len(w)), make([]float32, out)
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
			values[o*in+i] = int8(math.RoundToEven(float64(v / scales[o])))
		}
	}
	return values, scales
}

// Turned is a matrix [out, in] with rows and columns changed.
func Turned(values []int8, out, in int) []int8 {
	t := make([]int8, len(values))
	for o := range out {
		for i := range in {
			t[i*out+o] = values[o*in+i]
		}
	}
	return t
}
