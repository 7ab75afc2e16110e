package worlds

// kitty is some friends who pool what they have: every other evening all give most of it
// to whoever's turn it is, who buys gear that is too dear for one of them.
func (w *World) kitty() {
	members := make([]*person, w.between(4, 8))
	for i := range members {
		members[i] = w.member("kitty")
		members[i].active, members[i].hours = .85, w.uniform(1.5, 3.5)
	}
	for _, p := range members {
		p.friends = members
	}
	turn := 0
	w.eachDay(w.between(0, 3), w.cfg.Days, 19, 22, func(at int64) {
		if w.chance(.4) {
			return
		}
		taker := members[turn%len(members)]
		turn++
		for _, f := range members {
			w.at(at+w.minutes(0, 60), func(at int64) {
				w.hand(at, f, taker, w.uniform(.5, .9), pick(w, []string{"gift", "direct"}), "")
			})
		}
		w.at(at+w.minutes(65, 120), func(at int64) {
			for range 6 {
				w.buy(at, taker, pick(w, w.gear), 1.3)
			}
		})
	})
}

// mover leaves an account for a new one of its own, on another platform or on the same
// telephone: all that it has follows within hours, and it plays on there.
func (w *World) mover() {
	old := w.member("mover")
	old.active, old.hours = .8, 2.5
	day := w.between(1, w.cfg.Days-1)
	at := w.dayOf(day) + w.hours(9, 22)
	old.to = day - 1

	h := usual
	h.kind, h.active, h.hours = "mover", .85, 2.5
	p := w.add(h)
	p.created, p.from, p.ip, p.friends, p.bank = at, day+1, old.ip, old.friends, old.bank
	if w.chance(.4) {
		p.device = old.device
	}
	w.at(at, func(at int64) { w.login(at, p) })
	for range w.between(2, 5) {
		w.at(at+w.minutes(5, 200), func(at int64) {
			w.trade(at, old, p, offer{items: old.allPieces(3), gold: int64(float64(old.gold) * w.uniform(.5, .95)), kind: pick(w, []string{"gift", "mail", "direct"})})
		})
	}
	w.at(at+w.hours(4, 30), func(at int64) {
		for _, g := range w.owned(old, 0) {
			w.trade(at, old, p, offer{items: []stack{{g, old.stacks[g], ""}}, kind: "mail"})
			at += 20 * second
		}
	})
}
