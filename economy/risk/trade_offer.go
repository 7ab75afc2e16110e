package risk

import (
	"math"

	"github.com/portcullis-gg/portcullis/economy"
)

// offer is a proposal in the model's terms.
type offer struct {
	from, to   party
	give, back []leg
	coin, fee  side // the money of the sender and of the receiver
	kind       uint8
	told       bool // what is returned, or what kind of trade it is

	gives, gets float64 // worth of both directions, in days of income
	free        float64 // what one side gives without a return
	giver       *party  // who gives that
	taker       *party
	dear        float64 // logarithm of the price over what the item goes for; 0: not known
	same        bool    // both were seen on one device that few share
}

// offered reads what the book knows of a proposal.
func (b *Book) offered(s *snapshot, q *economy.Proposal, at int64) *offer {
	o := &offer{kind: kindOf(q.Deal.Type), told: q.Deal.Type != ""}
	b.heard.names.RLock() // with which b.ids may be looked into, see find
	o.from.id, _ = b.ids.find(string(q.Sender))
	o.to.id, _ = b.ids.find(string(q.Receiver))
	b.heard.names.RUnlock()
	desk := takeDesk()
	defer desk.done()
	b.rlock(desk, o.from.id, o.to.id)
	o.coin.gives, o.fee.gives = q.Deal.Money.Amount, q.Deal.ReturnMoney.Amount
	o.coin.cur, _ = b.coins.find(q.Deal.Money.Type)
	o.fee.cur, _ = b.coins.find(q.Deal.ReturnMoney.Type)
	o.give, o.back = b.stacks(q.Deal.Items), b.stacks(q.Deal.ReturnItems)
	b.party(s, &o.from, &o.coin, o.give, desk)
	b.party(s, &o.to, &o.fee, o.back, desk)
	o.from.barred = b.barred(o.from.id, at, true)
	o.to.barred = b.barred(o.to.id, at, false)
	o.from.said, o.to.said = q.SenderRisk, q.ReceiverRisk
	dev, known := b.devices.find(q.Device)
	b.mu.RUnlock()
	if q.Device != "" {
		if !known {
			dev = -1 // nobody's so far
		}
		o.from.pl.seen(dev, at)
	}
	o.worth(s)
	o.same = o.from.p != 0 && o.to.p != 0 && s.sameDevice(o.from.p, o.to.p)
	return o
}

// worth finds what both sides give.
func (o *offer) worth(s *snapshot) {
	var kg, kb bool
	o.gives, kg = s.guess(o.give)
	o.gets, kb = s.guess(o.back)
	o.gives += s.coins(&o.coin)
	o.gets += s.coins(&o.fee)
	// What has no price is taken to be worth what is paid for it, and where nothing
	// is paid an individual item what such items go for.
	if !kg {
		o.gives = max(o.gives, o.gets)
	}
	if !kb {
		o.gets = max(o.gets, o.gives)
	}
	if o.value() == 0 {
		o.gives, o.gets = s.rare*single(o.give), s.rare*single(o.back)
	}
	// A game that names only what the sender gives does not say that it is a gift.
	if sales := s.sales(); o.gets == 0 && (!o.told || sales == 1) {
		o.gets = sales * (o.gives - s.coins(&o.coin))
	}
	o.giver, o.taker = &o.from, &o.to
	if o.gets > o.gives {
		o.giver, o.taker = &o.to, &o.from
	}
	if o.value() > fairHigh*min(o.gives, o.gets) {
		o.free = math.Abs(o.gives - o.gets)
	}
	goods, money := o.give, s.coins(&o.fee)
	if len(goods) == 0 {
		goods, money = o.back, s.coins(&o.coin)
	}
	if len(goods) == 1 && money > 0 && goods[0].count > 0 && int(goods[0].item) < len(s.price) {
		if p := &s.price[goods[0].item]; p.n >= sureSales {
			o.dear = math.Log(money / float64(goods[0].count) / p.mid)
			o.dear = math.Copysign(max(0, math.Abs(o.dear)-4*p.spread), o.dear)
		}
	}
}

// guess is worth, with prices of fewer sales too: they will not be made worse by this
// one.
func (s *snapshot) guess(legs []leg) (value float64, known bool) {
	known = true
	for i := range legs {
		l := &legs[i]
		if int(l.item) >= len(s.price) || s.price[l.item].n == 0 {
			known = false
			continue
		}
		value += s.price[l.item].mid * float64(max(0, l.count))
	}
	return value, known
}

// single is how many legs are individual items.
func single(legs []leg) (n float64) {
	for i := range legs {
		if legs[i].uid != 0 {
			n++
		}
	}
	return n
}

// sureSales is after how many sales an item's price is sure enough to be held
// against somebody.
const sureSales = 5

// value is what changes hands, in days of income.
func (o *offer) value() float64 { return max(o.gives, o.gets) }

// stacks are legs of a proposal; b.mu is held.
func (b *Book) stacks(stacks []economy.Stack) []leg {
	legs := make([]leg, 0, len(stacks))
	for i := range stacks {
		item, ok := b.items.find(stacks[i].Item)
		if !ok {
			item = math.MaxInt32 // none that was ever seen
		}
		l := leg{item: item, count: stacks[i].Count}
		if stacks[i].UID != "" {
			l.uid = hash(0, stacks[i].UID)
		}
		legs = append(legs, l)
	}
	return legs
}
