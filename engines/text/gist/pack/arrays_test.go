package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// npy is an array as NumPy writes it, of eight bytes.
func npy(header string) []byte {
	b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(header))) //nolint:gosec // short
	return append(append(b, header...), 1, 2, 3, 4, 5, 6, 7, 8)
}

const twoFloats = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }          \n"

func TestReadArrays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trained.npz")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("head.out.bias.npy")
	if err == nil {
		_, err = w.Write(npy(twoFloats))
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	file, err := readArrays(path, map[string]string{"frozen": "3"})
	if err != nil {
		t.Fatal(err)
	}
	const header = `{"__metadata__":{"frozen":"3"},"head.out.bias":{"data_offsets":[0,8],"dtype":"F32","shape":[2,1]}}`
	if n := binary.LittleEndian.Uint64(file); n != uint64(len(header)) || string(file[8:]) != header+"\x01\x02\x03\x04\x05\x06\x07\x08" {
		t.Errorf("it is %q", file)
	}
}

// TestReadArrayRefuses has what is no array of float32 in C's order refused.
func TestReadArrayRefuses(t *testing.T) {
	for name, b := range map[string][]byte{
		"nothing": nil, "cut off": npy(twoFloats)[:30], "another version": append([]byte("\x93NUMPY\x02"), npy(twoFloats)[7:]...),
		"float64": npy(strings.Replace(twoFloats, "<f4", "<f8", 1)), "turned": npy(strings.Replace(twoFloats, "False", "True", 1)),
		"too few values": npy(strings.Replace(twoFloats, "(2, 1)", "(3, 1)", 1)),
	} {
		if _, err := readArray(b); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
	if a, err := readArray(npy(strings.Replace(twoFloats, "(2, 1)", "(2,)", 1))); err != nil || len(a.shape) != 1 {
		t.Errorf("an array of one dimension: %v, %v", a.shape, err)
	}
}
