package worlds

// porters turn what they earn into goods before it goes anywhere: workers buy in the
// auctions and mail what they bought to a porter, who sells it at the going price and
// takes the money to a seller.
func (w *World) porters(ring string) {
	const arch = "porters"
	porter, seller := w.villain("casual", arch, "porter", ring, .4), w.villain("casual", arch, "seller", ring, .1)
	first := w.between(0, max(1, w.cfg.Days/3))
	for range w.between(5, 9) {
		p := w.villain("hardcore", arch, "worker", ring, .95)
		p.hours, p.from = w.uniform(4, 8), first
		w.eachDay(first, w.cfg.Days, 19, 23, func(at int64) {
			for i := range 8 {
				w.at(at+int64(i)*minute, func(at int64) { w.buy(at, p, pick(w, w.mats), 1.35) })
			}
			w.at(at+w.minutes(10, 60), func(at int64) { w.parcel(at, p, porter, arch) })
		})
	}
	w.eachDay(first+1, w.cfg.Days, 6, 12, func(at int64) {
		for _, g := range w.owned(porter, 0) {
			w.list(at, porter, stack{g, porter.stacks[g], ""}, w.uniform(.8, .98), "")
		}
	})
	w.eachDay(first+1, w.cfg.Days, 21, 24, func(at int64) {
		w.hand(at, porter, seller, w.uniform(.75, .97), pick(w, []string{"direct", "mail"}), arch)
	})
	w.daily = append(w.daily, func(d int) {
		for range w.between(1, 5) {
			if d > first+1 {
				w.at(w.dayOf(d)+w.hours(9, 24), func(at int64) { w.deliver(at, seller, arch, "direct", 1000, 2000, 5000, 10_000) })
			}
		}
	})
}

// parcel sends the goods that somebody has most of, without a return.
func (w *World) parcel(at int64, p, to *person, bad string) {
	var items []stack
	for _, g := range w.owned(p, 3) {
		if len(items) < 6 {
			items = append(items, stack{g, p.stacks[g], ""})
		}
	}
	if len(items) > 0 {
		w.trade(at, p, to, offer{items: items, kind: "mail", bad: bad})
	}
}

// doubler gives strangers back twice what they gave, while it is little; shills show how
// well it works. Who then gives much has nothing back, and a keeper takes it away.
func (w *World) doubler(ring string) {
	const arch = "doubler"
	p, keeper := w.villain("casual", arch, "trickster", ring, .5), w.villain("casual", arch, "keeper", ring, .2)
	p.gold += int64(w.uniform(4000, 15_000))
	shills := make([]*person, w.between(1, 3))
	for i := range shills {
		shills[i] = w.villain("casual", arch, "shill", ring, .4)
		shills[i].gold += int64(w.uniform(500, 2000))
	}
	first := w.between(1, max(2, w.cfg.Days-2))
	w.eachDay(first, w.cfg.Days, 15, 22, func(at int64) {
		if w.chance(.3) {
			return
		}
		p.bad(at)
		for _, s := range shills {
			w.doubled(at+w.minutes(0, 20), s, p, w.uniform(.3, .6), arch)
		}
		for _, c := range some(w, w.humans, w.between(4, 10)) {
			if !c.ordinary() || c.label != 0 {
				continue
			}
			bait := at + w.minutes(10, 100)
			w.doubled(bait, c, p, w.uniform(.02, .1), "")
			if w.chance(.6) {
				w.at(bait+w.minutes(12, 60), func(at int64) { w.hand(at, c, p, w.uniform(.5, .95), "direct", arch) })
			}
		}
		w.at(at+w.hours(3, 4), func(at int64) { w.hand(at, p, keeper, w.uniform(.5, .85), "mail", arch) })
		w.at(at+w.hours(5, 20), func(at int64) { w.deliver(at, keeper, arch, "direct", 1000, 2000, 5000) })
	})
}

// doubled has somebody give a part of its money and have twice as much back.
func (w *World) doubled(at int64, c, p *person, part float64, bad string) {
	w.at(at, func(at int64) {
		stake := int64(float64(c.gold) * part)
		if stake < 50 || p.gold < stake || !w.trade(at, c, p, offer{gold: stake, bad: bad}) {
			return
		}
		w.at(at+w.minutes(1, 8), func(at int64) { w.trade(at, p, c, offer{gold: 2 * stake, bad: bad}) })
	})
}
