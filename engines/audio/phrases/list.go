package phrases

import (
	"cmp"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

const (
	// least is how many sounds a phrase must have: a shorter one is like anything.
	least = 3
	// short phrases, of fewer sounds, may have one other than those heard: nearly anything
	// is like them. In a loose list it is two.
	short = 7
	// longest is how many are compared, a machine word of them.
	longest = 64
	// share of the sounds of a phrase may be others than those heard; of a loose list's
	// looseShare.
	share, looseShare = 0.34, 0.6
	// Most is how many guesses are made of one text.
	Most = 12
)

// Unlike is how much of a phrase may be otherwise, sounds and half of what is spelt
// otherwise added up: the sounds of many short phrases are the same. Loose is that for an
// operator's list, of whose phrases of several words a recogniser may have made anything:
// whether the sound bears one out is for it to say. More is like a word alone.
const (
	Unlike = 0.6
	Loose  = 0.85
)

// List is phrases ready to be compared. It never changes and is safe for concurrent use.
type List struct {
	all    []phrase
	unlike float64
}

type phrase struct {
	text    string
	words   int
	letters string // of it, without spaces
	sound   string
	masks   [128]uint64 // where each sound stands in it
}

// New makes a list of phrases of Latin letters; others, and those too short to be told
// from anything, are left out. unlike is Unlike or Loose.
func New(texts []string, unlike float64) *List {
	l := &List{unlike: unlike}
	seen := map[string]bool{}
	for _, text := range texts {
		p := phrase{text: strings.Join(strings.Fields(strings.ToLower(text)), " ")}
		p.letters = latin(p.text)
		if seen[p.text] || !sayable(p.text) {
			continue
		}
		seen[p.text] = true
		words := strings.Fields(p.text)
		p.words, p.sound = len(words), spoken(words)
		if len(p.sound) < least || len(p.sound) > longest {
			continue
		}
		for i := range len(p.sound) {
			p.masks[p.sound[i]] |= 1 << i
		}
		l.all = append(l.all, p)
	}
	return l
}

// sayable reports whether a text is made of words that are said as they are spelt, and
// not of figures, signs and letters.
func sayable(text string) bool {
	if text == "" {
		return false
	}
	for w := range strings.FieldsSeq(text) {
		if len(w) > 1 && !strings.ContainsAny(w, "aeiouy") || len(w) == 1 && w != "a" && w != "i" {
			return false
		}
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return (r > 'z' || r < 'a') && r != ' ' && r != '\'' })
}

// Len is how many phrases are looked for.
func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return len(l.all)
}

// Near are the phrases that sound like something in the words, the nearest first, at
// most Most of them. One that was written as it stands in the list is one of them.
func (l *List) Near(words []string) []speech.Guess {
	if l.Len() == 0 || len(words) == 0 {
		return nil
	}
	h := heard{words: len(words), letters: make([]string, len(words))}
	for i, w := range words {
		h.letters[i] = latin(w)
		for _, b := range []byte(soundOf(w)) {
			h.sound, h.of = append(h.sound, b), append(h.of, i)
		}
	}
	var found []speech.Guess
	for i := range l.all {
		if g, ok := l.all[i].in(&h, l.unlike); ok {
			found = append(found, g)
		}
	}
	slices.SortStableFunc(found, func(a, b speech.Guess) int {
		return cmp.Or(cmp.Compare(a.Off, b.Off), len(b.Text)-len(a.Text))
	})
	return found[:min(len(found), Most)]
}

// heard is the sounds of a text.
type heard struct {
	words   int
	letters []string
	sound   []byte
	of      []int // the word of each sound
}

// in finds the place that sounds most like the phrase: the end by Myers' bit-vector
// algorithm (1999), the start as far back as the phrase is long.
func (p *phrase) in(h *heard, unlike float64) (speech.Guess, bool) {
	m := len(p.sound)
	most := int(share * float64(m))
	if m < short {
		most = min(most, 1)
	}
	if p.words == 1 {
		unlike = min(unlike, Unlike)
	}
	if unlike > Unlike {
		most = max(2, int(looseShare*float64(m)))
	}
	best, end := most+1, -1
	plus, minus, score := ^uint64(0), uint64(0), m
	last := uint64(1) << (m - 1)
	for i, b := range h.sound {
		eq := p.masks[b]
		x := eq | minus
		d := (((eq & plus) + plus) ^ plus) | x
		up, down := minus|^(d|plus), plus&d
		if up&last != 0 {
			score++
		} else if down&last != 0 {
			score--
		}
		up <<= 1
		down <<= 1
		plus, minus = down|^(x|up), up&x
		if score < best || end >= 0 && score == best && end == i-1 && h.of[i] == h.of[end] {
			best, end = score, i
		}
	}
	if end < 0 {
		return speech.Guess{}, false
	}
	first := h.of[max(0, end-m+1)]
	after := h.of[end] + 1
	first, after = p.borders(h, first, after)
	spelt := strings.Join(h.letters[first:after], "")
	g := speech.Guess{First: first, After: after, Text: p.text, Off: off(best, p.sound, p.letters, spelt)}
	return g, g.Off <= unlike
}

// borders moves the ends of a place to those words next to them with which it is most
// like the phrase.
func (p *phrase) borders(h *heard, first, after int) (int, int) {
	bestFirst, bestAfter, least := first, after, 1<<30
	for f := max(0, first-1); f <= min(first+1, after-1); f++ {
		for a := max(f+1, after-1); a <= min(after+1, h.words); a++ {
			if d := distance(p.sound, h.between(f, a)); d < least || d == least && a-f < bestAfter-bestFirst {
				bestFirst, bestAfter, least = f, a, d
			}
		}
	}
	return bestFirst, bestAfter
}

// between are the sounds of words [first, after).
func (h *heard) between(first, after int) string {
	lo, _ := slices.BinarySearch(h.of, first)
	hi, _ := slices.BinarySearch(h.of, after)
	return string(h.sound[lo:hi])
}
