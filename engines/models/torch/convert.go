package torch

import (
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// The shape of the network (resemblyzer/hparams.py).
const (
	mels   = 40
	hidden = 256
	layers = 3
)

// Speaker converts the encoder: input "mels" [n, frames, 40], output "voice" [n, 256],
// which the caller brings to length 1. The same file gives the same bytes on every
// machine.
func Speaker(file []byte) ([]byte, error) {
	w, err := weights(file)
	if err != nil {
		return nil, fmt.Errorf("torch: %w", err)
	}
	m := onnxfile.Model{
		Name:    "ge2e",
		Inputs:  []onnxfile.Value{{Name: "mels", Shape: []int{-1, -1, mels}}},
		Outputs: []onnxfile.Value{{Name: "voice", Shape: []int{-1, hidden}}},
		Nodes:   []onnxfile.Node{{Op: "Transpose", In: []string{"mels"}, Out: []string{"x0"}, Attrs: []onnxfile.Attr{onnxfile.Ints("perm", 1, 0, 2)}}},
		Weights: []onnxfile.Weight{{Name: "one", Shape: []int{1}, Ints: []int64{1}}, {Name: "zero", Shape: []int{1}, Ints: []int64{0}}},
	}
	in := mels
	for l := range layers {
		if err := layer(&m, w, l, in); err != nil {
			return nil, fmt.Errorf("torch: %w", err)
		}
		in = hidden
	}
	for name, shape := range map[string][]int{"linear.weight": {hidden, hidden}, "linear.bias": {hidden}} {
		if err := fits(w, name, shape...); err != nil {
			return nil, fmt.Errorf("torch: %w", err)
		}
	}
	m.Weights = append(m.Weights,
		onnxfile.Weight{Name: "linear.weight", Shape: []int{hidden, hidden}, Floats: w["linear.weight"].values},
		onnxfile.Weight{Name: "linear.bias", Shape: []int{hidden}, Floats: w["linear.bias"].values})
	m.Nodes = append(m.Nodes,
		onnxfile.Node{Op: "Squeeze", In: []string{"last", "zero"}, Out: []string{"flat"}},
		onnxfile.Node{Op: "Gemm", In: []string{"flat", "linear.weight", "linear.bias"}, Out: []string{"raw"}, Attrs: []onnxfile.Attr{onnxfile.Int("transB", 1)}},
		onnxfile.Node{Op: "Relu", In: []string{"raw"}, Out: []string{"voice"}})
	return m.Marshal()
}

func fits(w map[string]tensor, name string, shape ...int) error {
	if t, ok := w[name]; !ok || !slices.Equal(t.shape, shape) {
		return fmt.Errorf("weight %s is not %v", name, shape)
	}
	return nil
}

// layer adds an LSTM. PyTorch has the gates as input, forget, cell, output; ONNX as
// input, output, forget, cell.
func layer(m *onnxfile.Model, w map[string]tensor, l, in int) error {
	name := func(of string) string { return fmt.Sprintf("lstm.%s_l%d", of, l) }
	gates := func(of string, width int) ([]float32, error) {
		shape := []int{4 * hidden, width}
		if width == 1 {
			shape = shape[:1]
		}
		if err := fits(w, name(of), shape...); err != nil {
			return nil, err
		}
		v, n := w[name(of)].values, hidden*width
		return slices.Concat(v[:n], v[3*n:], v[n:2*n], v[2*n:3*n]), nil
	}
	wi, err := gates("weight_ih", in)
	if err != nil {
		return err
	}
	wh, err := gates("weight_hh", hidden)
	if err != nil {
		return err
	}
	bi, err := gates("bias_ih", 1)
	if err != nil {
		return err
	}
	bh, err := gates("bias_hh", 1)
	if err != nil {
		return err
	}
	m.Weights = append(m.Weights,
		onnxfile.Weight{Name: name("w"), Shape: []int{1, 4 * hidden, in}, Floats: wi},
		onnxfile.Weight{Name: name("r"), Shape: []int{1, 4 * hidden, hidden}, Floats: wh},
		onnxfile.Weight{Name: name("b"), Shape: []int{1, 8 * hidden}, Floats: slices.Concat(bi, bh)})
	x, y := fmt.Sprintf("x%d", l), fmt.Sprintf("y%d", l)
	out := []string{y}
	if l == layers-1 {
		out = []string{"", "last"}
	}
	m.Nodes = append(m.Nodes, onnxfile.Node{
		Op: "LSTM", In: []string{x, name("w"), name("r"), name("b")}, Out: out, Attrs: []onnxfile.Attr{onnxfile.Int("hidden_size", hidden)},
	})
	if l < layers-1 {
		m.Nodes = append(m.Nodes, onnxfile.Node{Op: "Squeeze", In: []string{y, "one"}, Out: []string{fmt.Sprintf("x%d", l+1)}})
	}
	return nil
}
