package ge2e_test

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/ge2e"
	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
)

// TestOther: a file that lacks a weight, or has one of another shape, is no network of voices.
func TestOther(t *testing.T) {
	other := onnxfile.Model{Name: "other", Weights: []onnxfile.Weight{{Name: "lstm.w_l0", Shape: []int{1, 2, 2}, Floats: make([]float32, 4)}}}
	file, err := other.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{nil, file, file[:len(file)/2]} {
		if _, err := ge2e.Rewrite(b); err == nil {
			t.Errorf("%d bytes of something else are taken for the network", len(b))
		}
	}
}
