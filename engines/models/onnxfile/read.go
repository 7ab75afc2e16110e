package onnxfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

var errCut = errors.New("onnx: the file is cut off or damaged")

// Floats gives the float32 weights of a file in this format by name. Others, and the
// nodes, are passed over.
func Floats(file []byte) (map[string]Weight, error) {
	all := map[string]Weight{}
	err := each(file, func(field int, graph []byte) error {
		if field != 7 {
			return nil
		}
		return each(graph, func(field int, b []byte) error {
			if field != 5 {
				return nil
			}
			w, ok, err := readWeight(b)
			if ok {
				all[w.Name] = w
			}
			return err
		})
	})
	return all, err
}

// readWeight reads a TensorProto; ok is false for one that is not of float32.
func readWeight(b []byte) (w Weight, ok bool, err error) {
	kind, size := 0, 1
	var raw []byte
	err = fields(b, func(field int, v uint64, body []byte) error {
		switch field {
		case 1:
			if v > 1<<20 || size > 1<<28 {
				return errCut
			}
			w.Shape = append(w.Shape, int(v)) //nolint:gosec // bounded above
			size *= int(v)                    //nolint:gosec // as above
		case 2:
			kind = int(v & 0xff) //nolint:gosec // as above
		case 8:
			w.Name = string(body)
		case 9:
			raw = body
		}
		return nil
	})
	if err != nil || kind != typeFloat {
		return w, false, err
	}
	if len(raw) != 4*size {
		return w, false, fmt.Errorf("onnx: weight %s: shape %v does not hold %d bytes", w.Name, w.Shape, len(raw))
	}
	w.Floats = make([]float32, size)
	for i := range w.Floats {
		w.Floats[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return w, true, nil
}

// each calls f for every field of a message that is a message or a text.
func each(b []byte, f func(field int, body []byte) error) error {
	return fields(b, func(field int, _ uint64, body []byte) error {
		if body == nil {
			return nil
		}
		return f(field, body)
	})
}

// fields calls f for every field of a message: with its number, or with its body.
func fields(b []byte, f func(field int, v uint64, body []byte) error) error {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<16 {
			return errCut
		}
		b = b[n:]
		var v uint64
		var body []byte
		switch tag & 7 {
		case 0:
			v, n = binary.Uvarint(b)
		case 1:
			n = 8
		case 5:
			n = 4
		case 2:
			var size uint64
			if size, n = binary.Uvarint(b); n <= 0 || size > uint64(len(b)-n) {
				return errCut
			}
			body = b[n : n+int(size) : n+int(size)] //nolint:gosec // it is within b
			n += int(size)                          //nolint:gosec // as above
		default:
			return errCut
		}
		if n <= 0 || n > len(b) {
			return errCut
		}
		b = b[n:]
		if err := f(int(tag>>3), v, body); err != nil { //nolint:gosec // bounded above
			return err
		}
	}
	return nil
}
