// Package onnxfile writes neural networks in the ONNX format, for converters and for
// tests that need a small model. It knows as much of the format as they use: float32
// tensors at the doors, weights of four types, one graph without branches. What runs the file is engines/onnx.
//
// The format is https://github.com/onnx/onnx/blob/main/onnx/onnx.proto; field numbers
// below are its own.
package onnxfile

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// The version of the format and of the operators that Marshal writes: ONNX Runtime
// since 1.10 reads them.
const (
	irVersion = 8
	opset     = 13
)

// Model is one graph.
type Model struct {
	Name string
	// Opset is the version of the operators; 0 is 13.
	Opset           int
	Inputs, Outputs []Value
	Nodes           []Node // each after those that it takes from
	Weights         []Weight
}

// Value is an input or output of the graph, of float32. A dimension of -1 is free.
type Value struct {
	Name  string
	Shape []int
}

// Node is one operator: of ONNX itself, or of ONNX Runtime's own, whose domain is Contrib.
type Node struct {
	Op      string
	Domain  string
	In, Out []string
	Attrs   []Attr
}

// Contrib is the domain of the operators that ONNX Runtime has besides those of ONNX:
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
const Contrib = "com.microsoft"

// Weight is a constant tensor, the last dimension running fastest: of Floats, or of
// the one of the others that is not nil.
type Weight struct {
	Name   string
	Shape  []int // none for a scalar
	Floats []float32
	Ints   []int64
	Halves []uint16 // the bits of float16
	Int8s  []int8
}

// Attr is an attribute of a node; Int, Ints, Float and Text make it.
type Attr struct{ body []byte }

// Types of AttributeProto.
const (
	attrFloat  = 1
	attrInt    = 2
	attrString = 3
	attrInts   = 7
)

// Int is a whole number.
func Int(name string, v int) Attr {
	return Attr{cat(text(1, name), number(3, v), number(20, attrInt))}
}

// Ints is a list of whole numbers.
func Ints(name string, vs ...int) Attr {
	b := text(1, name)
	for _, v := range vs {
		b = append(b, number(8, v)...)
	}
	return Attr{append(b, number(20, attrInts)...)}
}

// Float is a number.
func Float(name string, v float32) Attr {
	b := append(text(1, name), tag(2, 5)...)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	return Attr{append(b, number(20, attrFloat)...)}
}

// Text is a string.
func Text(name, v string) Attr {
	return Attr{cat(text(1, name), text(4, v), number(20, attrString))}
}

// Marshal gives the file: the same bytes for the same model on every machine. The
// error names a weight whose values are not as many as its shape says.
func (m *Model) Marshal() ([]byte, error) {
	var graph []byte
	for _, n := range m.Nodes {
		graph = append(graph, message(1, n.bytes())...)
	}
	graph = append(graph, text(2, m.Name)...)
	for _, w := range m.Weights {
		b, err := w.bytes()
		if err != nil {
			return nil, err
		}
		graph = append(graph, message(5, b)...)
	}
	for _, v := range m.Inputs {
		graph = append(graph, message(11, v.bytes())...)
	}
	for _, v := range m.Outputs {
		graph = append(graph, message(12, v.bytes())...)
	}
	version := m.Opset
	if version == 0 {
		version = opset
	}
	file := cat(number(1, irVersion), text(2, "portcullis"), message(7, graph), message(8, number(2, version)))
	if slices.ContainsFunc(m.Nodes, func(n Node) bool { return n.Domain == Contrib }) {
		file = append(file, message(8, cat(text(1, Contrib), number(2, 1)))...)
	}
	return file, nil
}

func (n *Node) bytes() []byte {
	var b []byte
	for _, name := range n.In {
		b = append(b, text(1, name)...)
	}
	for _, name := range n.Out {
		b = append(b, text(2, name)...)
	}
	b = append(b, text(4, n.Op)...)
	for _, a := range n.Attrs {
		b = append(b, message(5, a.body)...)
	}
	if n.Domain != "" {
		b = append(b, text(7, n.Domain)...)
	}
	return b
}

// Types of TensorProto.
const (
	typeFloat   = 1
	typeInt8    = 3
	typeInt64   = 7
	typeFloat16 = 10
)

func (w *Weight) bytes() ([]byte, error) {
	size := 1
	var b []byte
	for _, d := range w.Shape {
		size *= d
		b = append(b, number(1, d)...)
	}
	if have := max(len(w.Floats), len(w.Ints), len(w.Halves), len(w.Int8s)); have != size {
		return nil, fmt.Errorf("weight %s: shape %v does not hold %d values", w.Name, w.Shape, have)
	}
	kind, raw := w.raw()
	return cat(b, number(2, kind), text(8, w.Name), message(9, raw)), nil
}

// raw is the values as the format lays them out.
func (w *Weight) raw() (kind int, raw []byte) {
	switch {
	case w.Ints != nil:
		kind = typeInt64
		for _, v := range w.Ints {
			raw = binary.LittleEndian.AppendUint64(raw, uint64(v)) //nolint:gosec // its two's complement is what the format asks for
		}
	case w.Halves != nil:
		kind, raw = typeFloat16, make([]byte, 0, 2*len(w.Halves))
		for _, v := range w.Halves {
			raw = binary.LittleEndian.AppendUint16(raw, v)
		}
	case w.Int8s != nil:
		kind, raw = typeInt8, make([]byte, 0, len(w.Int8s))
		for _, v := range w.Int8s {
			raw = append(raw, byte(v)) //nolint:gosec // as above
		}
	default:
		kind, raw = typeFloat, make([]byte, 0, 4*len(w.Floats))
		for _, v := range w.Floats {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
	}
	return kind, raw
}

func (v *Value) bytes() []byte {
	var shape []byte
	for i, d := range v.Shape {
		dim := number(1, d)
		if d < 0 {
			dim = text(2, fmt.Sprintf("free_%d", i))
		}
		shape = append(shape, message(1, dim)...)
	}
	return cat(text(1, v.Name), message(2, message(1, cat(number(1, typeFloat), message(2, shape)))))
}
