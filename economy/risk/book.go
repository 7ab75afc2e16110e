package risk

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Config holds the model's settings.
type Config struct {
	// Step is how far event time may run ahead of a snapshot before a question for a
	// risk waits for a new one; 1 h if 0. A trade waits after 24 steps, after six where
	// Fresh is negative.
	Step time.Duration
	// Fresh is for how long a snapshot serves while entries come in, in time of the
	// clock, except in a book of few players; 250 ms if 0, for ever if negative, which makes a replay repeatable to
	// the last digit.
	Fresh time.Duration
	// Behind runs the making of a snapshot that nobody waits for, and does not wait for
	// it either; nil is a goroutine.
	Behind func(f func())
	// Measure keeps all that a snapshot finds out, for Measured.
	Measure bool
	// Hot is how many players and how many trades are kept unpacked, those that
	// entries came for last, about 1,200 bytes together; 65,536 if 0.
	Hot int
	// Deals is how many trades are kept at most, the newest; 4 million if 0.
	Deals int
	// Stashes is how many pairs of player and item are kept at most, those with the
	// newest entries; 4 million of 72 bytes if 0.
	Stashes int
	// Cold keeps packed players out of the process; nil: all stay in it. Close the book
	// then.
	Cold Cold
	// Resident is how many bytes of packed players stay where there is a Cold; 1 GiB if 0.
	Resident int
	// Claims is how many orders and promotion codes of players are kept at most; 1
	// million if 0.
	Claims int
}

// Book implements economy.Book.
type Book struct {
	measure     bool
	behind      func(func())
	step, fresh int64 // ms of event time, ns of the clock
	maxHot      int
	maxDeals    int
	maxStashes  int
	maxClaims   int

	mu         sync.RWMutex // guards what follows
	ids        names        // players
	items      names
	devices    prints
	coins      names
	words      words // of flows
	lexicon    lexicon
	cards      slab[card] // by player
	records               // of those that entries come for
	packed     pages      // the others
	packer     packer
	cold       *cold
	hand       int32                   // where cool is
	stashN     int64                   // how many stashes there are
	stashFrom  int64                   // when the oldest of them had its last entry, once some were forgotten
	far        map[int32]map[int64]end // by wallet and balance, see chain
	deals      deals
	loose      looseLegs
	finds      []find
	claims     slab[claim]
	claimIndex map[uint64]int32 // by key
	debts      map[int32]debt   // by wallet
	tellings   []telling        // of trades that were told in more than one way
	claimFrom  int64            // minute before which claims were forgotten
	bans       map[int32][]economy.Ban
	flags      map[int32][]flag
	adverts    map[int32][]int64 // when, sorted
	newest     int64
	oldest     int64
	beats      map[beatKey]*beat
	version    uint64 // of what was counted

	lastBeat [beatCells]struct { // that an entry was counted to
		hour int32
		beat *beat
	}
	scale struct { // the last answer of weight
		hour int64
		w    float64
	}
	coinWords []uint32          // by currency
	earners   map[flowKey]int32 // players with windows for what is earned from a source

	advertised int64 // newest time of an advert

	snap    atomic.Pointer[snapshot]
	making  sync.Mutex // held while a snapshot is computed
	touched atomic.Int64
	heard   heard
}

var _ economy.Book = (*Book)(nil)

