package onnxfile_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// trunk is x → Mul by "twice" → a → Add of "one" → b, the output.
func trunk(t *testing.T) []byte {
	t.Helper()
	m := onnxfile.Model{
		Name: "trunk", Opset: 11,
		Inputs: []onnxfile.Value{{Name: "x", Shape: []int{1, -1}}}, Outputs: []onnxfile.Value{{Name: "b", Shape: []int{1, -1}}},
		Nodes: []onnxfile.Node{
			{Op: "Mul", In: []string{"x", "twice"}, Out: []string{"a"}},
			{Op: "Add", In: []string{"a", "one"}, Out: []string{"b"}},
		},
		Weights: []onnxfile.Weight{{Name: "twice", Shape: []int{1}, Floats: []float32{2}}, {Name: "one", Shape: []int{1}, Floats: []float32{1}}},
	}
	file, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestGraft(t *testing.T) {
	g := onnxfile.Builder{Prefix: "end."}
	g.As("c", g.Op("Sub", []string{"a", g.Weight([]float32{3}, 1)}), 1, -1)
	got, err := onnxfile.Graft(trunk(t), "a", &g.Model)
	if err != nil {
		t.Fatal(err)
	}
	want := onnxfile.Model{ // the same graph, built at once
		Name: "trunk", Opset: 11,
		Inputs: []onnxfile.Value{{Name: "x", Shape: []int{1, -1}}}, Outputs: g.Outputs,
		Nodes:   append([]onnxfile.Node{{Op: "Mul", In: []string{"x", "twice"}, Out: []string{"a"}}}, g.Nodes...),
		Weights: append([]onnxfile.Weight{{Name: "twice", Shape: []int{1}, Floats: []float32{2}}}, g.Weights...),
	}
	whole, err := want.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	weights, err := onnxfile.Floats(got)
	if err != nil {
		t.Fatal(err)
	}
	if _, kept := weights["one"]; kept || weights["twice"].Floats[0] != 2 || weights["end.t1"].Floats[0] != 3 {
		t.Errorf("weights are %v", weights)
	}
	if len(got) != len(whole) || bytes.Contains(got, []byte("Add")) || !bytes.Contains(got, []byte("Sub")) {
		t.Errorf("grafted is %d bytes, built at once %d: %q", len(got), len(whole), got)
	}
}

func TestGraftRefuses(t *testing.T) {
	end := &onnxfile.Model{}
	if _, err := onnxfile.Graft(trunk(t), "nowhere", end); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a value that no node gives: %v", err)
	}
	if _, err := onnxfile.Graft(trunk(t)[:40], "a", end); err == nil {
		t.Error("a file that is cut off was taken")
	}
	bad := &onnxfile.Model{Weights: []onnxfile.Weight{{Name: "w", Shape: []int{2}, Floats: []float32{1}}}}
	if _, err := onnxfile.Graft(trunk(t), "a", bad); err == nil {
		t.Error("a weight of the wrong size was taken")
	}
}
