package thai_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/image/ocr/thai"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// TestNetwork holds the network's doors to what the reader of lines expects of one.
func TestNetwork(t *testing.T) {
	onnxtest.Start(t)
	rec, err := os.ReadFile(filepath.Join(onnxtest.Models(t), "ppocr-v6", "rec.onnx"))
	if err != nil {
		t.Fatalf("%v (make setup)", err)
	}
	file, err := thai.Network(rec)
	if err != nil {
		t.Fatal(err)
	}
	if len(file) > len(rec) {
		t.Errorf("the network has %d bytes, the whole recogniser %d: what it doesn't need was kept", len(file), len(rec))
	}
	net, err := onnx.New(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := net.Close(); err != nil {
			t.Error(err)
		}
	}()
	classes := len(strings.Split(strings.TrimRight(string(thai.Dictionary()), "\n"), "\n")) + 2 // none and the space
	in := onnx.Tensor{Shape: []int{1, 3, 48, 160}, Data: make([]float32, 3*48*160)}
	err = net.Run([]onnx.Tensor{in}, func(out []onnx.Tensor) error {
		if s := out[0].Shape; len(s) != 3 || s[1] != 40 || s[2] != classes {
			t.Errorf("gives %v, want steps of 4 px and %d classes", s, classes)
		}
		for step := range 40 {
			sum := float32(0)
			for _, p := range out[0].Data[step*classes : (step+1)*classes] {
				sum += p
			}
			if sum < 0.999 || sum > 1.001 {
				t.Fatalf("probabilities of step %d are %f together", step, sum)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestNetworkRefuses(t *testing.T) {
	for name, file := range map[string][]byte{"nothing": nil, "no network": []byte("no network")} {
		if _, err := thai.Network(file); err == nil {
			t.Errorf("%s was taken for the recogniser", name)
		}
	}
}
