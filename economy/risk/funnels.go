package risk

// A funnel is a group of accounts that earn for somebody else: each gives away most
// of what it has, through others, to where it is sold. One hop looks harmless at
// every account; what gives it away is how many players' income ends in one place.

// funnelHops is over how many accounts income is followed.
const funnelHops = 5

// devotion is how far a player that gives away a part of its means works for others.
func devotion(part float64) float64 { return ramp(part, .4, .75) }

// yields is how far the giver of an edge hands over what money it has, again and again:
// who spends well and takes the rest to another every night works for it too.
func (e *edge) yields() float64 { return ramp(float64(e.yield)/200, .5, .85) }

// works is how far the giver of an edge works for who takes.
func (s *snapshot) works(e *edge) float64 {
	return max(devotion(float64(s.nodes[e.from].devoted)), e.yields())
}

// funnels follows gifts to where they end.
func (s *snapshot) funnels() {
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.freeOut > 0 {
			n.devoted = n.devotes()
		}
	}
	// Givers that keep most of what they have say that the taker is popular, not
	// that it is worked for.
	top := make([]float32, len(s.nodes))
	for i := range s.edges {
		e := &s.edges[i]
		if e.net <= 0 {
			continue
		}
		from, to := &s.nodes[e.from], &s.nodes[e.to]
		from.yields += float32(e.yields()) * e.net / from.freeOut
		d := float32(s.works(e))
		if s.sameDevice(e.from, e.to) {
			from.ownPair += e.net
		}
		to.purity += e.net * d
		to.backers += 1 - d
		top[e.from] = max(top[e.from], e.net)
	}
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.freeIn > 0 {
			n.purity /= n.freeIn
		}
		if n.freeOut > 0 {
			n.topTaker = top[i] / n.freeOut
			n.ownPair /= n.freeOut
		}
	}
	count := make([]float32, len(s.nodes))
	next := make([]float32, len(s.nodes))
	for range funnelHops {
		clear(next)
		s.follow(func(e *edge, part float32) {
			from := &s.nodes[e.from]
			own := from.own / max(from.own+from.freeIn, 1e-9)
			next[e.to] += part * min(1, from.freeOut/.2) * (own + count[e.from])
		})
		count, next = next, count
	}
	for i := range s.nodes {
		s.nodes[i].sources = count[i]
	}
	for range funnelHops {
		clear(next)
		s.follow(func(e *edge, part float32) {
			to := &s.nodes[e.to]
			next[e.from] += part * max(to.sources, to.sink)
		})
		for i := range s.nodes {
			s.nodes[i].sink = next[i]
		}
	}
}

// devotes is which part of its means a player gives away: of all, or of its money or
// its goods alone where that is not little. It notes what of it is its own work.
func (n *node) devotes() float32 {
	coins := n.own - n.found
	all := n.freeOut / max(coins+max(n.found, n.fairIn)+n.freeIn, n.freeOut)
	money := min(n.coinOut, n.freeOut)
	goods := n.freeOut - money
	n.labour = (min(coins+n.fairIn+n.freeIn, money) + min(n.found+n.freeIn+n.fairOut, goods)) / n.freeOut
	// What is hardly any of it, if only by rounding, is no part to live for.
	least := n.freeOut / 100
	one := max(money/max(coins+n.fairIn+n.freeIn, money, least), goods/max(n.found+n.freeIn, goods, least))
	return min(1, max(all, one*float32(ramp(float64(all), .15, .4))))
}

// follow calls f for every net gift with the part of the giver's work for others
// that goes along it.
func (s *snapshot) follow(f func(e *edge, part float32)) {
	for i := range s.edges {
		e := &s.edges[i]
		if e.net <= 0 {
			continue
		}
		from := &s.nodes[e.from]
		if d := s.works(e); d > 0 {
			// One gift is not a way of life, but for an account that lives for it or
			// gives just what it earned: cheated players lose what they had before.
			habit := max(from.short, float32(ramp(float64(e.n), 0, 3.5)), .75*float32(ramp(float64(from.labour), .7, 1)))
			f(e, habit*float32(d)*e.net/from.freeOut)
		}
	}
}
