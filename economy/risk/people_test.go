package risk

import "github.com/portcullis-gg/portcullis/economy"

// populate fills the world with ordinary people and those who look like villains.
func (w *world) populate(n int) []string {
	var all []string
	var banks []string
	for range max(2, n/60) {
		banks = append(banks, w.person("bank", false))
	}
	for i := range n {
		kind := "casual"
		switch k := i % 20; {
		case k < 3:
			kind = "eager"
		case k == 3:
			kind = "auto" // the game's own automaton
		case k == 4:
			kind = "merchant"
		case k == 5:
			kind = "leaver"
		case k == 6:
			kind = "couple"
		}
		id := w.person(kind, false)
		all = append(all, id)
		bank := banks[w.r.IntN(len(banks))]
		friend := ""
		if i > 0 {
			friend = all[w.r.IntN(len(all))]
		}
		gone := 2 + w.r.IntN(w.days)
		w.todo = append(w.todo, func(d int) { w.live(id, kind, bank, friend, d, gone) })
	}
	w.todo = append(w.todo, func(d int) { w.market(all, d) })
	return all
}

// live is a day of an ordinary player.
func (w *world) live(id, kind, bank, friend string, d, gone int) {
	hours, pause, sigma, pay, source, chance := 1.2, 200., .9, int64(60), "quest", .5
	switch kind {
	case "eager":
		hours, pause, pay, chance = 3.5, 160, 90, .9
	case "auto":
		hours, pause, sigma, source, chance = 9, 90, .15, "auto_battle", .9
	case "leaver":
		if d > gone {
			return
		}
	}
	if w.r.Float64() > chance {
		return
	}
	t := w.at(d, 8+w.r.Float64()*10)
	login := t
	w.plan(login, func() {
		w.coin(login, id, economy.Earn, 50, "daily_login", func(e *economy.Entry) { e.Created = w.start - 300*day })
	})
	w.play(id, t, hours*(.6+w.r.Float64()), pause, sigma, pay, source)
	t = w.at(d, 20+w.r.Float64()*3)
	switch v := w.r.Float64(); {
	case kind == "leaver" && d >= gone-1 && friend != "":
		w.part(t, id, friend, "gift", .9)
	case kind == "couple" && friend != "" && v < .5:
		w.part(t, id, friend, "mail", .5)
	case v < .3:
		w.part(t, id, bank, "guild_bank", .1)
	case v < .36:
		w.part(t, bank, id, "guild_bank", .08)
	case v < .45 && friend != "":
		w.part(t, id, friend, "gift", .05)
	}
}

// market is a day of the auction house.
func (w *world) market(all []string, d int) {
	for range len(all) {
		seller, buyer := all[w.r.IntN(len(all))], all[w.r.IntN(len(all))]
		t := w.at(d, w.r.Float64()*24)
		w.plan(t, func() {
			item := []string{"ore", "herb", "silk"}[w.r.IntN(3)]
			if n := w.bag[seller][item]; n >= 2 {
				n = 1 + w.r.Int64N(n)
				w.swap(t, seller, buyer, "auction", 0, item, n, int64(testPrices[item]*float64(n)*(.8+.4*w.r.Float64()))+1)
			}
		})
	}
}

// The villains. Each is a way to abuse an economy that is none of the simulator's.

// relay: players in shifts, at a human pace, whose gold goes to a banker over two
// hands, some days apart.
func (w *world) relay(all []string) {
	first, banker := w.person("relay", true), w.person("relay", true)
	for range 6 {
		id := w.person("relay", true)
		w.todo = append(w.todo, func(d int) {
			w.play(id, w.at(d, 4+4*w.r.Float64()), 9, 180, .9, 90, "quest")
			w.part(w.at(d, 20+w.r.Float64()), id, first, "mail", .8)
		})
	}
	w.todo = append(w.todo, func(d int) {
		if d%2 == 1 {
			w.part(w.at(d, 22), first, banker, "gift", .9)
			customer := all[w.r.IntN(len(all))]
			w.grey[customer] = true
			w.part(w.at(d, 23), banker, customer, "mail", .2)
		}
	})
}