// New returns an empty book.
func New(c Config) *Book {
	b := &Book{
		measure: c.Measure, behind: c.Behind, step: c.Step.Milliseconds(), fresh: int64(c.Fresh), maxHot: c.Hot, maxDeals: c.Deals, maxStashes: c.Stashes, maxClaims: c.Claims,
		ids: newNames(), items: newNames(), devices: newPrints(), coins: newNames(), far: map[int32]map[int64]end{}, bans: map[int32][]economy.Ban{}, flags: map[int32][]flag{},
		adverts: map[int32][]int64{}, words: words{}, lexicon: newLexicon(), beats: map[beatKey]*beat{}, earners: map[flowKey]int32{},
		claimIndex: map[uint64]int32{}, debts: map[int32]debt{}, cold: newCold(&c),
	}
	if b.behind == nil {
		b.behind = func(f func()) { go f() }
	}
	if b.step == 0 {
		b.step = hour
	}
	if b.fresh == 0 {
		b.fresh = int64(250 * time.Millisecond)
	}
	if b.maxHot == 0 {
		b.maxHot = 1 << 16
	}
	if b.maxDeals == 0 {
		b.maxDeals = 4 << 20
	}
	if b.maxStashes == 0 {
		b.maxStashes = 4 << 20
	}
	if b.maxClaims == 0 {
		b.maxClaims = 1 << 20
	}
	*b.cards.at(b.cards.add()) = cardOf(noPlace, 0) // number 0 is nobody
	b.heard.room(0)
	b.deals.most = max(2, b.maxHot>>dealBits) // as many deals as players
	b.snap.Store(&snapshot{book: b})
	return b
}

// applyChunk is how many entries are counted in one hold of the lock: some 100 µs, which
// a question for a trade may have to wait.
const applyChunk = 64

// Apply implements economy.Book.
func (b *Book) Apply(entries []economy.Entry) {
	d := takeDesk()
	defer d.done()
	over := false
	for len(entries) > 0 {
		n := min(len(entries), applyChunk)
		b.lockFor(d, entries[:n])
		for i := range entries[:n] {
			b.count(&entries[i], d)
		}
		b.version += uint64(n)
		b.publish()
		over = b.cold.to != nil && b.packed.live > b.cold.most
		b.mu.Unlock()
		entries = entries[n:]
	}
	b.touched.Store(time.Now().UnixNano())
	if over {
		b.send()
	}
}

func (b *Book) count(e *economy.Entry, d *desk) {
	if e.Player == "" {
		return
	}
	if e.Log == economy.Advert {
		b.advert(e)
		return
	}
	p := b.player(e.Player)
	pl := b.hot(p, d)
	if pl.first == 0 || e.At < pl.first {
		pl.first = e.At
	}
	pl.last = max(pl.last, e.At)
	b.heard.of(p, max(e.At, namedOnly))
	if e.Created > 0 && (pl.created == 0 || e.Created < pl.created) {
		pl.created = e.Created
	}
	b.newest = max(b.newest, e.At)
	if b.oldest == 0 || e.At < b.oldest {
		b.oldest = e.At
	}
	if e.Device != "" {
		pl.seen(b.devices.id(e.Device), e.At)
	}
	if e.IP != "" {
		b.came(pl, e.IP, e.At)
	}
	switch e.Log {
	case economy.Currency:
		b.currency(e, p, pl)
	case economy.Item:
		b.item(e, p, pl)
	case economy.Trade:
		b.trade(e, p)
	}
}

// player is the number of a player, a new one where it was never named.
func (b *Book) player(id engines.PlayerID) int32 {
	if n, ok := b.ids.find(string(id)); ok {
		return n
	}
	b.heard.names.Lock()
	n := b.ids.id(string(id))
	b.heard.room(n) // before anybody can find the number
	b.heard.names.Unlock()
	for int(n) >= b.cards.n {
		*b.cards.at(b.cards.add()) = cardOf(noPlace, 0)
	}
	return n
}

// other is player of one that another's entry names.
func (b *Book) other(id engines.PlayerID) int32 {
	n := b.player(id)
	*b.cards.at(n) |= cardNamed
	b.heard.of(n, namedOnly)
	return n
}

// Newest implements economy.Book.
func (b *Book) Newest() int64 { return b.heard.newest.Load() }

// Ban implements economy.Book.
func (b *Book) Ban(ban *economy.Ban) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.player(ban.Player)
	b.version++
	defer b.publish()
	for i := range b.bans[p] {
		if b.bans[p][i].ID == ban.ID {
			b.bans[p][i] = *ban
			return
		}
	}
	b.bans[p] = append(b.bans[p], *ban)
}

// flag is a finding from outside the logs that raises a player's risk.
type flag struct {
	code  code
	score float64
	at    int64
}
