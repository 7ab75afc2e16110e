package risk

import "github.com/portcullis-gg/portcullis/economy"

// trade counts an entry of the trade log.
func (b *Book) trade(e *economy.Entry, sender int32) {
	if e.Deal == nil || e.Counterparty == "" || e.Counterparty == e.Player {
		return
	}
	receiver := b.other(e.Counterparty)
	id := e.TradeID
	if id == "" {
		id = e.ID
	}
	d, bl := b.dealOf(hash(1, id), e.At)
	switch e.Deal.Status {
	case "cancelled", "reversed":
		d.flags |= undone
	}
	n, fresh := b.toldBy(e, d, bl, sender, receiver)
	if d.flags&toldDeal != 0 {
		was, is := d.telling(bl.legsOf(d)), n.telling(fresh)
		was.who, is.who = d.who, n.who
		if was.same(&is) {
			d.at = min(d.at, n.at)
			return // the same trade again, under another id of the log
		}
		if d.flags&forkDeal == 0 {
			b.tells(&was)
		}
		b.tells(&is)
		d.flags |= forkDeal
		if is.compare(&was) >= 0 {
			return
		}
	}
	d.flags |= toldDeal
	d.at, d.kind, d.dev, d.who = n.at, n.kind, n.dev, n.who
	bl.newest = max(bl.newest, e.At)
	d.parties(sender, receiver)
	for i := range d.side {
		d.side[i].gives, d.side[i].cur = n.side[i].gives, n.side[i].cur
	}
	d.legs, d.nItems, d.nBack = int32(len(bl.legs)), n.nItems, n.nBack
	bl.legs = append(bl.legs, fresh...)
}

// toldBy is the deal that a line of the trade log tells of, with its legs, which know
// what the item log has said of them.
func (b *Book) toldBy(e *economy.Entry, d *deal, bl *dealBlock, sender, receiver int32) (n deal, legs []leg) {
	n = deal{key: d.key, at: e.At, dev: d.dev, kind: kindOf(e.Deal.Type), who: uint32((hash(8, string(e.Player)) + hash(8, string(e.Counterparty))) >> 32)}
	if e.Device != "" {
		n.dev = b.devices.id(e.Device)
	}
	n.side[0] = side{player: sender, gives: e.Deal.Money.Amount, cur: b.coins.id(e.Deal.Money.Type)}
	n.side[1] = side{player: receiver, gives: e.Deal.ReturnMoney.Amount, cur: b.coins.id(e.Deal.ReturnMoney.Type)}
	heard := bl.legsOf(d)
	add := func(stacks []economy.Stack) uint8 {
		n := min(len(stacks), 255)
		for i := range stacks[:n] {
			l := leg{item: b.items.id(stacks[i].Item), count: stacks[i].Count}
			if stacks[i].UID != "" {
				l.uid = hash(0, stacks[i].UID)
			}
			for j := range heard {
				if heard[j].item == l.item && heard[j].uid == l.uid {
					l.seen |= heard[j].seen
					l.line = max(l.line, heard[j].line)
				}
			}
			legs = append(legs, l)
		}
		return uint8(n)
	}
	n.nItems, n.nBack = add(e.Deal.Items), add(e.Deal.ReturnItems)
	return n, legs
}

// coinLeg counts a transfer of the currency log to the trade it belongs to.
func (b *Book) coinLeg(e *economy.Entry, p, cur int32) {
	if e.TradeID == "" {
		if e.Counterparty == "" {
			b.looseLeg(e, p, cur)
			return
		}
		if e.Action != economy.TransferOut {
			return
		}
		// A transfer without a trade: the entry itself is all there is of it.
		d, _ := b.dealOf(hash(2, string(e.Player)+"\x00"+e.ID), e.At)
		d.flags |= toldDeal
		d.side[0] = side{player: p, cur: cur, gives: e.Amount, out: e.Amount, drain: drained(e), outEnd: leftBy(e)}
		d.side[1].player = b.other(e.Counterparty)
		return
	}
	d, _ := b.dealOf(hash(1, e.TradeID), e.At)
	i := d.find(p)
	if i < 0 {
		return
	}
	s := &d.side[i]
	if e.Counterparty != "" {
		d.find(b.other(e.Counterparty))
	}
	if e.Action == economy.TransferOut {
		switch end := leftBy(e); {
		case e.Amount > s.out:
			s.out, s.outEnd = e.Amount, end
		case e.Amount == s.out:
			s.outEnd = max(s.outEnd, end)
		}
		s.drain = max(s.drain, drained(e))
		if d.flags&toldDeal == 0 {
			s.cur = cur
		}
		return
	}
	switch {
	case s.inN == 0:
		s.in, s.inEnd, s.inAt, s.inCur, s.inN = e.Amount, e.After, e.At, cur, 1
	case s.inCur == cur && s.inEnd != e.After:
		// The balance rose twice. The same line under two ids has one balance.
		if sum := s.in + e.Amount; sum > s.in {
			s.in = sum
		}
		s.inAt = max(s.inAt, e.At)
		s.inN = min(s.inN, 200) + 1
		d.flags |= coinDouble
	}
}

// leftBy is a hash of the balance after a debit.
func leftBy(e *economy.Entry) uint16 { return uint16(mix(uint64(e.After)+1) >> 48) }

// drained is which part of a balance an entry took, in half percents from 1 on.
func drained(e *economy.Entry) uint8 {
	if e.Amount <= 0 || e.After < 0 {
		return 200
	}
	return uint8(1 + 199*float64(e.Amount)/(float64(e.Amount)+float64(e.After)))
}

// itemLeg counts a transfer of the item log to the trade it belongs to.
func (b *Book) itemLeg(e *economy.Entry, p, item int32, sign int) {
	if e.TradeID == "" {
		return
	}
	d, bl := b.dealOf(hash(1, e.TradeID), e.At)
	d.find(p)
	if e.Counterparty != "" {
		d.find(b.other(e.Counterparty))
	}
	bit := uint8(1)
	if sign > 0 {
		bit = 2
	}
	uid := uint64(0)
	if e.ItemUID != "" {
		uid = hash(0, e.ItemUID)
	}
	all := bl.legs[d.legs : d.legs+int32(d.nItems)+int32(d.nBack)]
	for i := range all {
		if all[i].item == item && all[i].uid == uid {
			all[i].heard(bit, e.After)
			return
		}
	}
	if d.flags&toldDeal != 0 || len(all) > 250 {
		return
	}
	// The trade log has not told yet: note what was heard where its legs will be.
	start := int32(len(bl.legs))
	bl.legs = append(bl.legs, all...)
	l := leg{item: item, count: e.Amount, uid: uid}
	l.heard(bit, e.After)
	bl.legs = append(bl.legs, l)
	d.legs = start
	if sign > 0 == (d.side[0].player == p) {
		d.nBack++ // comes to side 0, so side 1 gives it
	} else {
		// Legs of side 0 come first.
		n := len(bl.legs) - 1
		last := bl.legs[n]
		copy(bl.legs[start+int32(d.nItems)+1:], bl.legs[start+int32(d.nItems):n])
		bl.legs[start+int32(d.nItems)] = last
		d.nItems++
	}
}

// heard notes that the item log has a leg. An individual item that comes in twice has
// two counts: one line that was logged twice has one.
func (l *leg) heard(bit uint8, after int64) {
	l.seen |= bit
	if bit != 2 || l.uid == 0 {
		return
	}
	line := max(1, uint16(mix(uint64(after)+1)>>48))
	if l.line != 0 && l.line != line {
		l.seen |= 4
	}
	l.line = line
}
