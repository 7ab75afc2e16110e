package text

import "github.com/portcullis-gg/portcullis/engines"

// A masked word is evidence as far as few other words fit its letters, and as the
// writer masked what there was a reason to mask: who hides an insult leaves the other
// words as they are, who masks words of a clean line hits an insult now and then.

const (
	// mostTried bounds the masked words of a message that are looked up.
	mostTried = 64
	// besideMask is what a word that is masked and fits nothing takes from those that fit.
	besideMask = 0.8
	// foreignMask is what a word takes from itself in a message that its language is not
	// that of.
	foreignMask = 0.6
)

// masked finds words in which signs stand for letters.
func (s *scratch) masked(l *lexicon) {
	from, tried, void := len(s.hits), 0, 0
	for i := range s.alt.tokens {
		t := &s.alt.tokens[i]
		if t.url || t.to-t.from < minMasked-1 || t.inner+t.strange == 0 && t.last == t.to || tried == mostTried {
			continue
		}
		var m masked
		if !m.read(s.norm.units[t.from:t.last]) || m.signs == 0 || m.parts() || m.weak && byShape(s.norm.units[t.from:t.last]) {
			continue
		}
		tried++
		if !s.unmask(l, t, &m) && inner(&m) {
			void++
		}
	}
	keep := 1.0
	for range min(void, 8) {
		keep *= besideMask
	}
	at := len(s.hits)
	s.weigh(l, from)
	for i := from; i < min(at, len(s.hits)); i++ {
		s.hits[i].confidence *= keep
	}
}

// inner reports whether a sign of m stands between letters.
func inner(m *masked) bool { return m.n > 0 && m.word[m.n-1] != 0 && m.signs > 0 }

// parts reports whether the signs of m part the letters of a word that everybody knows:
// h*a*i.
func (m *masked) parts() bool {
	h := uint64(0)
	letters := 0
	for i, r := range m.word[:m.n] {
		if r != 0 {
			h = hashRune(h, r)
			letters++
		} else if i == 0 || m.word[i-1] == 0 {
			return false
		}
	}
	return letters > 2 && m.n >= 2*letters-1 && ordinary().has(h)
}

// letterOf are the signs that have the shape of one letter.
var letterOf = map[rune]rune{'@': 'a', '$': 's', '!': 'i', '+': 't'}

// byShape reports whether units are a word that everybody knows where each sign is the
// letter it looks like: "th@t" hides nothing.
func byShape(units []unit) bool {
	h := uint64(0)
	for i := range units {
		r := units[i].r
		if units[i].class == classSep {
			if r = letterOf[r]; r == 0 {
				return false
			}
		}
		h = hashRune(h, r)
	}
	return ordinary().has(h)
}

// unmask adds the surest word that m may be, in a language of the message if there
// is one.
func (s *scratch) unmask(l *lexicon, t *token, m *masked) bool {
	for ; m.possible(); m.cut() {
		best, sure, off := int32(-1), 0.0, 1.0
		for w := range l.masks.fits(m) {
			e := &l.entries[l.patterns[w.pattern].entry]
			c, d := e.confidence, 1.0
			if !s.plausible(e.tag) {
				if e.inLanguage {
					continue
				}
				d = foreignMask
			}
			c *= d
			if e.needs { // as likely as the word that it needs
				c /= 2
			}
			if c > sure {
				best, sure, off = w.pattern, c, d
			}
		}
		if best >= 0 {
			units := s.norm.units[t.from : int(t.from)+m.n]
			h := hit{
				span:    engines.Span{Start: int(units[0].start), End: int(units[m.n-1].end)},
				pattern: best, steps: stepMasked, discount: off,
			}
			s.hits = append(s.hits, h)
			return true
		}
		if m.word[m.n-1] != 0 {
			return false
		}
	}
	return false
}
