package risk

import "github.com/portcullis-gg/portcullis/economy"

// find is that an individual item came into the world, or out of it, at a player, or
// was handed over by a line that names no trade: the reasons other than a trade why
// its holder may change.
type find struct {
	uid    uint64
	at     int64
	player int32
	how    uint8
	line   uint16 // hash of the item and of how many there were then
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
	if s := b.stashOf(pl, n, e.At); s != nil {
		if !s.add(e.At, e.Amount, e.After, sign) {
			pl.odd = min(65534, pl.odd) + 1
		}
		if e.Action == economy.Acquire || e.Action == economy.Grant {
			s.found += float64(e.Amount) * b.weight(e.At)
		}
	}
	b.claim(e, p, sign)
	switch e.Action {
	case economy.TransferIn, economy.TransferOut:
		b.itemLeg(e, p, n, sign)
		if e.TradeID != "" {
			return
		}
	case economy.Acquire:
		b.act(pl, e.At, sourceOf(source))
	case economy.Consume, economy.Destroy:
		b.act(pl, e.At, noSource)
	}
	if e.ItemUID == "" {
		return
	}
	f := find{uid: hash(0, e.ItemUID), at: e.At, player: p, how: moveFound, line: max(1, uint16(hash(uint64(e.After), e.What)>>48))}
	switch {
	case e.Action == economy.TransferIn:
		f.how = moveIn
	case e.Action == economy.TransferOut:
		f.how = moveOut
	case sign < 0:
		f.how = moveGone
	}
	b.finds = append(b.finds, f)
}
