package text

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/text/lang"
)

// guessIndex finds, by the hash of a word as written, the entry that it is a
// disguise of: written backwards, with letters swapped or left out, typed on
// another keyboard. All disguises are made when the lexicon is compiled, so that
// a message pays one probe a word.
type guessIndex struct {
	filter filter // so that most words end here
	// words knows the words as they are and backwards alone, a tenth of all: what two
	// words make together, and what a slip hides, is asked for ten times as often.
	words  filter
	keys   []uint32 // half of a hash, open addressing; which slot says the other half
	values []packed
	made   [][]disguise // while the index is built
	// tongues are the languages of words that the lists of several have, by the pattern
	// of the first: disguises are kept for that alone.
	tongues map[int32][]lang.Tag
}

// disguise is one spelling of a word, by its hash.
type disguise struct {
	hash  uint64
	value packed
}

type guess struct {
	pattern int32
	steps   step // 0: the word itself, to be found in pieces
}

// packed is a guess in four bytes: its pattern and, above, one more than the number
// of its step; 0 is none.
type packed uint32

const packedPattern = 1<<24 - 1

func (g guess) pack() packed {
	return packed(g.pattern) | packed(1+bits.Len32(uint32(g.steps)))<<24
}

func (p packed) guess() guess {
	return guess{int32(p & packedPattern), step(1 << (p >> 24) >> 2)}
}

// longestGuess bounds the words that are guessed at, in letters.
const longestGuess = 24

// build indexes the disguises of the words of the lexicon that are strong enough
// to be worth a guess.
func (g *guessIndex) build(l *lexicon) {
	*g = guessIndex{}
	known := ordinary()
	g.tongues = map[int32][]lang.Tag{}
	first := make(map[uint64]int32, len(l.patterns)/2) // pattern of each spelling
	d := disguiser{index: g, known: known}
	// The first entry keeps a disguise, so those that count in every language come first.
	for _, inLanguage := range []bool{false, true} {
		for i := range l.patterns {
			p := &l.patterns[i]
			if !p.guessed(l) || l.entries[p.entry].inLanguage != inLanguage {
				continue
			}
			word := p.spelled()
			g.shared(l, first, int32(i), hashRunes(word))
			d.pattern, d.language = int32(i), l.entries[p.entry].language
			d.run(word, p.hasSpace())
		}
	}
	g.freeze()
}

// shared notes the language of a pattern whose spelling, of hash h, an earlier one has.
func (g *guessIndex) shared(l *lexicon, first map[uint64]int32, pattern int32, h uint64) {
	p := &l.patterns[pattern]
	at, met := first[h]
	if !met {
		first[h] = pattern
		return
	}
	mine, theirs := l.entries[p.entry].tag, l.entries[l.patterns[at].entry].tag
	if tags := g.tongues[at]; mine != theirs && !slices.Contains(tags, mine) {
		if len(tags) == 0 {
			tags = append(tags, theirs)
		}
		g.tongues[at] = append(tags, mine)
	}
}

// guessed reports whether a word may be looked for in disguise: strong ones, of
// one piece, that need no other word beside them.
func (p *pattern) guessed(l *lexicon) bool {
	if p.role != roleEntry || len(p.rest()) > 0 || p.steps != 0 {
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

// disguisesAtOnce is how many disguises a block holds: one slice that grows would
// leave twice the room behind.
const disguisesAtOnce = 1 << 13

// add notes a disguise. The first entry that has it keeps it.
func (g *guessIndex) add(h uint64, v guess) {
	if h == 0 { // of no letters at all
		return
	}
	if last := len(g.made) - 1; last < 0 || len(g.made[last]) == disguisesAtOnce {
		g.made = append(g.made, make([]disguise, 0, disguisesAtOnce))
	}
	last := len(g.made) - 1
	g.made[last] = append(g.made[last], disguise{mix(h), v.pack()})
}

// freeze lays the disguises out for find, at most three quarters full.
func (g *guessIndex) freeze() {
	n := disguisesAtOnce * len(g.made)
	slots := 1 << max(10, bits.Len(uint(n+n/3)))
	g.keys, g.values, g.filter = make([]uint32, slots), make([]packed, slots), make(filter, slots/8)
	words := 0
	for _, block := range g.made {
		for _, d := range block { // the first of a hash keeps the slot
			at := g.slot(d.hash)
			if g.values[at] == 0 {
				g.keys[at], g.values[at] = uint32(d.hash), d.value
				if d.value.guess().whole() {
					words++
				}
			}
			g.filter.add(d.hash)
		}
	}
	g.words = make(filter, 1<<max(4, bits.Len(uint(words/8))))
	for at, v := range g.values { // in the order in which they lie; a key has more bits than words has
		if v != 0 && v.guess().whole() {
			g.words.add(uint64(g.keys[at]))
		}
	}
	g.made = nil
}

// whole reports whether a guess is a word as it is, or backwards.
func (g guess) whole() bool { return g.steps&^stepReversed == 0 }

// filter has one bit a hash, of as many as a power of two; empty, it has none.
type filter []uint64

func (f filter) add(h uint64) { f[h&uint64(len(f)*64-1)/64] |= 1 << (h % 64) }

func (f filter) has(h uint64) bool {
	return len(f) > 0 && f[h&uint64(len(f)*64-1)/64]&(1<<(h%64)) != 0
}

// slot returns where the mixed hash h is or would be.
func (g *guessIndex) slot(h uint64) int {
	mask := len(g.keys) - 1
	at := int(h>>32) & mask
	for g.values[at] != 0 && g.keys[at] != uint32(h) {
		at = (at + 1) & mask
	}
	return at
}

// find returns the entry that the hash h is a disguise of.
func (g *guessIndex) find(h uint64) (guess, bool) { return g.look(mix(h), g.filter) }

// word is find for who asks for words as they are or backwards; it may find others.
func (g *guessIndex) word(h uint64) (guess, bool) { return g.look(mix(h), g.words) }

// look returns what has the mixed hash h, if a filter has it.
func (g *guessIndex) look(h uint64, f filter) (guess, bool) {
	if !f.has(h) {
		return guess{}, false
	}
	v := g.values[g.slot(h)]
	return v.guess(), v != 0
}

func isLanguage(language, want string) bool {
	return language == want || strings.HasPrefix(language, want+"-")
}
