package risk

import (
	"cmp"
	"slices"
)

// traded is what one player and item add up to in sales of single items.
type traded struct {
	item, player int32
	sold, bought float64 // value
	sales, buys  int
	topSold      float64 // by the largest partners of each
	topBought    float64
}

// washes finds goods that the same few sell each other again and again: no one of
// them ends up with more or less, but the price is made. A merchant buys and sells
// too, from and to many.
func (s *snapshot) washes(all []sale) {
	type part struct {
		item, player, with int32
		value              float64
		n                  int
		sold               bool
	}
	parts := make([]part, 0, 2*len(all))
	for i := range all {
		x := &all[i]
		v := fade(x.at, s.at, halfLife) * x.value
		parts = append(parts,
			part{item: x.item, player: x.seller, with: x.buyer, value: v, n: 1, sold: true},
			part{item: x.item, player: x.buyer, with: x.seller, value: v, n: 1})
	}
	slices.SortFunc(parts, func(x, y part) int {
		return cmp.Or(cmp.Compare(x.player, y.player), cmp.Compare(x.item, y.item), order(x.sold, y.sold), cmp.Compare(x.with, y.with), cmp.Compare(x.value, y.value))
	})
	for i := 0; i < len(parts); {
		var t traded
		t.item, t.player = parts[i].item, parts[i].player
		for i < len(parts) && parts[i].player == t.player && parts[i].item == t.item {
			sold, with, sum, n := parts[i].sold, parts[i].with, 0.0, 0
			for ; i < len(parts) && parts[i].player == t.player && parts[i].item == t.item && parts[i].sold == sold && parts[i].with == with; i++ {
				sum += parts[i].value
				n++
			}
			if sold {
				t.sold += sum
				t.sales += n
				if n >= 2 {
					t.topSold += sum
				}
			} else {
				t.bought += sum
				t.buys += n
				if n >= 2 {
					t.topBought += sum
				}
			}
		}
		n := &s.nodes[t.player]
		both := min(t.sold, t.bought)
		if both <= 0 || t.sales < 2 || t.buys < 2 {
			continue
		}
		// Most of it again and again with the same, in both directions.
		again := min(t.topSold/t.sold, t.topBought/t.bought)
		v := ramp(again, .5, .9) * ramp(both/max(t.sold, t.bought), .4, .8) * ramp(both, 1, 5) * ramp(float64(min(t.sales, t.buys)), 1, 4)
		n.wash = max(n.wash, float32(v))
	}
}

func order(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return -1
	default:
		return 1
	}
}
