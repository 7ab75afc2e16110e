package text

import (
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// hit is a place where a pattern matched and its entry may count.
type hit struct {
	span       engines.Span
	pattern    int32
	wordA      int32 // words of its view that it covers
	wordB      int32
	steps      step
	confidence float64
	// discount is what the reading that found it takes off; 0 is nothing.
	discount float64
}

// nearby is a context word that stands in the text.
type nearby struct {
	id, word int32
}

// scan runs the automaton over symbols of a view and gathers hits, allowances and context
// words.
func (s *scratch) scan(l *lexicon, v *view, at place, evasive bool) {
	a := l.auto
	state := int32(0)
	for i := at.from; i < at.to; i++ {
		state = a.next(state, a.alphabet.of(v.syms[i].r))
		if state == 0 {
			continue
		}
		for k := a.nodes[state].emit; k >= 0; k = a.emits[k].next {
			e := &a.emits[k]
			if !evasive && e.bounds != 0 && v.inWord(i-int(e.length)+1, i, e.bounds) {
				continue
			}
			fits := s.try(l, v, e.pattern, i, evasive)
			if !e.many {
				continue
			}
			var refused shapes
			refused.note(l.patterns[e.pattern].shape, fits)
			for p := a.chain[e.pattern]; p >= 0; p = a.chain[p] {
				if shape := l.patterns[p].shape; !refused.has(shape) {
					refused.note(shape, s.try(l, v, p, i, evasive))
				}
			}
		}
	}
}

// try checks whether pattern p, which ends at symbol end, really stands there. It reports
// whether patterns of the same runes and shape may.
func (s *scratch) try(l *lexicon, v *view, id int32, end int, evasive bool) bool {
	p := &l.patterns[id]
	start := end - len(p.runes) + 1
	stretched, ok := p.counted(v.syms[start:end+1], s.follows(l, p, v, end))
	if !ok {
		return false
	}
	if !s.accented(p, v.syms[start:end+1]) || !p.readSo(l, v, start, end, evasive) {
		return false
	}
	if p.role != roleEntry {
		s.aside(l, p, v, start, end, evasive)
		return true
	}
	e := &l.entries[p.entry]
	last := end
	if e.inflect && len(p.rest()) == 0 {
		last = inflected(v, end)
	}
	kind := e.match
	if s.name && e.nameInside {
		kind = matchSubstring
	}
	glue, ok := p.placed(l, v, start, last, evasive, kind)
	if !ok || v.code(start, last) {
		return !evasive && kind == matchWord // it asked of the entry whether it may be glued to others
	}
	if len(p.rest()) > 0 {
		if last = p.follow(v, end, int(e.gap)); last < 0 {
			return true
		}
	}
	// Last, as the language is found out for whoever asks: most matches have no place.
	if !s.speaks(e, p) || p.dotless(e, v.syms[start:end+1]) || p.bare(v.syms[start:end+1]) && !s.plausible(e.tag) {
		return true
	}
	h := hit{span: v.span(start, last), pattern: id, wordA: v.syms[start].word, wordB: v.syms[last].word, steps: p.steps | glue}
	for i := start; i <= last; i++ {
		h.steps |= v.syms[i].steps
	}
	if stretched {
		h.steps |= stepRepeat
	}
	s.hits = append(s.hits, h)
	return true
}

// readSo reports whether a match counts in a view: one that only the evasive view has, and
// in the plain one none whose letters are spelt one by one.
func (p *pattern) readSo(l *lexicon, v *view, start, end int, evasive bool) bool {
	if evasive {
		return p.evades(l, v, start, end)
	}
	return p.role == roleAllow || !v.spelt(start, end)
}

// accented reports whether the accents of a match fit the pattern.
func (s *scratch) accented(p *pattern, syms []sym) bool {
	if p.exact {
		return p.toned(s.norm.units, syms)
	}
	return p.accents(syms)
}

// aside notes a pattern that is no entry.
func (s *scratch) aside(l *lexicon, p *pattern, v *view, start, end int, evasive bool) {
	switch p.role {
	case roleAllow:
		s.allows = append(s.allows, v.span(start, end))
	case roleWord:
		s.word(l, p, v, start, end, evasive)
	case roleFrame:
		s.frameWord(l, p, v, start, end, evasive)
	case roleContext:
		if p.stands(v, start, end, evasive, matchWord) || p.match != matchWord {
			s.contexts = append(s.contexts, nearby{p.entry, v.syms[start].word})
		}
	}
}

// dotless reports whether a dotless i of the text makes another word of a Turkish
// one: sık is often, and no insult. In longer words either is written for the other.
func (p *pattern) dotless(e *entry, syms []sym) bool {
	if len(syms) > 5 || !slices.ContainsFunc(syms, func(s sym) bool { return s.steps&stepDotless != 0 }) {
		return false
	}
	return (isLanguage(e.language, "tr") || isLanguage(e.language, "az")) && !strings.ContainsRune(e.rule, 'ı')
}

// follows reports whether an ending may double the last letter, as in "shitting".
func (s *scratch) follows(l *lexicon, p *pattern, v *view, end int) bool {
	return p.role == roleEntry && l.entries[p.entry].inflect && end+1 < len(v.syms) && v.syms[end+1].class.alphabetic()
}

// counted compares the lengths of runs. A run that is longer than the entry's is
// stretched when it is three and more, or a doubled letter that no word doubles.
func (p *pattern) counted(syms []sym, doubles bool) (stretched, ok bool) {
	if p.more == nil && single(syms) {
		return false, true
	}
	long := p.stretched(syms)
	for i := range syms {
		want, got := p.count(i), syms[i].count
		edge := i == 0 || i == len(syms)-1
		switch c := syms[i].class; {
		case got == want || p.runes[i] == ' ':
		case got < want, c == classDigit:
			return false, false
		case c == classSep, c.dense() && edge:
		case got >= 3, long && c.alphabetic():
			stretched = true
		case edge && got == want+1 && syms[i].steps&stepJoined != 0:
			// one of the two is a word of one letter beside the joined ones
		case c == classLatin && (p.runes[i] == 'i' || p.runes[i] == 'u') && len(syms) > 3:
			stretched = true
		case doubles && i == len(syms)-1 && got == want+1:
		default:
			return false, false
		}
	}
	return stretched, true
}

// single reports whether no symbol stands twice in a row.
func single(syms []sym) bool {
	for i := range syms {
		if syms[i].count != 1 {
			return false
		}
	}
	return true
}

// stretched reports whether two letters of a match and more are drawn out: then those
// that stand twice are too.
func (p *pattern) stretched(syms []sym) bool {
	n := 0
	for i := range syms {
		if syms[i].count >= 3 && syms[i].count > p.count(i) && syms[i].r != ' ' {
			n++
		}
	}
	return n >= 2
}

// evades reports whether the match rests on something that the plain view lacks,
// and is not a chance neighbourhood of words that were pulled together.
func (p *pattern) evades(l *lexicon, v *view, start, end int) bool {
	changed, joined := false, false
	for i := start; i <= end; i++ {
		s := &v.syms[i]
		// What stood before the first symbol is not part of the match.
		inner := i > start || !s.gap || s.count > 1
		changed = changed || s.altered && (inner || s.steps&(stepLookalike|stepLeet) != 0)
		joined = joined || s.gap && i > start || s.count > 1 && s.steps&stepJoined != 0
	}
	if !changed || !joined || p.dense {
		return changed
	}
	return p.wholeJoined(l, v, start, end)
}

// wholeJoined reports whether a match in letters that were joined is a word of
// its own: one that begins and ends where the joined letters do, or, when it is
// long enough not to be chance, at one of these ends beside another word.
func (p *pattern) wholeJoined(l *lexicon, v *view, start, end int) bool {
	length := p.length()
	left, right := p.left(v, start), p.right(v, end)
	rightJoin := length >= 4 && end+1 < len(v.syms) && v.syms[end+1].gap
	leftJoin := length >= 4 && v.syms[start].gap
	ends := right || !p.hasSpace() && inflected(v, end) > end
	switch {
	case left && length >= 3 && ends:
		return true
	case left:
		return rightJoin && v.leads(l, end+1)
	}
	return leftJoin && ends && v.closes(l, start-1)
}
