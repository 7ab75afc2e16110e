// Package ge2e writes the network of voices anew, with most of its weights in 8 bits.
package ge2e

import (
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// The shape of the network; see engines/models/torch, which writes the file.
const (
	mels   = 40
	hidden = 256
	width  = 256
	layers = 3
)

// Rewrite gives the network of a file of engines/models/torch anew, with the weights of its upper layers in 8
// bits, each row with a scale of its own. A step of an LSTM reads all that it weighs the step
// before with, a megabyte in float32, and is done with it at once: reading is what it takes.
// The first layer stays as it is: what it is given, power in bands, has no range that 8
// bits hold.
func Rewrite(file []byte) ([]byte, error) {
	weights, err := onnxfile.Floats(file)
	if err != nil {
		return nil, fmt.Errorf("ge2e: %w", err)
	}
	g := rewriting{weights: weights}
	g.Name = "ge2e in 8 bits"
	g.Inputs = []onnxfile.Value{{Name: "mels", Shape: []int{-1, -1, mels}}}
	x := g.Op("Transpose", []string{"mels"}, onnxfile.Ints("perm", 1, 0, 2))
	one, zero := g.Ints(1), g.Ints(0)
	var last string
	for l := range layers {
		var all string
		if l == 0 {
			all, last = g.whole(x)
		} else {
			all, last = g.rounded(x, l)
		}
		if l < layers-1 {
			x = g.Op("Squeeze", []string{all, one})
		}
	}
	y := g.Op("Gemm", []string{
		g.Op("Squeeze", []string{last, zero}), g.Weight(g.weight("linear.weight", width, hidden), width, hidden), g.Weight(g.weight("linear.bias", width), width),
	}, onnxfile.Int("transB", 1))
	g.As("voice", g.Op("Relu", []string{y}), -1, width)
	if g.err != nil {
		return nil, g.err
	}
	out, err := g.Marshal()
	if err != nil {
		return nil, fmt.Errorf("ge2e: %w", err)
	}
	return out, nil
}

// rewriting is what is being written. The first error stays.
type rewriting struct {
	onnxfile.Builder
	weights map[string]onnxfile.Weight
	err     error
}

// weight is one of the file's, of the shape that it must have.
func (g *rewriting) weight(name string, shape ...int) []float32 {
	w, ok := g.weights[name]
	if ok && slices.Equal(w.Shape, shape) {
		return w.Floats
	}
	if g.err == nil {
		g.err = fmt.Errorf("ge2e: weight %s is %v, not %v: this is another network", name, w.Shape, shape)
	}
	size := 1
	for _, d := range shape {
		size *= d
	}
	return make([]float32, size)
}

// whole is the first layer: what it says of each step, and of the last.
func (g *rewriting) whole(x string) (all, last string) {
	const gates = 4 * hidden
	out := g.Ops("LSTM", 2, []string{
		x,
		g.Weight(g.weight("lstm.w_l0", 1, gates, mels), 1, gates, mels),
		g.Weight(g.weight("lstm.r_l0", 1, gates, hidden), 1, gates, hidden),
		g.Weight(g.weight("lstm.b_l0", 1, 2*gates), 1, 2*gates),
	}, onnxfile.Int("hidden_size", hidden))
	return out[0], out[1]
}

// rounded is an upper layer.
func (g *rewriting) rounded(x string, l int) (all, last string) {
	const gates = 4 * hidden
	name := func(of string) string { return fmt.Sprintf("lstm.%s_l%d", of, l) }
	eight := func(of string) (weights, scales, zero string) {
		values, by := onnxfile.EightBits(g.weight(name(of), 1, gates, hidden), gates, hidden)
		weights, zero = g.Fresh(), g.Fresh()
		g.Weights = append(g.Weights,
			onnxfile.Weight{Name: weights, Shape: []int{1, hidden, gates}, Int8s: values},
			onnxfile.Weight{Name: zero, Shape: []int{1, gates}, Int8s: make([]int8, gates)})
		return weights, g.Weight(by, 1, gates), zero
	}
	in, inScales, inZero := eight("w")
	again, againScales, againZero := eight("r")
	bias := g.Weight(g.weight(name("b"), 1, 2*gates), 1, 2*gates)
	all, last = g.Fresh(), g.Fresh()
	g.Nodes = append(g.Nodes, onnxfile.Node{
		Op: "DynamicQuantizeLSTM", Domain: onnxfile.Contrib,
		In:  []string{x, in, again, bias, "", "", "", "", inScales, inZero, againScales, againZero},
		Out: []string{all, last}, Attrs: []onnxfile.Attr{onnxfile.Int("hidden_size", hidden)},
	})
	return all, last
}
