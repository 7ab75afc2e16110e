package onnx

import (
	"encoding/binary"
	"math"
	"slices"
)

// Networks that mark pixels (DB, of PP-OCR's detectors) end with two transposed convolutions
// of 2×2 at a stride of 2, which no library is quick at: they write a map of 16 channels at
// half the size and read it again. Such a kernel never overlaps itself, so each is a product of
// channels at every place and a way to lay the results out. flatTail makes them products of 1×1
// at a quarter of the size, 16 values of the map a place, laid out in the end:
//
//	Sigmoid(T₂(Relu(T₁(x) + b₁)) + b₂) = DepthToSpace₄(Sigmoid(B · Relu(A · x + a) + b))
//
// The sums are the same, so the result differs by rounding alone.

// tail is what it looks for.
type tail struct {
	sigmoid, bias2, second, relu, bias1, first *graphOp
	x                                          string
	w1, w2                                     constant // [in, mid, 2, 2], [mid, 1, 2, 2]
	b1, b2                                     constant // of mid values, of one
}

// flatTail says whether it changed the graph.
func (g *graphFile) flatTail(w *wiring) bool {
	t, ok := g.tail(w)
	if !ok {
		return false
	}
	in, mid := t.w1.shape[0], t.w1.shape[1]
	a, b := make([]float32, 4*mid*in), make([]float32, 16*4*mid)
	for place := range 4 { // of the first kernel: row, column
		for c := range mid {
			for i := range in {
				a[(place*mid+c)*in+i] = t.w1.values[(i*mid+c)*4+place]
			}
			for inner := range 4 { // of the second
				row, column := place/2*2+inner/2, place%2*2+inner%2
				b[(row*4+column)*4*mid+place*mid+c] = t.w2.values[c*4+inner]
			}
		}
	}
	name := func(s string) string { return "flat/" + s }
	out := t.sigmoid.out[0]
	for _, n := range []graphOp{
		{op: "Conv", in: []string{t.x, name("A"), name("a")}, out: []string{name("1")}},
		{op: "Relu", in: []string{name("1")}, out: []string{name("2")}},
		{op: "Conv", in: []string{name("2"), name("B"), name("b")}, out: []string{name("3")}},
		{op: "Sigmoid", in: []string{name("3")}, out: []string{name("4")}},
		{op: "DepthToSpace", in: []string{name("4")}, out: []string{out}, rest: appendBody(nil, nodeAttr, wholeAttr("blocksize", 4))},
	} {
		n.rest = append(n.rest, appendBody(nil, nodeOp, []byte(n.op))...)
		g.more = appendBody(g.more, graphNode, n.bytes())
	}
	g.more = appendBody(g.more, graphConst, constantBytes(name("A"), a, 4*mid, in, 1, 1))
	g.more = appendBody(g.more, graphConst, constantBytes(name("a"), slices.Repeat(t.b1.values, 4), 4*mid))
	g.more = appendBody(g.more, graphConst, constantBytes(name("B"), b, 16, 4*mid, 1, 1))
	g.more = appendBody(g.more, graphConst, constantBytes(name("b"), slices.Repeat(t.b2.values, 16), 16))
	for _, n := range []*graphOp{t.sigmoid, t.bias2, t.second, t.relu, t.bias1, t.first} {
		n.gone = true
	}
	return true
}

// tail finds it, from the end of the graph; false where there is none.
func (g *graphFile) tail(w *wiring) (t tail, ok bool) {
	var outs int
	for _, f := range g.fields {
		if f.number == graphOut {
			outs++
		}
	}
	for _, n := range g.nodes {
		if n.op == "Sigmoid" && len(n.in) == 1 && len(n.out) == 1 && len(w.takes[n.out[0]]) == 0 {
			t.sigmoid = n
		}
	}
	if t.sigmoid == nil || outs != 1 {
		return t, false
	}
	consts := g.constants()
	var ok1, ok2 bool
	if t.bias2, t.second, t.w2, t.b2, ok2 = w.doubling(t.sigmoid.in[0], consts); !ok2 {
		return t, false
	}
	if t.relu = w.makes[t.second.in[0]]; t.relu == nil || t.relu.op != "Relu" || len(t.relu.in) != 1 || len(w.takes[t.relu.out[0]]) != 1 {
		return t, false
	}
	if t.bias1, t.first, t.w1, t.b1, ok1 = w.doubling(t.relu.in[0], consts); !ok1 {
		return t, false
	}
	t.x = t.first.in[0]
	return t, t.w2.shape[1] == 1 && t.w2.shape[0] == t.w1.shape[1]
}

