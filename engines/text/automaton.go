package text

import (
	"cmp"
	"math"
	"slices"
	"unicode"
)

// alphabet numbers the runes that any pattern holds; 0 is every other rune.
type alphabet struct {
	pages [unicode.MaxRune>>8 + 1]*[256]uint16
	size  int
}

func (a *alphabet) add(r rune) {
	if r < 0 || r > unicode.MaxRune || a.of(r) != 0 {
		return
	}
	page := &a.pages[r>>8]
	if *page == nil {
		*page = new([256]uint16)
	}
	a.size++
	(*page)[r&0xFF] = uint16(a.size)
}

// of returns the number of r.
func (a *alphabet) of(r rune) uint16 {
	if page := int(uint32(r) >> 8); page < len(a.pages) && a.pages[page] != nil {
		return a.pages[page][r&0xFF]
	}
	return 0
}

// automaton finds every pattern in one pass (Aho-Corasick). States are numbered
// breadth first, so that the children of a state are neighbours, sorted by symbol,
// and the states near the root, where most clean text stays, are few cache lines.
// Between two messages of a gateway the caches are filled with other things, so a
// step reads one line: that of the state which it comes to.
type automaton struct {
	alphabet alphabet
	root     []int32  // state by symbol, 0 when none
	nodes    []node   // one more than there are states
	symbols  []uint16 // those of nodes, for states with many children: 32 in a line
	emits    []emit
	chain    []int32 // the next pattern of the same runes, -1 ends
}

// node is a state. Its children are first to the next node's first.
type node struct {
	first int32
	// fail is where to go on with a symbol that no child has: the longest suffix that has
	// a child which this state has not, as all others fail too.
	fail   int32
	emit   int32  // the first of what ends here, -1 for nothing
	symbol uint16 // that leads here
	among  uint16 // a bit for the symbol of each child
}

// emit is patterns of the same runes, which end in a state.
type emit struct {
	pattern int32 // the first of them
	next    int32 // what ends here too and is shorter, -1 ends
	length  uint16
	bounds  bounds
	many    bool // chain has more
}

// bounds are where a word must begin and end for a match to be one.
type bounds uint8

const (
	boundLeft bounds = 1 << iota
	boundRight
)

// newAutomaton builds the automaton of the patterns, each a sequence of runes.
func newAutomaton(patterns [][]rune) *automaton {
	a := &automaton{chain: make([]int32, len(patterns))}
	letters := 0
	for _, p := range patterns {
		letters += len(p)
		for _, r := range p {
			a.alphabet.add(r)
		}
	}
	arena := make([]uint16, 0, letters)
	words := make([][]uint16, len(patterns))
	order := make([]int32, len(patterns))
	for i, p := range patterns {
		from := len(arena)
		for _, r := range p {
			arena = append(arena, a.alphabet.of(r))
		}
		words[i], order[i] = arena[from:], int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int {
		return cmp.Or(slices.Compare(words[x], words[y]), cmp.Compare(x, y))
	})
	a.grow(words, order)
	a.link()
	return a
}

// grow makes the states of the words, which order sorts.
func (a *automaton) grow(words [][]uint16, order []int32) {
	type span struct{ from, to, depth int32 } // of order: the words that share a state's prefix
	spans := []span{{0, int32(len(order)), 0}}
	a.nodes = []node{{emit: -1}}
	for s := 0; s < len(spans); s++ {
		at := spans[s]
		out := int32(-1)
		for at.from < at.to && len(words[order[at.from]]) == int(at.depth) { // ends here; they sort first
			a.chain[order[at.from]] = out
			out = order[at.from]
			at.from++
		}
		if out >= 0 && s > 0 {
			a.nodes[s].emit = int32(len(a.emits))
			a.emits = append(a.emits, emit{pattern: out, next: -1, length: uint16(min(at.depth, math.MaxUint16)), many: a.chain[out] >= 0})
		}
		a.nodes[s].first = int32(len(spans))
		for at.from < at.to {
			c := words[order[at.from]][at.depth]
			to := at.from
			for to < at.to && words[order[to]][at.depth] == c {
				to++
			}
			spans = append(spans, span{at.from, to, at.depth + 1})
			a.nodes = append(a.nodes, node{symbol: c, emit: -1})
			a.nodes[s].among |= amongst(c)
			at.from = to
		}
	}
	a.nodes = append(a.nodes, node{first: int32(len(spans)), emit: -1})
	a.symbols = make([]uint16, len(a.nodes))
	for i := range a.nodes {
		a.symbols[i] = a.nodes[i].symbol
	}
	a.nodes, a.emits = slices.Clone(a.nodes), slices.Clone(a.emits) // what they grew beyond is a fifth
}

// link sets the failures. A state's failure is nearer to the root, so in the order
// of their numbers it is known already.
func (a *automaton) link() {
	n := int32(len(a.nodes) - 1)
	a.root = make([]int32, a.alphabet.size+1)
	for t := a.nodes[0].first; t < a.nodes[1].first; t++ {
		a.root[a.nodes[t].symbol] = t
	}
	suffix := make([]int32, n) // the longest of each state that is a state
	for s := range n {
		f := suffix[s]
		for f != 0 && a.within(f, s) {
			f = a.nodes[f].fail
		}
		a.nodes[s].fail = f
		for t := a.nodes[s].first; t < a.nodes[s+1].first; t++ {
			if s != 0 {
				suffix[t] = a.next(suffix[s], a.nodes[t].symbol)
			}
			if shorter := a.nodes[suffix[t]].emit; a.nodes[t].emit < 0 {
				a.nodes[t].emit = shorter
			} else {
				a.emits[a.nodes[t].emit].next = shorter
			}
		}
	}
}

// within reports whether every child of f has a symbol that a child of s has.
func (a *automaton) within(f, s int32) bool {
	if a.nodes[f].among&^a.nodes[s].among != 0 {
		return false
	}
	for t := a.nodes[f].first; t < a.nodes[f+1].first; t++ {
		if a.child(s, a.nodes[t].symbol) == 0 {
			return false
		}
	}
	return true
}

// next returns the state after symbol c.
func (a *automaton) next(s int32, c uint16) int32 {
	for s != 0 {
		if t := a.child(s, c); t != 0 {
			return t
		}
		s = a.nodes[s].fail
	}
	return a.root[c]
}

// amongst is the bit of a symbol in node.among.
func amongst(c uint16) uint16 { return 1 << (c % 16) }

// child returns the transition of s for c, 0 when it has none.
func (a *automaton) child(s int32, c uint16) int32 {
	if a.nodes[s].among&amongst(c) == 0 {
		return 0
	}
	lo, hi := a.nodes[s].first, a.nodes[s+1].first
	if hi-lo > 6 {
		for hi-lo > 1 {
			if mid := (lo + hi) / 2; a.symbols[mid] <= c {
				lo = mid
			} else {
				hi = mid
			}
		}
		if a.symbols[lo] == c {
			return lo
		}
		return 0
	}
	for ; lo < hi; lo++ {
		if a.nodes[lo].symbol == c {
			return lo
		}
	}
	return 0
}
