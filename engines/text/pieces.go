package text

import "slices"

// pieces tells which units are pieces of words that were pulled apart. It is asked
// for units in order.
type pieces struct {
	tokens []token
	token  int
}

// longestPiece is how long a piece beside ordinary signs can be: longer ones are
// words, as in "and/or".
const longestPiece = 2

// pieces is none where the message is not read as it stands.
func (s *scratch) pieces() pieces {
	if !s.alt.needed || len(s.decoded) > 0 {
		return pieces{}
	}
	return pieces{tokens: s.alt.tokens}
}

// at reports whether unit i is of a piece, or a sign that parts two.
func (p *pieces) at(units []unit, i int) bool {
	for p.token < len(p.tokens) && int(p.tokens[p.token].to) <= i {
		p.token++
	}
	if p.token == len(p.tokens) {
		return false
	}
	t := &p.tokens[p.token]
	if !t.pulled || i < int(t.from) {
		return false
	}
	if units[i].class == classSep {
		return picture(units[i].r)
	}
	from, to := i, i+1
	for from > int(t.from) && units[from-1].class != classSep && i-from <= longestPiece {
		from--
	}
	for to < int(t.to) && units[to].class != classSep && to-i <= longestPiece {
		to++
	}
	between := from > int(t.from) && picture(units[from-1].r) || to < int(t.to) && picture(units[to].r)
	return between || to-from <= longestPiece
}

// picture reports whether a separator is a symbol or an emoji, which parts no words.
func picture(r rune) bool { return r >= 0x2190 && r < 0x3000 || r >= 0x1F000 }

// shown returns the units that a reader sees, and where each is in the message, in
// units of that.
func (s *scratch) shown() ([]unit, func(int) int32) {
	if len(s.decoded) == 0 {
		return s.norm.units, func(i int) int32 { return int32(i) }
	}
	units, last := s.norm.units, 0
	return s.decoded, func(i int) int32 {
		start := s.decoded[i].start
		for _, at := range [...]int{last + 1, last, last - 1} { // it is read forwards or backwards, with few leaps
			if at >= 0 && at < len(units) && units[at].start >= start && (at == 0 || units[at-1].start < start) {
				last = at
				return int32(at)
			}
		}
		last, _ = slices.BinarySearchFunc(units, start, func(u unit, start int32) int { return int(u.start - start) })
		last = min(last, len(units)-1)
		return int32(last)
	}
}

// forgetCode drops what was read into the code of a coded message: words in digits and
// signs that no reader sees.
func (s *scratch) forgetCode() {
	s.hits = slices.DeleteFunc(s.hits, func(h hit) bool {
		return h.steps&(stepLeet|stepJoined|stepMasked|stepLookalike) != 0 && h.steps&stepsRead == 0
	})
}
