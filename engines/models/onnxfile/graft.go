package onnxfile

import (
	"fmt"
	"slices"
)

// Graft gives a file in this format with another end: of the graph of file it keeps the nodes
// and weights that the value named at needs, and has end go on from there. end is a graph
// whose inputs are values of file's, by their names; its own names, which must be none of
// file's, and its outputs take the place of what was cut. The version of the operators stays
// that of file.
func Graft(file []byte, at string, end *Model) ([]byte, error) {
	var out, graph []byte
	err := copied(file, func(field int, whole, body []byte) error {
		if field == 7 {
			graph = body
			return nil
		}
		out = append(out, whole...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if graph, err = grafted(graph, at, end); err != nil {
		return nil, err
	}
	return append(out, message(7, graph)...), nil
}

// grafted does Graft for the GraphProto.
func grafted(graph []byte, at string, end *Model) ([]byte, error) {
	needed, err := needs(graph, at)
	if err != nil {
		return nil, err
	}
	var out []byte
	err = copied(graph, func(field int, whole, body []byte) error {
		keep := true
		var err error
		switch field {
		case 1: // a node
			var made []string
			_, made, err = ends(body)
			keep = slices.ContainsFunc(made, func(name string) bool { return needed[name] })
		case 5: // a weight
			var name string
			name, err = named(body, 8)
			keep = needed[name]
		case 12, 13: // outputs, and the shapes of values
			keep = false
		}
		if keep {
			out = append(out, whole...)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, n := range end.Nodes {
		out = append(out, message(1, n.bytes())...)
	}
	for _, w := range end.Weights {
		b, err := w.bytes()
		if err != nil {
			return nil, err
		}
		out = append(out, message(5, b)...)
	}
	for _, v := range end.Outputs {
		out = append(out, message(12, v.bytes())...)
	}
	return out, nil
}

// needs are the values that the one named at is made of, and itself.
func needs(graph []byte, at string) (map[string]bool, error) {
	type node struct{ in, out []string }
	var nodes []node
	err := each(graph, func(field int, body []byte) error {
		if field != 1 {
			return nil
		}
		in, out, err := ends(body)
		nodes = append(nodes, node{in, out})
		return err
	})
	if err != nil {
		return nil, err
	}
	needed, found := map[string]bool{at: true}, false
	for _, n := range slices.Backward(nodes) { // each comes after those that it takes from
		if !slices.ContainsFunc(n.out, func(name string) bool { return needed[name] }) {
			continue
		}
		found = found || slices.Contains(n.out, at)
		for _, name := range n.in {
			needed[name] = true
		}
	}
	if !found {
		return nil, fmt.Errorf("onnx: no node gives %q", at)
	}
	return needed, nil
}

// ends are the names of what a node takes and gives.
func ends(node []byte) (in, out []string, err error) {
	err = each(node, func(field int, body []byte) error {
		switch field {
		case 1:
			in = append(in, string(body))
		case 2:
			out = append(out, string(body))
		}
		return nil
	})
	return in, out, err
}

// named is a text of a message.
func named(b []byte, field int) (name string, err error) {
	err = each(b, func(f int, body []byte) error {
		if f == field {
			name = string(body)
		}
		return nil
	})
	return name, err
}

// copied calls f for every field of a message with its bytes, and its body where it has one.
// ModelProto and GraphProto have numbers, texts and messages alone.
func copied(b []byte, f func(field int, whole, body []byte) error) error {
	return fields(b, func(field int, v uint64, body []byte) error {
		if body == nil {
			return f(field, number(field, int(v)), nil) //nolint:gosec // versions
		}
		return f(field, message(field, body), body)
	})
}
