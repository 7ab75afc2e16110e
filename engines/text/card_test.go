package text

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// TestCardNamesTheWeights: the model card tells of the weights that ship, not of former ones.
func TestCardNamesTheWeights(t *testing.T) {
	card, err := os.ReadFile("MODEL_CARD.md")
	if err != nil {
		t.Fatal(err)
	}
	weights, err := os.ReadFile("classify/weights/text.bin")
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(weights); !strings.Contains(string(card), hex.EncodeToString(sum[:])) {
		t.Errorf("MODEL_CARD.md does not name the weights by their SHA-256, %x", sum)
	}
}
