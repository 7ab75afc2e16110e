package worlds

// plan lays out what a player does on a day.
func (w *World) plan(p *person, d int) {
	if p.active == 0 || d < p.from || d > p.to || !w.chance(p.active) {
		return
	}
	if len(p.devices) > 0 {
		p.nowDevice = pick(w, p.devices)
	}
	sessions := 1
	if p.hours <= 5 && w.chance(.33) {
		sessions = 2
	}
	for n := range sessions {
		at := w.dayOf(d) + int64(mod24(p.peak+2*w.rng.NormFloat64())*float64(hour))
		at = max(at, p.created+1000)
		end := at + int64(p.hours*w.spread(.4)*float64(hour))
		if n == 0 {
			w.at(at, func(at int64) { w.login(at, p) })
		}
		for at < end {
			at += int64(p.gap * w.spread(p.sigma) * float64(second))
			w.at(at, func(at int64) { w.step(at, p) })
		}
	}
}

func mod24(h float64) float64 {
	for h < 0 {
		h += 24
	}
	for h >= 24 {
		h -= 24
	}
	return h
}

// login is the first thing of a day.
func (w *World) login(at int64, p *person) {
	if p.created >= w.start && !p.greeted {
		p.greeted = true
		w.pay(at, p, 500, note{action: "grant", source: "new_player_gift"})
		if p.kind == "newbie" && w.chance(.5) {
			f := pick(w, p.friends)
			w.at(at+w.minutes(5, 90), func(at int64) {
				w.trade(at, f, p, offer{gold: min(f.gold*3/10, pick(w, []int64{500, 1000, 2000, 5000})), kind: "gift"})
			})
		}
	}
	w.pay(at+10, p, 50, note{action: "earn", source: "daily_login"})
	switch p.kind {
	case "alt":
		switch u := w.rng.Float64(); {
		case u < .25:
			w.handAt(at+minute, p.main, p, .05, "mail")
		case u < .5:
			w.handAt(at+minute, p, p.main, .6, "mail")
		}
	case "quitter":
		w.quit(at, p)
	case "whale":
		w.shop(at, p)
	}
}

// quit gives all away on one of the last days.
func (w *World) quit(at int64, p *person) {
	if p.left || int((at-w.start)/day) < p.to-1 {
		return
	}
	p.left = true
	heir := pick(w, p.friends)
	if p.bank != nil {
		heir = p.bank
	}
	w.at(at+10*minute, func(at int64) {
		w.trade(at, p, heir, offer{items: p.allPieces(6), gold: p.gold * 19 / 20, kind: "gift"})
	})
}

// shop buys gems; a card is charged back at times, for no bad reason.
func (w *World) shop(at int64, p *person) {
	if !w.chance(.35) {
		return
	}
	gems := pick(w, []int64{500, 1000, 3000, 6500})
	w.pay(at+20, p, gems, note{action: "purchase", source: "store", gems: true, order: w.name("o")})
	w.at(at+5*minute, func(at int64) {
		w.pay(at, p, int64(float64(gems)*w.uniform(.6, 1)), note{action: "spend", source: pick(w, []string{"gacha", "costume_shop", "battle_pass"}), gems: true})
	})
	if w.chance(.02) {
		w.at(at+w.hours(24, 72), func(at int64) {
			w.pay(at, p, gems, note{action: "chargeback", source: "store", gems: true, passive: true})
		})
	}
}

