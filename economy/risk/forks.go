package risk

import (
	"cmp"
	"slices"
)

// tellingsAtMost is how many tellings are kept of trades that were told in more than
// one way. When it is full, the older half is dropped.
const tellingsAtMost = 1 << 16

// telling is what one line of the trade log says of a trade.
type telling struct {
	key      uint64 // of the deal
	who      uint32 // hash of the names of both sides
	uids     uint64 // hash of the individual items that change hands; 0: none
	at       int64
	from, to int32 // by the book's numbers
	side     [2]told
}

// told is what a side gives by a telling.
type told struct {
	money  int64
	pieces int64
	things uint64 // sum of the hashes of its stacks
	kinds  uint64 // sum of the hashes of what they are, without counts
}

// telling is what a deal is told to be. Games tell a trade from either side: the one
// with the lower number is taken for the sender.
func (d *deal) telling(legs []leg) telling {
	t := telling{key: d.key, at: d.at, from: d.side[0].player, to: d.side[1].player}
	for i := range d.side {
		s, own := &t.side[i], legs[:d.nItems]
		if i == 1 {
			own = legs[d.nItems:]
		}
		for j := range own {
			l := &own[j]
			kind := mix(uint64(l.item)*0x9e3779b97f4a7c15 + 1)
			s.kinds += kind
			s.things += mix(kind ^ l.uid ^ uint64(l.count)*0xff51afd7ed558ccd)
			s.pieces += l.count
			t.uids += l.uid
		}
		if s.money = d.side[i].gives; s.money > 0 {
			s.kinds += mix(uint64(d.side[i].cur) | 1<<40)
		}
	}
	if t.to < t.from {
		t.from, t.to = t.to, t.from
		t.side[0], t.side[1] = t.side[1], t.side[0]
	}
	return t
}

// compare orders tellings of one trade: the first in event time is what the trade is
// taken for, whichever comes first. Of one millisecond it is by what does not depend
// on the order in which names came.
func (t *telling) compare(u *telling) int {
	return cmp.Or(
		cmp.Compare(t.at, u.at), cmp.Compare(t.who, u.who), cmp.Compare(t.uids, u.uids),
		cmp.Compare(t.side[0].money+t.side[1].money, u.side[0].money+u.side[1].money),
		cmp.Compare(t.side[0].pieces+t.side[1].pieces, u.side[0].pieces+u.side[1].pieces),
	)
}

// same reports whether two lines tell the same.
func (t *telling) same(u *telling) bool {
	return t.from == u.from && t.to == u.to && t.side == u.side
}

// goods is a hash of what changes hands, whoever takes it.
func (t *telling) goods() uint64 {
	sum := uint64(0)
	for i := range t.side {
		s := &t.side[i]
		sum += mix(s.things ^ uint64(s.money)*0x9e3779b97f4a7c15 ^ s.kinds)
	}
	return sum
}

// tells keeps a telling of a trade that is told in more than one way.
func (b *Book) tells(t *telling) {
	if len(b.tellings) >= tellingsAtMost {
		list := slices.Clone(b.tellings) // a snapshot may be reading the old ones
		slices.SortFunc(list, func(x, y telling) int { return cmp.Compare(x.at, y.at) })
		b.tellings = list[len(list)/2:]
	}
	b.tellings = append(b.tellings, *t)
}

// fork is a trade that was told in ways that exclude each other.
type fork struct {
	weight float64
	item   bool // things were given, not money alone
	who    map[int32]float64
	at     int64
	kind   uint8
}

// forked finds them among the tellings of one trade, of which none was cancelled.
func forked(list []telling) (f fork) {
	f.who = map[int32]float64{}
	for i := range list {
		for j := range i {
			x, y := &list[j], &list[i]
			w := x.excludes(y)
			if w == 0 {
				continue
			}
			f.weight = max(f.weight, w)
			f.at = max(f.at, x.at, y.at)
			f.item = f.item || x.side[0].things+x.side[1].things != 0
			for _, p := range []int32{x.from, x.to, y.from, y.to} {
				// Who is of both sold or bought twice; the others may not know.
				both := (p == x.from || p == x.to) && (p == y.from || p == y.to)
				part := .65
				if both {
					part = 1
				}
				f.who[p] = max(f.who[p], w*part)
			}
		}
	}
	return f
}

// excludes is how far two tellings cannot both be true of one trade.
func (t *telling) excludes(u *telling) float64 {
	if t.same(u) {
		return 0
	}
	if t.from == u.from && t.to == u.to {
		// One trade may be told in parts, each with other goods. Two amounts of one
		// thing, or two payments, are no parts.
		for i := range t.side {
			x, y := &t.side[i], &u.side[i]
			if x.money > 0 && y.money > 0 || x.things != y.things && x.kinds == y.kinds && x.kinds != 0 {
				return .85
			}
		}
		return 0
	}
	switch {
	case t.uids != 0 && t.uids == u.uids, t.goods() == u.goods():
		return 1
	default:
		return .6 // an order that several fill in parts
	}
}

// forks judges the trades that were told in more than one way. Where that is nothing
// rare for a kind of trade, its ids are of something else, as of what is on sale.
func (s *snapshot) forks(b *Book) {
	found := b.forks()
	var often [dealKinds]float64
	for i := range found {
		often[found[i].kind]++
	}
	for i := range found {
		f, usual := &found[i], 0.0
		if often[f.kind] >= habit {
			usual = ramp(often[f.kind]/max(1, float64(s.kinds[f.kind])), .01, .05)
		}
		for who, w := range f.who {
			p := s.of(who)
			if p == 0 {
				continue
			}
			n, v := &s.nodes[p], float32(.9*w*(1-usual)*fade(f.at, s.at, 90*day))
			if f.item {
				n.dup = max(n.dup, v)
			} else {
				n.double = max(n.double, v)
			}
		}
	}
}

// forks are the trades that happened and were told in ways that exclude each other.
func (b *Book) forks() (found []fork) {
	b.mu.RLock()
	list := slices.Clone(b.tellings)
	happened := map[uint64]uint8{} // by deal: its kind
	var room dealBlock
	var last, open *dealBlock
	for i := range list {
		if n, ok := b.deals.find(list[i].key); ok {
			bl := b.deals.blocks[n>>dealBits-b.deals.first]
			if bl != last || bl.packed == nil { // mostly they lie side by side
				last, open = bl, bl.read(&room)
			}
			if d := &open.deals[n&(1<<dealBits-1)]; d.flags&undone == 0 {
				happened[d.key] = d.kind
			}
		}
	}
	b.mu.RUnlock()
	slices.SortFunc(list, func(x, y telling) int { return cmp.Or(cmp.Compare(x.key, y.key), x.compare(&y)) })
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[j].key == list[i].key {
			j++
		}
		if kind, ok := happened[list[i].key]; ok {
			if f := forked(list[i:min(j, i+tellingsLooked)]); f.weight > 0 {
				f.kind = kind
				found = append(found, f)
			}
		}
		i = j
	}
	return found
}

// tellingsLooked is at how many tellings of one trade are looked, each beside each.
const tellingsLooked = 64
