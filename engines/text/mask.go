package text

import (
	"iter"
	"slices"
)

// maskIndex finds words in which signs stand for letters: f*ck, s#it. Words are
// held by first letter, last letter and length, so that a token is compared with a
// few; a last letter of 0 stands for any, for tokens whose last letter is masked.
type maskIndex struct {
	words   []maskWord
	by      map[maskKey][]int32
	guesses guessIndex
}

type maskKey struct {
	first, last rune
	length      int
}

type maskWord struct {
	runes   []rune
	pattern int32
}

// Lengths of words that may be masked: in shorter ones a sign leaves too little.
const (
	minMasked = 4
	maxMasked = 12
)

// build indexes the single Latin and Cyrillic words of the lexicon that are more than mild.
func (m *maskIndex) build(l *lexicon) {
	m.by = map[maskKey][]int32{}
	m.guesses.build(l)
	for i := range l.patterns {
		p := &l.patterns[i]
		if p.role != roleEntry || len(p.rest()) > 0 || p.dense || p.hasSpace() || l.entries[p.entry].severity < 2 {
			continue
		}
		word := p.spelled()
		m.add(word, int32(i))
		if l.entries[p.entry].inflect || l.entries[p.entry].match != matchWord {
			for _, suffix := range []string{"s", "ed", "er", "ing"} {
				m.add(append(slices.Clip(word), []rune(suffix)...), int32(i))
			}
		}
	}
}

func (m *maskIndex) add(word []rune, pattern int32) {
	if len(word) < minMasked || len(word) > maxMasked {
		return
	}
	for _, r := range word {
		if c := classify(r); c != classLatin && c != classCyril || c != classify(word[0]) {
			return
		}
	}
	i := int32(len(m.words))
	m.words = append(m.words, maskWord{slices.Clone(word), pattern})
	for _, last := range []rune{0, word[len(word)-1]} {
		key := maskKey{word[0], last, len(word)}
		m.by[key] = append(m.by[key], i)
	}
}

// spelled returns the runes of the pattern with its double letters.
func (p *pattern) spelled() []rune {
	out := make([]rune, 0, p.length())
	for i, r := range p.runes {
		for range p.count(i) {
			out = append(out, r)
		}
	}
	return out
}

// veilSign reports whether r is a sign that is written for any letter, and how: the
// sure ones stand for one letter each, however many there are; the others part words
// and mark text as well, so that one of them counts inside a word and no more.
func veilSign(r rune) (sure, veils bool) {
	switch r {
	case '*', '#', '•', '●', '■', '□':
		return true, true
	case '%', '^', '&', '~', '×', '_', '¢', '?', '@', '$', '!', '+', '=':
		return false, true
	}
	return false, false
}

// pointed reports whether a stop or a hyphen stands for the one letter that a short
// word lacks: c.nt. Elsewhere it parts words, hosts and initials.
func pointed(units []unit, i int) bool {
	if !isOneOf(units[i].r, ".-") || len(units) > 6 || i+2 >= len(units) {
		return false
	}
	for k := range units {
		if k != i && units[k].class != classLatin && units[k].class != classCyril {
			return false
		}
	}
	return true
}

// masked is a word in which signs may stand for letters: 0 where one does.
type masked struct {
	word  [maxMasked]rune
	n     int
	signs int
	weak  bool // a sign among them that is seldom written for a letter
}

// read fills m from the letters and signs of units; ok is false where something else
// stands among them.
func (m *masked) read(units []unit) (ok bool) {
	for i := range units {
		u := &units[i]
		if m.n == maxMasked {
			return false
		}
		sure, veils := veilSign(u.r)
		switch {
		case u.class == classLatin || u.class == classCyril:
			m.word[m.n] = u.r
		case u.class != classSep || m.n == 0:
			return false
		case veils || pointed(units, i):
			m.word[m.n] = 0
			m.signs++
			m.weak = m.weak || !sure
		default:
			return false
		}
		m.n++
	}
	return true
}

// cut leaves a sign at the end out: it may be nothing but a sign.
func (m *masked) cut() {
	m.n--
	m.signs--
}

// possible reports whether enough of the word is left to read.
func (m *masked) possible() bool {
	if m.signs == 0 || m.n < minMasked || m.signs*2 > m.n {
		return false
	}
	return !m.weak || m.signs == 1 && m.word[m.n-1] != 0
}

// fits yields the words of the lexicon that t may be.
func (m *maskIndex) fits(t *masked) iter.Seq[*maskWord] {
	return func(yield func(*maskWord) bool) {
		for _, i := range m.by[maskKey{t.word[0], t.word[t.n-1], t.n}] {
			if w := &m.words[i]; w.fits(t.word[:t.n]) && !yield(w) {
				return
			}
		}
	}
}

func (w *maskWord) fits(word []rune) bool {
	for i, r := range word {
		if r != 0 && r != w.runes[i] {
			return false
		}
	}
	return true
}
