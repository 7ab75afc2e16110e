package risk

import (
	"github.com/portcullis-gg/portcullis/economy"
)

// farEnds is how many open ends of one wallet are kept besides those in it. A replay
// that is shuffled by days needs some hundreds for a while; what does not fit is
// left out.
const farEnds = 8192

// currency counts an entry of the currency log.
func (b *Book) currency(e *economy.Entry, p int32, pl *player) {
	sign := e.Action.Sign(economy.Currency)
	if sign == 0 {
		return
	}
	number := b.wallet(pl, b.coins.id(e.What))
	w := b.wallets.at(number)
	source, in := wordOf(e.Source), wayGiven
	before, fits := below(e.After, e.Amount, sign)
	if !fits {
		pl.odd = min(65534, pl.odd) + 1
	}
	if e.Amount > 0 {
		b.link(number, &w.chain, e.After, e.At, +1)
		b.link(number, &w.chain, before, e.At, -1)
	}
	// Entries of one millisecond: the order among them shows in the balances.
	if w.last == 0 || e.At > w.last || e.At == w.last && before == w.after {
		w.last, w.after = e.At, e.After
	}
	if w.first == 0 || e.At < w.first || e.At == w.first && e.After == w.before {
		w.first, w.before = e.At, before
	}
	amount := float64(e.Amount) * b.weight(e.At)
	if sign > 0 {
		if s := &w.size[sizeOf(e.Amount)]; *s < 65535 {
			*s++
		}
	} else {
		w.debits++
	}
	switch e.Action {
	case economy.Earn:
		w.sum[sumEarn] += amount
		in = wayEarned
		b.hear(b.coinWord(w.cur, e.What), e.At, e.Amount)
		b.act(pl, e.At, sourceOf(source))
	case economy.Grant:
		w.sum[sumGrant] += amount
	case economy.Purchase:
		y := b.payments(w)
		y.bought += amount
		y.buys = min(65534, y.buys) + 1
		y.buyAt = max(y.buyAt, e.At)
	case economy.Spend:
		w.sum[sumSpend] += amount
		if e.TradeID == "" {
			b.act(pl, e.At, noSource)
		}
	case economy.Chargeback:
		y := b.payments(w)
		y.charged += amount
		y.charges = min(65534, y.charges) + 1
		y.reAt = max(y.reAt, e.At)
		y.recall(e)
	case economy.Revoke:
		b.payments(w).recall(e)
	default:
	}
	b.owe(e, p, number, w.cur, before, sign)
	b.claim(e, p, sign)
	if sign < 0 {
		in = wayGone
	}
	b.flowOf(pl, e, source, b.coinWord(w.cur, e.What), in)
	if e.Action == economy.TransferIn || e.Action == economy.TransferOut {
		b.coinLeg(e, p, w.cur)
	}
}

// coinWord is the word of a currency among flows.
func (b *Book) coinWord(cur int32, name string) uint32 {
	for int(cur) >= len(b.coinWords) {
		b.coinWords = append(b.coinWords, 0)
	}
	if b.coinWords[cur] == 0 {
		b.coinWords[cur] = wordOf(name)
		b.words.learn(b.coinWords[cur], name)
	}
	return b.coinWords[cur]
}

func (b *Book) payments(w *wallet) *payments {
	if w.pay == 0 {
		w.pay = b.paid.add() + 1
	}
	return b.paid.at(w.pay - 1)
}

// wallet is the number of a player's wallet.
func (b *Book) wallet(pl *player, cur int32) int32 {
	for i := pl.wallet; i != 0; {
		w := b.wallets.at(i - 1)
		if w.cur == cur {
			return i - 1
		}
		i = w.next
	}
	n := b.wallets.add()
	w := b.wallets.at(n)
	w.cur, w.next = cur, pl.wallet
	pl.wallet = n + 1
	return n
}

// link adds an end to the chain of a wallet: to the end with the same balance, which
// may take that out, or as a new one.
func (b *Book) link(number int32, c *chain, value, at int64, n int) {
	var free *end
	for i := range c.ends {
		e := &c.ends[i]
		switch {
		case e.n() == 0:
			free = e
		case e.value == value:
			e.add(at, n)
			return
		}
	}
	if c.far > 0 {
		far := b.far[number]
		if e, ok := far[value]; ok {
			e.add(at, n)
			if e.n() != 0 {
				far[value] = e
				return
			}
			delete(far, value)
			if c.far--; c.far == 0 {
				delete(b.far, number)
			}
			return
		}
	}
	if free != nil {
		*free = newEnd(value, at, n)
		return
	}
	if c.far >= farEnds {
		return
	}
	far := b.far[number]
	if far == nil {
		far = map[int64]end{}
		b.far[number] = far
	}
	far[value] = newEnd(value, at, n)
	c.far++
}
