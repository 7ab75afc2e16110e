package risk

// records are what is counted of players, one by one: those of a player refer to each
// other by their numbers here.
type records struct {
	players slab[player]
	homes   slab[home]
	wallets slab[wallet]
	starts  slab[early]
	diaries slab[diary]
	flows   slab[flow]
	paid    slab[payments]
	stashes slab[stash]
}

// reset drops all and keeps the room, for the next player.
func (r *records) reset() {
	r.players.reset()
	r.homes.reset()
	r.wallets.reset()
	r.starts.reset()
	r.diaries.reset()
	r.flows.reset()
	r.paid.reset()
	r.stashes.reset()
}

// drop drops all of a player.
func (r *records) drop(number int32) {
	pl := r.players.at(number)
	for i := pl.wallet; i != 0; {
		w := r.wallets.at(i - 1)
		if w.pay != 0 {
			r.paid.drop(w.pay - 1)
		}
		next := w.next
		r.wallets.drop(i - 1)
		i = next
	}
	for i := pl.stash; i != 0; {
		next := r.stashes.at(i - 1).next
		r.stashes.drop(i - 1)
		i = next
	}
	for i := pl.flow; i != 0; {
		next := r.flows.at(i - 1).next
		r.flows.drop(i - 1)
		i = next
	}
	switch {
	case pl.diary > 0:
		r.diaries.drop(pl.diary - 1)
	case pl.diary < 0:
		r.starts.drop(-pl.diary - 1)
	}
	if pl.home != 0 {
		r.homes.drop(pl.home - 1)
	}
	r.players.drop(number)
}
