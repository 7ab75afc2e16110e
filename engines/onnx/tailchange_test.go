package onnx

import (
	"bytes"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// TestWhichTails: a tail of the kind that flatTail knows is changed, one that only looks like
// it is not.
func TestWhichTails(t *testing.T) {
	tail := func(change func(*onnxfile.Model)) []byte {
		attrs := []onnxfile.Attr{onnxfile.Ints("strides", 2, 2)}
		m := onnxfile.Model{
			Name: "tail", Inputs: []onnxfile.Value{{Name: "x", Shape: []int{-1, 1, -1, -1}}}, Outputs: []onnxfile.Value{{Name: "y", Shape: []int{-1, 1, -1, -1}}},
			Weights: []onnxfile.Weight{
				{Name: "w", Shape: []int{1, 1, 2, 2}, Floats: make([]float32, 4)}, {Name: "b", Shape: []int{1, 1, 1, 1}, Floats: make([]float32, 1)},
			},
			Nodes: []onnxfile.Node{
				{Op: "ConvTranspose", In: []string{"x", "w"}, Out: []string{"1"}, Attrs: attrs},
				{Op: "Add", In: []string{"b", "1"}, Out: []string{"2"}},
				{Op: "Relu", In: []string{"2"}, Out: []string{"3"}},
				{Op: "ConvTranspose", In: []string{"3", "w"}, Out: []string{"4"}, Attrs: attrs},
				{Op: "Add", In: []string{"4", "b"}, Out: []string{"5"}},
				{Op: "Sigmoid", In: []string{"5"}, Out: []string{"y"}},
			},
		}
		change(&m)
		b, err := m.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, c := range map[string]struct {
		change func(*onnxfile.Model)
		flat   bool
	}{
		"as it is": {func(*onnxfile.Model) {}, true},
		"kernels of 3": {func(m *onnxfile.Model) {
			m.Weights[0].Shape, m.Weights[0].Floats = []int{1, 1, 3, 3}, make([]float32, 9)
		}, false},
		"a stride of 1": {func(m *onnxfile.Model) { m.Nodes[3].Attrs = []onnxfile.Attr{onnxfile.Ints("strides", 1, 1)} }, false},
		"pads": {func(m *onnxfile.Model) {
			m.Nodes[0].Attrs = append(m.Nodes[0].Attrs, onnxfile.Ints("pads", 1, 1, 1, 1))
		}, false},
		"a value between": {func(m *onnxfile.Model) {
			m.Outputs = append(m.Outputs, onnxfile.Value{Name: "3", Shape: []int{-1, 1, -1, -1}})
		}, false},
		"used twice": {func(m *onnxfile.Model) {
			m.Nodes = append(m.Nodes, onnxfile.Node{Op: "Relu", In: []string{"1"}, Out: []string{"6"}})
		}, false},
		"no sigmoid": {func(m *onnxfile.Model) { m.Nodes[5].Op = "Tanh" }, false},
	} {
		model := tail(c.change)
		got := inLibraryOrder(model)
		if c.flat == bytes.Equal(got, model) || c.flat != bytes.Contains(got, []byte("DepthToSpace")) {
			t.Errorf("%s: want it flat: %v", name, c.flat)
		}
		for n := range len(model) - 8 { // cut, it must not become another model
			inLibraryOrder(model[:n])
		}
	}
}
