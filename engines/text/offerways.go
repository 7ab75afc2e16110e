package text

import (
	"cmp"
	"slices"
)

// way is where somebody can be reached: a link or personal data in units [from, to).
type way struct {
	from, to int32
	link     bool
}

// ways are those of a message in their order.
type ways struct {
	all     []way
	longest int32
	// links and private are how many of each it was made of: more may be found since.
	links, private int
}

// refresh makes the ways anew where the message is found to have others.
func (w *ways) refresh(r *ruleScratch) {
	if w.links == len(r.links) && w.private == len(r.private) {
		return
	}
	w.all, w.longest, w.links, w.private = w.all[:0], 0, len(r.links), len(r.private)
	for i := range r.links {
		if k := &r.links[i]; !k.known || isInvite(k) {
			w.all = append(w.all, way{int32(k.from), int32(k.to), true})
		}
	}
	for _, p := range r.private {
		w.all = append(w.all, way{int32(p.Start), int32(p.End), false})
	}
	for _, one := range w.all {
		w.longest = max(w.longest, one.to-one.from)
	}
	slices.SortFunc(w.all, func(a, b way) int { return cmp.Compare(a.from, b.from) })
}

// reached adds links and personal data in units [low, high).
func (s *scratch) reached(e *evidence, low, high int) {
	w := &s.ways
	w.refresh(&s.ruleScratch)
	end, _ := slices.BinarySearchFunc(w.all, int32(high), func(a way, at int32) int { return cmp.Compare(a.from, at) })
	for i := end - 1; i >= 0 && w.all[i].from > int32(low)-w.longest; i-- {
		one := w.all[i]
		if int(one.to) <= low {
			continue
		}
		e.contact = true
		if one.link {
			e.link = true
		} else {
			e.handle = true
		}
		e.span(int(one.from), int(one.to))
	}
}
