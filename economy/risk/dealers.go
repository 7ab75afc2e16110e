package risk

// A dealer in money has it from the same few, again and again, and hands it to ever
// others, who have never given it anything. Its suppliers may keep most of what they earn,
// so that no income ends there (funnels.go); what tells is that both sides of it are
// one-way and that they differ. A guild's bank and who keeps its dues give to those who
// gave, an entertainer has little from each of many, a family is few.
const (
	steadyFrom = 3 // gifts from which on a giver is a supplier
	onceUpTo   = 2 // gifts up to which a taker is a customer
)

// chainHops is over how many middlemen a dealer is supplied.
const chainHops = 2

// dealing is how the gifts of a player look from there.
type dealing struct {
	steady, once         float32 // worth from suppliers, worth to customers
	suppliers, customers float32
}

// oneWay reports whether an edge was never returned.
func (s *snapshot) oneWay(e *edge) bool { return e.net > 0 && s.edge(e.to, e.from) == nil }

// dealers finds them, and who supplies them.
func (s *snapshot) dealers() {
	all := make([]dealing, len(s.nodes))
	var supply []*edge
	for i := range s.edges {
		e := &s.edges[i]
		if e.net <= 0 || e.n < steadyFrom && e.n > onceUpTo || !s.oneWay(e) {
			continue
		}
		if e.n >= steadyFrom {
			all[e.to].steady += e.net
			supply = append(supply, e)
		} else {
			all[e.from].once += e.net
			all[e.from].customers++
		}
	}
	s.suppliers(all, supply)
	for i := range all {
		n, d := &s.nodes[i], &all[i]
		if d.suppliers < 2 || d.customers < 3 {
			continue
		}
		few := ramp(float64(d.customers/d.suppliers), .5, 1.5)
		// It hands on more than its own play brings, be it a small part of what it has.
		n.dealer = float32(ramp(float64(d.suppliers), 1, 4) * ramp(float64(d.customers), 3, 10) * few *
			ramp(float64(d.steady/n.freeIn), .3, .7) * ramp(float64(d.once/n.freeOut), .4, .8) *
			ramp(float64(n.freeOut/max(n.own, 1e-9)), .5, 1.5) * ramp(float64(n.freeOut/max(n.own+n.freeIn, n.freeOut)), .1, .3) *
			ramp(float64(n.freeOut), .3, 1.5))
	}
	s.supplying(supply)
}

// supplying goes back from the dealers to who supplies them, through middlemen.
func (s *snapshot) supplying(supply []*edge) {
	behind := make([]float32, len(s.nodes))
	for i := range behind {
		behind[i] = s.nodes[i].dealer
	}
	for range 1 + chainHops {
		for _, e := range supply {
			if behind[e.to] == 0 {
				continue
			}
			from := &s.nodes[e.from]
			v := behind[e.to] * float32(ramp(float64(e.n), 2, 6)*ramp(float64(e.net/from.freeOut), .4, .8))
			from.supplies = max(from.supplies, v)
			behind[e.from] = max(behind[e.from], v*s.brings(e))
		}
	}
}

// brings is how far the giver of an edge is a middleman of its taker: most of what it was
// given goes there, as it came or for what it was sold.
func (s *snapshot) brings(e *edge) float32 {
	n := &s.nodes[e.from]
	return float32(ramp(float64(n.freeIn/(n.own+n.freeIn+1e-9)), .15, .4) * ramp(float64(e.net/max(n.freeIn, 1e-9)), .3, .6))
}

// suppliers counts those of every player; a middleman is worth those that supply it.
func (s *snapshot) suppliers(all []dealing, supply []*edge) {
	was := make([]float32, len(all))
	for range 1 + chainHops {
		for i := range all {
			was[i], all[i].suppliers = all[i].suppliers, 0
		}
		for _, e := range supply {
			all[e.to].suppliers += max(1, was[e.from]*s.brings(e))
		}
	}
}
