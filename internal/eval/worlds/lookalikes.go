package worlds

import "slices"

// lookalike is a kind of honest player whose deeds look like those of villains.
type lookalike struct {
	name   string
	groups float64 // per 1,000 players
	make   func(w *World)
}

func lookalikes() []lookalike {
	return []lookalike{
		{"organiser", 6, (*World).organiser},
		{"veteran", 14, (*World).veteran},
		{"shopkeeper", 10, (*World).shopkeeper},
		{"family", 5, (*World).family},
		{"entertainer", 6, (*World).entertainer},
		{"treasurer", 7, (*World).treasurer},
		{"speculator", 12, (*World).speculator},
		{"artisan", 9, (*World).artisan},
		{"lender", 9, (*World).lender},
		{"kitty", 2.5, (*World).kitty},
		{"mover", 7, (*World).mover},
	}
}

// organiser holds a tournament every few days: fees from many, prizes for three.
func (w *World) organiser() {
	p := w.member("organiser")
	p.active, p.hours = .8, 2.5
	fee, first := pick(w, []int64{200, 500, 1000}), w.between(0, 4)
	w.eachDay(first, w.cfg.Days, 12, 14, func(at int64) {
		if (int((at-w.start)/day)-first)%w.between(2, 4) != 0 {
			return
		}
		var in []*person
		for _, f := range some(w, w.humans, w.between(15, 40)) {
			w.at(at+w.hours(0, 5), func(at int64) {
				if f.gold > 2*fee && w.trade(at, f, p, offer{gold: fee}) {
					in = append(in, f)
				}
			})
		}
		w.at(at+w.hours(6, 8), func(at int64) {
			pot := fee * int64(len(in))
			for i, f := range some(w, in, 3) {
				w.at(at+int64(i)*minute, func(at int64) {
					w.trade(at, p, f, offer{gold: pot * []int64{50, 30, 15}[i] / 100, kind: "gift"})
				})
			}
		})
	})
}

// veteran comes back after years, on a new telephone: sells what it has for little,
// gives to friends, and plays on.
func (w *World) veteran() {
	p := w.member("veteran")
	p.from = w.between(1, w.cfg.Days-1)
	p.active, p.device, p.ip = 0, w.name("d"), w.name("i")
	for range w.between(2, 6) {
		w.find(p, pick(w, w.gear))
	}
	p.gold += int64(w.uniform(3000, 40_000))
	h := habitOf("hardcore")
	w.at(w.dayOf(p.from)+w.hours(14, 23), func(at int64) {
		w.login(at, p)
		w.sellOff(at+w.minutes(3, 30), p, .8, 1, "")
		for range w.between(0, 3) {
			f := pick(w, p.friends)
			w.at(at+w.hours(.2, 2), func(at int64) {
				if len(p.pieces) > 0 && w.chance(.6) {
					w.trade(at, p, f, offer{items: []stack{pick(w, p.pieces).stack()}, kind: "gift"})
				} else {
					w.hand(at, p, f, w.uniform(.1, .5), "gift", "")
				}
			})
		}
		p.active, p.hours = h.active, h.hours
	})
}

// shopkeeper buys from players and sells to players, all day, without the auctions.
func (w *World) shopkeeper() {
	p := w.member("shopkeeper")
	p.active, p.hours = .95, 4
	p.gold += int64(w.uniform(10_000, 60_000))
	w.daily = append(w.daily, func(d int) {
		if !w.chance(.95) {
			return
		}
		for range w.between(15, 45) {
			w.at(w.dayOf(d)+w.hours(9, 24), func(at int64) {
				c := pick(w, w.humans)
				if w.chance(.5) {
					if own := w.owned(c, 2); len(own) > 0 {
						g := pick(w, own)
						n := min(c.stacks[g], int64(w.between(2, 60)))
						w.trade(at, c, p, offer{items: []stack{{g, n, ""}}, back: int64(w.price(at, g) * float64(n) * w.uniform(.7, .92))})
					}
				} else if own := w.owned(p, 0); len(own) > 0 {
					g := pick(w, own)
					n := min(p.stacks[g], int64(w.between(1, 60)))
					w.trade(at, p, c, offer{items: []stack{{g, n, ""}}, back: int64(w.price(at, g) * float64(n) * w.uniform(.98, 1.2))})
				}
			})
		}
	})
}

// family plays on one machine: a parent gives pocket money, the children give what they find.
func (w *World) family() {
	parent := w.member("family")
	parent.active = .8
	for range w.between(1, 5) {
		child := w.member("family")
		child.device, child.ip, child.active = parent.device, parent.ip, .7
		if w.chance(.5) {
			child.from = w.between(0, w.cfg.Days-1)
			child.created = w.dayOf(child.from) + w.hours(0, 10)
			child.gold, child.pieces = 0, nil
			clear(child.stacks)
		}
		w.eachDay(child.from, w.cfg.Days, 17, 22, func(at int64) {
			if at < child.created || w.chance(.4) {
				return
			}
			w.hand(at, parent, child, w.uniform(.03, .2), "gift", "")
			if own := w.owned(child, 1); len(own) > 0 && w.chance(.6) {
				g := pick(w, own)
				w.at(at+5*minute, func(at int64) {
					w.trade(at, child, parent, offer{items: []stack{{g, child.stacks[g], ""}}, kind: "mail"})
				})
			}
			if w.chance(.2) {
				w.handAt(at+9*minute, child, parent, w.uniform(.3, .8), "mail")
			}
		})
	}
}

