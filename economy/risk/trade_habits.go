package risk

import "math"

// dealt counts a deal of two players to how often they trade and to how far from
// the going prices.
func (s *snapshot) dealt(d *deal, a, z *node, gives, gets, coinA, coinZ, w float64) {
	if d.kind != kindGuild && s.at-d.at < day {
		a.deals++
		z.deals++
	}
	s.tradedAt(d.at)
	for i, l := range spanHours {
		if s.at-d.at < int64(l)*hour {
			a.traded[i] = min(65534, a.traded[i]) + 1
			z.traded[i] = min(65534, z.traded[i]) + 1
		}
	}
	if d.nItems > 0 {
		s.gave++
		if d.nBack > 0 || d.side[1].gives > 0 || d.side[1].out > 0 {
			s.returned++
		}
	}
	// A sale: money on one side alone, and something to be had for it.
	if coinA > 0 == (coinZ > 0) || gives == 0 || gets == 0 || max(gives, gets) <= fairHigh*min(gives, gets) {
		return
	}
	off := float32(w * math.Abs(gives-gets))
	for _, n := range []*node{a, z} {
		n.off += off
		n.offs++
	}
}

// sales is which part of the deals in which items are given has a return. Logs that
// never tell of one leave the optional fields out: then all may be sales.
func (s *snapshot) sales() float64 {
	if s.returned*100 <= s.gave {
		return 1
	}
	return float64(s.returned) / float64(s.gave)
}

// frequency finds who trades far more often than others do.
func (s *snapshot) frequency() {
	var all []float64
	for i := range s.nodes {
		if n := s.nodes[i].deals; n > 0 {
			all = append(all, float64(n))
		}
	}
	top := max(5, quantile(all, .95))
	for i := range s.nodes {
		n := &s.nodes[i]
		n.often = float32(ramp(float64(n.deals)/top, 3, 12))
	}
}

// trades are the factors from how a player trades, who gives away what it has so far.
// They are small: merchants trade often, and whoever is in a hurry takes a bad price.
func (m *marks) trades(n *node, gives float64) {
	m.add(tradeFrequency, .2*float64(n.often)*(.1+.9*gives))
	m.add(priceDeviation, .35*ramp(float64(n.offs), 1, 5)*ramp(float64(n.off/max(n.turn, 1e-9)), .2, .7)*ramp(float64(n.off), 1, 5))
	m.add(fanIn, .6*ramp(float64(n.givers)-float64(n.backers), 3, 12)*ramp(float64(n.purity), .3, .8)*ramp(float64(n.freeIn), .2, 1))
}
