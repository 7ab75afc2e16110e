package risk

import (
	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Risk implements economy.Book.
func (b *Book) Risk(id engines.PlayerID, at int64) (economy.Risk, bool) {
	b.mu.RLock()
	p, ok := b.ids.find(string(id))
	var last int64
	if ok && p != 0 {
		last = b.players.at(p).last
		ok = last != 0 || b.players.at(p).named
		last = max(last, b.lastAdvert(p))
	}
	b.mu.RUnlock()
	if !ok || p == 0 {
		return economy.Risk{}, false
	}
	r := b.current().riskOf(p, at)
	r.Updated = last
	return r, true
}
