// Package silero writes Silero's network for voice activity anew, as the same sums in an
// order that costs a fraction: its convolutions see four places of a frame at most, and a
// library that does each frame by itself has little to do at once. As products of matrices
// they take the places of all frames together, of one voice or many, and what a convolution
// would multiply with the zeros beside a frame is left out. The spectra that the network
// begins with, which it has as a product with all waves, are left to who has a fast Fourier
// transform: they were two fifths of it.
package silero

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// The shape of the network: https://github.com/snakers4/silero-vad, version 6, 16 kHz.
const (
	// Row is the samples of a frame, 512, with the 64 before it; Mirror more are added
	// behind them, the last but one first. The spectra are of Window samples each, Hop
	// apart, so a frame has Places of them, of Bins magnitudes.
	Row    = 576
	Mirror = 64
	Window = 256
	Hop    = Window / 2
	Places = 4
	Bins   = Window/2 + 1
	// Taps is how many places the first layer sees at once: that before, zeros at the first
	// place, the place itself and that after, zeros at the last.
	Taps = 3
	// Hidden is how many numbers the network remembers of a voice, twice.
	Hidden = 128
)

// Network is Silero's, rewritten.
type Network struct {
	// File takes "input" [4·n·v, 387], what the first layer sees at each place of n frames of
	// v voices: the first frame of each voice, then the second of each; and "h" and "c",
	// [v, 128], what is remembered of each voice. It gives "speech_probs" [n·v] and "hn" and
	// "cn" [1, v, 128].
	File []byte
	// Window is what the samples of a spectrum are multiplied with.
	Window []float32
}

// encoder is what of the convolutions a layer has: its channels, and which of the three
// taps ever meet more than zeros.
var encoder = [...]struct {
	in, out int
	taps    []int
}{
	{Bins, 128, []int{0, 1, 2}},
	{128, 64, []int{0, 1, 2}},
	{64, 64, []int{1, 2}}, // of two places it makes one
	{64, 128, []int{1}},   // of which it sees no other
}

// Rewrite gives the network of a file of Silero's (silero_vad_16k_sequence.onnx).
func Rewrite(file []byte) (*Network, error) {
	weights, err := onnxfile.Floats(file)
	if err != nil {
		return nil, fmt.Errorf("silero: %w", err)
	}
	g := graph{weights: weights}
	g.Name = "silero"
	state := []int{-1, Hidden}
	g.Inputs = []onnxfile.Value{{Name: "input", Shape: []int{-1, Taps * Bins}}, {Name: "h", Shape: state}, {Name: "c", Shape: state}}
	state = []int{1, -1, Hidden}
	g.Outputs = []onnxfile.Value{{Name: "speech_probs", Shape: []int{-1}}, {Name: "hn", Shape: state}, {Name: "cn", Shape: state}}
	n := &Network{Window: g.window()}
	g.remember(g.encode())
	if g.err == nil {
		n.File, g.err = g.Marshal()
	}
	if g.err != nil {
		return nil, fmt.Errorf("silero: %w", g.err)
	}
	return n, nil
}

// graph is what is being written. The first error stays.
type graph struct {
	onnxfile.Model
	weights map[string]onnxfile.Weight
	err     error
}

func (g *graph) fail(err error) {
	if g.err == nil {
		g.err = err
	}
}

