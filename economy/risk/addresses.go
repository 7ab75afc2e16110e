package risk

import (
	"cmp"
	"slices"
)

// lodger is that a player was last seen at an address.
type lodger struct {
	addr   uint64
	player int32
}

// addressRings finds machines, and flocks of new accounts, at one address. People
// share addresses by the thousand, so it counts only where many of those who do are
// alike: a café is not a machine room.
func (s *snapshot) addressRings(b *Book, young func(int32) bool, odd func(int32) float32) {
	var all []lodger
	s.eachPlayer(b, 0, func(p int32, pl *player, r *records) {
		if h := r.home(pl); h != nil {
			all = append(all, lodger{h.newest().id, p})
		}
	})
	slices.SortFunc(all, func(x, y lodger) int {
		return cmp.Or(cmp.Compare(x.addr, y.addr), cmp.Compare(x.player, y.player))
	})
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].addr == all[0].addr {
			n++
		}
		if n > 2 {
			s.addressRing(all[:n], young, odd)
		}
		all = all[n:]
	}
}

func (s *snapshot) addressRing(here []lodger, young func(int32) bool, odd func(int32) float32) {
	machines, fresh := 0.0, 0.0
	for _, l := range here {
		machines += float64(odd(l.player))
		if young(l.player) {
			fresh++
		}
	}
	n := float64(len(here))
	for _, l := range here {
		nd := &s.nodes[l.player]
		own := float64(odd(l.player))
		nd.ring = max(nd.ring, float32(ramp(machines-own, .5, 2)*ramp(machines/n, .3, .6)))
		if young(l.player) {
			nd.flock = max(nd.flock, float32(.7*ramp(fresh-1, 1.5, 5)*ramp(fresh/n, .5, .8)))
		}
	}
}
