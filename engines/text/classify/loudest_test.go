package classify

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLoudest: what Score finds of a long message on its way is what a look at each word
// finds, whatever is not said aloud, repeated or cut at the end of a window.
func TestLoudest(t *testing.T) {
	m, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // the same words every time
	said := strings.Fields("you idiot gold for sale kill them all nice shot buy cheap pills send nudes vote now i a " + strings.Repeat("long", 10))
	var in Input
	for range 20 {
		in.Reset()
		for range 300 + draw.IntN(600) {
			in.Open(Chain{Quiet: draw.IntN(4) == 0, Whole: draw.IntN(5) == 0})
			for i, r := range said[draw.IntN(len(said))] {
				in.Rune(r, int32(i))
			}
			in.Close()
		}
		m.Score(&in)
		if !in.heard {
			t.Fatalf("a message of %d features is short", len(in.features))
		}
		for h := range Heads {
			if got, want := in.loudest[h], m.listen(&in, Head(h)); got != want {
				t.Errorf("%v: word %d says %d, want word %d that says %d", Head(h), got.word, got.sum, want.word, want.sum)
			}
		}
	}
	fill(&in, "short")
	if m.Score(&in); in.heard {
		t.Error("a short message is taken for the long one before it")
	}
}
