package risk

import (
	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Risk implements economy.Book. It takes no lock that counting holds.
func (b *Book) Risk(id engines.PlayerID, at int64) (economy.Risk, bool) {
	p, last := b.find(id)
	if p == 0 {
		return economy.Risk{}, false
	}
	r := b.current().riskOf(p, at)
	r.Updated = last
	return r, true
}

// Knows implements economy.Book.
func (b *Book) Knows(id engines.PlayerID) bool {
	p, _ := b.find(id)
	return p != 0
}
