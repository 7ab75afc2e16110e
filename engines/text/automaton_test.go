package text

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAutomatonFindsWhatSearchFinds compares one pass with a search per pattern.
func TestAutomatonFindsWhatSearchFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // not for secrets: the same cases every time
	word := func(n int) string {
		b := make([]byte, 1+rng.IntN(n))
		for i := range b {
			b[i] = "abc"[rng.IntN(3)]
		}
		return string(b)
	}
	for range 200 {
		words := make([]string, 1+rng.IntN(20))
		patterns := make([][]rune, len(words))
		for i := range words {
			words[i] = word(5)
			patterns[i] = []rune(words[i])
		}
		text := word(60)
		a := newAutomaton(patterns)
		type match struct{ Pattern, End int }
		got, want := map[match]bool{}, map[match]bool{}
		state := int32(0)
		for i, r := range text {
			state = a.next(state, a.alphabet.of(r))
			for at := a.nodes[state].emit; at >= 0; at = a.emits[at].next {
				for p := a.emits[at].pattern; p >= 0; p = a.chain[p] {
					got[match{int(p), i}] = true
				}
			}
			for p, w := range words {
				if strings.HasSuffix(text[:i+1], w) {
					want[match{p, i}] = true
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q in %q (-want +got):\n%s", words, text, diff)
		}
	}
}

// TestAlphabetHoldsEveryPlane: planes beyond the second have letters too.
func TestAlphabetHoldsEveryPlane(t *testing.T) {
	var a alphabet
	for i, r := range []rune{'a', 'ж', '字', 0x1F600, 0x20000, 0x30000, 0xE0041, 0x10FFFF} {
		a.add(r)
		if got := a.of(r); int(got) != i+1 {
			t.Errorf("U+%X is number %d, want %d", r, got, i+1)
		}
	}
	if got := a.of(0x30001); got != 0 {
		t.Errorf("a rune that no pattern holds is number %d", got)
	}
}
