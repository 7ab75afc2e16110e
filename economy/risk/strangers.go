package risk

import (
	"cmp"
	"slices"
)

// strangers looks at single gifts between players that had nothing to do with each
// other before: accounts that were emptied, players that were cheated of something
// dear, and buyers of what a seller delivers.
func (s *snapshot) strangers(b *Book, m *moves) {
	var losses []loss // by giver, as gifts are sorted
	for i := 0; i < len(m.gifts); {
		j := i
		for ; j < len(m.gifts) && m.gifts[j].from == m.gifts[i].from && m.gifts[j].to == m.gifts[i].to; j++ {
		}
		if l := s.pair(b, m.gifts[i:j]); l.hurts > 0 {
			losses = append(losses, l)
		}
		i = j
	}
	s.cheated(losses)
	s.even(losses)
}

// loss is that a player lost much to another at once.
type loss struct {
	from, to int32
	free     float32 // the largest gift that hurts; 0 where none does by itself
	hurts    float32 // how far all of them do
}

// cheatedMost is by how many others somebody may be cheated of something dear within what
// is remembered. Who loses much to ever more is no victim of each of them: it makes things
// to order, is generous, or delivers what was paid for elsewhere.
const cheatedMost = 2

// cheated sums what the losses say of their takers.
func (s *snapshot) cheated(losses []loss) {
	for i := 0; i < len(losses); {
		j, n := i, 0
		for ; j < len(losses) && losses[j].from == losses[i].from; j++ {
			if losses[j].hurts > .1 {
				n++
			}
		}
		for ; i < j; i++ {
			s.nodes[losses[i].to].unfair += losses[i].hurts * float32(min(1, cheatedMost/float64(max(1, n))))
		}
	}
}

// even finds for whom many lost the same amount, to the last coin.
func (s *snapshot) even(losses []loss) {
	losses = slices.DeleteFunc(losses, func(l loss) bool { return l.free == 0 })
	slices.SortFunc(losses, func(x, y loss) int {
		return cmp.Or(cmp.Compare(x.to, y.to), cmp.Compare(x.free, y.free))
	})
	for i := 0; i < len(losses); {
		j, run, most := i, 0, 0
		for ; j < len(losses) && losses[j].to == losses[i].to; j++ {
			if j > i && losses[j].free != losses[j-1].free {
				run = 0
			}
			run++
			most = max(most, run)
		}
		if j-i >= evenFrom {
			s.nodes[losses[i].to].even = float32(most) / float32(j-i)
		}
		i = j
	}
}

// evenFrom is from how many losses on they may be called even.
const evenFrom = 4

// pair judges what one player gave another, in the order of time.
// It returns how the giver was hurt by it.
func (s *snapshot) pair(b *Book, gifts []gift) (hurtBy loss) {
	e := s.edge(gifts[0].from, gifts[0].to)
	if e == nil || e.net < .3 {
		return loss{}
	}
	if back := s.edge(e.to, e.from); back != nil && back.free > e.free/4 {
		return loss{}
	}
	from, to := &s.nodes[e.from], &s.nodes[e.to]
	mule := to.mule()
	home := s.household(b, e)
	if home {
		mule *= .1
	}
	var hurts, sells, free, worst float64
	var last int64
	for i := range gifts {
		g := &gifts[i]
		if g.free < .3 || g.kind == kindGuild {
			continue
		}
		w := fade(g.at, s.at, halfLife)
		part := float64(g.drain) / 200
		if g.n >= 2 {
			part = max(part, ramp(float64(g.n), 0, 5))
		}
		free += w * float64(g.free)
		last = g.at
		if g.at-int64(e.first)*minute > day {
			continue // they know each other
		}
		if !home {
			worst = max(worst, w*s.emptied(b, g, part, mule))
		}
		hurt := g.hurts(part) * w
		if hurt > .1 && g.free > hurtBy.free {
			hurtBy.free = g.free
		}
		hurts = max(hurts, hurt*(1-devotion(float64(from.devoted))*float64(min(1, e.n-1))))
		sells = max(sells, ramp(float64(g.free), .5, 2)*w)
	}
	// Emptied bit by bit, in a few days.
	if e.n > 1 && last > 0 && last-int64(e.first)*minute < 5*day {
		means := float64(max(from.own+from.freeIn, from.freeOut, 1e-9))
		_, _, lives := s.circumstances(b, &gift{from: e.from, at: last})
		worst = max(worst, .7*mule*devotion(free/means)*ramp(free, .5, 3)*(1-.3*lives))
	}
	from.drain = max(from.drain, float32(worst))
	to.drained = max(to.drained, float32(worst))
	from.seller += float32(sells)
	hurtBy.from, hurtBy.to = e.from, e.to
	hurtBy.hurts = float32(hurts * (1 - .7*ramp(float64(e.n), 2, 5))) // nobody is cheated again and again
	return hurtBy
}

