package risk

import (
	"math"

	"github.com/portcullis-gg/portcullis/economy"
)

// party is a side of an offer: what is known of it at this moment.
type party struct {
	id, p    int32 // number in the book and in the snapshot
	node     *known
	pl       player  // a copy
	means    float64 // all it has, in days of income
	part     float64 // of its money of that currency, what it gives
	lacks    bool    // it gives more than it has, by more than one late entry explains
	whole    bool    // and no entry of that ledger is missing
	bought   int64   // newest purchase of the money that it gives
	charges  float64
	newStock bool // its goods changed since the snapshot
	barred   bool
	said     *int // the score that an operator has set
}

// party fills in a side; b.mu is held, with what is away of it on the desk.
func (b *Book) party(s *snapshot, p *party, c *side, legs []leg, desk *desk) {
	p.node = &known{}
	if p.p = s.of(p.id); p.p != 0 {
		p.node = &s.known[p.p]
	}
	if p.id == 0 {
		return
	}
	pl, r := b.read(p.id, desk, ofWallets|ofStashes)
	p.pl = *pl
	for i := p.pl.wallet; i != 0; {
		w := r.wallets.at(i - 1)
		i = w.next
		p.money(s, r, w, c)
	}
	for i := p.pl.stash; i != 0; {
		st := r.stashes.at(i - 1)
		i = st.next
		p.goods(s, st, legs)
	}
}

// money looks at one of a side's wallets.
func (p *party) money(s *snapshot, r *records, w *wallet, c *side) {
	unit := math.Inf(1) // of a currency that is newer than the snapshot
	if int(w.cur) < len(s.unit) {
		unit = s.unit[w.cur]
	}
	p.means += float64(max(0, w.after)) / unit
	mine := w.cur == c.cur && c.gives > 0 && w.last != 0
	if w.pay > 0 {
		y := r.paid.at(w.pay - 1)
		p.charges += float64(y.charges)
		if mine {
			p.bought = y.buyAt
		}
	}
	if !mine {
		return
	}
	p.part = min(1, float64(c.gives)/float64(max(1, w.after)))
	if over := c.gives - max(0, w.after); over > w.biggest() && over > w.after/2 && float64(over) > unit {
		p.lacks = true
		p.whole = p.whole || w.open() <= 2
	}
}

// goods looks at one of a side's stashes.
func (p *party) goods(s *snapshot, st *stash, legs []leg) {
	if int(st.item) >= len(s.price) {
		return
	}
	price := s.price[st.item].mid
	p.means += float64(max(0, st.after)) * price
	for k := range legs {
		if legs[k].item != st.item {
			continue
		}
		p.newStock = p.newStock || st.lastAt > s.at
		over := legs[k].count - max(0, st.after)
		if over/2 > st.biggest && over > st.after/2 && st.gains >= 5 && float64(over)*price > 1 {
			p.lacks = true
			p.whole = p.whole || st.silent() == 0
		}
	}
}

// open is how many ends of a wallet's chain are open, two where nothing is missing.
func (w *wallet) open() int {
	n := int(w.chain.far)
	for i := range w.chain.ends {
		if w.chain.ends[i].n() != 0 {
			n++
		}
	}
	return n
}

// biggest is an upper bound of the largest credit of a wallet.
func (w *wallet) biggest() int64 {
	for i := len(w.size) - 2; i > 0; i-- {
		if w.size[i] > 0 {
			return 1 << i
		}
	}
	if w.size[len(w.size)-1] > 0 {
		return math.MaxInt64
	}
	return 0
}

// barred reports whether a ban keeps a player from such a trade; b.mu is held.
func (b *Book) barred(p int32, at int64, gives bool) bool {
	for i := range b.bans[p] {
		ban := &b.bans[p][i]
		if ban.Stands(at) && (ban.Excludes() || ban.Type == economy.TradeBan || gives && ban.Type == economy.Withdrawal) {
			return true
		}
	}
	return false
}

// anew reports whether a side acts on a device that is new to it, while it has had
// others for longer.
func (p *party) anew(at int64) bool {
	now, older, fresh := int32(at/minute), false, false
	for i := range p.pl.devs {
		d := &p.pl.devs[i]
		switch {
		case d.id == 0:
		case d.first < now-3*24*60:
			older = true
		case d.first > now-24*60:
			fresh = true
		}
	}
	return older && fresh
}

// away is for how many days a side had not played before the last day.
func (p *party) away(at int64) int {
	if p.pl.dayNo == 0 {
		return 0
	}
	off := int32(floorDiv(at, day)) - p.pl.dayNo
	days := p.pl.days
	if off <= 1 { // it is back: how long was it away before
		days >>= 1
		if days&1 != 0 {
			days >>= 1
		}
		off = 0
	}
	if days == 0 {
		return 0
	}
	for days&1 == 0 {
		days >>= 1
		off++
	}
	return int(off)
}

// age is the age of an account in days, where nothing says it is older.
func (p *party) age(at int64) float64 {
	switch {
	case p.pl.created > 0:
		return float64(at-p.pl.created) / float64(day)
	case p.node.ageDays >= 0 && p.p != 0:
		return float64(p.node.ageDays)
	case p.pl.first == 0:
		return 0 // nothing is known of it but its name
	default:
		return math.Inf(1)
	}
}