// step is one deed of a player.
func (w *World) step(at int64, p *person) {
	u := w.rng.Float64()
	switch {
	case p.kind == "flipper" && u < .75:
		w.flip(at, p)
	case p.kind == "idler" && u < .8:
		w.earn(at, p, w.uniform(.5, .7), "auto_battle")
	case u < .48:
		times := w.spread(.6)
		if p.kind == "gatherer" {
			times *= .3
		}
		source := pick(w, []string{"quest", "monster_drop", "monster_drop", "dungeon", "arena", "daily_quest"})
		if w.bounty(at) > 1 {
			source = "event_reward"
		}
		w.earn(at, p, times, source)
	case u < .68 || p.kind == "gatherer" && u < .86:
		w.gather(at, p)
	case u < .82:
		f := w.rng.Float64()
		w.pay(at, p, int64(float64(p.gold)*f*f/2), note{action: "spend", source: pick(w, []string{"npc_shop", "repair", "upgrade", "teleport", "enchant"})})
	case u < .9:
		w.use(at, p)
	case u < .965:
		most, from := 1.35, w.mats
		if p.kind == "whale" {
			most = 2.5
		}
		if w.chance(.15) {
			from = w.gear
		}
		w.buy(at, p, pick(w, from), most)
	case u < .985:
		w.meet(at, p)
	case p.kind == "whale" && len(p.pieces) > 0 && w.chance(.3):
		w.trade(at, p, pick(w, p.friends), offer{items: []stack{pick(w, p.pieces).stack()}, kind: "gift"})
	}
}

func (w *World) earn(at int64, p *person, times float64, source string) {
	w.pay(at, p, int64(p.skill*times*w.bounty(at)), note{action: "earn", source: source})
}

// flip buys what is cheap and sells it dearer.
func (w *World) flip(at int64, p *person) {
	if w.chance(.6) {
		from := w.mats
		if w.chance(.3) {
			from = w.gear
		}
		if s, ok := w.buy(at, p, pick(w, from), .97); ok {
			w.at(at+w.minutes(1, 180), func(at int64) { w.list(at, p, s, w.uniform(1, 1.12), "") })
		}
		return
	}
	if own := w.owned(p, 0); len(own) > 0 {
		g := pick(w, own)
		w.list(at, p, stack{g, min(p.stacks[g], int64(w.between(1, 50))), ""}, w.uniform(.97, 1.08), "")
	}
}

func (w *World) gather(at int64, p *person) {
	switch {
	case w.chance(.012):
		best := pick(w, w.gear)
		for range 2 { // dear things are rare
			if g := pick(w, w.gear); w.price(w.start, g) < w.price(w.start, best) {
				best = g
			}
		}
		w.acquire(at, p, best, 1, pick(w, []string{"boss_drop", "dungeon", "craft"}))
	case p.kind == "gatherer":
		w.acquire(at, p, p.favourite, int64(w.between(1, 6)), "gather")
	default:
		w.acquire(at, p, pick(w, w.mats), int64(w.between(1, 6)), "monster_drop")
	}
}

// use uses up or sells something.
func (w *World) use(at int64, p *person) {
	own := w.owned(p, 0)
	switch {
	case len(own) > 0 && w.chance(.85):
		g := pick(w, own)
		s := stack{g, min(p.stacks[g], int64(w.between(1, 40))), ""}
		if w.chance(.3) {
			w.move(at, p, s, note{action: "consume", source: "craft"})
		} else {
			w.list(at, p, s, w.uniform(.85, 1.15), "")
		}
	case len(p.pieces) > 0 && w.chance(.35):
		w.list(at, p, pick(w, p.pieces).stack(), w.uniform(.85, 1.2), "")
	}
}

// meet deals with the guild or a friend.
func (w *World) meet(at int64, p *person) {
	if p.bank != nil && p.gold > 200 && w.chance(.6) {
		w.hand(at, p, p.bank, w.uniform(.02, .2), "guild_bank", "")
		if w.chance(.12) {
			w.handAt(at+minute, p.bank, p, w.uniform(.02, .15), "guild_bank")
		}
		return
	}
	if len(p.friends) == 0 {
		return
	}
	f := pick(w, p.friends)
	if w.chance(.55) {
		if own := w.owned(p, 3); len(own) > 0 {
			g := pick(w, own)
			n := int64(w.between(1, int(p.stacks[g])))
			w.trade(at, p, f, offer{items: []stack{{g, n, ""}}, back: int64(w.price(at, g) * float64(n) * w.uniform(.5, 1.2))})
		}
		return
	}
	most := .2
	if p.kind == "whale" {
		most = .5
	}
	w.hand(at, p, f, w.uniform(.02, most), "gift", "")
}
