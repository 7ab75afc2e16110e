package text

import "unicode"

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
