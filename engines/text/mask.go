package text

import "slices"

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
	var out []rune
	for i, r := range p.runes {
		for range p.count(i) {
			out = append(out, r)
		}
	}
	return out
}

func maskSign(r rune) bool {
	switch r {
	case '*', '#', '%', '^', '&', '~', '•', '●', '■', '□', '×', '_', '¢':
		return true
	}
	return false
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

// find returns the pattern that the units spell when signs are filled in, and
// where it ends, or -1.
func (m *maskIndex) find(units []unit) (pattern int32, length int) {
	var word [maxMasked]rune
	n, signs := 0, 0
	for i := range units {
		u := &units[i]
		switch {
		case n == maxMasked:
			return -1, 0
		case u.class == classLatin || u.class == classCyril:
			word[n] = u.r
		case u.class == classSep && n > 0 && (maskSign(u.r) || pointed(units, i)):
			word[n] = 0
			signs++
		default:
			return -1, 0
		}
		n++
	}
	for signs > 0 && n >= minMasked && signs*2 <= n {
		for _, i := range m.by[maskKey{word[0], word[n-1], n}] {
			if w := &m.words[i]; w.fits(word[:n]) {
				return w.pattern, n
			}
		}
		if word[n-1] != 0 { // a sign at the end may be nothing but a sign
			break
		}
		n--
		signs--
	}
	return -1, 0
}

func (w *maskWord) fits(word []rune) bool {
	for i, r := range word {
		if r != 0 && r != w.runes[i] {
			return false
		}
	}
	return true
}
