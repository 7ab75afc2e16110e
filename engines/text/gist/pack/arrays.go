package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// array is one of NumPy's, of float32.
type array struct {
	shape  []int
	values []byte
}

// readArrays reads a .npz, a zip of arrays, and gives it as the safetensors file that
// bert.Pack reads.
func readArrays(path string, notes map[string]string) ([]byte, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("pack: %s: %w", path, err)
	}
	defer func() { _ = z.Close() }() // it was only read
	all := map[string]array{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("pack: %s: %w", path, err)
		}
		b, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			return nil, fmt.Errorf("pack: %s: %w", path, err)
		}
		if all[strings.TrimSuffix(f.Name, ".npy")], err = readArray(b); err != nil {
			return nil, fmt.Errorf("pack: %s: %s: %w", path, f.Name, err)
		}
	}
	return tensors(all, notes)
}

// npyHeader is what the header of an array must say.
var npyHeader = regexp.MustCompile(`^\{'descr': '<f4', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \}\s*$`)

// readArray reads an array: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
func readArray(b []byte) (array, error) {
	if len(b) < 10 || !bytes.HasPrefix(b, []byte("\x93NUMPY\x01")) {
		return array{}, errors.New("no array of the first version")
	}
	n := int(binary.LittleEndian.Uint16(b[8:]))
	if len(b) < 10+n {
		return array{}, errors.New("cut off")
	}
	m := npyHeader.FindSubmatch(b[10 : 10+n])
	if m == nil {
		return array{}, fmt.Errorf("no float32 in C's order: %s", b[10:10+n])
	}
	a, size := array{values: b[10+n:]}, 4
	for _, d := range strings.FieldsFunc(string(m[1]), func(r rune) bool { return r == ',' || r == ' ' }) {
		v, err := strconv.Atoi(d)
		if err != nil {
			return array{}, fmt.Errorf("shape: %w", err)
		}
		a.shape, size = append(a.shape, v), size*v
	}
	if size != len(a.values) {
		return array{}, fmt.Errorf("%d bytes for %v", len(a.values), a.shape)
	}
	return a, nil
}

func tensors(all map[string]array, notes map[string]string) ([]byte, error) {
	header := map[string]any{"__metadata__": notes}
	var values []byte
	for _, name := range slices.Sorted(maps.Keys(all)) {
		a := all[name]
		header[name] = map[string]any{"dtype": "F32", "shape": a.shape, "data_offsets": [2]int{len(values), len(values) + len(a.values)}}
		values = append(values, a.values...)
	}
	b, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(b))), b, values), nil
}
