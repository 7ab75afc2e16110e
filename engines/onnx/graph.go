package onnx

import (
	"encoding/binary"
	"slices"
)

// The format is https://github.com/onnx/onnx/blob/main/onnx/onnx.proto; field numbers
// below are its own.
const (
	modelGraph = 7
	graphNode  = 1
	nodeInput  = 1
	nodeOutput = 2
	nodeOp     = 4
	nodeAttr   = 5
	graphConst = 5
	graphOut   = 12
)

// protoField is a field of a message of https://protobuf.dev/programming-guides/encoding/.
type protoField struct {
	number int
	value  uint64 // of a varint
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
			v, m := binary.Uvarint(b[n:])
			if m <= 0 {
				return nil, false
			}
			size, f.value = size+m, v
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
	attrs   [][]byte
	changed bool
	gone    bool // it is not written
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
			switch f.number {
			case nodeOp:
				n.op = string(f.body)
			case nodeAttr:
				n.attrs = append(n.attrs, f.body)
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

// graphFile is a model taken apart, to be written with some of its nodes changed.
type graphFile struct {
	top    []protoField // of the model, the graph at place at
	at     int
	fields []protoField     // of the graph
	nodes  map[int]*graphOp // by their place among fields
	more   []byte           // further fields of the graph
}

// openGraph takes a model apart, false where it is none.
func openGraph(model []byte) (*graphFile, bool) {
	top, ok := protoFields(model)
	at := slices.IndexFunc(top, func(f protoField) bool { return f.number == modelGraph })
	if !ok || at < 0 {
		return nil, false
	}
	g := &graphFile{top: top, at: at, nodes: map[int]*graphOp{}}
	if g.fields, ok = protoFields(top[at].body); !ok {
		return nil, false
	}
	for i, f := range g.fields {
		if f.number == graphNode {
			n, ok := readOp(f.body)
			if !ok {
				return nil, false
			}
			g.nodes[i] = &n
		}
	}
	return g, true
}

// bytes is the model again.
func (g *graphFile) bytes() []byte {
	graph := make([]byte, 0, len(g.top[g.at].body)+len(g.more)+64)
	for i, f := range g.fields {
		switch n := g.nodes[i]; {
		case n == nil || !n.changed && !n.gone:
			graph = append(graph, f.whole...)
		case n.changed:
			graph = appendBody(graph, graphNode, n.bytes())
		}
	}
	graph = append(graph, g.more...)
	out := make([]byte, 0, len(graph)+64)
	for i, f := range g.top {
		if i == g.at {
			out = appendBody(out, modelGraph, graph)
		} else {
			out = append(out, f.whole...)
		}
	}
	return out
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

// wired looks at the nodes.
func (g *graphFile) wired() *wiring {
	w := &wiring{makes: map[string]*graphOp{}, takes: map[string][]*graphOp{}}
	for _, n := range g.nodes {
		for _, name := range n.out {
			w.makes[name] = n
		}
		for _, name := range n.in {
			w.takes[name] = append(w.takes[name], n)
		}
	}
	return w
}

// beside is what a node of two inputs takes beside one of them.
func beside(n *graphOp, name string) string {
	if n.in[0] == name {
		return n.in[1]
	}
	return n.in[0]
}