// entertainer plays before an audience that gives, and raffles some of it.
func (w *World) entertainer() {
	p := w.member("entertainer")
	p.active = .9
	w.eachDay(0, w.cfg.Days, 19, 21, func(at int64) {
		if w.chance(.35) {
			return
		}
		for range w.between(3, 14) {
			f := pick(w, w.humans)
			w.at(at+w.hours(0, 3), func(at int64) { w.hand(at, f, p, w.uniform(.01, .12), "gift", "") })
		}
		w.at(at+w.hours(3, 3.5), func(at int64) {
			for i, f := range some(w, w.humans, w.between(2, 9)) {
				w.handAt(at+int64(i)*20*second, p, f, .07, "gift")
			}
		})
	})
}

// treasurer takes a guild's weekly dues in person, brings most of them to the bank and
// pays those who led.
func (w *World) treasurer() {
	p := w.member("treasurer")
	p.active, p.bank = .85, pick(w, w.kinds["guild_bank"])
	var members []*person
	for _, f := range w.humans {
		if f.bank == p.bank {
			members = append(members, f)
		}
	}
	due := w.between(0, 3)
	w.eachDay(0, w.cfg.Days, 18, 20, func(at int64) {
		if (int((at-w.start)/day)+due)%3 != 0 {
			return
		}
		for _, f := range some(w, members, 20) {
			w.at(at+w.hours(0, 3), func(at int64) { w.hand(at, f, p, w.uniform(.05, .15), "direct", "") })
		}
		w.at(at+w.hours(3, 4), func(at int64) {
			w.hand(at, p, p.bank, w.uniform(.5, .85), "guild_bank", "")
			for i, f := range some(w, members, 2) {
				w.handAt(at+int64(1+i)*minute, p, f, .2, "direct")
			}
		})
	})
}

// speculator buys all it can on days on which the game pays much, and sells afterwards.
func (w *World) speculator() {
	p := w.member("speculator")
	p.active, p.hours = .9, 3
	p.gold += int64(w.uniform(5000, 80_000))
	w.daily = append(w.daily, func(d int) {
		for range w.between(10, 40) {
			w.at(w.dayOf(d)+w.hours(7, 24), func(at int64) {
				if w.bounty(at) > 1 {
					w.buy(at, p, pick(w, w.mats), 1.15)
				} else if own := w.owned(p, 0); len(own) > 0 {
					g := pick(w, own)
					w.list(at, p, stack{g, p.stacks[g], ""}, w.uniform(1.05, 1.4), "")
				}
			})
		}
	})
}

// artisan makes things to order: takes material first, gives the work a while later.
func (w *World) artisan() {
	p := w.member("artisan")
	p.active = .85
	w.eachDay(0, w.cfg.Days, 13, 23, func(at int64) {
		for range w.between(0, 4) {
			c := pick(w, w.humans)
			own := w.owned(c, 4)
			if len(own) == 0 {
				continue
			}
			g := pick(w, own)
			if !w.trade(at, c, p, offer{items: []stack{{g, c.stacks[g] - 1, ""}}, gold: min(c.gold/5, 900)}) {
				continue
			}
			w.at(at+w.hours(.5, 20), func(at int64) {
				if p.stacks[g] > 0 {
					w.move(at, p, stack{g, p.stacks[g], ""}, note{action: "consume", source: "craft"})
				}
				w.acquire(at+50, p, pick(w, w.gear), 1, "craft")
				made := p.pieces[len(p.pieces)-1].stack()
				w.at(at+minute, func(at int64) { w.trade(at, p, c, offer{items: []stack{made}, kind: "mail"}) })
			})
		}
	})
}

// lender lends friends much of what it has, and has it back with a little more.
func (w *World) lender() {
	p := w.member("lender")
	p.active = .8
	p.gold += int64(w.uniform(5000, 50_000))
	around := slices.Clone(p.friends)
	w.eachDay(0, w.cfg.Days, 15, 22, func(at int64) {
		f := pick(w, around)
		loan := int64(float64(p.gold) * w.uniform(.1, .5))
		if w.chance(.5) || loan < 500 || !w.trade(at, p, f, offer{gold: loan}) {
			return
		}
		back := at + w.hours(20, 80)
		w.at(back, func(at int64) { w.trade(at, f, p, offer{gold: min(f.gold, loan*21/20)}) })
	})
}