// weight is one of the file's, of the shape that it must have.
func (g *graph) weight(name string, shape ...int) []float32 {
	w, ok := g.weights[name]
	if !ok || !slices.Equal(w.Shape, shape) {
		g.fail(fmt.Errorf("weight %s is %v, not %v: this is another network", name, w.Shape, shape))
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

// window is what the waves of the file are multiplied with. An error is kept where they
// are no such waves.
func (g *graph) window() []float32 {
	basis := g.weight("stft.forward_basis_buffer", 2*Bins, 1, Window)
	w := slices.Clone(basis[:Window]) // a wave of no frequency: 1
	for k := range Bins {
		for i, v := range w {
			sin, cos := math.Sincos(2 * math.Pi * float64(k*i%Window) / Window)
			c, s := basis[k*Window+i], basis[(Bins+k)*Window+i]
			if math.Abs(float64(c)-float64(v)*cos) > 1e-4 || math.Abs(math.Abs(float64(s))-math.Abs(float64(v)*sin)) > 1e-4 {
				g.fail(errors.New("its spectra are others: this is another network"))
				return w
			}
		}
	}
	return w
}

// encode leaves what the convolutions say of each frame, and names it: [n·v, 128].
func (g *graph) encode() string {
	x := g.layer(0, "input")
	x = g.node("Relu", []string{g.second(g.reshape(x, -1, Places*128))})
	x = g.layer(2, x)
	return g.layer(3, x)
}

// second is the layer that goes on by two places of four with each step: of the two places
// that it leaves, the first sees 0 and 1, the second 1, 2 and 3. As one product it costs a
// third more sums than it has, and takes no frame apart.
func (g *graph) second(x string) string {
	l := &encoder[1]
	from := g.weight("encoder.1.weight", l.out, l.in, Taps)
	bias := g.weight("encoder.1.bias", l.out)
	m := make([]float32, Places*l.in*2*l.out)
	for step := range 2 {
		for tap := range Taps {
			place := 2*step + tap - 1
			if place < 0 {
				continue
			}
			for i := range l.in {
				for o := range l.out {
					m[(place*l.in+i)*2*l.out+step*l.out+o] = from[(o*l.in+i)*Taps+tap]
				}
			}
		}
	}
	return g.node("Gemm", []string{
		x, g.floats("encoder.1", m, Places*l.in, 2*l.out), g.floats("encoder.1.bias", slices.Concat(bias, bias), 2*l.out),
	})
}

// layer is a convolution of what x has side by side, and what is below zero cut off.
func (g *graph) layer(n int, x string) string {
	l := &encoder[n]
	name := fmt.Sprintf("encoder.%d", n)
	from := g.weight(name+".weight", l.out, l.in, Taps)
	rows := len(l.taps) * l.in
	m := make([]float32, rows*l.out)
	for t, tap := range l.taps {
		for i := range l.in {
			for o := range l.out {
				m[(t*l.in+i)*l.out+o] = from[(o*l.in+i)*Taps+tap]
			}
		}
	}
	x = g.node("Gemm", []string{x, g.floats(name, m, rows, l.out), g.floats(name+".bias", g.weight(name+".bias", l.out), l.out)})
	return g.node("Relu", []string{x})
}

// remember goes from frame to frame, and says how likely each is speech.
func (g *graph) remember(x string) {
	voices := g.node("Slice", []string{g.node("Shape", []string{"h"}), g.ints(0), g.ints(1)})
	x = g.node("Reshape", []string{x, g.node("Concat", []string{g.ints(-1), voices, g.ints(Hidden)}, onnxfile.Int("axis", 0))})
	in := g.floats("lstm.in", g.weight("onnx::LSTM_209", 1, 4*Hidden, Hidden), 1, 4*Hidden, Hidden)
	again := g.floats("lstm.again", g.weight("onnx::LSTM_210", 1, 4*Hidden, Hidden), 1, 4*Hidden, Hidden)
	bias := g.floats("lstm.bias", g.weight("onnx::LSTM_211", 1, 8*Hidden), 1, 8*Hidden)
	h, c := g.reshape("h", 1, -1, Hidden), g.reshape("c", 1, -1, Hidden)
	g.Nodes = append(g.Nodes, onnxfile.Node{
		Op: "LSTM", In: []string{x, in, again, bias, "", h, c}, Out: []string{"heard", "hn", "cn"},
		Attrs: []onnxfile.Attr{onnxfile.Int("hidden_size", Hidden)},
	})
	x = g.reshape(g.node("Relu", []string{"heard"}), -1, Hidden)
	out := g.floats("output", g.weight("output.weight", 1, Hidden, 1), Hidden, 1)
	x = g.node("Gemm", []string{x, out, g.floats("output.bias", g.weight("output.bias", 1), 1)})
	x = g.node("Sigmoid", []string{x})
	all := g.ints(-1)
	g.Nodes = append(g.Nodes, onnxfile.Node{Op: "Reshape", In: []string{x, all}, Out: []string{"speech_probs"}})
}
