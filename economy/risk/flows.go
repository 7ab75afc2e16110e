package risk

import (
	"cmp"
	"math"
	"slices"
)

// gift is a deal seen from the side that gave more: what a player gave another, of
// it what for no fair return.
type gift struct {
	from, to int32
	at       int64
	gave     float32
	free     float32 // not fading
	n        int32
	drain    uint8
	kind     uint8
	dev      int32
}

// move is that one individual item changed hands.
type move struct {
	uid      uint64
	at       int64
	from, to int32
	paid     float32
	how      uint8
	logged   bool   // the item log has it too
	line     uint16 // hash of item and count, of one that came from the game
}

// How an item moved.
const (
	moveTrade uint8 = iota
	moveFound       // came from the game
	moveGone        // to the game
	moveIn          // handed over by a line without a trade, which another may tell
	moveOut
)

// moves is what the pass over deals found that is not about edges.
type moves struct {
	gifts  []gift // sorted by to, from, at
	items  []move // sorted by uid, at
	double []doubled
	missed []missing // credits of deals that the logs have not told
}

// gathered are those of its lists that may be long.
type gathered struct {
	gifts  gather[gift]
	items  gather[move]
	missed gather[missing]
}

type doubled struct {
	player int32
	at     int64
	share  float32
}

// missing is a credit or a debit that a deal speaks of and the log does not.
type missing struct {
	player int32
	what   int32 // currency, or the item with a minus
	amount int64 // signed
}

// fairHigh is up to how many times what the other side gives a side may give in a
// fair deal; beyond that the difference is a gift.
const fairHigh = 2.

// flows makes edges of the deals.
func (s *snapshot) flows(b *Book) *moves {
	m, g := &moves{}, &gathered{}
	s.eachDealOrHalf(b, func(d *deal, legs []leg) {
		s.flow(g, d, legs)
		s.credits(m, g, d, legs)
		s.regained(m, d, legs)
	}, func(d *deal, legs []leg) { s.half(g, d, legs) })
	s.finds(g, b)
	m.gifts, m.items, m.missed = g.gifts.list(), g.items.list(), g.missed.list()
	s.frequency()
	slices.SortFunc(m.items, func(x, y move) int {
		return cmp.Or(cmp.Compare(x.uid, y.uid), cmp.Compare(x.at, y.at), cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to), cmp.Compare(x.how, y.how), cmp.Compare(x.line, y.line))
	})
	slices.SortFunc(m.gifts, func(x, y gift) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to), cmp.Compare(x.at, y.at), cmp.Compare(x.gave, y.gave))
	})
	s.join(m.gifts)
	return m
}

// flow is one deal.
func (s *snapshot) flow(g *gathered, d *deal, legs []leg) {
	s.kinds[d.kind]++
	give, back := legs[:d.nItems], legs[d.nItems:]
	vg, vb := s.values(d, give, back)
	cg, cb := s.coins(&d.side[0]), s.coins(&d.side[1])
	a, z := s.of(d.side[0].player), s.of(d.side[1].player)
	w := fade(d.at, s.at, halfLife)
	na, nz := &s.nodes[a], &s.nodes[z]
	turn := float32(w * (vg + vb))
	na.got, na.gave = na.got+float32(w*vb), na.gave+float32(w*vg)
	nz.got, nz.gave = nz.got+float32(w*vg), nz.gave+float32(w*vb)
	na.turn += turn
	nz.turn += turn
	if d.kind == kindGuild {
		na.guild += turn
		nz.guild += turn
	}
	s.dealt(d, na, nz, vg, vb, cg, cb, w)
	// Money of what was sold.
	fairA, fairB := float32(w*min(cg, vb)), float32(w*min(cb, vg))
	na.fairIn += fairB
	nz.fairOut += fairB
	nz.fairIn += fairA
	na.fairOut += fairA
	ga := gift{from: a, to: z, at: d.at, gave: float32(vg), kind: d.kind, drain: d.side[0].drain, dev: d.dev, n: int32(len(give))}
	gz := gift{from: z, to: a, at: d.at, gave: float32(vb), kind: d.kind, drain: d.side[1].drain, n: int32(len(back))}
	if d.flags&forkDeal != 0 {
		ga.drain, gz.drain = 0, 0
	}
	switch {
	case vg > vb*fairHigh:
		ga.free = float32(vg - vb)
		na.coinOut += float32(w * min(vg-vb, cg))
	case vb > vg*fairHigh:
		gz.free = float32(vb - vg)
		nz.coinOut += float32(w * min(vb-vg, cb))
	}
	if vg > 0 || len(give) > 0 {
		g.gifts.add(ga)
	}
	if vb > 0 || len(back) > 0 {
		g.gifts.add(gz)
	}
	for i := range legs {
		if l := &legs[i]; l.uid != 0 {
			mv := move{uid: l.uid, at: d.at, from: a, to: z, paid: float32(cb), logged: l.seen&1 != 0}
			if i >= int(d.nItems) {
				mv.from, mv.to, mv.paid = z, a, float32(cg)
			}
			g.items.add(mv)
		}
	}
}

// regained notes individual items that one deal brought its taker twice.
func (s *snapshot) regained(m *moves, d *deal, legs []leg) {
	for i := range legs {
		if legs[i].seen&4 == 0 {
			continue
		}
		taker := d.side[1].player
		if i >= int(d.nItems) {
			taker = d.side[0].player
		}
		m.double = append(m.double, doubled{player: s.of(taker), at: d.at})
	}
}

