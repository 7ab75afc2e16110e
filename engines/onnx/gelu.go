package onnx

import (
	"encoding/binary"
	"slices"
)

// Networks have GELU, x·½·(1 + erf(x/√2)), written out in operators. The library has one
// operator for it, which takes a quarter of their time, and knows the product in the order
// (x · sum) · ½ alone; PyTorch's newer exporter writes x · (½ · sum). inLibraryOrder
// turns the second into the first: a factor of ½ is exact wherever it stands.
//
// The format is https://github.com/onnx/onnx/blob/main/onnx/onnx.proto; field numbers
// below are its own.
const (
	modelGraph = 7
	graphNode  = 1
	nodeInput  = 1
	nodeOutput = 2
	nodeOp     = 4
)

// protoField is a field of a message of https://protobuf.dev/programming-guides/encoding/.
type protoField struct {
	number int
	whole  []byte // with its tag
	body   []byte // what a string or a message holds
}

// protoFields splits a message, false where it is none.
func protoFields(b []byte) (fields []protoField, ok bool) {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, false
		}
		f := protoField{number: int(key >> 3)} //nolint:gosec // compared, and written as it was
		size := n
		switch key & 7 {
		case 0:
			_, m := binary.Uvarint(b[n:])
			if m <= 0 {
				return nil, false
			}
			size += m
		case 1:
			size += 8
		case 2:
			length, m := binary.Uvarint(b[n:])
			if m <= 0 || length > uint64(len(b)-n-m) {
				return nil, false
			}
			size += m + int(length) //nolint:gosec // at most the length of b
			f.body = b[n+m : size]
		case 5:
			size += 4
		default:
			return nil, false
		}
		if size > len(b) {
			return nil, false
		}
		f.whole, b = b[:size], b[size:]
		fields = append(fields, f)
	}
	return fields, true
}

// graphOp is a node as far as it matters here.
type graphOp struct {
	op      string
	in, out []string
	rest    []byte // what else it holds, encoded
	changed bool
}

func readOp(b []byte) (graphOp, bool) {
	fields, ok := protoFields(b)
	var n graphOp
	for _, f := range fields {
		switch f.number {
		case nodeInput:
			n.in = append(n.in, string(f.body))
		case nodeOutput:
			n.out = append(n.out, string(f.body))
		default:
			if f.number == nodeOp {
				n.op = string(f.body)
			}
			n.rest = append(n.rest, f.whole...)
		}
	}
	return n, ok
}

func (n *graphOp) bytes() []byte {
	var b []byte
	for _, name := range n.in {
		b = appendBody(b, nodeInput, []byte(name))
	}
	for _, name := range n.out {
		b = appendBody(b, nodeOutput, []byte(name))
	}
	return append(b, n.rest...)
}

func appendBody(b []byte, number int, body []byte) []byte {
	b = binary.AppendUvarint(b, uint64(number)<<3|2) //nolint:gosec // a small constant
	return append(binary.AppendUvarint(b, uint64(len(body))), body...)
}

// inLibraryOrder is the model with the factors of its GELUs in the order that the library
// knows: the model itself where it has none in another, or is no model.
func inLibraryOrder(model []byte) []byte {
	top, ok := protoFields(model)
	at := slices.IndexFunc(top, func(f protoField) bool { return f.number == modelGraph })
	if !ok || at < 0 {
		return model
	}
	fields, ok := protoFields(top[at].body)
	if !ok {
		return model
	}
	nodes := map[int]*graphOp{} // by their place among fields
	for i, f := range fields {
		if f.number == graphNode {
			n, ok := readOp(f.body)
			if !ok {
				return model
			}
			nodes[i] = &n
		}
	}
	if !reorder(nodes) {
		return model
	}
	graph := make([]byte, 0, len(top[at].body)+64)
	for i, f := range fields {
		if n := nodes[i]; n != nil && n.changed {
			graph = appendBody(graph, graphNode, n.bytes())
		} else {
			graph = append(graph, f.whole...)
		}
	}
	out := make([]byte, 0, len(model)+64)
	for i, f := range top {
		if i == at {
			out = appendBody(out, modelGraph, graph)
		} else {
			out = append(out, f.whole...)
		}
	}
	return out
}

// reorder says whether it changed any node. In x · (½ · (1 + erf(x/√2))) what the inner
// product takes beside the sum, and what the outer one takes beside the inner, change
// places.
func reorder(nodes map[int]*graphOp) bool {
	w := wiring{makes: map[string]*graphOp{}, takes: map[string][]*graphOp{}}
	for _, n := range nodes {
		for _, name := range n.out {
			w.makes[name] = n
		}
		for _, name := range n.in {
			w.takes[name] = append(w.takes[name], n)
		}
	}
	changed := false
	for _, n := range nodes {
		if n.op == "Erf" && len(n.in) == 1 && w.swap(n) {
			changed = true
		}
	}
	return changed
}

// wiring is which node makes a value, and which take it.
type wiring struct {
	makes map[string]*graphOp
	takes map[string][]*graphOp
}

// only is the one node that takes what n makes, nil where it is another operator.
func (w *wiring) only(n *graphOp, op string) *graphOp {
	if n == nil || len(n.out) != 1 || len(w.takes[n.out[0]]) != 1 {
		return nil
	}
	if to := w.takes[n.out[0]][0]; to.op == op && len(to.in) == 2 {
		return to
	}
	return nil
}

// swap says whether it changed the product that an error function is in.
func (w *wiring) swap(erf *graphOp) bool {
	scaled, sum := w.makes[erf.in[0]], w.only(erf, "Add")
	inner := w.only(sum, "Mul")
	outer := w.only(inner, "Mul")
	if outer == nil || scaled == nil || scaled.op != "Div" || len(scaled.in) != 2 {
		return false
	}
	x, half := scaled.in[0], beside(inner, sum.out[0])
	if half == x || beside(outer, inner.out[0]) != x || w.makes[half] != nil && w.makes[half].op != "Constant" {
		return false
	}
	inner.in, outer.in = []string{x, sum.out[0]}, []string{inner.out[0], half}
	inner.changed, outer.changed = true, true
	return true
}

// beside is what a node of two inputs takes beside one of them.
func beside(n *graphOp, name string) string {
	if n.in[0] == name {
		return n.in[1]
	}
	return n.in[0]
}
