package onnxfile

import "encoding/binary"

// Nodes gives the operators of a file in this format, in its order.
func Nodes(file []byte) ([]Node, error) {
	var all []Node
	err := each(file, func(field int, graph []byte) error {
		if field != 7 {
			return nil
		}
		return each(graph, func(field int, b []byte) error {
			if field != 1 {
				return nil
			}
			n, err := readNode(b)
			all = append(all, n)
			return err
		})
	})
	return all, err
}

func readNode(b []byte) (n Node, err error) {
	if n.In, n.Out, err = ends(b); err != nil {
		return n, err
	}
	err = each(b, func(field int, body []byte) error {
		switch field {
		case 4:
			n.Op = string(body)
		case 5:
			n.Attrs = append(n.Attrs, Attr{body})
		case 7:
			n.Domain = string(body)
		}
		return nil
	})
	return n, err
}

// Ints is the attribute of that name, a list of whole numbers or a single one; nil where the node has none.
func (n *Node) Ints(name string) []int {
	for _, a := range n.Attrs {
		if is, err := named(a.body, 1); err != nil || is != name {
			continue
		}
		var vs []int
		_ = fields(a.body, func(field int, v uint64, body []byte) error { // it was read before
			switch {
			case (field == 3 || field == 8) && body == nil:
				vs = append(vs, int(v)) //nolint:gosec // as it was written
			case field == 8: // packed
				for len(body) > 0 {
					v, size := binary.Uvarint(body)
					if size <= 0 {
						return errCut
					}
					vs, body = append(vs, int(v)), body[size:] //nolint:gosec // as above
				}
			}
			return nil
		})
		return vs
	}
	return nil
}
