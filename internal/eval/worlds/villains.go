package worlds

// villainy is a way to do harm, by a ring of accounts.
type villainy struct {
	name   string
	groups float64 // rings per 1,000 players
	make   func(w *World, ring string)
}

func villains() []villainy {
	return []villainy{
		{"launder", 1.3, (*World).launder},
		{"drip", 1.3, (*World).drip},
		{"vault", 2, (*World).vault},
		{"refund", 1.6, (*World).refund},
		{"nightly", 1.3, (*World).nightly},
		{"jitter", 1.2, (*World).jitter},
		{"heist", 2.6, (*World).heist},
		{"codes", .9, (*World).codes},
		{"porters", 1.2, (*World).porters},
		{"doubler", 2, (*World).doubler},
	}
}

// villain is an account of a ring that plays like others where active is above 0.
func (w *World) villain(kind, arch, role, ring string, active float64) *person {
	h := habitOf(kind)
	h.active = active
	p := w.add(h)
	p.label, p.arch, p.role, p.ring = 1, arch, role, ring
	w.settle(p)
	p.friends = some(w, w.humans, w.between(2, 5))
	return p
}

// fresh makes an account one that was made in the world, and has nothing.
func (w *World) fresh(p *person, at int64) {
	p.created, p.from = max(at, w.start), int((max(at, w.start)-w.start)/day)
	p.gold, p.gems, p.pieces = 0, 0, nil
	clear(p.stacks)
}

// toil is a machine at work from a time on, for some hours: breaks is the chance of one
// after a deed.
func (w *World) toil(at int64, p *person, hours, breaks float64) {
	w.at(at, func(at int64) {
		w.login(at, p)
		p.bad(at)
	})
	for end := at + int64(hours*float64(hour)); at < end; {
		at += int64(p.gap * w.spread(p.sigma) * float64(second))
		if w.chance(breaks) {
			at += w.minutes(4, 50)
		}
		w.at(at, func(at int64) { w.toilStep(at, p) })
	}
}

func (w *World) toilStep(at int64, p *person) {
	switch u := w.rng.Float64(); {
	case u < .08:
		w.pay(at, p, int64(p.skill*w.uniform(.1, 1.2)), note{action: "spend", source: pick(w, []string{"npc_shop", "repair", "teleport"})})
	case u < .74:
		source := "monster_drop"
		if w.bounty(at) > 1 {
			source = "event_reward"
		}
		w.earn(at, p, w.spread(.35), source)
	case u < .93:
		w.acquire(at, p, p.favourite, int64(w.between(1, 5)), "monster_drop")
	default:
		if n := p.stacks[p.favourite]; n > 6 {
			w.list(at, p, stack{p.favourite, n / 2, ""}, w.uniform(.8, 1), "")
		}
	}
}

// deliver brings money to somebody who bought it outside the game.
func (w *World) deliver(at int64, seller *person, arch, kind string, sizes ...int64) {
	var can []int64
	for _, n := range sizes {
		if n <= seller.gold {
			can = append(can, n)
		}
	}
	c := pick(w, w.humans)
	if len(can) == 0 || !c.ordinary() {
		return
	}
	if w.trade(at, seller, c, offer{gold: pick(w, can), kind: kind, bad: arch}) && c.label == 0 {
		c.label, c.arch = 2, "buyer"
		c.bad(at)
	}
}

// drip sells what some people earn who play long, in small parcels, day after day: they
// keep most and bring a part every other day.
func (w *World) drip(ring string) {
	const arch = "drip"
	seller := w.villain("casual", arch, "seller", ring, .4)
	first := w.between(0, 3)
	for range w.between(4, 9) {
		p := w.villain("hardcore", arch, "worker", ring, .95)
		p.hours, p.from = w.uniform(5, 9), first
		w.eachDay(first, w.cfg.Days, 20, 24, func(at int64) {
			if w.chance(.55) {
				w.hand(at, p, seller, w.uniform(.35, .7), pick(w, []string{"mail", "direct"}), arch)
			}
		})
	}
	w.daily = append(w.daily, func(d int) {
		if d <= first {
			return
		}
		for range w.between(2, 7) {
			w.at(w.dayOf(d)+w.hours(9, 24), func(at int64) {
				w.deliver(at, seller, arch, pick(w, []string{"gift", "direct"}), 500, 1000, 2000, 3000)
			})
		}
	})
}

