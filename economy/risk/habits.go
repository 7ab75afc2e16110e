package risk

import (
	"cmp"
	"math"
	"slices"
)

// habits judges how and how long players play. Machines keep an even pace for more
// hours than people do. A game may have an automaton of its own, so a pace is judged
// against that of others who earn from the same sources.
func (s *snapshot) habits(b *Book) {
	var o others
	r := s.newRates(b)
	paces := make([]pace, len(s.nodes))
	s.eachPlayer(b, ofAll, func(p int32, pl *player, in *records) {
		nd := &s.nodes[p]
		s.purse(b, in, pl, nd)
		r.add(in, pl, s.at)
		if pl.diary <= 0 {
			return
		}
		di := in.diaries.at(pl.diary - 1)
		m := di.pace(s.at, pl.first)
		paces[p] = m
		nd.awake, nd.fano = m.awake, m.fano
		o.add(di, &m, pl.plays >= 50)
	})
	r.settle()
	s.eachPlayer(b, ofFlows|ofDiary, func(p int32, pl *player, in *records) {
		nd := &s.nodes[p]
		nd.burst = float32(r.over(in, pl, s.at))
		if pl.diary <= 0 {
			return
		}
		m := &paces[p]
		fano, wake := o.expect(in.diaries.at(pl.diary - 1))
		awake := float64(m.awake)
		nd.tireless = float32(ramp(awake, .5, .75) * ramp(awake/max(wake, .05), 1.8, 3))
		if m.known {
			nd.bot = float32(ramp(fano-math.Log(max(.05, float64(m.fano))), .7, 1.8) * ramp(awake, .3, .6))
		}
	})
	s.devices(b)
	s.rings(b)
}

// others is how those play who earn from each source.
type others struct {
	fanos, fanoN [mixCells]float64 // sums of logarithms, and of parts
	wakes, wakeN [mixCells]float64
}

func (o *others) add(d *diary, m *pace, much bool) {
	d.shares(func(c int, part float64) {
		if much {
			o.wakeN[c] += part
			o.wakes[c] += part * float64(m.awake)
		}
		if m.known {
			o.fanoN[c] += part
			o.fanos[c] += part * math.Log(max(.05, float64(m.fano)))
		}
	})
}

// expect is what a player with such sources would show.
func (o *others) expect(d *diary) (fano, wake float64) {
	d.shares(func(c int, part float64) {
		if o.fanoN[c] > 0 {
			fano += part * o.fanos[c] / o.fanoN[c]
		}
		if o.wakeN[c] > 0 {
			wake += part * o.wakes[c] / o.wakeN[c]
		}
	})
	return fano, wake
}

// purse sums a player's wallets.
func (s *snapshot) purse(b *Book, r *records, pl *player, nd *node) {
	now := weight(s.at)
	var bought, charged float64
	for i := pl.wallet; i != 0; {
		w := r.wallets.at(i - 1)
		i = w.next
		if int(w.cur) >= len(s.unit) {
			continue
		}
		u := s.unit[w.cur] * now
		nd.earn += float32(w.sum[sumEarn] / u)
		nd.grant += float32(w.sum[sumGrant] / u)
		nd.spent += float32(w.sum[sumSpend] / u)
		if w.pay > 0 {
			y := r.paid.at(w.pay - 1)
			nd.buy += float32(y.bought / u)
			bought += y.bought / u
			charged += y.charged / u
			nd.charges += float32(y.charges)
		}
		for _, sum := range w.sum {
			if sum/now > math.MaxInt64 {
				nd.odd++ // the sums themselves are saturating floats
			}
		}
	}
	for i := pl.stash; i != 0; {
		st := r.stashes.at(i - 1)
		i = st.next
		if st.found > 0 && int(st.item) < len(s.price) {
			nd.found += float32(st.found / now * s.price[st.item].mid)
		}
	}
	nd.own = nd.earn + nd.grant + nd.buy + nd.found
	if charged > 0 {
		nd.charged = float32(min(1, charged/max(bought, charged)))
	}
	nd.plays = float32(pl.plays)
	nd.odd += float32(pl.odd)
	nd.days = float32(pl.activeDays())
	nd.ageDays = -1
	switch {
	case pl.created > 0:
		nd.told = true
		nd.ageDays = float32(float64(s.at-pl.created) / float64(day))
	case pl.first > b.oldest+2*day:
		nd.ageDays = float32(float64(s.at-pl.first) / float64(day))
	}
	nd.short = float32(1 - ramp(float64(pl.plays), 30, 150))
	if nd.ageDays < 0 {
		nd.short *= .35
	} else {
		nd.short *= float32(1 - ramp(float64(nd.ageDays), 14, 40))
	}
}

// pace is how a player plays. fano is the variance of the number of things done an
// hour over its mean, in hours that lie between others: about 1 or more for people,
// near 0 for a clock. It comes from quartiles, so that single breaks do not count.
type pace struct {
	awake, fano float32
	known       bool // that fano is
}

