package risk

import (
	"math"

	"github.com/portcullis-gg/portcullis/economy"
)

// holdings are the reasons that stand without any other.
func (v *opinion) holdings(s *snapshot, o *offer, at int64) {
	if o.from.barred || o.to.barred {
		v.certain(bannedParty, .98)
	}
	for _, p := range []*party{&o.from, &o.to} {
		switch {
		case p.lacks && p.whole && p.node.gap == 0:
			v.certain(insufficientHoldings, .85)
		case p.lacks:
			v.add(insufficientHoldings, .3)
		}
	}
	v.copied(s, &o.from, o.give, at)
	v.copied(s, &o.to, o.back, at)
}

// copied looks for individual items that a side has given away before. That it got
// the item back may be news to come, or news that was lost.
func (v *opinion) copied(s *snapshot, p *party, legs []leg, at int64) {
	if p.p == 0 || p.newStock {
		return
	}
	for i := range legs {
		if legs[i].uid == 0 {
			continue
		}
		ago := at - int64(given(s.way(legs[i].uid), p.p))*minute
		switch {
		case ago > at-minute || ago < hour:
		case ago > settled && s.loss.items < .01:
			v.certain(duplicatedItem, .9)
			return
		default:
			v.add(duplicatedItem, .4)
			return
		}
	}
}

// company is who deals. The risk of a side says how likely it abuses the economy,
// the value and the shape of the trade how far this is part of it: copies and money
// from nothing are sold for fair prices too, work for others is handed over.
func (v *opinion) company(s *snapshot, o *offer, at int64) {
	one := ramp(o.free, .02, .25)
	some := logRamp(o.value(), .1, 2)
	risk := func(p *party) float64 {
		if p.said != nil {
			return float64(*p.said) / 100 * max(.95*one, .6*some)
		}
		if p.p == 0 {
			return 0
		}
		m := &s.marks[p.p]
		r := m.chance(fade(s.at, at, halfLife))
		return r * max(.95*one, (.6+.3*m.tainted())*some)
	}
	from, to := risk(&o.from), risk(&o.to)
	// Two risky sides of one trade are hardly two things.
	v.add(riskySender, from)
	v.add(riskyRecipient, to*(1-.3*ramp(from, .2, .6)))
	if o.giver == &o.from && one > .5 && o.from.level(s, at) == economy.Critical {
		v.hard = true
	}
}

// level is what the risk of a side means.
func (p *party) level(s *snapshot, at int64) economy.Level {
	if p.said != nil {
		return economy.LevelOf(*p.said)
	}
	return s.riskOf(p.id, at).Level
}

// tainted is how much of the risk is of what was made from nothing or moved for the
// look of it.
func (m *marks) tainted() float64 {
	t := 0.0
	for i := range m.n {
		switch catalogue[m.codes[i]].group {
		case groupLedger, groupMarket:
			t = max(t, float64(m.value[i])/100)
		default:
		}
	}
	return t
}

// shape is what goes where, and how.
func (v *opinion) shape(s *snapshot, o *offer, at int64) {
	value, free := o.value(), o.free
	giver, taker := o.giver, o.taker
	v.add(unusualTradeValue, .4*logRamp(value, 1.5, 15))
	first := 1.0
	there, back := s.edge(giver.p, taker.p), s.edge(taker.p, giver.p)
	if there != nil || back != nil {
		first = 0
	}
	if value > .3 {
		v.add(firstTradeBetweenParties, .06*first)
	}
	v.add(velocityExceeded, .25*float64(max(o.from.node.often, o.to.node.often))*logRamp(value, .3, 3))
	if free == 0 {
		return
	}
	much := ramp(free, .2, 2)
	v.add(oneSidedTrade, .3*logRamp(free, .3, 6))
	drain := ramp(max(giver.part, free/max(giver.means, free, 1e-9)), .5, .95) * much
	v.add(drainsSenderBalance, .4*drain)
	stranger := .4 + .6*first
	if giver.anew(at) {
		v.add(senderNewDevice, .5*much*stranger*(.4+.6*drain))
	}
	if away := giver.away(at); away > 0 {
		v.add(dormantSender, .3*ramp(float64(away), 5, 14)*much*stranger)
	}
	v.add(newAccountRecipient, .35*(1-ramp(taker.age(at), 3, 14))*much*(1-ramp(float64(taker.pl.plays), 20, 100)))
	t, g := taker.node, giver.node
	bank := ramp(float64(t.backers), 2, 6)
	v.add(recipientIsCollector, .6*ramp(float64(t.sources), 1, 5)*ramp(float64(t.purity), .1, .6)*much*(1-.5*bank))
	through := float64(min(t.freeIn, t.freeOut) / max(t.freeIn, t.freeOut, 1e-9))
	idle := 1 - ramp(float64(t.own/(t.own+t.freeIn+1e-9)), .1, .5)
	chain := ramp(through, .4, .9) * idle
	chain = max(chain, ramp(float64(g.freeIn/(g.own+g.freeIn+1e-9)), .5, .9)*devotion(float64(g.devoted)))
	v.add(muleChain, .4*chain*much*(1-bank))
	if giver.charges > 0 {
		v.add(pendingChargeback, .4*ramp(giver.charges, 0, 2)*much)
	} else if giver.bought > at-3*day {
		v.add(pendingChargeback, .3*ramp(giver.part, .3, .9)*much)
	}
	if o.same && min(giver.age(at), taker.age(at)) < newDays {
		v.add(sharedDevice, .15*much)
	}
}

// logRamp is ramp on a scale of doublings.
func logRamp(v, low, high float64) float64 {
	if v <= low {
		return 0
	}
	return ramp(math.Log(v), math.Log(low), math.Log(high))
}
