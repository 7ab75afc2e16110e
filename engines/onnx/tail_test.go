package onnx_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// doubled is a transposed convolution of 2×2 at a stride of 2, with its bias, of a map of so
// many channels. https://onnx.ai/onnx/operators/onnx__ConvTranspose.html
func doubled(x []float32, in, h, w int, weights, bias []float32) []float32 {
	mid := len(bias)
	out := make([]float32, mid*4*h*w)
	for c := range mid {
		for y := range 2 * h {
			for xx := range 2 * w {
				sum := float64(bias[c])
				for i := range in {
					sum += float64(x[(i*h+y/2)*w+xx/2]) * float64(weights[(i*mid+c)*4+y%2*2+xx%2])
				}
				out[(c*2*h+y)*2*w+xx] = float32(sum)
			}
		}
	}
	return out
}

// TestFlatTail runs the end of a network that marks pixels, which is rewritten before it runs,
// and holds it against what the operators mean.
func TestFlatTail(t *testing.T) {
	const in, mid, h, w = 3, 5, 2, 3
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same numbers each time
	random := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(rng.NormFloat64())
		}
		return v
	}
	w1, b1, w2, b2 := random(in*mid*4), random(mid), random(mid*4), random(1)
	twice := []onnxfile.Attr{
		onnxfile.Ints("dilations", 1, 1), onnxfile.Ints("kernel_shape", 2, 2), onnxfile.Ints("strides", 2, 2),
		onnxfile.Ints("pads", 0, 0, 0, 0), onnxfile.Int("group", 1),
	}
	m := onnxfile.Model{
		Name: "tail", Inputs: []onnxfile.Value{{Name: "x", Shape: []int{-1, in, -1, -1}}}, Outputs: []onnxfile.Value{{Name: "y", Shape: []int{-1, 1, -1, -1}}},
		Weights: []onnxfile.Weight{
			{Name: "w1", Shape: []int{in, mid, 2, 2}, Floats: w1},
			{Name: "b1", Shape: []int{1, mid, 1, 1}, Floats: b1},
			{Name: "w2", Shape: []int{mid, 1, 2, 2}, Floats: w2},
			{Name: "b2", Shape: []int{1, 1, 1, 1}, Floats: b2},
		},
		Nodes: []onnxfile.Node{
			{Op: "ConvTranspose", In: []string{"x", "w1"}, Out: []string{"1"}, Attrs: twice},
			{Op: "Add", In: []string{"1", "b1"}, Out: []string{"2"}},
			{Op: "Relu", In: []string{"2"}, Out: []string{"3"}},
			{Op: "ConvTranspose", In: []string{"3", "w2"}, Out: []string{"4"}, Attrs: twice},
			{Op: "Add", In: []string{"4", "b2"}, Out: []string{"5"}},
			{Op: "Sigmoid", In: []string{"5"}, Out: []string{"y"}},
		},
	}
	model, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	x := random(in * h * w)
	half := doubled(x, in, h, w, w1, b1)
	for i := range half {
		half[i] = max(0, half[i])
	}
	want := doubled(half, mid, 2*h, 2*w, w2, b2)
	err = session(t, model).Run([]onnx.Tensor{{Shape: []int{1, in, h, w}, Data: x}}, func(out []onnx.Tensor) error {
		if len(out[0].Data) != len(want) || out[0].Shape[2] != 4*h || out[0].Shape[3] != 4*w {
			t.Fatalf("shape %v, want [1 1 %d %d]", out[0].Shape, 4*h, 4*w)
		}
		for i, v := range want {
			if p := 1 / (1 + math.Exp(-float64(v))); math.Abs(p-float64(out[0].Data[i])) > 1e-5 {
				t.Errorf("pixel %d is %v, want %v", i, out[0].Data[i], p)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
