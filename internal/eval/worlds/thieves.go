package worlds

// launder makes money out of nothing and washes it through many small trades: some
// helpers get a little each, again and again, and bring it to a bank.
func (w *World) launder(ring string) {
	const arch = "launder"
	maker, bank := w.villain("hardcore", arch, "maker", ring, .9), w.villain("casual", arch, "bank", ring, .2)
	helpers := make([]*person, w.between(3, 6))
	for i := range helpers {
		helpers[i] = w.villain("casual", arch, "helper", ring, .3)
	}
	stacked := w.chance(.4) // it copies goods, else money
	dear := maker.favourite
	for range 8 {
		if g := pick(w, w.mats); w.price(w.start, g) > w.price(w.start, dear) {
			dear = g
		}
	}
	first := w.between(1, max(2, w.cfg.Days-4))
	w.daily = append(w.daily, func(d int) {
		if d < first || w.chance(.15) {
			return
		}
		w.at(w.dayOf(d)+w.hours(8, 16), func(at int64) {
			maker.bad(at)
			if stacked {
				maker.stacks[dear] += int64(w.between(80, 400)) // without an entry
			} else {
				maker.gold += pick(w, []int64{8000, 20_000, 50_000})
			}
			for range w.between(6, 15) {
				h := pick(w, helpers)
				w.at(at+w.hours(.2, 7), func(at int64) { w.slip(at, maker, h, dear, stacked) })
			}
		})
		for _, h := range helpers {
			w.at(w.dayOf(d)+w.hours(20, 24), func(at int64) {
				w.hand(at, h, bank, w.uniform(.4, .8), "direct", arch)
			})
		}
		w.at(w.dayOf(d)+w.hours(21, 24), func(at int64) { w.deliver(at, bank, arch, "direct", 2000, 5000, 10_000) })
	})
}

// slip gives a helper a little of what was made.
func (w *World) slip(at int64, maker, h *person, dear int, stacked bool) {
	const arch = "launder"
	if !stacked {
		w.hand(at, maker, h, w.uniform(.05, .15), pick(w, []string{"mail", "direct", "gift"}), arch)
		return
	}
	if n := min(maker.stacks[dear], int64(w.between(8, 40))); n > 0 && w.trade(at, maker, h, offer{items: []stack{{dear, n, ""}}, kind: "mail", bad: arch}) {
		w.list(at+minute, h, stack{dear, n, ""}, w.uniform(.6, .85), arch)
	}
}

// vault is an officer who empties the guild's bank by night.
func (w *World) vault(ring string) {
	const arch = "vault"
	p, fence := w.villain("hardcore", arch, "officer", ring, .9), w.villain("casual", arch, "fence", ring, .1)
	bank := pick(w, w.kinds["guild_bank"])
	p.bank = bank
	bank.gold += int64(w.uniform(10_000, 60_000))
	night := w.dayOf(w.between(2, w.cfg.Days-1)) + w.hours(1, 5)
	for i := range w.between(2, 6) {
		w.at(night+int64(i)*w.minutes(2, 15), func(at int64) {
			w.hand(at, bank, p, w.uniform(.4, .7), "guild_bank", arch)
		})
	}
	w.at(night+w.hours(1.5, 6), func(at int64) { w.hand(at, p, fence, w.uniform(.85, .98), pick(w, []string{"mail", "direct"}), arch) })
	for range 8 {
		w.at(night+w.hours(8, 60), func(at int64) { w.deliver(at, fence, arch, "direct", 2000, 5000, 10_000, 20_000) })
	}
	w.at(night+2*hour, func(int64) { p.active = .1 })
}

// refund buys with cards that are not its own, for one receiver; the money is called
// back days later.
func (w *World) refund(ring string) {
	const arch = "refund"
	receiver := w.villain("casual", arch, "receiver", ring, .3)
	devices := []string{w.name("d"), w.name("d")}
	first := w.between(0, max(1, w.cfg.Days-6))
	for i := range w.between(3, 7) {
		p := w.villain("newbie", arch, "buyer", ring, .5)
		w.fresh(p, w.dayOf(first)+w.hours(0, 60))
		p.to, p.device = p.from+2, devices[i%2]
		spent := []int64{}
		for range w.between(1, 4) {
			w.at(p.created+w.hours(.3, 30), func(at int64) {
				gems := pick(w, []int64{1000, 3000, 6500})
				spent = append(spent, gems)
				p.bad(at)
				w.pay(at, p, gems, note{action: "purchase", source: "store", gems: true, order: w.name("o")})
				w.at(at+w.minutes(2, 90), func(at int64) { w.passOn(at, p, receiver) })
			})
		}
		w.at(p.created+w.hours(50, 120), func(at int64) {
			for i, gems := range spent {
				w.pay(at+int64(i)*second, p, gems, note{action: "chargeback", source: "store", gems: true, passive: true})
			}
		})
	}
}

