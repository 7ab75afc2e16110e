package onnx

// Networks have GELU, x·½·(1 + erf(x/√2)), written out in operators. The library has one
// operator for it, which takes a quarter of their time, and knows the product in the order
// (x · sum) · ½ alone; PyTorch's newer exporter writes x · (½ · sum). inLibraryOrder
// turns the second into the first: a factor of ½ is exact wherever it stands.

// inLibraryOrder is the model with the factors of its GELUs in the order that the library
// knows, and with a tail of flatTail's kind flat: the model itself where it has neither, or
// is no model.
func inLibraryOrder(model []byte) []byte {
	g, ok := openGraph(model)
	if !ok {
		return model
	}
	w := g.wired()
	ordered, flat := reorder(g.nodes, w), g.flatTail(w)
	if !ordered && !flat {
		return model
	}
	return g.bytes()
}

// reorder says whether it changed any node. In x · (½ · (1 + erf(x/√2))) what the inner
// product takes beside the sum, and what the outer one takes beside the inner, change
// places.
func reorder(nodes map[int]*graphOp, w *wiring) bool {
	changed := false
	for _, n := range nodes {
		if n.op == "Erf" && len(n.in) == 1 && w.swap(n) {
			changed = true
		}
	}
	return changed
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
