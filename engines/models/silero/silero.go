// Package silero writes Silero's network for voice activity anew, as the same sums in an
// order that costs less than half: its convolutions see four places of a frame at most,
// and a library that does each frame by itself has little to do at once. As products of
// matrices they take the places of all frames together (im2col), and what a convolution
// would multiply with the zeros beside a frame is left out.
package silero

import (
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// The shape of the network: https://github.com/snakers4/silero-vad, version 6, 16 kHz.
const (
	row    = 576 // samples of a frame with those before it
	mirror = 64  // are added behind it
	window = 256 // samples of a spectrum
	hop    = window / 2
	places = 4 // spectra of a frame
	bins   = window/2 + 1
	hidden = 128
)

// encoder is what of the convolutions a layer has: its channels, and which of the three
// taps ever meet more than zeros.
var encoder = [...]struct {
	in, out int
	taps    []int
}{
	{bins, 128, []int{0, 1, 2}},
	{128, 64, []int{0, 1, 2}},
	{64, 64, []int{1, 2}}, // of two places it makes one
	{64, 128, []int{1}},   // of which it sees no other
}

// Rewrite gives the network of a file of Silero's (silero_vad_16k_sequence.onnx) as a
// file with the same inputs and outputs: "input" [n, 576], "h" and "c" [1, 1, 128];
// "speech_probs" [n], "hn" and "cn".
func Rewrite(file []byte) ([]byte, error) {
	weights, err := onnxfile.Floats(file)
	if err != nil {
		return nil, fmt.Errorf("silero: %w", err)
	}
	g := graph{weights: weights}
	g.Name = "silero"
	state := []int{1, 1, hidden}
	g.Inputs = []onnxfile.Value{{Name: "input", Shape: []int{-1, row}}, {Name: "h", Shape: state}, {Name: "c", Shape: state}}
	g.Outputs = []onnxfile.Value{{Name: "speech_probs", Shape: []int{-1}}, {Name: "hn", Shape: state}, {Name: "cn", Shape: state}}
	g.spectra()
	g.encode()
	g.remember()
	if g.err != nil {
		return nil, fmt.Errorf("silero: %w", g.err)
	}
	return g.Marshal() //nolint:wrapcheck // it names the weight
}

// graph is what is being written. The first error stays.
type graph struct {
	onnxfile.Model
	weights map[string]onnxfile.Weight
	err     error
}

// weight is one of the file's, of the shape that it must have.
func (g *graph) weight(name string, shape ...int) []float32 {
	w, ok := g.weights[name]
	if !ok || !slices.Equal(w.Shape, shape) {
		if g.err == nil {
			g.err = fmt.Errorf("weight %s is %v, not %v: this is another network", name, w.Shape, shape)
		}
		size := 1
		for _, d := range shape {
			size *= d
		}
		return make([]float32, size)
	}
	return w.Floats
}

// floats and ints add a constant.
func (g *graph) floats(name string, values []float32, shape ...int) string {
	g.Weights = append(g.Weights, onnxfile.Weight{Name: name, Shape: shape, Floats: values})
	return name
}

func (g *graph) ints(values ...int64) string {
	name := fmt.Sprintf("k%d", len(g.Weights))
	g.Weights = append(g.Weights, onnxfile.Weight{Name: name, Shape: []int{len(values)}, Ints: values})
	return name
}

// node adds an operator and names its output.
func (g *graph) node(op string, in []string, attrs ...onnxfile.Attr) string {
	out := fmt.Sprintf("x%d", len(g.Nodes))
	g.Nodes = append(g.Nodes, onnxfile.Node{Op: op, In: in, Out: []string{out}, Attrs: attrs})
	return out
}

func (g *graph) reshape(x string, shape ...int64) string {
	return g.node("Reshape", []string{x, g.ints(shape...)})
}

// slice is the places from, until and without to, of [n, places, …].
func (g *graph) slice(x string, from, to int64) string {
	return g.node("Slice", []string{x, g.ints(from), g.ints(to), g.ints(1)})
}

// spectra leaves the magnitudes of the frames' spectra, each of which overlaps the next
// by half, in the last output: [n·4, 129].
func (g *graph) spectra() {
	basis := g.weight("stft.forward_basis_buffer", 2*bins, 1, window)
	x := g.node("Pad", []string{"input", g.ints(0, 0, 0, mirror)}, onnxfile.Text("mode", "reflect"))
	halves := g.reshape(x, -1, places+1, hop)
	x = g.node("Concat", []string{g.slice(halves, 0, places), g.slice(halves, 1, places+1)}, onnxfile.Int("axis", 2))
	x = g.reshape(x, -1, window)
	var squares [2]string
	for i, part := range [...]string{"cosines", "sines"} {
		m := g.floats(part, turned(basis[i*bins*window:(i+1)*bins*window], bins, window), window, bins)
		y := g.node("MatMul", []string{x, m})
		squares[i] = g.node("Mul", []string{y, y})
	}
	g.node("Sqrt", []string{g.node("Add", squares[:])})
}

// turned is a matrix of rows by columns, transposed.
func turned(m []float32, rows, columns int) []float32 {
	t := make([]float32, len(m))
	for r := range rows {
		for c := range columns {
			t[c*rows+r] = m[r*columns+c]
		}
	}
	return t
}

// last is the output of the last node.
func (g *graph) last() string { return g.Nodes[len(g.Nodes)-1].Out[0] }

// encode leaves what the convolutions say of each frame: [n, 128].
func (g *graph) encode() {
	x := g.reshape(g.last(), -1, places, bins)
	x = g.node("Pad", []string{x, g.ints(0, 1, 0, 0, 1, 0)}) // a place of zeros on either side
	x = g.node("Concat", []string{g.slice(x, 0, places), g.slice(x, 1, places+1), g.slice(x, 2, places+2)}, onnxfile.Int("axis", 2))
	x = g.layer(0, x)
	x = g.node("Pad", []string{g.reshape(x, -1, places, 128), g.ints(0, 1, 0, 0, 0, 0)})
	x = g.node("Concat", []string{g.slice(x, 0, 3), g.slice(x, 2, 5)}, onnxfile.Int("axis", 1)) // two steps to the next
	x = g.layer(1, x)
	x = g.layer(2, x)
	g.layer(3, x)
}

// layer is a convolution of what x has side by side, and what is below zero cut off.
func (g *graph) layer(n int, x string) string {
	l := &encoder[n]
	name := fmt.Sprintf("encoder.%d", n)
	const width = 3
	from := g.weight(name+".weight", l.out, l.in, width)
	rows := len(l.taps) * l.in
	m := make([]float32, rows*l.out)
	for t, tap := range l.taps {
		for i := range l.in {
			for o := range l.out {
				m[(t*l.in+i)*l.out+o] = from[(o*l.in+i)*width+tap]
			}
		}
	}
	x = g.reshape(x, -1, int64(rows))
	x = g.node("Gemm", []string{x, g.floats(name, m, rows, l.out), g.floats(name+".bias", g.weight(name+".bias", l.out), l.out)})
	return g.node("Relu", []string{x})
}

// remember goes from frame to frame, and says how likely each is speech.
func (g *graph) remember() {
	x := g.reshape(g.last(), -1, 1, hidden)
	in := g.floats("lstm.in", g.weight("onnx::LSTM_209", 1, 4*hidden, hidden), 1, 4*hidden, hidden)
	again := g.floats("lstm.again", g.weight("onnx::LSTM_210", 1, 4*hidden, hidden), 1, 4*hidden, hidden)
	bias := g.floats("lstm.bias", g.weight("onnx::LSTM_211", 1, 8*hidden), 1, 8*hidden)
	g.Nodes = append(g.Nodes, onnxfile.Node{
		Op: "LSTM", In: []string{x, in, again, bias, "", "h", "c"}, Out: []string{"heard", "hn", "cn"},
		Attrs: []onnxfile.Attr{onnxfile.Int("hidden_size", hidden)},
	})
	x = g.reshape(g.node("Relu", []string{"heard"}), -1, hidden)
	out := g.floats("output", g.weight("output.weight", 1, hidden, 1), hidden, 1)
	x = g.node("Gemm", []string{x, out, g.floats("output.bias", g.weight("output.bias", 1), 1)})
	x = g.node("Sigmoid", []string{x})
	all := g.ints(-1)
	g.Nodes = append(g.Nodes, onnxfile.Node{Op: "Reshape", In: []string{x, all}, Out: []string{"speech_probs"}})
}
