package risk

import "github.com/portcullis-gg/portcullis/economy"

// find is that an individual item came into the world, or out of it, at a player:
// the reasons other than a trade why its holder may change.
type find struct {
	uid    uint64
	at     int64
	player int32
	gone   bool
}

// item counts an entry of the item log.
func (b *Book) item(e *economy.Entry, p int32, pl *player) {
	sign := e.Action.Sign(economy.Item)
	if sign == 0 {
		return
	}
	n := b.items.id(e.What)
	source, in := wordOf(e.Source), wayGiven
	switch {
	case sign < 0:
		in = wayGone
	case e.Action == economy.Acquire:
		in = wayEarned
	}
	b.flowOf(pl, e, source, itemsWord, in)
	if s := b.stashOf(pl, n); s != nil {
		if !s.add(e.At, e.Amount, e.After, sign) {
			pl.odd = min(65534, pl.odd) + 1
		}
		if e.Action == economy.Acquire || e.Action == economy.Grant {
			s.found += float64(e.Amount) * b.weight(e.At)
		}
	}
	switch e.Action {
	case economy.TransferIn, economy.TransferOut:
		b.itemLeg(e, p, n, sign)
		return
	case economy.Acquire:
		b.act(pl, e.At, sourceOf(source))
	case economy.Consume, economy.Destroy:
		b.act(pl, e.At, noSource)
	}
	if e.ItemUID != "" {
		b.finds = append(b.finds, find{uid: hash(0, e.ItemUID), at: e.At, player: p, gone: sign < 0})
	}
}

func (b *Book) stashOf(pl *player, item int32) *stash {
	for i := pl.stash; i != 0; {
		s := b.stashes.at(i - 1)
		if s.item == item {
			return s
		}
		i = s.next
	}
	if b.stashes.n >= b.maxStashes {
		return nil
	}
	n := b.stashes.add()
	s := b.stashes.at(n)
	s.item, s.next = item, pl.stash
	pl.stash = n + 1
	return s
}