// hurts is how far a gift, of a part of what the giver had, hurts it.
func (g *gift) hurts(part float64) float64 {
	hurt := max(ramp(part, .3, .6), ramp(float64(g.free), .5, 3))
	if g.kind == kindGift {
		hurt *= .4
	}
	if g.drain > 0 && g.n == 0 { // a small part of one's money is a fee, or dues
		hurt *= ramp(part, .1, .35)
	}
	return hurt
}

// mule is how far a taker of gifts is one: it does not play, or hands on what it gets; a
// bank has members.
func (n *node) mule() float64 {
	idle := 1 - ramp(float64(n.own/(n.own+n.freeIn+1e-9)), .05, .4)
	dead := 1 - ramp(float64(n.plays), 3, 40)
	on := ramp(float64(n.freeOut/max(n.freeIn, 1e-9)), .3, .8)
	return idle * max(on, dead*(.3+.6*on)) * (1 - ramp(float64(n.backers), 2, 6))
}

// household reports whether both sides of an edge were seen on a device that the giver
// had used first, or a day before it first gave. Whoever takes an account over may act on the device
// of the account that gets it all, but that is new to the giver.
func (s *snapshot) household(b *Book, e *edge) bool {
	if !s.sameDevice(e.from, e.to) {
		return false
	}
	desk := takeDesk()
	defer desk.done()
	b.rlock(desk, s.who[e.from], s.who[e.to])
	defer b.mu.RUnlock()
	pl, _ := b.read(s.who[e.from], desk, 0)
	giver := *pl
	taker, _ := b.read(s.who[e.to], desk, 0)
	first, _ := giver.oldest()
	for i := range giver.devs {
		d := &giver.devs[i]
		if d.id == 0 || d.first > e.first-24*60 && i != first {
			continue
		}
		for j := range taker.devs {
			if taker.devs[j].id == d.id {
				return true
			}
		}
	}
	return false
}

// emptied is how far a gift looks like the end of a taken account.
func (s *snapshot) emptied(b *Book, g *gift, part, mule float64) float64 {
	v := ramp(part, .6, .95) * ramp(float64(g.free), .5, 2)
	if v == 0 {
		return 0
	}
	fresh, known, lives := s.circumstances(b, g)
	switch {
	case known && fresh:
		return v * (.5 + .5*mule)
	case known:
		return v * .45 * mule * (1 - .5*lives)
	default:
		return v * .8 * mule * (1 - .5*lives)
	}
}

// circumstances are whether the giver acted on a device that was new to it, whether
// that is known, and how far it goes on playing.
func (s *snapshot) circumstances(b *Book, g *gift) (fresh, known bool, lives float64) {
	desk := takeDesk()
	defer desk.done()
	b.rlock(desk, s.who[g.from])
	defer b.mu.RUnlock()
	pl, _ := b.read(s.who[g.from], desk, 0)
	if pl.played > g.at+6*hour {
		lives = 1
	}
	if g.dev == 0 || pl.devs[0].id == 0 {
		return false, false, lives
	}
	at := int32(g.at / minute)
	older := false
	var here *device
	for i := range pl.devs {
		d := &pl.devs[i]
		switch {
		case d.id == g.dev:
			here = d
		case d.id != 0 && d.first < at-24*60:
			older = true
		}
	}
	if here == nil {
		return older, older, lives
	}
	return older && at-here.first < 24*60, true, lives
}
