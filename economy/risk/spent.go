package risk

import (
	"cmp"
	"slices"
)

// debit is one that may have left a wallet twice while its balance fell once: so much
// is too much in it.
type debit struct {
	player, cur int32
	amount      int64
}

// payout is a deal in which a debit of that amount went to another player.
type payout struct {
	at    int64
	left  uint16 // hash of the balance after it
	other int32
}

// spentAtMost is how many debits are looked at. An app that has more logs its lines
// twice, and that says nothing.
const spentAtMost = 1 << 16

// spentWithin is how far the two may be apart.
const spentWithin = minute

// spent judges one balance that went to two players, as when both emptied a chest at
// once. The same line under two ids names one player; where a balance was filled
// again in between, nothing is too much.
func (s *snapshot) spent(b *Book, list map[debit][]payout) {
	if len(list) == 0 || len(list) > spentAtMost {
		return
	}
	s.eachDeal(b, func(d *deal, _ []leg) {
		for i := range d.side {
			x := &d.side[i]
			k := debit{s.of(x.player), x.cur, x.out}
			if paid, ok := list[k]; ok {
				list[k] = append(paid, payout{d.at, x.outEnd, s.of(d.side[1-i].player)})
			}
		}
	})
	for k, paid := range list {
		slices.SortFunc(paid, func(x, y payout) int { return cmp.Or(cmp.Compare(x.left, y.left), cmp.Compare(x.at, y.at)) })
		for i := 1; i < len(paid); i++ {
			x, y := &paid[i-1], &paid[i]
			if x.left != y.left || y.at-x.at > spentWithin || x.other == y.other {
				continue
			}
			w := float32(.9 * fade(y.at, s.at, 90*day))
			for _, p := range []int32{k.player, x.other, y.other} {
				s.nodes[p].double = max(s.nodes[p].double, w)
				w = float32(.65 * .9 * fade(y.at, s.at, 90*day)) // who got it may not know
			}
		}
	}
}