// half is a deal of which only one side has been heard, by the item log.
func (s *snapshot) half(g *gathered, d *deal, legs []leg) {
	for i := range legs {
		l := &legs[i]
		if l.uid == 0 {
			continue
		}
		giver, taker := s.of(d.side[0].player), s.of(d.side[1].player)
		if i >= int(d.nItems) {
			giver, taker = taker, giver
		}
		if l.seen&1 != 0 && giver != 0 {
			g.items.add(move{uid: l.uid, at: d.at, from: giver, how: moveOut})
		}
		if l.seen&2 != 0 && taker != 0 {
			g.items.add(move{uid: l.uid, at: d.at, to: taker, how: moveIn})
		}
	}
}

// values is what both sides of a deal give. What has no price is taken to be worth
// what was paid for it.
func (s *snapshot) values(d *deal, give, back []leg) (vg, vb float64) {
	vg, kg := s.worth(give)
	vb, kb := s.worth(back)
	vg += s.coins(&d.side[0])
	vb += s.coins(&d.side[1])
	if !kg && vb > vg {
		vg = vb
	}
	if !kb && vg > vb {
		vb = vg
	}
	return vg, vb
}

// finds adds where individual items came from and went, but for trades.
func (s *snapshot) finds(g *gathered, b *Book) {
	b.mu.RLock()
	finds := b.finds // what is there is not written to again
	b.mu.RUnlock()
	for i := range finds {
		f := &finds[i]
		mv := move{uid: f.uid, at: f.at, how: f.how, line: f.line}
		p := s.of(f.player)
		if p == 0 {
			continue
		}
		if f.how == moveGone || f.how == moveOut {
			mv.from = p
		} else {
			mv.to = p
		}
		g.items.add(mv)
	}
}

// credits notes double credits, and legs that the deal has and the logs have not.
func (s *snapshot) credits(m *moves, g *gathered, d *deal, legs []leg) {
	if d.flags&toldDeal == 0 || d.flags&forkDeal != 0 {
		return // of more sides than two
	}
	for i := range d.side {
		to, from := &d.side[i], &d.side[1-i]
		if from.gives > 0 && d.flags&coinDouble != 0 && to.inCur == from.cur && to.inN > 1 && to.in > from.gives+from.gives/2 {
			m.double = append(m.double, doubled{player: s.of(to.player), at: to.inAt, share: float32(to.in) / float32(from.gives)})
		}
		if from.gives > 0 && to.inN == 0 {
			g.missed.add(missing{player: s.of(to.player), what: from.cur, amount: from.gives})
		}
		if from.gives > 0 && from.out == 0 {
			g.missed.add(missing{player: s.of(from.player), what: from.cur, amount: -from.gives})
		}
	}
	for i := range legs {
		l := &legs[i]
		giver, taker := s.of(d.side[0].player), s.of(d.side[1].player)
		if i >= int(d.nItems) {
			giver, taker = taker, giver
		}
		if l.seen&1 == 0 {
			g.missed.add(missing{player: giver, what: -l.item, amount: -l.count})
		}
		if l.seen&2 == 0 {
			g.missed.add(missing{player: taker, what: -l.item, amount: l.count})
		}
	}
}

// join sums gifts, sorted by from and to, into edges and nodes.
func (s *snapshot) join(gifts []gift) {
	n := 0
	for i := range gifts {
		if i == 0 || gifts[i].from != gifts[i-1].from || gifts[i].to != gifts[i-1].to {
			n++
		}
	}
	s.edges = make([]edge, 0, n)
	for i := 0; i < len(gifts); {
		j := i
		for ; j < len(gifts) && gifts[j].from == gifts[i].from && gifts[j].to == gifts[i].to; j++ {
		}
		s.edges = append(s.edges, s.joined(gifts[i:j]))
		i = j
	}
	for i := range s.edges {
		e := &s.edges[i]
		back := s.edge(e.to, e.from)
		if back == nil {
			e.net = e.free
			s.nodes[e.from].partners++
			s.nodes[e.to].partners++
		} else {
			e.net = max(0, e.free-back.free)
			s.nodes[e.from].partners++
		}
		if e.net > 0 {
			s.nodes[e.from].freeOut += e.net
			s.nodes[e.to].freeIn += e.net
			s.nodes[e.from].takers++
			s.nodes[e.to].givers++
		}
	}
}

// joined is the edge of what one player gave another, in the order of time.
func (s *snapshot) joined(gifts []gift) edge {
	e := edge{from: gifts[0].from, to: gifts[0].to, first: int32(gifts[0].at / minute)}
	drained, known := 0.0, 0.0
	for i := range gifts {
		g := &gifts[i]
		w := float32(fade(g.at, s.at, halfLife))
		e.gave += w * g.gave
		e.free += w * g.free
		e.last = int32(g.at / minute)
		if e.n < math.MaxUint16 {
			e.n++
		}
		if g.free > 0 && g.drain > 0 {
			drained += float64(g.drain)
			known++
		}
	}
	if known > 1 {
		e.yield = uint8(drained / known * ramp(known, .5, 3)) // at most 200
	}
	return e
}

// edge is the edge between two players; nil where there is none.
func (s *snapshot) edge(from, to int32) *edge {
	i, ok := slices.BinarySearchFunc(s.edges, edge{from: from, to: to}, func(x, y edge) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to))
	})
	if !ok {
		return nil
	}
	return &s.edges[i]
}
