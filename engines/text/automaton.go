package text

import (
	"cmp"
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
type automaton struct {
	alphabet alphabet
	root     []int32  // state by symbol, 0 when none
	first    []int32  // the children of state s are first[s] to first[s+1]
	symbols  []uint16 // the symbol that leads to a state
	fail     []int32
	// out is the first pattern that ends in a state, chain the next of the same
	// runes, suffix the nearest shorter state that has one; -1 ends each.
	out, chain, suffix []int32
}

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
	a.symbols = []uint16{0}
	for s := 0; s < len(spans); s++ {
		at := spans[s]
		out := int32(-1)
		for at.from < at.to && len(words[order[at.from]]) == int(at.depth) { // ends here; they sort first
			a.chain[order[at.from]] = out
			out = order[at.from]
			at.from++
		}
		a.out = append(a.out, out)
		a.first = append(a.first, int32(len(spans)))
		for at.from < at.to {
			c := words[order[at.from]][at.depth]
			to := at.from
			for to < at.to && words[order[to]][at.depth] == c {
				to++
			}
			spans = append(spans, span{at.from, to, at.depth + 1})
			a.symbols = append(a.symbols, c)
			at.from = to
		}
	}
	a.first = append(a.first, int32(len(spans)))
	a.out, a.first, a.symbols = slices.Clip(a.out), slices.Clip(a.first), slices.Clip(a.symbols)
}

// link sets the failures. A state's failure is nearer to the root, so in the order
// of their numbers it is known already.
func (a *automaton) link() {
	n := len(a.out)
	a.root = make([]int32, a.alphabet.size+1)
	a.fail, a.suffix = make([]int32, n), make([]int32, n)
	a.suffix[0] = -1
	for t := a.first[0]; t < a.first[1]; t++ {
		a.root[a.symbols[t]] = t
	}
	for s := range int32(n) {
		for t := a.first[s]; t < a.first[s+1]; t++ {
			if s != 0 {
				a.fail[t] = a.next(a.fail[s], a.symbols[t])
			}
			if f := a.fail[t]; a.out[f] >= 0 {
				a.suffix[t] = f
			} else {
				a.suffix[t] = a.suffix[f]
			}
		}
	}
}

// next returns the state after symbol c.
func (a *automaton) next(s int32, c uint16) int32 {
	for s != 0 {
		if t := a.child(s, c); t != 0 {
			return t
		}
		s = a.fail[s]
	}
	return a.root[c]
}

// child returns the transition of s for c, 0 when it has none.
func (a *automaton) child(s int32, c uint16) int32 {
	lo, hi := a.first[s], a.first[s+1]
	for hi-lo > 6 {
		mid := (lo + hi) / 2
		if a.symbols[mid] <= c {
			lo = mid
		} else {
			hi = mid
		}
	}
	for ; lo < hi; lo++ {
		if a.symbols[lo] == c {
			return lo
		}
	}
	return 0
}
