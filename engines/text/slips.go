package text

import "github.com/portcullis-gg/portcullis/engines"

// twice takes a word in which every letter stands twice for what it halves to.
func (s *scratch) twice(l *lexicon, v *view, p *chunk) bool {
	if p.dense || p.letters < 8 {
		return false
	}
	h := uint64(0)
	for i := p.first; i <= p.last; i++ {
		y := &v.syms[i]
		if y.count%2 != 0 || y.count > 4 || !y.class.alphabetic() {
			return false
		}
		for range y.count / 2 {
			h = hashRune(h, y.r)
		}
	}
	d, ok := l.masks.guesses.word(h)
	if !ok || d.steps != 0 {
		return false
	}
	s.add(l, v, p, d.pattern, stepRepeat)
	return true
}

// Words in which a finger may have slipped: shorter ones are a key away from words
// and names, longer ones cost too much.
const (
	minSlipped = 7
	maxSlipped = 16
)

// slipped takes a word that nobody knows for the one that a neighbouring key in
// place of one inner letter makes. Doubt says that it would in another language.
func (s *scratch) slipped(l *lexicon, v *view, p *chunk) (found, doubt bool) {
	if p.letters < minSlipped || p.letters > maxSlipped || v.syms[p.first].class != classLatin || ordinary().has(p.hash) {
		return false, false
	}
	power := p.letters
	for i := p.first; i <= p.last; i++ {
		y := &v.syms[i]
		if y.class != classLatin || y.count > 2 {
			return false, doubt
		}
		power -= int(y.count)
		if i == p.first || i == p.last || y.count > 1 || y.r < 'a' || y.r > 'z' {
			continue
		}
		took, unsure := s.slippedAt(l, v, p, y.r, power)
		if took {
			return true, false
		}
		doubt = doubt || unsure
	}
	return false, doubt
}

// slippedAt is slipped for the letter r, behind which power letters stand.
func (s *scratch) slippedAt(l *lexicon, v *view, p *chunk, r rune, power int) (found, doubt bool) {
	for _, near := range besideKeys[r-'a'] {
		h := p.hash + (uint64(near)-uint64(r))*hashPowers[power]
		d, ok := l.masks.guesses.word(h)
		if !ok || d.steps != 0 {
			continue
		}
		e := &l.entries[l.patterns[d.pattern].entry]
		if e.category == engines.Hate || l.several(d.pattern) {
			continue
		}
		if !s.plausible(e.tag) {
			doubt = true
			continue
		}
		s.add(l, v, p, d.pattern, stepSwapped)
		return true, false
	}
	return false, doubt
}

// besideKeys are the keys beside each of a Latin keyboard, a to z, on its row.
var besideKeys = [26]string{
	"s", "vn", "xv", "sf", "wr", "dg", "fh", "gj", "uo", "hk", "jl", "k", "n", "bm", "ip", "o", "w", "et", "ad", "ry", "yi", "cb", "qe", "zc", "tu", "x",
}
