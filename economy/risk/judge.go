package risk

// judge makes the factors of every player: first from what it did itself, then from
// whom it deals with.
func (s *snapshot) judge(b *Book, m *moves) {
	s.strangers(b, m)
	s.marks = make([]marks, len(s.nodes))
	event := s.lately()
	for p := 1; p < len(s.nodes); p++ {
		s.marks[p].deeds(&s.nodes[p])
		s.marks[p].feast(&s.nodes[p], event)
	}
	own := make([]float32, len(s.nodes))
	for p := range own {
		own[p] = float32(s.marks[p].deal(&s.nodes[p]))
	}
	s.company(own)
	s.outside(b)
}

// deeds are the factors from what a player did.
func (m *marks) deeds(n *node) {
	in, out := float64(n.freeIn), float64(n.freeOut)
	// Ledgers that do not add up.
	m.add(balanceMismatch, .9*float64(n.gap))
	m.add(itemDuplication, .95*max(float64(n.dup), .9*float64(n.silent)))
	m.add(amountOverflow, .35*ramp(float64(n.odd), 0, 1)+.2*ramp(float64(n.odd), 1, 5))
	m.add(doubleCredit, .95*float64(n.double))

	// Where income ends.
	size := max(float64(n.sources), float64(n.sink)*float64(max(n.devoted, n.yields)))
	works := max(devotion(float64(n.devoted)), float64(n.yields))
	m.add(sinkConcentration, .9*ramp(float64(n.sources), 1.5, 6)*ramp(float64(n.purity), .1, .6)*ramp(max(in, out), .2, 1))
	m.add(oneWayOutflow, .85*ramp(size, 1.5, 6)*works*ramp(out, .03, .2))
	through := min(in, out) / max(in, out, 1e-9)
	// Who lives of buying and selling does not play either.
	lives := float64(n.own + min(n.fairIn, n.fairOut))
	idle := 1 - ramp(lives/(lives+in+1e-9), .1, .5)
	m.add(passThrough, .7*ramp(through, .4, .9)*idle*ramp(in, .5, 2)*(.3+.7*ramp(float64(n.purity), .2, .6))*(1-n.popular())*(.4+.6*ramp(float64(n.topTaker), .3, .8)))
	// A seller delivers what others brought, or its own machine. Who gives away what it
	// earned itself, or what many gave a little of, is generous, or holds a lottery.
	brought := ramp(in/(float64(n.own)+in+1e-9), .2, .6) * (1 - n.popular())
	m.add(fanOut, max(.5*ramp(float64(n.seller), 1.8, 5)*max(brought, .4*float64(n.bot), .4*float64(n.tireless)), .6*float64(n.dealer)))
	m.add(oneWayOutflow, .45*float64(n.supplies))

	// Taken accounts and cheated players.
	m.add(newDeviceDrain, .9*max(float64(n.drain), float64(n.drained)))
	// The same amount from everybody, of which much goes to some of them, is a fee and a
	// pot; who takes a fee and pays nobody, or one, cheats.
	pot := ramp(float64(n.even), .3, .6) * ramp(through, .2, .5) * ramp(float64(n.takers), 1, 3)
	// Who gives away far more than it takes cheats nobody.
	m.add(unfairTrades, .8*ramp(float64(n.unfair), 1.2, 4)*(1-max(.6*ramp(through, .4, .9), .95*pot, .95*ramp(out/max(in, 1e-9), 1.2, 3))))

	// Circles.
	m.add(circularTrading, .9*ramp(float64(n.returns), 1, 4))
	m.add(marketManipulation, .8*float64(n.wash))

	// Long and even hours alone are odd, not wrong, as is a brisk trade: what tells is
	// who they are for.
	gives := max(works*ramp(out, .5, 3), ramp(float64(n.seller), 1.2, 3), float64(n.ring))
	m.trades(n, gives)

	// Accounts made to be milked.
	fresh := 0.0
	if n.ageDays >= 0 {
		fresh = 1 - ramp(float64(n.ageDays), 14, 40)
	}
	// One is what honest buyers do at times; more, or after what was bought is gone, or
	// on a new account that hardly plays, is not. Goods of old that a buyer gives away are
	// not what it bought.
	gone := out * float64(n.labour)
	newcomer := 0.0
	if n.ageDays >= 0 {
		newcomer = float64(n.short)
	}
	m.add(chargeback, .9*ramp(float64(n.charged), .2, .7)*max(ramp(float64(n.charges), 1, 3.5), .8*devotion(gone/(float64(n.own)+in+1e-9))*ramp(gone, .2, 1), .6*newcomer*ramp(float64(n.charges), .5, 2)))
	if n.ageDays >= 0 {
		// A first sight of somebody may be of an old account.
		told := .12 * fresh
		if !n.told {
			told = 0
		}
		m.add(newAccountCashout, (told+.45*ramp(size, 1.2, 3))*float64(n.short)*devotion(float64(n.devoted))*ramp(out, .05, .3)*(1-.8*float64(n.ownPair*n.few)))
		m.add(promoConcentration, .7*float64(n.short)*devotion(float64(n.devoted))*ramp(float64(n.grant)/(float64(n.own)+1e-9), .5, .9)*ramp(out, .5, 2))
	}
	// New accounts on one device that play in earnest are a family.
	with := .3 * float64(n.flock) * (.1 + .9*float64(n.short))
	if n.shared > 0 && n.shared <= maxSeats {
		with = max(with, .3*ramp(size, 1.5, 4))
	}
	m.add(behaviorPattern, (.03+.62*gives)*max(float64(n.bot), float64(n.tireless)))
	m.add(earnVelocity, .4*ramp(float64(n.burst), 3, 9))
	m.add(deviceSharing, with)

	if n.ownPair > 0 && size < 3 {
		m.lower(sharedPurse, .6*float64(n.ownPair*n.few))
	}
	if n.turn > 0 {
		m.lower(guildBank, .5*ramp(float64(n.guild/n.turn), .6, .9)*ramp(float64(n.partners), 4, 10)*ramp(float64(n.backers), 2, 6))
	}
}

// popular is how far a player has what it was given from many who keep most of what they
// have, and hardly anything from those who work for it.
func (n *node) popular() float64 {
	return ramp(float64(n.backers), 2, 6) * (.7 + .25*(1-ramp(float64(n.purity), .15, .5)))
}

// deal is how far what a player hands on is tainted: its own deeds, but not that it
// was emptied, which says all there is about the taker already, nor that it is new.
func (m *marks) deal(n *node) float64 {
	t := marks{}
	for i := range m.n {
		switch {
		case m.codes[i] == newAccountCashout, m.codes[i] == newDeviceDrain && n.drain > n.drained, m.codes[i] == behaviorPattern, m.codes[i] == earnVelocity:
		default:
			t.codes[t.n], t.value[t.n] = m.codes[i], m.value[i]
			t.n++
		}
	}
	return t.chance(1)
}

// company are the factors from whom a player deals with, capped: by itself company
// is no proof.
func (s *snapshot) company(own []float32) {
	bad := make([]float32, len(s.nodes))
	for i := range s.edges {
		e := &s.edges[i]
		if e.net <= 0 {
			continue
		}
		bad[e.to] += e.net * own[e.from]
	}
	for p := range bad {
		n := &s.nodes[p]
		if bad[p] <= 0 {
			continue
		}
		part := float64(bad[p] / (n.freeIn + n.own))
		s.marks[p].add(riskyCounterparties, .5*ramp(part, .15, .7)*ramp(float64(bad[p]), .3, 2))
	}
}
