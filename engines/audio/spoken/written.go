package spoken

import (
	"slices"
	"strings"
	"unicode"
)

// AsWritten is the words as they would have been written. It knows what marks are called
// in some languages, and the numbers, letters and hesitations of English; recognisers
// write the numbers of most languages in figures by themselves.
func AsWritten(words []Word) *Text {
	w := &writer{words: words, bare: make([]string, len(words))}
	for i := range words {
		w.bare[i] = strings.ToLower(strings.TrimFunc(words[i].Text, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) }))
	}
	for i := 0; i < len(words); {
		i += w.next(i)
	}
	return &w.out
}

// writer is a text being written.
type writer struct {
	words []Word
	bare  []string // in lower case, without marks
	out   Text
	glue  bool // the next piece follows without a space
}

// next writes what stands at i and returns how many words that were.
func (w *writer) next(i int) int {
	for _, rule := range []func(int) (string, int){w.letters, w.number} {
		if s, n := rule(i); n > 0 {
			w.add(s, i, n)
			return n
		}
	}
	if s, n := w.mark(i); n > 0 {
		w.glue = true
		w.add(s, i, n)
		w.glue = true
		return n
	}
	if slices.Contains(fillers, w.bare[i]) {
		return 1
	}
	if s := spelt(w.words[i].Text); s != "" {
		w.add(s, i, 1)
		return 1
	}
	text := w.words[i].Text
	if _, n := w.mark(i + 1); n > 0 {
		text = strings.TrimRight(text, ".,;:!?…") // of the sentence, not of the address
	}
	w.add(text, i, 1)
	return 1
}

func (w *writer) add(s string, i, n int) {
	w.out.add(s, w.glue || w.words[i].Glued, i, i+n)
	w.glue = false
}

// fillers are the sounds of hesitation.
var fillers = []string{"uh", "um", "uhm", "umm", "uhh", "er", "erm", "hm", "hmm", "mm", "mhm"}

// is reports whether the word at i is one of some.
func (w *writer) is(i int, some ...string) bool {
	return i >= 0 && i < len(w.bare) && slices.Contains(some, w.bare[i])
}