// pace is the share of the last three days' hours in which something was done, and
// how evenly.
func (d *diary) pace(at, first int64) pace {
	now := int32(floorDiv(at, hour))
	var in []float64
	busy := 0
	for h := now - 71; h <= now; h++ {
		if d.done(h) == 0 {
			continue
		}
		busy++
		if d.done(h-1) > 0 && d.done(h+1) > 0 {
			in = append(in, float64(d.done(h)))
		}
	}
	span := min(72, float64(at-first)/float64(hour))
	m := pace{awake: float32(float64(busy) / max(16, span)), fano: 1}
	if len(in) < 8 {
		return m
	}
	mid := median(in)
	if mid < 3 {
		return m
	}
	sd := (quantile(in, .75) - quantile(in, .25)) / 1.349
	m.fano, m.known = float32((sd*sd+1./12)/mid), true
	return m
}

// shares calls f with the sources a player is credited from and their part.
func (d *diary) shares(f func(cell int, part float64)) {
	total := 0.0
	for _, n := range d.mix {
		total += float64(n)
	}
	for c, n := range d.mix {
		if n > 0 {
			f(c, float64(n)/total)
		}
	}
}

// done is how many things were done in an hour of the ring.
func (d *diary) done(h int32) uint8 {
	if h > d.hourNo || d.hourNo-h >= ringHours {
		return 0
	}
	return d.hours[cell(h)]
}

// seat is that a player was seen on a device.
type seat struct{ device, player int32 }

// devices finds who shares a device with whom.
func (s *snapshot) devices(b *Book) {
	var seats []seat
	s.eachPlayer(b, 0, func(p int32, pl *player, _ *records) {
		for _, d := range pl.devs {
			if d.id != 0 {
				seats = append(seats, seat{d.id, p})
			}
		}
	})
	slices.SortFunc(seats, func(x, y seat) int {
		return cmp.Or(cmp.Compare(x.device, y.device), cmp.Compare(x.player, y.player))
	})
	for i := 0; i < len(seats); {
		j := i
		for ; j < len(seats) && seats[j].device == seats[i].device; j++ {
		}
		n := int32(j - i - 1)
		for ; i < j; i++ {
			p := &s.nodes[seats[i].player]
			p.shared = max(p.shared, n)
			if n > 0 && n <= 3 {
				p.few = 1
			}
			if n > 0 && n <= maxSeats {
				s.seats = append(s.seats, seats[i])
			}
		}
	}
	slices.SortFunc(s.seats, func(x, y seat) int {
		return cmp.Or(cmp.Compare(x.player, y.player), cmp.Compare(x.device, y.device))
	})
}

const (
	// newDays is up to what age an account is new, in days.
	newDays = 14
	// elderPlays is from how many deeds on an older account is one that is played: new
	// ones beside it are those of a household, new ones among themselves those of a farm.
	elderPlays = 30
)

// rings finds machines next to each other: players on one device of which several
// play without rest or at an even pace, or are new.
func (s *snapshot) rings(b *Book) {
	on := map[int32]float32{}
	fresh, elders := map[int32]int{}, map[int32]int{}
	young := func(p int32) bool { return s.nodes[p].ageDays >= 0 && s.nodes[p].ageDays < newDays }
	odd := func(p int32) float32 { return max(s.nodes[p].bot, s.nodes[p].tireless) }
	for _, t := range s.seats {
		on[t.device] += odd(t.player)
		switch n := &s.nodes[t.player]; {
		case young(t.player):
			fresh[t.device]++
		case n.ageDays >= newDays && n.plays >= elderPlays:
			elders[t.device]++
		}
	}
	s.addressRings(b, young, odd)
	for _, t := range s.seats {
		n := &s.nodes[t.player]
		if young(t.player) {
			flock := float32(ramp(float64(fresh[t.device]-1), .5, 3))
			if elders[t.device] > 0 {
				flock *= .3 // a household
			}
			n.flock = max(n.flock, flock)
		}
		n.ring = max(n.ring, float32(ramp(float64(on[t.device]-odd(t.player)), .3, 1)))
	}
}

// maxSeats is up to how many others on a device the players of it have something
// to do with each other; a device of more is a public one.
const maxSeats = 8

// sameDevice reports whether two players were seen on one device.
func (s *snapshot) sameDevice(x, y int32) bool {
	a, z := s.seatsOf(x), s.seatsOf(y)
	for _, i := range a {
		for _, j := range z {
			if i.device == j.device {
				return true
			}
		}
	}
	return false
}

func (s *snapshot) seatsOf(p int32) []seat {
	i, _ := slices.BinarySearchFunc(s.seats, p, func(x seat, p int32) int { return cmp.Compare(x.player, p) })
	j := i
	for j < len(s.seats) && s.seats[j].player == p {
		j++
	}
	return s.seats[i:j]
}
