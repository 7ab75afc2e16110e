package thai

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// The head, as train/model.py has it: values of a step, in 3 parts of the height; values of a
// step between its layers, and within a block; blocks; steps that a block sees at a time.
const (
	parts, values = 3, 384
	width, inner  = 192, 384
	blocks, reach = 3, 9
)

// root is the value of PP-OCRv6's recogniser that the head goes on from: what its last
// convolution makes of the line, [1, values, parts, steps], a step of 4 px.
const root = "p2o.pd_op.add.64.0"

//go:embed head.bin
var head []byte

//go:embed signs.txt
var signs string

// Dictionary is the signs of the network's classes, a line each; class 0, which comes before
// them, is none, and the last, behind them, is the space.
func Dictionary() []byte { return []byte(strings.TrimSuffix(signs, " \n")) }

// Network is the network for Thai, of the file of PP-OCRv6's small recogniser: it takes
// [1, 3, 48, w] as that does, and gives [1, w/4, classes], probabilities.
func Network(recogniser []byte) ([]byte, error) {
	end, err := build(head)
	if err != nil {
		return nil, err
	}
	file, err := onnxfile.Graft(recogniser, root, end)
	if err != nil {
		return nil, fmt.Errorf("put the head for Thai on the recogniser: %w", err)
	}
	return file, nil
}

// build makes the graph of the head's weights: in their order, matrices as their scales and
// columns in 8 bits, all else in float32.
func build(file []byte) (*onnxfile.Model, error) {
	g := &graph{weights: weights{rest: file}}
	g.Prefix = "thai."
	classes := strings.Count(signs, "\n") + 1
	// Rows of the whole height are one step's values.
	x := g.Op("Conv", []string{root, g.matrix(width, values, parts), g.vector(width)})
	x = g.Op("Squeeze", []string{x}, onnxfile.Ints("axes", 2))
	for range blocks {
		y := g.Op("Conv", []string{x, g.floats(width, 1, reach)}, onnxfile.Int("group", width), onnxfile.Ints("pads", reach/2, reach/2))
		y = g.norm(y)
		y = g.dense(y, width, inner)
		y = g.Op("Mul", []string{y, g.Op("Sigmoid", []string{y})})
		y = g.Op("Transpose", []string{g.dense(y, inner, width)}, onnxfile.Ints("perm", 0, 2, 1))
		x = g.Op("Add", []string{x, y})
	}
	x = g.dense(g.Op("Transpose", []string{x}, onnxfile.Ints("perm", 0, 2, 1)), width, classes)
	g.As("thai", g.Op("Softmax", []string{x}, onnxfile.Int("axis", 2)), 1, -1, classes)
	if g.short || len(g.rest) > 0 {
		return nil, fmt.Errorf("the head for Thai has not as many weights as it should: %d bytes", len(file))
	}
	return &g.Model, nil
}

type graph struct {
	onnxfile.Builder
	weights
}

// norm normalises the values of each step of [1, width, steps] and gives [1, steps, width].
func (g *graph) norm(x string) string {
	x = g.Op("Transpose", []string{x}, onnxfile.Ints("perm", 0, 2, 1))
	x = g.Op("Sub", []string{x, g.mean(x)})
	spread := g.Op("Add", []string{g.mean(g.Op("Mul", []string{x, x})), g.Weight([]float32{1e-5}, 1)})
	x = g.Op("Div", []string{x, g.Op("Sqrt", []string{spread})})
	return g.Op("Add", []string{g.Op("Mul", []string{x, g.vector(width)}), g.vector(width)})
}

func (g *graph) mean(x string) string {
	return g.Op("ReduceMean", []string{x}, onnxfile.Ints("axes", 2), onnxfile.Int("keepdims", 1))
}

// dense is x·w + b of [1, steps, in].
func (g *graph) dense(x string, in, out int) string {
	return g.Op("Add", []string{g.Op("MatMul", []string{x, g.matrix(in, out)}), g.vector(out)})
}

func (g *graph) vector(n int) string { return g.floats(n) }

func (g *graph) floats(shape ...int) string { return g.Weight(g.read(shape), shape...) }

// matrix is scales, one for each output, and the matrix in 8 bits: [in, out] of a product, or of
// a convolution [out, in, height, 1].
func (g *graph) matrix(shape ...int) string {
	conv := len(shape) == 3
	outs := shape[len(shape)-1]
	if conv {
		outs = shape[0]
		shape = append(shape, 1)
	}
	scales := g.read([]int{outs})
	w := g.eights(shape)
	each := len(w) / outs
	for i := range w {
		if conv {
			w[i] *= scales[i/each]
		} else {
			w[i] *= scales[i%outs]
		}
	}
	return g.Weight(w, shape...)
}

// weights are what is left to read of the file.
type weights struct {
	rest  []byte
	short bool
}

func (w *weights) take(n int) []byte {
	if n > len(w.rest) {
		w.short = true
		return make([]byte, n)
	}
	b := w.rest[:n]
	w.rest = w.rest[n:]
	return b
}

func (w *weights) read(shape []int) []float32 {
	out := make([]float32, size(shape))
	b := w.take(4 * len(out))
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func (w *weights) eights(shape []int) []float32 {
	out := make([]float32, size(shape))
	for i, v := range w.take(len(out)) {
		out[i] = float32(int8(v)) //nolint:gosec // its two's complement
	}
	return out
}

func size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}
