package risk

import (
	"cmp"
	"slices"
)

// Money that goes round: what a player gives away is back with it within a day, through
// two or three others who each handed on about as much as they got. Once may be chance, a
// loan that was passed on; again and again it is there to be seen moving. Friends who pool
// for one of them at a time need days for a round, and spend between.
const (
	circleWithin = day
	circleFrom   = .3 // days of income that a gift is worth at least
	circleMost   = 4  // accounts
	circleSteps  = 256
	// alikeFrom is how large a gift is at least that hands on another, and one over it at most.
	alikeFrom = .7
)

// pass is a gift on its way round.
type pass struct {
	from, to int32
	at       int64
	free     float32
}

// circles counts for every player the rounds that it was part of.
func (s *snapshot) circles(gifts []gift) {
	var all []pass
	for i := range gifts {
		if g := &gifts[i]; g.free >= circleFrom && g.kind != kindGuild {
			all = append(all, pass{g.from, g.to, g.at, g.free})
		}
	}
	slices.SortFunc(all, func(x, y pass) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.at, y.at), cmp.Compare(x.free, y.free), cmp.Compare(x.to, y.to))
	})
	for i := range all {
		// Rule when full: circleSteps gifts are looked at for one that may begin a round.
		r := round{all: all, first: &all[i], left: circleSteps}
		if !r.back(&all[i], 1) {
			continue
		}
		w := float32(fade(all[i].at, s.at, halfLife))
		for _, p := range r.by[:r.n] {
			s.nodes[p].returns += w
		}
	}
}

// round is a search for the way back of a gift.
type round struct {
	all   []pass // by giver and time
	first *pass
	left  int
	by    [circleMost]int32 // who is in it
	n     int
}

// back reports whether what a gift brought comes back to the first giver, and if so by whom.
func (r *round) back(g *pass, n int) bool {
	r.by[n-1] = g.from
	i, _ := slices.BinarySearchFunc(r.all, pass{from: g.to, at: g.at}, func(x, y pass) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.at, y.at))
	})
	for ; i < len(r.all) && r.all[i].from == g.to && r.all[i].at <= r.first.at+circleWithin && r.left > 0; i++ {
		next := &r.all[i]
		r.left--
		switch {
		case next.at == g.at || next.free < alikeFrom*g.free || next.free*alikeFrom > g.free:
		case next.to == r.first.from:
			if n >= 2 { // what two give each other is no round
				r.by[n], r.n = next.from, n+1
				return true
			}
		case n+1 < circleMost && !slices.Contains(r.by[:n], next.to) && r.back(next, n+1):
			return true
		}
	}
	return false
}
