package onnx

import (
	"bytes"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// gelu is x·½·(1 + erf(x/√2)) with the factors of the product named by who takes them.
func gelu(t *testing.T, inner, outer [2]string) []byte {
	t.Helper()
	m := onnxfile.Model{
		Name: "gelu", Inputs: []onnxfile.Value{{Name: "x", Shape: []int{-1, 3}}}, Outputs: []onnxfile.Value{{Name: "y", Shape: []int{-1, 3}}},
		Weights: []onnxfile.Weight{
			{Name: "root", Floats: []float32{1.4142135}}, {Name: "one", Floats: []float32{1}}, {Name: "half", Floats: []float32{0.5}},
		},
		Nodes: []onnxfile.Node{
			{Op: "Div", In: []string{"x", "root"}, Out: []string{"scaled"}},
			{Op: "Erf", In: []string{"scaled"}, Out: []string{"erf"}},
			{Op: "Add", In: []string{"erf", "one"}, Out: []string{"sum"}},
			{Op: "Mul", In: inner[:], Out: []string{"part"}},
			{Op: "Mul", In: outer[:], Out: []string{"y"}},
		},
	}
	b, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestInLibraryOrder(t *testing.T) {
	want := gelu(t, [2]string{"x", "sum"}, [2]string{"part", "half"})
	for _, c := range []struct {
		name         string
		inner, outer [2]string
		changes      bool
	}{
		{"as exported", [2]string{"half", "sum"}, [2]string{"x", "part"}, true},
		{"the other way round", [2]string{"sum", "half"}, [2]string{"part", "x"}, true},
		{"in order", [2]string{"x", "sum"}, [2]string{"part", "half"}, false},
		{"no gelu", [2]string{"half", "sum"}, [2]string{"part", "one"}, false},
		{"its square", [2]string{"x", "sum"}, [2]string{"part", "x"}, false},
	} {
		model := gelu(t, c.inner, c.outer)
		got := inLibraryOrder(model)
		if c.changes && !bytes.Equal(got, want) || !c.changes && !bytes.Equal(got, model) {
			t.Errorf("%s: changes %v\n%q", c.name, c.changes, got)
		}
	}
}

// What is no model comes back as it is, however it is cut; behind the graph comes the
// version of the operators alone.
func TestInLibraryOrderOfNoModel(t *testing.T) {
	model := gelu(t, [2]string{"half", "sum"}, [2]string{"x", "part"})
	for n := range len(model) - 8 {
		if got := inLibraryOrder(model[:n]); !bytes.Equal(got, model[:n]) {
			t.Errorf("the first %d bytes became %q", n, got)
		}
	}
}