// overpay: accounts that hand over by paying far too much for junk.
func (w *world) overpay(all []string) {
	shop := w.person("overpay", true)
	w.bag[shop]["junk"] = 10000
	for range 6 {
		id := w.person("overpay", true)
		w.todo = append(w.todo, func(d int) {
			w.play(id, w.at(d, 2), 12, 120, .4, 60, "quest")
			t := w.at(d, 21+w.r.Float64())
			w.plan(t, func() { w.swap(t, shop, id, "auction", 0, "junk", 1+w.r.Int64N(5), w.gold[id]*9/10) })
		})
	}
	for range 30 { // junk has a price among honest people
		id, other := all[w.r.IntN(len(all))], all[w.r.IntN(len(all))]
		w.bag[id]["junk"] += 20
		w.todo = append(w.todo, func(d int) {
			if w.r.Float64() < .3 {
				w.plan(w.at(d, 12), func() { w.swap(w.at(d, 12), id, other, "auction", 0, "junk", 2, 6) })
			}
		})
	}
}

// minting: a balance that rises in silence, in parts that look like income.
func (w *world) minting([]string) {
	id := w.person("minting", true)
	w.todo = append(w.todo, func(d int) {
		w.play(id, w.at(d, 10), 2, 200, .9, 60, "quest")
		if d > 1 {
			w.plan(w.at(d, 14), func() { w.gold[id] += 2000 + w.r.Int64N(4000) })
			w.play(id, w.at(d, 15), 1, 200, .9, 60, "quest")
		}
	})
}

// takeover: an account that is emptied from a new device to one that does not play.
func (w *world) takeover(all []string) {
	victim := w.person("takeover", true)
	mule, fence := w.person("takeover", true), w.person("takeover", true)
	w.gold[victim] = 20000
	when := 2 + w.r.IntN(w.days-3)
	w.todo = append(w.todo, func(d int) {
		if d < when {
			w.play(victim, w.at(d, 18), 2, 200, .9, 80, "quest")
		}
		if d == when {
			w.plan(w.at(d, 4), func() {
				w.swap(w.at(d, 4), victim, mule, "direct", w.gold[victim]*97/100, "", 0, 0, func(e *economy.Entry) { e.Device = "thief-" + victim })
			})
			w.part(w.at(d, 6), mule, fence, "direct", 1)
		}
	})
	_ = all
}

// echo: one mail is credited twice.
func (w *world) echo(all []string) {
	a, b := w.person("echo", true), w.person("echo", true)
	w.gold[a] = 5000
	w.todo = append(w.todo, func(d int) {
		w.play(a, w.at(d, 10), 1, 200, .9, 60, "quest")
		w.play(b, w.at(d, 12), 1, 200, .9, 60, "quest")
		if d < 1 {
			return
		}
		w.plan(w.at(d, 20), func() {
			x, y := a, b
			if w.gold[b] > w.gold[a] {
				x, y = b, a
			}
			amount := w.gold[x] / 2
			n := len(w.entries)
			if w.swap(w.at(d, 20), x, y, "mail", amount, "", 0, 0) && len(w.entries) > n {
				trade := w.entries[n].TradeID
				w.coin(w.at(d, 20)+40, y, economy.TransferIn, amount, "mail", func(e *economy.Entry) { e.TradeID, e.Device = trade, "" })
			}
		})
	})
	_ = all
}

// carousel: three who sell each other one heap of goods at rising prices.
func (w *world) carousel([]string) {
	ids := []string{w.person("carousel", true), w.person("carousel", true), w.person("carousel", true)}
	w.bag[ids[0]]["gem"] = 60
	price, k := 400., 0
	for _, id := range ids {
		w.gold[id] = 60000
		w.todo = append(w.todo, func(d int) { w.play(id, w.at(d, 10), 1, 200, .9, 60, "quest") })
	}
	w.todo = append(w.todo, func(d int) {
		if d < 1 {
			return
		}
		for i := range 4 {
			t := w.at(d, 3+5*float64(i))
			w.plan(t, func() {
				a, b := ids[k%3], ids[(k+1)%3]
				n := w.bag[a]["gem"]
				if n > 0 && w.swap(t, a, b, "auction", 0, "gem", n, min(w.gold[b], int64(price*float64(n)))) {
					k++
					price *= 1.05
				}
			})
		}
	})
}
