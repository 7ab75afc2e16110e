package encoder

import (
	"math"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// TestSet adds a place's values and brings the sum to mean beta and spread gamma.
func TestSet(t *testing.T) {
	p := Places{Positions: []float32{9, 9, 9, 9, 1, 0, 0, -1}, Gamma: []float32{1, 1, 2, 1}, Beta: []float32{0, 0, 0, 5}}
	row := []float32{0, 2, 3, 5} // 1 2 3 4 with the second place
	p.Set(row, 1)
	unit := 0.5 / math.Sqrt(1.25)
	for i, want := range []float64{-3 * unit, -unit, 2 * unit, 3*unit + 5} {
		if math.Abs(float64(row[i])-want) > 1e-6 {
			t.Errorf("value %d is %v, want %v", i, row[i], want)
		}
	}
}

// TestShape has layers refused that take or give something else.
func TestShape(t *testing.T) {
	onnxtest.Start(t)
	if _, err := newNetwork(onnxtest.Product(2, 1, []float32{1, 1}), nil, 2, 1); err == nil {
		t.Error("a network of two dimensions is taken")
	}
	if _, err := newNetwork([]byte("none"), nil, 2, 1); err == nil {
		t.Error("what is no network is taken")
	}
}
