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

// dealing is how the gifts of a player look from there.
type dealing struct {
	steady, once         float32 // worth from suppliers, worth to customers
	suppliers, customers float32
}

// dealers finds them, and who supplies them.
func (s *snapshot) dealers() {
	all := make([]dealing, len(s.nodes))
	for i := range s.edges {
		e := &s.edges[i]
		if e.net <= 0 || s.edge(e.to, e.from) != nil {
			continue
		}
		if e.n >= steadyFrom {
			all[e.to].steady += e.net
			all[e.to].suppliers++
		}
		if e.n <= onceUpTo {
			all[e.from].once += e.net
			all[e.from].customers++
		}
	}
	for i := range all {
		n, d := &s.nodes[i], &all[i]
		if d.suppliers < 2 || d.customers < 3 {
			continue
		}
		few := ramp(float64(d.customers/d.suppliers), .5, 1.5)
		n.dealer = float32(ramp(float64(d.suppliers), 1, 4) * ramp(float64(d.customers), 3, 10) * few *
			ramp(float64(d.steady/n.freeIn), .3, .7) * ramp(float64(d.once/n.freeOut), .4, .8) *
			ramp(float64(n.freeOut/max(n.own+n.freeIn, n.freeOut)), .2, .5) * ramp(float64(n.freeOut), .3, 1.5))
	}
	for i := range s.edges {
		e := &s.edges[i]
		if to := s.nodes[e.to].dealer; to > 0 && e.net > 0 && e.n >= steadyFrom {
			from := &s.nodes[e.from]
			v := to * float32(ramp(float64(e.n), 2, 6)*ramp(float64(e.net/from.freeOut), .4, .8))
			from.supplies = max(from.supplies, v)
		}
	}
}
