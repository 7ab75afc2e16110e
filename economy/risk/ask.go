package risk

import (
	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Risk implements economy.Book.
func (b *Book) Risk(id engines.PlayerID, at int64) (economy.Risk, bool) {
	b.mu.RLock()
	p := b.knows(id)
	last := int64(0)
	if p != 0 {
		last = max(b.lastOf(p), b.lastAdvert(p))
	}
	b.mu.RUnlock()
	if p == 0 {
		return economy.Risk{}, false
	}
	r := b.current().riskOf(p, at)
	r.Updated = last
	return r, true
}

// Knows implements economy.Book.
func (b *Book) Knows(id engines.PlayerID) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.knows(id) != 0
}

// knows is the number of a player that an entry names, else 0; b.mu is held.
func (b *Book) knows(id engines.PlayerID) int32 {
	p, ok := b.ids.find(string(id))
	if !ok || p == 0 || *b.cards.at(p) == cardOf(noPlace, 0) {
		return 0
	}
	return p
}

// lastOf is when a player had its last entry; b.mu is held.
func (b *Book) lastOf(p int32) int64 {
	desk := takeDesk()
	defer desks.Put(desk)
	pl, _ := b.read(p, desk, 0)
	return pl.last
}
