package risk

import (
	"cmp"
	"slices"
)

// sold is the sale of an item seen from one side.
type sold struct {
	item, player, with int32
	buys               bool
	value              float64
}

// traded is what one player and item add up to, in one direction.
type traded struct {
	value float64
	again float64 // of it with partners it dealt with more than once
	even  float64 // sum of the squares of what went by each partner
	n     int
}

// washes finds goods that the same few sell each other again and again: no one of
// them ends up with more or less, but the price is made. A merchant buys and sells
// too, from and to many.
func (s *snapshot) washes(all []sale) {
	parts := make([]sold, 0, 2*len(all))
	for i := range all {
		x := &all[i]
		v := fade(x.at, s.at, halfLife) * x.value
		parts = append(parts,
			sold{item: x.item, player: x.seller, with: x.buyer, value: v},
			sold{item: x.item, player: x.buyer, with: x.seller, value: v, buys: true})
	}
	slices.SortFunc(parts, func(x, y sold) int {
		return cmp.Or(cmp.Compare(x.player, y.player), cmp.Compare(x.item, y.item), order(x.buys, y.buys), cmp.Compare(x.with, y.with), cmp.Compare(x.value, y.value))
	})
	var some []wash
	at := map[[2]int32]int{}
	for len(parts) > 0 {
		w := wash{player: parts[0].player, item: parts[0].item, parts: parts}
		parts = w.out.take(parts, w.player, w.item, false)
		parts = w.in.take(parts, w.player, w.item, true)
		w.parts = w.parts[:len(w.parts)-len(parts)]
		if w.v = w.looks(); w.v > 0 {
			at[[2]int32{w.player, w.item}] = len(some)
			some = append(some, w)
		}
	}
	for i := range some {
		w := &some[i]
		// Its partners do the same: a merchant's do not.
		var out, in float64
		for _, x := range w.parts {
			if _, ok := at[[2]int32{x.with, w.item}]; !ok {
				continue
			}
			if x.buys {
				in += x.value
			} else {
				out += x.value
			}
		}
		n := &s.nodes[w.player]
		n.wash = max(n.wash, float32(w.v*ramp(min(out/w.out.value, in/w.in.value), .2, .6)))
	}
}

// wash is what a player did with an item that it sells and buys back.
type wash struct {
	player, item int32
	out, in      traded
	parts        []sold
	v            float64
}

// looks is how far it looks like a wash for itself.
func (w *wash) looks() float64 {
	out, in := &w.out, &w.in
	both := min(out.value, in.value)
	if both <= 0 || out.n < 2 || in.n < 2 {
		return 0
	}
	// A ring is few: a merchant meets many of those it buys from again by chance.
	few := 1 - ramp(max(out.partners(), in.partners()), 3, 6)
	// Most of it again and again with the same, in both directions.
	again := min(out.again/out.value, in.again/in.value)
	return few * ramp(again, .5, .9) * ramp(both/max(out.value, in.value), .4, .8) * ramp(both, 1, 5) * ramp(float64(min(out.n, in.n)), 1, 4)
}

// take sums what stands first in parts of a player's item in one direction, and
// returns the rest.
func (t *traded) take(parts []sold, player, item int32, buys bool) []sold {
	for len(parts) > 0 && parts[0].player == player && parts[0].item == item && parts[0].buys == buys {
		with, sum, n := parts[0].with, 0.0, 0
		for n < len(parts) && parts[n].player == player && parts[n].item == item && parts[n].buys == buys && parts[n].with == with {
			sum += parts[n].value
			n++
		}
		t.value += sum
		t.even += sum * sum
		t.n += n
		if n >= 2 {
			t.again += sum
		}
		parts = parts[n:]
	}
	return parts
}

// partners is with how many it dealt, counting those that little went by as less.
func (t *traded) partners() float64 { return t.value * t.value / max(t.even, 1e-12) }

func order(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	default:
		return 1
	}
}
