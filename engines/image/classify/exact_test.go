package classify

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines/image/classify/eight"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// TestLoadRounds: the networks of the manifest are computed in 8 bits where the processor
// can, and never where float32 is asked for.
func TestLoadRounds(t *testing.T) {
	onnxtest.Start(t)
	for _, exact := range []bool{false, true} {
		var board models.Board
		s, err := Load(models.NewStore(onnxtest.Models(t)), nil, exact, &board)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		if len(s.networks) != 2 {
			t.Fatalf("exact %v: %d networks, want 2 (make setup)", exact, len(s.networks))
		}
		for i, n := range s.networks {
			if ok := n.rounded != nil; ok != (eight.Able() && !exact) {
				t.Errorf("exact %v: network %d in 8 bits: %v", exact, i, ok)
			}
		}
	}
}