func (w *World) passOn(at int64, p, receiver *person) {
	const arch = "refund"
	gems := p.gems
	if gems <= 0 {
		return
	}
	if w.chance(.5) {
		w.trade(at, p, receiver, offer{gold: gems, gems: true, kind: pick(w, []string{"gift", "mail"}), bad: arch})
		return
	}
	w.pay(at, p, gems, note{action: "spend", source: "gem_exchange", gems: true})
	w.pay(at+second, p, gems*12, note{action: "earn", source: "gem_exchange"})
	w.at(at+4*minute, func(at int64) { w.hand(at, p, receiver, .95, "mail", arch) })
}

// heist is somebody in another's account: what it has is sold off in a hurry, and the
// money goes out in some pieces.
func (w *World) heist(ring string) {
	const arch = "heist"
	var v *person
	for v == nil || !v.ordinary() || v.label != 0 || v.kind == "newbie" {
		v = pick(w, w.humans)
	}
	v.label, v.arch, v.role, v.ring = 1, arch, "victim", ring
	v.gold += int64(v.skill * w.uniform(20, 60)) // it has saved since before the world began
	mule, fence := w.villain("casual", arch, "mule", ring, 0), w.villain("casual", arch, "fence", ring, .2)
	came := w.dayOf(w.between(2, w.cfg.Days-1)) + int64(mod24(v.peak+9)*float64(hour))
	if w.chance(.6) {
		w.fresh(mule, came-w.hours(3, 80))
	}
	device, ip := w.name("d"), w.name("i")
	w.at(came, func(at int64) {
		v.nowDevice, v.nowIP, v.devices = device, ip, nil
		v.bad(at)
		v.to = int((at - w.start) / day)
		w.sellOff(at+minute, v, .4, .7, arch)
	})
	for i := range w.between(2, 5) {
		w.at(came+minute+int64(i)*w.minutes(4, 70), func(at int64) {
			w.hand(at, v, mule, w.uniform(.5, .95), pick(w, []string{"direct", "mail"}), arch)
		})
	}
	w.at(came+w.hours(5, 9), func(at int64) { w.hand(at, mule, fence, w.uniform(.9, .99), "direct", arch) })
}

// codes is a farm of accounts that each redeem a code, with collectors who bring it to
// a hub. Honest players redeem the same code.
func (w *World) codes(ring string) {
	const arch = "codes"
	first := w.between(1, max(2, w.cfg.Days-4))
	code := "promo:" + pick(w, []string{"FORUM", "LAUNCH", "RADIO"}) + ring // of its own: nobody redeems one twice
	hub := w.villain("casual", arch, "hub", ring, .3)
	collectors := make([]*person, w.between(2, 5))
	for i := range collectors {
		collectors[i] = w.villain("casual", arch, "collector", ring, .1)
		w.eachDay(first, w.cfg.Days, 22, 24, func(at int64) { w.hand(at, collectors[i], hub, w.uniform(.8, .97), "mail", arch) })
	}
	ip := w.name("i")
	for range w.between(12, 24) {
		p := w.villain("newbie", arch, "redeemer", ring, 0)
		w.fresh(p, w.dayOf(first)+w.hours(-6, 48))
		if w.chance(.5) {
			p.ip = ip
		}
		w.at(p.created+minute, func(at int64) { w.login(at, p) })
		w.at(p.created+w.minutes(2, 15), func(at int64) {
			p.bad(at)
			w.pay(at, p, 3000, note{action: "grant", source: code})
		})
		w.at(p.created+w.hours(.4, 14), func(at int64) {
			w.hand(at, p, pick(w, collectors), w.uniform(.9, 1), pick(w, []string{"mail", "direct"}), arch)
		})
	}
	for _, p := range some(w, w.humans, len(w.humans)/14) {
		w.at(w.dayOf(first)+w.hours(0, 70), func(at int64) {
			if p.created <= at {
				w.pay(at, p, 3000, note{action: "grant", source: code})
			}
		})
	}
	w.daily = append(w.daily, func(d int) {
		if d > first {
			w.at(w.dayOf(d)+w.hours(8, 24), func(at int64) { w.deliver(at, hub, arch, "direct", 2000, 5000, 10_000) })
		}
	})
}
