package text

import (
	"slices"
	"testing"
)

// TestWordsAreAmongTheWords: the small filter loses no word of the lists, as it is or
// backwards.
func TestWordsAreAmongTheWords(t *testing.T) {
	l := shared(t).lexicon
	g := &l.masks.guesses
	words := 0
	for i := range l.patterns {
		if !l.patterns[i].guessed(l) {
			continue
		}
		word := l.patterns[i].spelled()
		back := slices.Clone(word)
		slices.Reverse(back)
		for _, h := range []uint64{hashRunes(word), hashRunes(back)} {
			want, ok := g.find(h)
			if !ok || !want.whole() {
				continue
			}
			words++
			if got, _ := g.word(h); got != want {
				t.Fatalf("%q: word is %+v, find %+v", string(word), got, want)
			}
		}
	}
	if words < 10000 {
		t.Errorf("%d words were looked up", words)
	}
	if n := len(g.words); n*4 > len(g.filter) {
		t.Errorf("a filter of %d words in place of %d", n, len(g.filter))
	}
}
