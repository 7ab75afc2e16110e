package silero_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models/silero"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// TestRewriteRefuses: what is no network, or another one. That it says the same as
// Silero's own is tested where it is used, in engines/audio/vad.
func TestRewriteRefuses(t *testing.T) {
	good, err := os.ReadFile(filepath.Join(onnxtest.Models(t), "silero-vad.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{
		"empty": nil, "text": []byte("no network, and longer than a tag"), "cut": good[:len(good)/2], "another": onnxtest.Product(2, 1, []float32{1, 1}),
	} {
		if _, err := silero.Rewrite(file); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
