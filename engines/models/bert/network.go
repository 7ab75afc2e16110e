package bert

import (
	"fmt"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// opset is the version of operators that has LayerNormalization.
const opset = 17

// graph is the network being written.
type graph struct {
	onnxfile.Builder

	e *encoder
}

// Network makes the ONNX file of base, model.safetensors of all-MiniLM-L6-v2 or
// multilingual-e5-small in 4 bits, with the layers and the head of trained, which Pack made.
// It takes "words" [1, n, 384], what Words or Pieces has for n tokens, normalised, and gives
// "logit" [1, answers]. name is the graph's.
func Network(name string, base, trained []byte) ([]byte, error) {
	e, err := open(base, trained)
	if err != nil {
		return nil, err
	}
	g := &graph{e: e}
	g.Model.Name, g.Opset = name, opset
	g.Inputs = []onnxfile.Value{{Name: "words", Shape: []int{1, -1, width}}}
	x := "words"
	for i := range layers {
		x = g.layer(x, fmt.Sprintf("encoder.layer.%d.", i))
	}
	if e.first {
		x = g.Op("Slice", []string{x, g.Ints(0), g.Ints(1), g.Ints(1)})
	}
	x = g.Op("ReduceMean", []string{x}, onnxfile.Ints("axes", 1), onnxfile.Int("keepdims", 0))
	hidden := g.Op("Gemm", []string{x, g.Weight(e.floats(hiddenWeight, width, width), width, width), g.Weight(e.floats(hiddenBias, width), width)}, onnxfile.Int("transB", 1))
	y := g.Op("MatMul", []string{g.Op("Tanh", []string{hidden}), g.Weight(e.head(), width, e.answers)})
	g.As("logit", g.Op("Add", []string{y, g.Weight(e.floats(headBias, e.answers), e.answers)}), 1, e.answers)
	if e.err != nil {
		return nil, fmt.Errorf("convert the encoder: %w", e.err)
	}
	b, err := g.Marshal()
	if err != nil {
		return nil, fmt.Errorf("convert the encoder: %w", err)
	}
	return b, nil
}

// head is the matrix that gives the answers, [384, answers].
func (e *encoder) head() []float32 {
	from := e.floats(headWeight, e.answers, width)
	to := make([]float32, len(from))
	for o := range e.answers {
		for i := range width {
			to[i*e.answers+o] = from[o*width+i]
		}
	}
	return to
}

// layer is attention and the two products behind it, each with its residual, normalised.
func (g *graph) layer(x, name string) string {
	const each = width / heads
	all := g.Op("Add", []string{g.queries(x, name), g.Weight(g.biases(name), 3*width)})
	parts := g.Ops("Split", 3, []string{all, g.Ints(width, width, width)}, onnxfile.Int("axis", -1))
	scores := g.Op("MatMul", []string{g.Heads(parts[0], heads, each, false), g.Heads(parts[1], heads, each, true)})
	scores = g.Op("Softmax", []string{scores}, onnxfile.Int("axis", -1))
	y := g.Joined(g.Op("MatMul", []string{scores, g.Heads(parts[2], heads, each, false)}), width)
	x = g.norm(g.Op("Add", []string{x, g.linear(y, name+"attention.output.dense", width, width)}), name+"attention.output.LayerNorm")
	h := g.GELU(g.linear(x, name+"intermediate.dense", inner, width))
	return g.norm(g.Op("Add", []string{x, g.linear(h, name+"output.dense", width, inner)}), name+"output.LayerNorm")
}

// part is what the scores of attention are multiplied by, which the queries are here.
var part = float32(1 / math.Sqrt(width/heads))

// queries is the product that gives queries, keys and values of a layer, side by side.
func (g *graph) queries(x, name string) string {
	all := matrix{out: 3 * width, in: width}
	for _, side := range [...]string{"query", "key", "value"} {
		m := g.e.matrix(name+"attention.self."+side+".weight", width, width)
		if side == "query" {
			for i := range m.scales {
				m.scales[i] *= part
			}
		}
		all.values, all.scales = append(all.values, m.values...), append(all.scales, m.scales...)
	}
	return g.Product8(x, onnxfile.Turned(all.values, all.out, all.in), all.scales, width)
}

func (g *graph) biases(name string) []float32 {
	q := g.e.floats(name+"attention.self.query.bias", width)
	for i := range q {
		q[i] *= part
	}
	return slices.Concat(q, g.e.floats(name+"attention.self.key.bias", width), g.e.floats(name+"attention.self.value.bias", width))
}

func (g *graph) linear(x, name string, out, in int) string {
	m := g.e.matrix(name+".weight", out, in)
	return g.Op("Add", []string{g.Product8(x, onnxfile.Turned(m.values, out, in), m.scales, in), g.Weight(g.e.floats(name+".bias", out), out)})
}

func (g *graph) norm(x, name string) string {
	return g.Norm(x, g.e.floats(name+".weight", width), g.e.floats(name+".bias", width), epsilon)
}
