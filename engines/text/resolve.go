package text

import (
	"cmp"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
)

// weigh gives the hits found since from their confidence: the entry's, raised or
// voided by context words nearby, times what the steps cost. Context words are
// those of the same view.
func (s *scratch) weigh(l *lexicon, from int) {
	slices.SortFunc(s.contexts, func(a, b nearby) int { return cmp.Compare(a.word, b.word) })
	s.toldOf()
	kept := s.hits[:from]
	for _, h := range s.hits[from:] {
		e := &l.entries[l.patterns[h.pattern].entry]
		raised, voided := false, false
		if s.mentions(e.voidIf) || s.mentions(e.raiseIf) {
			raised, voided = s.contextNear(e, &h)
		}
		if voided || e.needs && !raised {
			continue
		}
		h.confidence = e.confidence
		if raised {
			h.confidence = e.raised
		}
		h.confidence *= h.steps.cost()
		if h.discount > 0 {
			h.confidence *= h.discount
		}
		// Of entries of one word and category the surest counts: the first consonants of a Korean
		// insult are those of five.
		if k := len(kept) - 1; k >= from && kept[k].span == h.span && l.category(&kept[k]) == e.category {
			if h.confidence > kept[k].confidence {
				kept[k] = h
			}
			continue
		}
		kept = append(kept, h)
	}
	s.hits = kept
	s.contexts = s.contexts[:0]
}

// category is that of the entry which a hit is of.
func (l *lexicon) category(h *hit) engines.Category {
	return l.entries[l.patterns[h.pattern].entry].category
}

// toldOf notes which context words the message has at all: one word repeated ten thousand
// times is one.
func (s *scratch) toldOf() {
	s.told = s.told[:0]
	for i := range s.contexts {
		if id := s.contexts[i].id; len(s.told) == 0 || s.told[len(s.told)-1] != id {
			s.told = append(s.told, id)
		}
	}
	slices.Sort(s.told)
	s.told = slices.Compact(s.told)
}

// mentions reports whether the message has any of the context words ids.
func (s *scratch) mentions(ids []int32) bool {
	for _, id := range s.told {
		if holds(ids, id) {
			return true
		}
	}
	return false
}

// contextNear reports what the context words within reach of the hit do to its entry.
func (s *scratch) contextNear(e *entry, h *hit) (raised, voided bool) {
	first, _ := slices.BinarySearchFunc(s.contexts, h.wordA-2*e.within, func(c nearby, w int32) int { return cmp.Compare(c.word, w) })
	last := int32(-1)
	for _, c := range s.contexts[first:] {
		// Separators count as words too, so that N words are 2N steps.
		if c.word > h.wordB+2*e.within || raised && len(e.voidIf) == 0 {
			break
		}
		if c.id == last { // as where one word is repeated
			continue
		}
		last = c.id
		if holds(e.voidIf, c.id) {
			return false, true
		}
		raised = raised || holds(e.raiseIf, c.id)
	}
	return raised, false
}

// holds reports whether ids, which are sorted, hold id.
func holds(ids []int32, id int32) bool {
	_, ok := slices.BinarySearch(ids, id)
	return ok
}

// resolve drops hits that an allowance covers, and of hits of one category that
// overlap all but the longest.
func (s *scratch) resolve(l *lexicon) {
	slices.SortFunc(s.allows, func(a, b engines.Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	s.allows = slices.Compact(s.allows)
	longest := 0
	for _, a := range s.allows {
		longest = max(longest, a.End-a.Start)
	}
	s.sortHits()
	kept := s.hits[:0]
	var last [8]int // by category: index in kept plus one
	for _, h := range s.hits {
		if s.allowed(h.span, longest) {
			continue
		}
		cat := categoryIndex(l.category(&h))
		if k := last[cat]; k > 0 && kept[k-1].span.End > h.span.Start {
			if better(h, kept[k-1]) {
				kept[k-1] = h
			}
			continue
		}
		kept = append(kept, h)
		last[cat] = len(kept)
	}
	s.hits = kept
}

// rank is where a hit stands among the others.
type rank struct {
	start, end, hit int32
	confidence      float64
}

// sortHits orders hits by where they begin, the longest first, then the surest, then as they
// were found. Ranks are moved about in their place, which are less than
// half as long.
func (s *scratch) sortHits() {
	if len(s.hits) < 2 {
		return
	}
	s.ranks = s.ranks[:0]
	for i := range s.hits {
		h := &s.hits[i]
		s.ranks = append(s.ranks, rank{int32(h.span.Start), int32(h.span.End), int32(i), h.confidence})
	}
	s.order()
	s.sorted = s.sorted[:0]
	for i := range s.ranks {
		s.sorted = append(s.sorted, s.hits[s.ranks[i].hit])
	}
	s.hits, s.sorted = s.sorted, s.hits
}

// order sorts the ranks. Many are put into rows by where they begin first: texts of ten thousand
// insults, each found by each reading, would else wait for their order most.
func (s *scratch) order() {
	if len(s.ranks) < 64 {
		slices.SortFunc(s.ranks, before)
		return
	}
	last := slices.MaxFunc(s.ranks, func(a, b rank) int { return cmp.Compare(a.start, b.start) }).start
	s.rows = append(s.rows[:0], make([]int32, last+2)...)
	for i := range s.ranks {
		s.rows[s.ranks[i].start+1]++
	}
	for i := 1; i < len(s.rows); i++ {
		s.rows[i] += s.rows[i-1]
	}
	s.ordered = append(s.ordered[:0], s.ranks...)
	for _, r := range s.ordered {
		s.ranks[s.rows[r.start]] = r
		s.rows[r.start]++
	}
	from := 0
	for to := 1; to <= len(s.ranks); to++ {
		if to == len(s.ranks) || s.ranks[to].start != s.ranks[from].start {
			slices.SortFunc(s.ranks[from:to], before)
			from = to
		}
	}
}

// before orders two ranks.
func before(a, b rank) int {
	switch {
	case a.start != b.start:
		return int(a.start - b.start)
	case a.end != b.end:
		return int(b.end - a.end)
	case a.confidence != b.confidence:
		return cmp.Compare(b.confidence, a.confidence)
	}
	return int(a.hit - b.hit)
}

// better reports whether h is to stand in place of an overlapping hit.
func better(h, other hit) bool {
	a, b := h.span.End-h.span.Start, other.span.End-other.span.Start
	return a > b || a == b && h.confidence > other.confidence
}

// allowed reports whether an allowance voids a hit at span: one that overlaps it,
// but not one that is only a part of it.
func (s *scratch) allowed(span engines.Span, longest int) bool {
	end, _ := slices.BinarySearchFunc(s.allows, span.End, func(a engines.Span, at int) int { return cmp.Compare(a.Start, at) })
	for i := end - 1; i >= 0 && s.allows[i].Start > span.Start-longest; i-- {
		a := s.allows[i]
		part := span.Start <= a.Start && a.End <= span.End && a != span
		if a.End > span.Start && !part {
			return true
		}
	}
	return false
}

// categoryIndex is the place of c in engines.TextCategories.
func categoryIndex(c engines.Category) int {
	return max(slices.Index(engines.TextCategories, c), 0)
}