// doubling is the transposed convolution of 2×2 at a stride of 2, and what is added to it,
// that make a value which one node alone takes.
func (w *wiring) doubling(value string, consts map[string]constant) (add, conv *graphOp, weights, bias constant, ok bool) {
	add = w.makes[value]
	if add == nil || add.op != "Add" || len(add.in) != 2 || len(w.takes[value]) != 1 {
		return nil, nil, weights, bias, false
	}
	for i, name := range add.in {
		bias, ok = consts[add.in[1-i]]
		if conv = w.makes[name]; !ok || conv == nil || conv.op != "ConvTranspose" || len(conv.in) != 2 || len(w.takes[name]) != 1 || !doubles(conv.attrs) {
			continue
		}
		weights, ok = consts[conv.in[1]]
		good := ok && len(weights.shape) == 4 && weights.shape[2] == 2 && weights.shape[3] == 2 &&
			len(bias.values) == weights.shape[1] && len(bias.shape) == 4 && bias.shape[1] == weights.shape[1]
		return add, conv, weights, bias, good
	}
	return nil, nil, weights, bias, false
}

// doubles reports whether attributes are those of a kernel of 2×2 that never overlaps.
func doubles(attrs [][]byte) bool {
	strides := false
	for _, b := range attrs {
		name, ints, whole, ok := readAttr(b)
		switch {
		case !ok:
			return false
		case name == "strides":
			strides = slices.Equal(ints, []uint64{2, 2})
		case name == "kernel_shape" && slices.Equal(ints, []uint64{2, 2}),
			name == "dilations" && slices.Equal(ints, []uint64{1, 1}),
			name == "pads" && slices.Equal(ints, []uint64{0, 0, 0, 0}),
			name == "group" && whole == 1:
		default:
			return false
		}
	}
	return strides
}

// readAttr reads an AttributeProto of whole numbers.
func readAttr(b []byte) (name string, ints []uint64, whole uint64, ok bool) {
	fields, ok := protoFields(b)
	for _, f := range fields {
		switch {
		case f.number == 1:
			name = string(f.body)
		case f.number == 3:
			whole = f.value
		case f.number == 8 && f.body == nil:
			ints = append(ints, f.value)
		case f.number == 8: // packed
			for p := f.body; len(p) > 0; {
				v, n := binary.Uvarint(p)
				if n <= 0 {
					return "", nil, 0, false
				}
				ints, p = append(ints, v), p[n:]
			}
		}
	}
	return name, ints, whole, ok
}

func wholeAttr(name string, v uint64) []byte {
	b := appendBody(nil, 1, []byte(name))
	b = binary.AppendUvarint(append(b, 3<<3), v)
	return append(binary.AppendUvarint(b, 20<<3), 2) // of the type INT
}

// constant is a tensor of float32 in the file.
type constant struct {
	shape  []int
	values []float32
}

// constants are those of the graph, by name.
func (g *graphFile) constants() map[string]constant {
	all := map[string]constant{}
	for _, f := range g.fields {
		if f.number != graphConst {
			continue
		}
		if name, c, ok := readConstant(f.body); ok {
			all[name] = c
		}
	}
	return all
}

// readConstant reads a TensorProto of float32 in raw bytes, as every exporter writes it; ok is
// false for another.
func readConstant(b []byte) (name string, c constant, ok bool) {
	fields, ok := protoFields(b)
	var kind uint64
	var raw []byte
	size := 1
	for _, f := range fields {
		switch f.number {
		case 1:
			if f.body != nil || f.value == 0 || f.value > 1<<20 || size > 1<<24 {
				return "", c, false
			}
			c.shape = append(c.shape, int(f.value)) //nolint:gosec // was bounded
			size *= int(f.value)                    //nolint:gosec // was bounded
		case 2:
			kind = f.value
		case 8:
			name = string(f.body)
		case 9:
			raw = f.body
		}
	}
	if !ok || kind != 1 || len(raw) != 4*size {
		return "", c, false
	}
	c.values = make([]float32, size)
	for i := range c.values {
		c.values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return name, c, true
}

func constantBytes(name string, values []float32, shape ...int) []byte {
	var b []byte
	for _, d := range shape {
		b = binary.AppendUvarint(append(b, 1<<3), uint64(d)) //nolint:gosec // a dimension
	}
	b = appendBody(append(b, 2<<3, 1), 8, []byte(name))
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return appendBody(b, 9, raw)
}
