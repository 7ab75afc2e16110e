// Package onnxtest is what tests of models share: where the library and the models lie,
// and a model small enough to be written by hand.
package onnxtest

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// Models is the folder of models that tests use: $PORTCULLIS_MODELS, else data/models of
// the module, which `make setup` fills.
func Models(tb testing.TB) string {
	tb.Helper()
	if dir := os.Getenv("PORTCULLIS_MODELS"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "data", "models")
		}
		up := filepath.Dir(dir)
		if up == dir {
			tb.Fatal("no go.mod above the test")
		}
		dir = up
	}
}

// Start loads the library for a test, which fails where there is none.
func Start(tb testing.TB) {
	tb.Helper()
	path, err := onnx.Find(Models(tb))
	if err != nil {
		tb.Fatalf("%v (make setup)", err)
	}
	if err := onnx.Start(path); err != nil {
		tb.Fatal(err)
	}
}

// Product is a model with one input "x" of shape [-1, n] and one output "y" [-1, m]:
// y = x · weights, weights holding n rows of m values.
func Product(n, m int, weights []float32) []byte {
	raw := make([]byte, 0, 4*len(weights))
	for _, w := range weights {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(w))
	}
	node := cat(text(1, "x"), text(1, "w"), text(2, "y"), text(4, "MatMul"))
	initializer := cat(varint(1, n), varint(1, m), varint(2, 1), text(8, "w"), text(9, string(raw)))
	graph := cat(message(1, node), text(2, "g"), message(5, initializer),
		message(11, value("x", n)), message(12, value("y", m)))
	return cat(varint(1, 8), message(7, graph), message(8, varint(2, 13)))
}

// value is a ValueInfoProto of float32 [-1, size]; the numbers of fields are those of
// onnx.proto.
func value(name string, size int) []byte {
	shape := cat(message(1, text(2, "batch")), message(1, varint(1, size)))
	return cat(text(1, name), message(2, message(1, cat(varint(1, 1), message(2, shape)))))
}

func cat(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func varint(field, v int) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), uint64(v)) //nolint:gosec // both are small and not negative
}

func text(field int, s string) []byte { return message(field, []byte(s)) }

func message(field int, body []byte) []byte {
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3|2), uint64(len(body))) //nolint:gosec // small and not negative
	return append(head, body...)
}
