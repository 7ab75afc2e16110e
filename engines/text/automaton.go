package text

import "slices"

// alphabet numbers the runes that any pattern holds; 0 is every other rune.
type alphabet struct {
	pages [0x220][]uint16 // by rune>>8, up to U+21FFF
	size  int
}

func (a *alphabet) add(r rune) {
	page := int(r) >> 8
	if page >= len(a.pages) || a.of(r) != 0 {
		return
	}
	if a.pages[page] == nil {
		a.pages[page] = make([]uint16, 256)
	}
	a.size++
	a.pages[page][r&0xFF] = uint16(a.size)
}

// of returns the number of r.
func (a *alphabet) of(r rune) uint16 {
	if page := int(r) >> 8; page < len(a.pages) && a.pages[page] != nil {
		return a.pages[page][r&0xFF]
	}
	return 0
}

// automaton finds every pattern in one pass (Aho-Corasick). Transitions of a
// state are sorted by symbol; the root, where most clean text stays, is a table.
type automaton struct {
	alphabet alphabet
	root     []int32 // state by symbol, 0 when none
	first    []int32 // state s has transitions first[s] to first[s+1]
	symbols  []uint16
	targets  []int32
	fail     []int32
	// out is the first pattern that ends in a state, chain the next of the same
	// runes, suffix the nearest shorter state that has one; -1 ends each.
	out, chain, suffix []int32
}

type trieNode struct {
	next map[uint16]int32
	out  int32
}

// newAutomaton builds the automaton of the patterns, each a sequence of runes.
func newAutomaton(patterns [][]rune) *automaton {
	a := &automaton{chain: make([]int32, len(patterns))}
	nodes := []trieNode{{out: -1}}
	for i, p := range patterns {
		at := int32(0)
		for _, r := range p {
			a.alphabet.add(r)
			c := a.alphabet.of(r)
			next, ok := nodes[at].next[c]
			if !ok {
				next = int32(len(nodes))
				nodes = append(nodes, trieNode{out: -1})
				if nodes[at].next == nil {
					nodes[at].next = map[uint16]int32{}
				}
				nodes[at].next[c] = next
			}
			at = next
		}
		a.chain[i] = nodes[at].out
		nodes[at].out = int32(i)
	}
	a.freeze(nodes)
	return a
}

// freeze lays the trie out in flat tables and links the failures, breadth first.
func (a *automaton) freeze(nodes []trieNode) {
	n := len(nodes)
	a.root = make([]int32, a.alphabet.size+1)
	a.first = make([]int32, n+1)
	a.fail, a.out, a.suffix = make([]int32, n), make([]int32, n), make([]int32, n)
	for s, node := range nodes {
		a.first[s] = int32(len(a.symbols))
		keys := make([]uint16, 0, len(node.next))
		for c := range node.next {
			keys = append(keys, c)
		}
		slices.Sort(keys)
		for _, c := range keys {
			a.symbols = append(a.symbols, c)
			a.targets = append(a.targets, node.next[c])
			if s == 0 {
				a.root[c] = node.next[c]
			}
		}
		a.out[s], a.suffix[s] = node.out, -1
	}
	a.first[n] = int32(len(a.symbols))
	queue := []int32{0}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for i := a.first[s]; i < a.first[s+1]; i++ {
			t := a.targets[i]
			if s != 0 {
				a.fail[t] = a.next(a.fail[s], a.symbols[i])
			}
			if f := a.fail[t]; a.out[f] >= 0 {
				a.suffix[t] = f
			} else {
				a.suffix[t] = a.suffix[f]
			}
			queue = append(queue, t)
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
			return a.targets[lo]
		}
	}
	return 0
}
