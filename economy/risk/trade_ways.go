package risk

import (
	"cmp"
	"slices"
)

// hop is that an individual item came to a player, or left one, lately.
type hop struct {
	uid      uint64
	from, to int32 // 0: the game
	at       int32 // minutes since 1970
	paid     bool
}

// keepHops is for how long an item's way is looked at when it is offered.
const keepHops = 7 * day

// hopsOf keeps the ways of items, sorted by item and time.
func (s *snapshot) hopsOf(items []move) {
	var hops gather[hop]
	for i := range items {
		if m := &items[i]; m.at >= s.at-keepHops && m.how != moveOut {
			hops.add(hop{uid: m.uid, from: m.from, to: m.to, at: int32(floorDiv(m.at, minute)), paid: m.paid > 0})
		}
	}
	s.hops = hops.list()
}

// way is where an individual item went, in the order of time.
func (s *snapshot) way(uid uint64) []hop {
	i, _ := slices.BinarySearchFunc(s.hops, uid, func(h hop, uid uint64) int { return cmp.Compare(h.uid, uid) })
	j := i
	for j < len(s.hops) && s.hops[j].uid == uid {
		j++
	}
	return s.hops[i:j]
}

// given is when a player last gave away an item that it has not got back since, in
// minutes since 1970; 0 where it has it or never had.
func given(way []hop, p int32) int32 {
	for _, h := range slices.Backward(way) {
		switch p {
		case h.to:
			return 0
		case h.from:
			return h.at
		}
	}
	return 0
}

// got is when a player last got an item, 0 where that is not known.
func got(way []hop, p int32) int32 {
	for _, h := range slices.Backward(way) {
		if h.to == p {
			return h.at
		}
	}
	return 0
}

// rounds is how often a player has sold an item before.
func rounds(way []hop, p int32) (n int) {
	for i := range way {
		if way[i].from == p && way[i].paid {
			n++
		}
	}
	return n
}
