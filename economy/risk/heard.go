package risk

import (
	"sync"
	"sync/atomic"

	"github.com/portcullis-gg/portcullis/engines"
)

// heard is what a question for a risk looks up without the book's lock: a batch of
// entries that is being counted, on a processor that others want too, must not keep
// it waiting. Who holds Book.mu for writing writes it; everybody may read.
type heard struct {
	version atomic.Uint64 // of what was counted
	newest  atomic.Int64  // event time
	players atomic.Int64  // numbers given out

	// names guards Book.ids for who does not hold Book.mu. It is held for writing only
	// while a name is added, which takes a fraction of a microsecond.
	names sync.RWMutex
	// times are by player: 0 of whom no entry has named, namedOnly of whom only
	// entries of others have, else when it was heard of last.
	times atomic.Pointer[[]*heardBlock]
}

type heardBlock [1 << slabBits]atomic.Int64

const namedOnly = 1 // the first ms of 1970

// room makes room for a player's number.
func (h *heard) room(p int32) {
	var blocks []*heardBlock
	if all := h.times.Load(); all != nil {
		blocks = *all
	}
	if int(p)>>slabBits < len(blocks) {
		return
	}
	for int(p)>>slabBits >= len(blocks) {
		blocks = append(blocks, new(heardBlock)) // readers have the old length
	}
	h.times.Store(&blocks)
}

// at is when a player was heard of, see times; there is room for it.
func (h *heard) at(p int32) *atomic.Int64 {
	return &(*h.times.Load())[p>>slabBits][p&(1<<slabBits-1)]
}

// of notes an entry of a player's own, or that one of another names it.
func (h *heard) of(p int32, at int64) {
	if t := h.at(p); t.Load() < at {
		t.Store(at)
	}
}

// publish lets questions see what was counted; b.mu is held for writing.
func (b *Book) publish() {
	b.heard.newest.Store(b.newest)
	b.heard.players.Store(int64(b.cards.n))
	b.heard.version.Store(b.version)
}

// listen hears of the players of a book that was read.
func (b *Book) listen() {
	desk := takeDesk()
	defer desk.done()
	for p := range int32(b.cards.n) {
		b.heard.room(p)
		switch c := *b.cards.at(p); {
		case c == cardOf(noPlace, 0):
			continue
		case c&cardHot != 0 || c.number() != noPlace:
			pl, _ := b.read(p, desk, 0)
			b.heard.of(p, max(pl.last, namedOnly))
		default:
			b.heard.of(p, namedOnly)
		}
		b.heard.of(p, b.lastAdvert(p))
	}
	b.publish()
}

// find is the number of a player that an entry names, and when it was heard of last;
// 0 where none does. It needs no lock.
func (b *Book) find(id engines.PlayerID) (p int32, last int64) {
	b.heard.names.RLock()
	p, ok := b.ids.find(string(id))
	b.heard.names.RUnlock()
	if !ok || p == 0 {
		return 0, 0
	}
	switch last = b.heard.at(p).Load(); last {
	case 0:
		return 0, 0
	case namedOnly:
		return p, 0
	}
	return p, last
}
