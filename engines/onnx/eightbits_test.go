package onnx_test

import (
	"math"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/onnxfile"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// Products of 8 bits come out right at the ends of their range on any processor: those
// without VNNI instructions would add two of 255·127 in 16 bits, where they become 32767.
// `qemu-x86_64 -cpu Haswell` shows it on others.
func TestEightBits(t *testing.T) {
	const in, out = 64, 48
	weights := make([]int8, in*out)
	for i := range weights {
		switch i % out % 3 {
		case 0:
			weights[i] = 127
		case 1:
			weights[i] = -127
		default:
			weights[i] = int8(i*31%255 - 127) //nolint:gosec // within int8
		}
	}
	m := onnxfile.Model{
		Name: "eight bits", Opset: 17, Inputs: []onnxfile.Value{{Name: "x", Shape: []int{-1, in}}}, Outputs: []onnxfile.Value{{Name: "y", Shape: []int{-1, out}}},
		Weights: []onnxfile.Weight{{Name: "w", Shape: []int{in, out}, Int8s: weights}, {Name: "zero", Int8s: []int8{0}}},
		Nodes: []onnxfile.Node{
			{Op: "DynamicQuantizeLinear", In: []string{"x"}, Out: []string{"q", "scale", "q0"}},
			{Op: "MatMulInteger", In: []string{"q", "w", "q0", "zero"}, Out: []string{"whole"}},
			{Op: "Cast", In: []string{"whole"}, Out: []string{"real"}, Attrs: []onnxfile.Attr{onnxfile.Int("to", 1)}},
			{Op: "Mul", In: []string{"real", "scale"}, Out: []string{"y"}},
		},
	}
	b, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	s := session(t, b)
	for _, rows := range []int{1, 7} { // one row has a kernel of its own
		x := make([]float32, rows*in) // 255 steps of 1, so that nothing is rounded
		for i := range x {
			x[i] = 255
			if i%in == in-1 {
				x[i] = float32(i / in * 3)
			}
		}
		err := s.Run([]onnx.Tensor{{Shape: []int{rows, in}, Data: x}}, func(y []onnx.Tensor) error {
			for i, got := range y[0].Data {
				want := float32(0)
				for k := range in {
					want += x[i/out*in+k] * float32(weights[k*out+i%out])
				}
				if math.Abs(float64(got-want)) > 1e-3*math.Abs(float64(want))+0.5 {
					t.Fatalf("%d rows: y[%d] = %v, want %v", rows, i, got, want)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
