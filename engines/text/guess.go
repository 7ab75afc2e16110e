package text

import (
	"iter"
	"strings"
)

// chunk is a word of the message as guesses see it.
type chunk struct {
	hash        uint64
	first, last int32 // symbols
	letters     int
	dense       bool
}

// chunks yields the words of a part of a view; one without letters where more than a
// space stands between two.
func chunks(v *view, at place) iter.Seq[chunk] {
	return func(yield func(chunk) bool) {
		for i := at.from; i < at.to; {
			p := chunk{}
			switch sym := &v.syms[i]; {
			case wordly(sym.class):
				p = v.chunk(i)
				i = int(p.last) + 1
			case sym.r == ' ' && sym.count == 1:
				i++
				continue
			default:
				i++
			}
			if !yield(p) {
				return
			}
		}
	}
}

// chunk is the word that begins at symbol i.
func (v *view) chunk(i int) chunk {
	p := chunk{first: int32(i), dense: v.syms[i].class.dense()}
	for ; i < len(v.syms) && wordly(v.syms[i].class) && v.syms[i].class.dense() == p.dense; i++ {
		n := int(v.syms[i].count)
		if n > 2 { // stretched
			n = 1
		}
		for range n {
			p.hash = hashRune(p.hash, v.syms[i].r)
		}
		p.letters += n
	}
	p.last = int32(i - 1)
	return p
}

// guess looks words of a view up among the disguises of entries: each word, and
// two or three that only spaces part.
func (s *scratch) guess(l *lexicon, v *view, at place) {
	g := &l.masks.guesses
	var pieces [3]chunk // the last three words, the newest at 2
	for p := range chunks(v, at) {
		if p.letters == 0 || p.letters > longestGuess {
			pieces = [3]chunk{}
			continue
		}
		pieces[0], pieces[1], pieces[2] = pieces[1], pieces[2], p
		if p.letters > 1 {
			s.guessOnce(l, v, &p)
		}
		if p.dense || pieces[1].letters == 0 {
			continue
		}
		two := join(pieces[1:])
		if d, ok := g.word(two.hash); ok && two.letters <= longestGuess && meet(v, &two, 1) {
			s.guessed(l, v, &two, d, pieces[1:])
		}
		if pieces[0].letters > 0 && two.letters+pieces[0].letters <= longestGuess {
			three := join(pieces[:])
			if d, ok := g.word(three.hash); ok && meet(v, &three, 2) {
				s.guessed(l, v, &three, d, pieces[:])
			}
		}
	}
}

// wordly reports whether a symbol is of a word that can be guessed at.
func wordly(c class) bool { return c.letter() || c == classDigit }

// guessOnce is guessWord for words that were not looked up in vain before.
func (s *scratch) guessOnce(l *lexicon, v *view, p *chunk) {
	w := v.where(p)
	if v != &s.plain && s.misses.has(w) {
		return
	}
	if vain := s.guessWord(l, v, p); vain && v == &s.plain {
		s.misses.add(w)
	}
}

// guessWord looks one word up, and what is left of it without a stutter. It reports
// whether that was in vain: nothing is known of the word, whatever else the message says.
func (s *scratch) guessWord(l *lexicon, v *view, p *chunk) (vain bool) {
	if d, ok := l.masks.guesses.find(p.hash); ok {
		if d.steps != 0 && (d.steps&(stepSwapped|stepLookalike) == 0 || !l.several(d.pattern)) && s.credible(l, v, p, d) {
			s.add(l, v, p, d.pattern, d.steps)
		}
		return false
	}
	if s.twice(l, v, p) {
		return false
	}
	found, doubt := s.slipped(l, v, p)
	if found {
		return false
	}
	vain = !doubt
	// Letters are counted twice where they are doubled, so the symbols count.
	if a := int(p.first); int(p.last)-a >= 5 && v.syms[a].r == v.syms[a+2].r && v.syms[a+1].r == v.syms[a+3].r && v.syms[a].class.alphabetic() {
		rest := *p
		rest.hash = 0
		for i := a + 2; i <= int(p.last); i++ {
			rest.hash = hashRune(rest.hash, v.syms[i].r)
		}
		if d, ok := l.masks.guesses.word(rest.hash); ok && d.steps == 0 && !ordinary().has(p.hash) {
			vain = false
			if s.credible(l, v, p, guess{d.pattern, stepRepeat}) {
				s.add(l, v, p, d.pattern, stepRepeat|stepSwapped)
			}
		}
	}
	return vain
}

// several reports whether a pattern is a term of several words written as one: with
// letters swapped as well it is too far from what anybody would read.
func (l *lexicon) several(pattern int32) bool {
	return strings.IndexByte(l.entries[l.patterns[pattern].entry].rule, ' ') >= 0
}

// join is the word that pieces make.
func join(pieces []chunk) chunk {
	out := pieces[0]
	for _, p := range pieces[1:] {
		if p.letters < len(hashPowers) {
			out.hash = out.hash*hashPowers[p.letters] + p.hash
		}
		out.letters += p.letters
		out.last = p.last
	}
	return out
}

// meet reports whether nothing but one space stands between the pieces.
func meet(v *view, p *chunk, spaces int) bool {
	for i := p.first; i <= p.last; i++ {
		if sym := &v.syms[i]; !wordly(sym.class) {
			if sym.count > 1 || sym.r != ' ' || !v.blank(int(sym.first)) && v.units[sym.first].r != '\n' {
				return false
			}
			spaces--
		}
	}
	return spaces == 0
}

// guessed takes what pieces spell for the entry, unless they are words themselves.
func (s *scratch) guessed(l *lexicon, v *view, whole *chunk, d guess, pieces []chunk) {
	if d.steps&^stepReversed != 0 {
		return
	}
	known := ordinary()
	odd, long := 0, true
	for i := range pieces {
		if p := &pieces[i]; p.letters > 1 && !known.has(p.hash) {
			odd++
			long = long && p.letters > 2
		}
	}
	words := 0
	for i := range pieces {
		if p := &pieces[i]; p.letters > 2 && known.has(p.hash) {
			words++
		}
	}
	if odd == 0 || words > 0 && !long || odd+1 < len(pieces) && words > 0 {
		return
	}
	s.add(l, v, whole, d.pattern, d.steps|stepCut)
}

// add notes a hit of a guess.
func (s *scratch) add(l *lexicon, v *view, p *chunk, pattern int32, steps step) {
	if !s.speaks(&l.entries[l.patterns[pattern].entry], &l.patterns[pattern]) {
		return
	}
	for i := p.first; i <= p.last; i++ {
		steps |= v.syms[i].steps
	}
	first, last := int(p.first), int(p.last)
	s.hits = append(s.hits, hit{
		span: v.span(first, last), pattern: pattern, wordA: v.syms[first].word, wordB: v.syms[last].word, steps: steps,
	})
}
