package text

import "strings"

// guessIndex finds, by the hash of a word as written, the entry that it is a
// disguise of: written backwards, with letters swapped or left out, typed on
// another keyboard. All disguises are made when the lexicon is compiled, so that
// a message pays one probe a word.
type guessIndex struct {
	filter []uint64 // one bit a hash, so that most words end here
	keys   []uint64 // open addressing, 0 is free
	values []guess
	count  int
}

type guess struct {
	pattern int32
	steps   step // 0: the word itself, to be found in pieces
}

// longestGuess bounds the words that are guessed at, in letters.
const longestGuess = 24

// build indexes the disguises of the words of the lexicon that are strong enough
// to be worth a guess.
func (g *guessIndex) build(l *lexicon) {
	*g = guessIndex{keys: make([]uint64, 1<<10), values: make([]guess, 1<<10)}
	known := ordinary()
	for i := range l.patterns {
		p := &l.patterns[i]
		if !p.guessed(l) {
			continue
		}
		d := disguiser{index: g, known: known, pattern: int32(i), language: l.entries[p.entry].language}
		d.run(p.spelled(), p.hasSpace())
	}
	g.filter = make([]uint64, len(g.keys)/8) // eight bits a slot
	for _, k := range g.keys {
		if k != 0 {
			at := mix(k) & uint64(len(g.filter)*64-1)
			g.filter[at/64] |= 1 << (at % 64)
		}
	}
}

// guessed reports whether a word may be looked for in disguise: strong ones, of
// one piece, that need no other word beside them.
func (p *pattern) guessed(l *lexicon) bool {
	if p.role != roleEntry || len(p.rest) > 0 || p.steps != 0 {
		return false
	}
	e := &l.entries[p.entry]
	n := p.length()
	if e.needs || e.severity < 2 || e.confidence < 0.6 || n > longestGuess {
		return false
	}
	for _, r := range p.runes {
		if c := classify(r); !c.letter() && r != ' ' {
			return false
		}
	}
	if p.hasSpace() {
		return !p.dense && n >= 9
	}
	return n >= 4 || p.dense && n >= 2 || n == 3 && classify(p.runes[0]) == classCyril
}

// add notes a disguise. The first entry that has it keeps it.
func (g *guessIndex) add(h uint64, v guess) {
	if h == 0 {
		return
	}
	if 2*g.count >= len(g.keys) {
		old := *g
		g.keys, g.values = make([]uint64, 2*len(old.keys)), make([]guess, 2*len(old.keys))
		for i, k := range old.keys {
			if k != 0 {
				at := g.slot(k)
				g.keys[at], g.values[at] = k, old.values[i]
			}
		}
	}
	at := g.slot(h)
	if g.keys[at] == 0 {
		g.keys[at], g.values[at] = h, v
		g.count++
	}
}

// slot returns where h is or would be.
func (g *guessIndex) slot(h uint64) int {
	mask := len(g.keys) - 1
	at := int(mix(h)>>32) & mask
	for g.keys[at] != 0 && g.keys[at] != h {
		at = (at + 1) & mask
	}
	return at
}

// find returns the entry that the hash h is a disguise of.
func (g *guessIndex) find(h uint64) (guess, bool) {
	if len(g.filter) == 0 {
		return guess{}, false
	}
	if at := mix(h) & uint64(len(g.filter)*64-1); g.filter[at/64]&(1<<(at%64)) == 0 {
		return guess{}, false
	}
	at := g.slot(h)
	return g.values[at], g.keys[at] == h
}

func isLanguage(language, want string) bool {
	return language == want || strings.HasPrefix(language, want+"-")
}
