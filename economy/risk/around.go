package risk

import (
	"cmp"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// giftsPerPlayer bounds the gifts of a web: a picture of more is no picture.
const giftsPerPlayer = 5

// Around implements economy.Book. It looks through all edges once a hop, and in pieces
// through all players for those that share a device or an address.
func (b *Book) Around(id engines.PlayerID, hops, most int, at int64) (economy.Web, bool) {
	p, last := b.find(id)
	if p == 0 {
		return economy.Web{}, false
	}
	s := b.current()
	w := economy.Web{At: at, Shares: b.sharing(p)}
	me := s.of(p)
	if me == 0 {
		r := s.riskOf(p, at)
		r.Updated = last
		w.Players = []economy.WebPlayer{{Player: id, Risk: r}}
		return w, true
	}
	in := map[int32]int{me: 0} // hops by player
	order := []int32{me}
	for hop := 1; hop <= hops && w.Left == 0; hop++ {
		rim := s.rim(in, hop-1)
		if room := max(most-len(order), 0); len(rim) > room {
			w.Left = len(rim) - room
			rim = rim[:room]
		}
		for _, q := range rim {
			in[q] = hop
			order = append(order, q)
		}
	}
	for _, q := range order {
		w.Players = append(w.Players, economy.WebPlayer{Player: b.nameOf(s.who[q]), Hops: in[q], Risk: s.riskOf(s.who[q], at)})
	}
	w.Gifts = s.giftsAmong(in)
	return w, true
}

// rim is who gave to or took from those at a hop and is not in yet: with the largest
// one-sided gifts first, then the largest deals.
func (s *snapshot) rim(in map[int32]int, hop int) []int32 {
	type worth struct{ free, gave float32 }
	found := map[int32]worth{}
	note := func(from, to int32, e *edge) {
		if at, ok := in[from]; !ok || at != hop {
			return
		}
		if _, ok := in[to]; ok {
			return
		}
		w := found[to]
		found[to] = worth{w.free + e.free, w.gave + e.gave}
	}
	for i := range s.edges {
		e := &s.edges[i]
		note(e.from, e.to, e)
		note(e.to, e.from, e)
	}
	list := make([]int32, 0, len(found))
	for p := range found {
		list = append(list, p)
	}
	slices.SortFunc(list, func(x, y int32) int {
		a, b := found[x], found[y]
		return cmp.Or(cmp.Compare(b.free, a.free), cmp.Compare(b.gave, a.gave), cmp.Compare(x, y))
	})
	return list
}

// giftsAmong are the edges between players, the largest first.
func (s *snapshot) giftsAmong(in map[int32]int) []economy.WebGift {
	var edges []*edge
	for i := range s.edges {
		e := &s.edges[i]
		_, from := in[e.from]
		_, to := in[e.to]
		if from && to && e.gave > 0 {
			edges = append(edges, e)
		}
	}
	slices.SortFunc(edges, func(x, y *edge) int {
		return cmp.Or(cmp.Compare(y.free, x.free), cmp.Compare(y.gave, x.gave), cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to))
	})
	gifts := make([]economy.WebGift, 0, len(edges))
	for _, e := range edges[:min(len(edges), giftsPerPlayer*len(in))] {
		gifts = append(gifts, economy.WebGift{
			From: s.book.nameOf(s.who[e.from]), To: s.book.nameOf(s.who[e.to]), Gave: float64(e.gave), Free: float64(e.free),
			Times: int(e.n), First: int64(e.first) * minute, Last: int64(e.last) * minute,
		})
	}
	return gifts
}

// nameOf is the name of a player's number.
func (b *Book) nameOf(p int32) engines.PlayerID {
	b.heard.names.RLock()
	defer b.heard.names.RUnlock()
	return engines.PlayerID(b.ids.name(p))
}