// nightly are players with steady hours who spend as others do and take what is left to
// one holder before they sleep, who brings it to a seller every few days.
func (w *World) nightly(ring string) {
	const arch = "nightly"
	holder, seller := w.villain("casual", arch, "holder", ring, .1), w.villain("casual", arch, "seller", ring, 0)
	first := w.between(0, max(1, w.cfg.Days/3))
	for range w.between(5, 9) {
		p := w.villain("casual", arch, "hand", ring, .95)
		p.hours, p.from = w.uniform(3.5, 6), first
		bed := w.uniform(21, 22.5)
		w.eachDay(first, w.cfg.Days, bed, bed+1.2, func(at int64) {
			w.hand(at, p, holder, w.uniform(.7, .96), "mail", arch)
		})
	}
	w.eachDay(first+1, w.cfg.Days, 2, 8, func(at int64) {
		if w.chance(.4) {
			w.hand(at, holder, seller, w.uniform(.8, .97), "direct", arch)
		}
	})
	w.daily = append(w.daily, func(d int) {
		for range w.between(1, 4) {
			if d > first+1 {
				w.at(w.dayOf(d)+w.hours(9, 24), func(at int64) { w.deliver(at, seller, arch, "direct", 2000, 5000, 10_000, 20_000) })
			}
		}
	})
}

// jitter is a farm of machines whose pace is as uneven as that of people, with breaks and
// shifts. They pay a broker by buying rubbish from it in the auctions.
func (w *World) jitter(ring string) {
	const arch = "jitter"
	first, shift := w.between(0, max(1, w.cfg.Days/3)), w.uniform(0, 24)
	broker := w.villain("casual", arch, "broker", ring, .05)
	rubbish := w.mats[0]
	for _, g := range w.mats {
		if w.price(w.start, g) < w.price(w.start, rubbish) {
			rubbish = g
		}
	}
	broker.stacks[rubbish] += 900
	devices := []string{w.name("d"), w.name("d"), w.name("d"), w.name("d")}
	for i := range w.between(7, 13) {
		p := w.villain("casual", arch, "machine", ring, 0)
		w.fresh(p, w.dayOf(first)-int64(w.uniform(0, 9)*float64(day)))
		p.created = w.dayOf(first) - int64(w.uniform(-.2, 9)*float64(day))
		p.from = first
		p.gap, p.sigma, p.skill = w.uniform(110, 190), w.uniform(.7, .95), w.uniform(40, 75)
		p.device = devices[i%len(devices)]
		w.daily = append(w.daily, func(d int) {
			if d < first {
				return
			}
			at := max(w.dayOf(d)+int64(mod24(shift+w.uniform(0, 4))*float64(hour)), p.created+minute)
			long := w.uniform(10, 16)
			w.toil(at, p, long, .02)
			w.at(at+int64(long*float64(hour))+w.minutes(1, 30), func(at int64) {
				w.trade(at, broker, p, offer{items: []stack{{rubbish, int64(w.between(1, 4)), ""}}, back: int64(float64(p.gold) * w.uniform(.7, .97)), kind: "auction", bad: arch})
			})
		})
	}
	w.daily = append(w.daily, func(d int) {
		for range w.between(1, 5) {
			if d > first {
				w.at(w.dayOf(d)+w.hours(4, 24), func(at int64) { w.deliver(at, broker, arch, "mail", 2000, 5000, 10_000, 20_000) })
			}
		}
	})
}
