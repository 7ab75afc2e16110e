package onnxfile

import (
	"slices"
	"testing"
)

func TestNodes(t *testing.T) {
	m := &Model{
		Inputs: []Value{{"x", []int{1, 2}}}, Outputs: []Value{{"z", []int{1, 2}}},
		Nodes: []Node{
			{Op: "Conv", In: []string{"x", "w"}, Out: []string{"y"}, Attrs: []Attr{Ints("strides", 2, 3), Int("group", 4)}},
			{Op: "Gelu", Domain: Contrib, In: []string{"y"}, Out: []string{"z"}},
		},
	}
	file, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := Nodes(file)
	if err != nil || len(nodes) != 2 {
		t.Fatalf("%d nodes (%v)", len(nodes), err)
	}
	conv := nodes[0]
	if conv.Op != "Conv" || !slices.Equal(conv.In, []string{"x", "w"}) || !slices.Equal(conv.Out, []string{"y"}) {
		t.Errorf("read as %+v", conv)
	}
	for name, want := range map[string][]int{"strides": {2, 3}, "group": {4}, "pads": nil} {
		if got := conv.Ints(name); !slices.Equal(got, want) {
			t.Errorf("%s is %v, not %v", name, got, want)
		}
	}
	if nodes[1].Domain != Contrib {
		t.Errorf("of the domain %q", nodes[1].Domain)
	}
	if _, err := Nodes(file[:len(file)-3]); err == nil {
		t.Error("half a file was read")
	}
}
