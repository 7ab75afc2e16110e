package ct2

import (
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// longest is how many positions the encoder knows: 30 s.
const longest = 1500

func (g *graph) encode(s, decoder size) {
	g.Inputs = []onnxfile.Value{{Name: "mel", Shape: []int{1, s.mels, -1}}}
	x := g.GELU(g.conv("mel", "encoder/conv1", s.d, s.mels, 1))
	x = g.GELU(g.conv(x, "encoder/conv2", s.d, s.d, 2))
	x = g.Op("Transpose", []string{x}, onnxfile.Ints("perm", 0, 2, 1))
	length := g.Op("Slice", []string{g.Op("Shape", []string{x}), g.Ints(1), g.Ints(2)})
	positions := g.Weight(g.floats("encoder/position_encodings/encodings", longest, s.d), longest, s.d)
	x = g.Op("Add", []string{x, g.Op("Slice", []string{positions, g.Ints(0), length, g.Ints(0)})})
	for i := range s.layers {
		name := fmt.Sprintf("encoder/layer_%d", i)
		x = g.feed(g.attend(x, name, s), name, s.d)
	}
	x = g.norm(x, "encoder/layer_norm", s.d)
	for i := range decoder.layers {
		name := fmt.Sprintf("decoder/layer_%d/attention/linear_1", i)
		each := decoder.d / decoder.heads
		k := g.linear(x, name, 2*decoder.d, 0, decoder.d, s.d, 1)
		v := g.linear(x, name, 2*decoder.d, decoder.d, decoder.d, s.d, 1)
		g.As(fmt.Sprintf("key_%d", i), g.Heads(k, decoder.heads, each, true), 1, decoder.heads, each, -1)
		g.As(fmt.Sprintf("value_%d", i), g.Heads(v, decoder.heads, each, false), 1, decoder.heads, -1, each)
	}
}

func (g *graph) conv(x, name string, out, in, stride int) string {
	return g.Op("Conv", []string{x, g.Weight(g.floats(name+"/weight", out, in, 3), out, in, 3), g.Weight(g.floats(name+"/bias", out), out)},
		onnxfile.Ints("kernel_shape", 3), onnxfile.Ints("strides", stride), onnxfile.Ints("pads", 1, 1))
}

// attend is a layer's attention to all of the sound, with its residual.
func (g *graph) attend(x, name string, s size) string {
	n := g.norm(x, name+"/self_attention/layer_norm", s.d)
	q, k, v := g.own(n, name, s)
	scores := g.Op("Softmax", []string{g.Op("MatMul", []string{g.Heads(q, s.heads, s.d/s.heads, false), g.Heads(k, s.heads, s.d/s.heads, true)})}, onnxfile.Int("axis", -1))
	y := g.Joined(g.Op("MatMul", []string{scores, g.Heads(v, s.heads, s.d/s.heads, false)}), s.d)
	return g.Op("Add", []string{x, g.linear(y, name+"/self_attention/linear_1", s.d, 0, s.d, s.d, 1)})
}

// own is the queries, keys and values of a layer's attention to its own side.
func (g *graph) own(n, name string, s size) (q, k, v string) {
	name += "/self_attention/linear_0"
	w, b := g.floats(name+"/weight", 3*s.d, s.d), g.floats(name+"/bias", 3*s.d)
	for i := range s.d * s.d {
		w[i] *= s.queries()
	}
	for i := range s.d {
		b[i] *= s.queries()
	}
	all := g.Op("Add", []string{g.product(n, w, 3*s.d, s.d), g.Weight(b, 3*s.d)})
	parts := g.Ops("Split", 3, []string{all, g.Ints(int64(s.d), int64(s.d), int64(s.d))}, onnxfile.Int("axis", -1))
	return parts[0], parts[1], parts[2]
}
