package risk

import (
	"math"

	"github.com/portcullis-gg/portcullis/economy"
)

// debtsAtMost is how many wallets are kept of which a debit left the balance below
// zero. They are faults of a game, or its way: what does not fit is left out, since
// so many say that it is the way.
const debtsAtMost = 1 << 18

// debt is that debits left a wallet's balance below zero.
type debt struct {
	worst  int64 // the lowest balance
	first  int64 // when the first of them was
	player int32
	cur    int32
	fell   bool // the balance before one of them was not below zero
}

// owe counts a debit that left a balance below zero. What the game takes back is no
// such debit.
func (b *Book) owe(e *economy.Entry, p, number, cur int32, before int64, sign int) {
	if sign > 0 || e.After >= 0 || e.Amount == 0 || e.Action == economy.Chargeback || e.Action == economy.Revoke {
		return
	}
	d, known := b.debts[number]
	if !known {
		if len(b.debts) >= debtsAtMost {
			return
		}
		d = debt{worst: e.After, first: e.At, player: p, cur: cur}
	}
	d.worst, d.first = min(d.worst, e.After), min(d.first, e.At)
	d.fell = d.fell || before >= 0
	b.debts[number] = d
}

// recall counts what the game took back, which may leave a balance below zero.
func (y *payments) recall(e *economy.Entry) {
	if y.recalled += e.Amount; y.recalled < 0 {
		y.recalled = math.MaxInt64
	}
	if y.since == 0 || e.At < y.since {
		y.since = e.At
	}
}

// explains reports whether what was taken back before a debt is as large.
func (y *payments) explains(d *debt) bool {
	return y.since != 0 && y.since <= d.first && y.recalled >= -max(d.worst, -math.MaxInt64)
}

// owed notes whose balances fell below zero by what it did. Where many wallets of a
// currency have, it is one in which players may be in debt.
func (s *snapshot) owed(b *Book) {
	b.mu.RLock()
	list := make([]debt, 0, len(b.debts))
	for number, d := range b.debts {
		if pay := b.wallets.at(number).pay; pay == 0 || !b.paid.at(pay-1).explains(&d) {
			list = append(list, d)
		}
	}
	b.mu.RUnlock()
	if len(list) == 0 {
		return
	}
	all, below := map[int32]float64{}, map[int32]float64{}
	for i := range list {
		below[list[i].cur]++
	}
	everyPlayer(b, ofWallets, func(_ int32, pl *player, r *records) {
		for i := pl.wallet; i != 0; i = r.wallets.at(i - 1).next {
			all[r.wallets.at(i-1).cur]++
		}
	})
	for i := range list {
		d := &list[i]
		p := s.of(d.player)
		if p == 0 || int(d.cur) >= len(s.unit) {
			continue
		}
		v := .5 // who is in debt already may have come to it by what was lost or is older
		if d.fell {
			v = .7 + .3*ramp(-float64(d.worst)/s.unit[d.cur], .1, 1)
		}
		if below[d.cur] >= habit {
			v *= 1 - ramp(below[d.cur]/max(1, all[d.cur]), .01, .05)
		}
		s.nodes[p].gap = max(s.nodes[p].gap, float32(v*fade(d.first, s.at, 90*day)))
	}
}
