package risk

import "math"

// market is the price.
func (v *opinion) market(s *snapshot, o *offer, at int64) {
	off := math.Abs(o.dear)
	v.add(priceDeviation, .6*ramp(off, .6, 2)*logRamp(math.Abs(o.gives-o.gets), .2, 2))
	if o.free > 0 {
		return
	}
	// What a thief finds is turned into money too.
	if o.from.anew(at) {
		v.add(senderNewDevice, .3*logRamp(o.value(), 1, 8))
	}
	// Two that sell to each other, at large sums and again and again.
	there, back := s.edge(o.from.p, o.to.p), s.edge(o.to.p, o.from.p)
	if there == nil || back == nil || o.kind == kindGuild {
		return
	}
	v.add(circularTrade, .5*ramp(float64(min(there.n, back.n)), 0, 4)*logRamp(float64(min(there.gave, back.gave)), 1.5, 12)*logRamp(o.value(), .5, 4))
}

// ways is where the individual items of a trade come from.
func (v *opinion) ways(s *snapshot, o *offer, at int64) {
	var round, fast float64
	look := func(giver, taker *party, legs []leg, paid bool) {
		if giver.p == 0 || taker.p == 0 {
			return
		}
		for i := range legs {
			if legs[i].uid == 0 {
				continue
			}
			way := s.way(legs[i].uid)
			if paid {
				round = max(round, ramp(float64(rounds(way, taker.p)), 0, 2))
			}
			if g := got(way, giver.p); g != 0 && at-int64(g)*minute < 2*hour {
				fast = 1
			}
		}
	}
	look(&o.from, &o.to, o.give, o.gets > 0)
	look(&o.to, &o.from, o.back, o.gives > 0)
	much := logRamp(o.value(), .5, 4)
	v.add(circularTrade, .7*round*much)
	v.add(rapidResale, .12*fast*much)
}

// friends is what speaks for a trade.
func (v *opinion) friends(s *snapshot, o *offer, at int64) {
	if o.from.p == 0 || o.to.p == 0 {
		return
	}
	little := 1 - logRamp(o.value(), 2, 12)
	sure := 1 - ramp(max(s.marks[o.from.p].chance(1), s.marks[o.to.p].chance(1)), .2, .6)
	there, back := s.edge(o.from.p, o.to.p), s.edge(o.to.p, o.from.p)
	if there != nil && back != nil {
		first, last := min(there.first, back.first), max(there.last, back.last)
		both := float64(min(there.gave, back.gave) / max(there.gave, back.gave, 1e-9))
		v.lower(longStandingPair, .4*ramp(float64(last-first)/1440, 2, 6)*ramp(both, .1, .5)*sure)
	}
	// Everybody has more to give then; what is dear or sudden says less.
	if e := s.eventful(at); e > 0 && v.says(unusualTradeValue, velocityExceeded) {
		v.lower(eventDay, .25*e*sure)
	}
	bank := max(bankLike(o.from.node), bankLike(o.to.node))
	if o.kind == kindGuild {
		bank = max(bank, .5)
	}
	v.lower(guildBank, .5*bank*little*sure)
	if o.same {
		v.lower(sharedPurse, .4*float64(o.giver.node.few)*little*sure*(1-ramp(float64(max(o.taker.node.sources, o.giver.node.sources)), 1, 3)))
	}
}

// bankLike is how far many members give to a player a little each.
func bankLike(n *known) float64 {
	return ramp(float64(n.partners), 4, 10) * ramp(float64(n.backers), 2, 6)
}
