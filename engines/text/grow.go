package text

import (
	"cmp"
	"math"
	"slices"
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
	order := make([]ledWord, len(patterns))
	for i, p := range patterns {
		from := len(arena)
		for _, r := range p {
			arena = append(arena, a.alphabet.of(r))
		}
		words[i] = arena[from:]
		order[i] = ledWord{lead(words[i]), int32(i)}
	}
	slices.SortFunc(order, func(x, y ledWord) int {
		if x.lead != y.lead { // most, of which nothing else has to be fetched
			return cmp.Compare(x.lead, y.lead)
		}
		return cmp.Or(slices.Compare(words[x.word], words[y.word]), cmp.Compare(x.word, y.word))
	})
	a.grow(words, order)
	a.link()
	return a
}

// ledWord is a word and its first symbols, which sort as the word does.
type ledWord struct {
	lead uint64
	word int32
}

// lead packs the first four symbols of a word; where it has fewer 0 stands, which is none.
func lead(word []uint16) (out uint64) {
	for i := range 4 {
		out <<= 16
		if i < len(word) {
			out |= uint64(word[i])
		}
	}
	return out
}

// grow makes the states of the words, which order sorts.
func (a *automaton) grow(words [][]uint16, order []ledWord) {
	// A word has the states of its prefixes but for those that the one before it has made.
	same := make([]int32, len(order)) // how many symbols it begins with like the one before
	states, ends := 1, 0
	for i := range order {
		word := words[order[i].word]
		if i > 0 {
			same[i] = alike(words[order[i-1].word], word)
		}
		states += len(word) - int(same[i])
		if i == 0 || len(word) > int(same[i]) {
			ends++
		}
	}
	type span struct{ from, to, depth int32 } // of order: the words that share a state's prefix
	spans := append(make([]span, 0, states), span{0, int32(len(order)), 0})
	a.nodes = append(make([]node, 0, states+1), node{emit: -1})
	a.emits = make([]emit, 0, ends)
	for s := 0; s < len(spans); s++ {
		at := spans[s]
		out := int32(-1)
		for at.from < at.to && len(words[order[at.from].word]) == int(at.depth) { // ends here; they sort first
			w := order[at.from].word
			a.chain[w], out = out, w
			at.from++
		}
		if out >= 0 && s > 0 {
			a.nodes[s].emit = int32(len(a.emits))
			a.emits = append(a.emits, emit{pattern: out, next: -1, length: uint16(min(at.depth, math.MaxUint16)), many: a.chain[out] >= 0})
		}
		a.nodes[s].first = int32(len(spans))
		for at.from < at.to {
			c := words[order[at.from].word][at.depth]
			to := at.from + 1
			for to < at.to && same[to] > at.depth {
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
}

// alike is how many symbols two words begin with alike.
func alike(a, b []uint16) int32 {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return int32(n)
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
