package text

import (
	"cmp"
	"slices"
)

// A message in disguise is read up to seven times, and most of its words are the same in
// all readings. A word that is no disguise in the first is none in the others.

// missed is a word, code points [start, end) of the message, that no lookup knows.
type missed struct {
	hash       uint64
	start, end int32
}

// misses are those of the message as it stands, in their order.
type misses struct {
	words []missed
	next  int // where the word behind the last that was asked for is
}

func (m *misses) reset() { m.words, m.next = m.words[:0], 0 }

// where is a word of a view as misses know it.
func (v *view) where(p *chunk) missed {
	return missed{p.hash, v.units[v.syms[p.first].first].start, v.units[v.syms[p.last].last].end}
}

// add notes a word behind all others.
func (m *misses) add(w missed) { m.words = append(m.words, w) }

// has reports whether a word of another reading is one of them. Most readings go from the
// first to the last, so that it lies where the last one did or soon behind.
func (m *misses) has(w missed) bool {
	if m.next > 0 && m.words[m.next-1].start >= w.start {
		m.next, _ = slices.BinarySearchFunc(m.words, w.start, func(k missed, start int32) int { return cmp.Compare(k.start, start) })
	}
	for m.next < len(m.words) && m.words[m.next].start < w.start {
		m.next++
	}
	return m.next < len(m.words) && m.words[m.next] == w
}
