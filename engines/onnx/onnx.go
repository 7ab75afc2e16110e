// Package onnx runs neural networks in the ONNX format through ONNX Runtime, and is
// the only one that knows that library. It finds and loads the shared library once a
// process, and gives sessions that any number of goroutines may run at a time, each on
// the thread that calls it: engines.Pool already keeps every core busy, and a second
// thread in a session made both slower when they were measured.
//
// The library is loaded at run time, so the binary starts without it; whoever needs a
// model is told ErrNoLibrary then. A binary built with CGO_ENABLED=0 says ErrNotBuilt.
// Which models there are, and where, is engines/models' business.
package onnx

import (
	"errors"
	"fmt"
)

// Errors of this package; others are wrapped with what was being done.
var (
	// ErrNotBuilt: the binary was built without cgo, so it can load no library.
	ErrNotBuilt = errors.New("not in this build: running models needs a build with CGO_ENABLED=1")
	// ErrNoLibrary: there is no ONNX Runtime where Find looks.
	ErrNoLibrary = errors.New("no ONNX Runtime library")
	// ErrNotStarted: Start was not called, or failed.
	ErrNotStarted = errors.New("ONNX Runtime is not loaded")
	// ErrClosed: the session was closed.
	ErrClosed = errors.New("the session is closed")
)

// Tensor is an array of any number of dimensions, the last one running fastest.
type Tensor struct {
	Shape []int
	Data  []float32
}

// Size is the number of values that Shape asks for, -1 when a dimension is not positive
// or the product passes what a tensor of a picture can be (2^30).
func (t Tensor) Size() int {
	n := 1
	for _, d := range t.Shape {
		if d <= 0 || n > (1<<30)/d {
			return -1
		}
		n *= d
	}
	return n
}

// Info describes an input or output of a model. A dimension of -1 is free.
type Info struct {
	Name  string
	Shape []int
}

// oneShape says whether a model is always run with one shape: but for the first dimension,
// which is how many are looked at at once, none is free.
func oneShape(inputs []Info) bool {
	for _, in := range inputs {
		for _, d := range in.Shape[min(1, len(in.Shape)):] {
			if d <= 0 {
				return false
			}
		}
	}
	return true
}

// check says whether inputs fit what a model asks for, before they reach native code.
func check(want []Info, inputs []Tensor) error {
	if len(inputs) != len(want) {
		return fmt.Errorf("%d inputs given, the model takes %d", len(inputs), len(want))
	}
	for i, in := range inputs {
		if size := in.Size(); size < 0 || size != len(in.Data) {
			return fmt.Errorf("input %s: shape %v does not hold %d values", want[i].Name, in.Shape, len(in.Data))
		}
		if len(in.Shape) != len(want[i].Shape) {
			return fmt.Errorf("input %s: shape %v, the model takes %v", want[i].Name, in.Shape, want[i].Shape)
		}
		for j, d := range want[i].Shape {
			if d > 0 && d != in.Shape[j] {
				return fmt.Errorf("input %s: shape %v, the model takes %v", want[i].Name, in.Shape, want[i].Shape)
			}
		}
	}
	return nil
}
