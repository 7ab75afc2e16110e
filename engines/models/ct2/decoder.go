package ct2

import (
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// context is how many positions the decoder knows.
const context = 448

// decode is the decoder for n tokens at a time. It takes
//
//	tokens     [1, n]        their ids
//	positions  [1, n]        where they stand
//	mask       [1, 1, n, m+n]  added to the scores: 0, or -1e9 for what they must not see
//	past       [m, 2·layers·d] what was kept of those before, the keys and values of each layer
//	key_i, value_i           of the encoder
//
// and gives
//
//	logits [1, n, vocabulary]
//	new    [n, 2·layers·d]   to be appended to past
//	follow [heads, n, sound] the attention of the heads that follow the sound
//
// All are float32, which engines/onnx knows alone. m is at least 1: an empty past is a
// row that mask hides.
func (g *graph) decode(s size, follow [][]int64) {
	each, kept := s.d/s.heads, 2*s.layers*s.d
	g.Inputs = []onnxfile.Value{
		{Name: "tokens", Shape: []int{1, -1}},
		{Name: "positions", Shape: []int{1, -1}},
		{Name: "mask", Shape: []int{1, 1, -1, -1}},
		{Name: "past", Shape: []int{-1, kept}},
	}
	for i := range s.layers {
		g.Inputs = append(g.Inputs,
			onnxfile.Value{Name: fmt.Sprintf("key_%d", i), Shape: []int{1, s.heads, each, -1}},
			onnxfile.Value{Name: fmt.Sprintf("value_%d", i), Shape: []int{1, s.heads, -1, each}})
	}
	x := g.Op("Add", []string{g.embedded(s), g.row("positions", g.Weight(g.floats("decoder/position_encodings/encodings", context, s.d), context, s.d))})
	parts := make([]int64, 2*s.layers)
	for i := range parts {
		parts[i] = int64(s.d)
	}
	past := g.Ops("Split", len(parts), []string{g.Op("Unsqueeze", []string{"past", g.Ints(0)}), g.Ints(parts...)}, onnxfile.Int("axis", -1))
	var fresh, heads []string
	for i := range s.layers {
		name := fmt.Sprintf("decoder/layer_%d", i)
		var k, v string
		x, k, v = g.remember(x, name, s, past[2*i], past[2*i+1])
		fresh = append(fresh, k, v)
		var scores string
		x, scores = g.listen(x, name, s, i)
		if len(follow[i]) > 0 {
			heads = append(heads, g.Op("Gather", []string{scores, g.Ints(follow[i]...)}, onnxfile.Int("axis", 1)))
		}
		x = g.feed(x, name, s.d)
	}
	x = g.norm(x, "decoder/layer_norm", s.d)
	projection := "decoder/projection/weight"
	g.As("logits", g.product(x, g.floats(projection, s.vocabulary, s.d), s.vocabulary, s.d), 1, -1, s.vocabulary)
	g.As("new", g.Op("Squeeze", []string{g.Op("Concat", fresh, onnxfile.Int("axis", -1)), g.Ints(0)}), -1, kept)
	n := 0
	for _, f := range follow {
		n += len(f)
	}
	g.As("follow", g.Op("Squeeze", []string{g.Op("Concat", heads, onnxfile.Int("axis", 1)), g.Ints(0)}), n, -1, -1)
}

// embedded are the vectors of the tokens, from a table in 16 bits.
func (g *graph) embedded(s size) string {
	v := g.floats("decoder/embeddings/weight", s.vocabulary, s.d)
	halves := make([]uint16, len(v))
	for i := range v {
		halves[i] = toHalf(v[i])
	}
	name := g.Fresh()
	g.Weights = append(g.Weights, onnxfile.Weight{Name: name, Shape: []int{s.vocabulary, s.d}, Halves: halves})
	return g.Op("Cast", []string{g.row("tokens", name)}, onnxfile.Int("to", 1))
}

// row takes rows of a table by their numbers.
func (g *graph) row(ids, table string) string {
	return g.Op("Gather", []string{table, g.Op("Cast", []string{ids}, onnxfile.Int("to", 7))}, onnxfile.Int("axis", 0))
}

// remember is a layer's attention to what was written, with its residual, and the keys
// and values that are new.
func (g *graph) remember(x, name string, s size, pastK, pastV string) (y, k, v string) {
	each := s.d / s.heads
	q, k, v := g.own(g.norm(x, name+"/self_attention/layer_norm", s.d), name, s)
	allK := g.Op("Concat", []string{pastK, k}, onnxfile.Int("axis", 1))
	allV := g.Op("Concat", []string{pastV, v}, onnxfile.Int("axis", 1))
	scores := g.Op("MatMul", []string{g.Heads(q, s.heads, each, false), g.Heads(allK, s.heads, each, true)})
	scores = g.Op("Softmax", []string{g.Op("Add", []string{scores, "mask"})}, onnxfile.Int("axis", -1))
	y = g.Joined(g.Op("MatMul", []string{scores, g.Heads(allV, s.heads, each, false)}), s.d)
	return g.Op("Add", []string{x, g.linear(y, name+"/self_attention/linear_1", s.d, 0, s.d, s.d, 1)}), k, v
}

// listen is a layer's attention to the sound, with its residual, and its scores.
func (g *graph) listen(x, name string, s size, layer int) (y, scores string) {
	name += "/attention"
	q := g.linear(g.norm(x, name+"/layer_norm", s.d), name+"/linear_0", s.d, 0, s.d, s.d, s.queries())
	scores = g.Op("MatMul", []string{g.Heads(q, s.heads, s.d/s.heads, false), fmt.Sprintf("key_%d", layer)})
	scores = g.Op("Softmax", []string{scores}, onnxfile.Int("axis", -1))
	y = g.Joined(g.Op("MatMul", []string{scores, fmt.Sprintf("value_%d", layer)}), s.d)
	return g.Op("Add", []string{x, g.linear(y, name+"/linear_2", s.d, 0, s.d, s.d, 1)}), scores
}
