package risk

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
)

// snapshot is what is concluded from the entries counted so far. It is never
// changed once it is there.
type snapshot struct {
	book    *Book
	at      int64 // newest event time
	version uint64
	made    int64 // when, by the clock, ns
	took    int64 // ns

	unit  []float64 // per currency: an ordinary player's income on a day it plays
	price []price   // per item
	rare  float64   // what an individual item goes for, at the middle
	edges []edge    // sorted by from, to
	// Within a snapshot players have numbers of their own, without those there is
	// nothing to say of: slot is by the book's number, 0 for none, who the reverse.
	slot  []int32
	who   []int32
	nodes []node // while the snapshot is made; it stays where Config.Measure is set
	known []known
	marks []marks
	seats []seat // on devices that few share, sorted by player
	loss  rate
	hops  []hop // sorted by uid, time

	lines []found // what loose transfers say of deals, sorted, while the snapshot is made

	trades pulses            // deals by hour, while the snapshot is made
	event  map[int32]float64 // by day since 1970: how far it is an event

	kinds          [dealKinds]int // deals
	gave, returned int            // deals in which the sender gives items, and those with a return
}

// edge is what one player gave another, in days of income, fading.
type edge struct {
	from, to int32
	gave     float32 // in all
	free     float32 // of it, without a fair return
	net      float32 // free, less what came back free; 0 where more came back
	n        uint16
	yield    uint8 // how far that was, again and again, most of the giver's money: 0 to 200
	first    int32 // minutes since 1970
	last     int32
}

// current returns the snapshot to answer from, a new one where that is due: it lags
// by no more than a step of event time.
func (b *Book) current() *snapshot { return b.within(b.step, true) }

// recent is current for questions that cannot wait: it lags by some steps. It waits
// for a snapshot only where that takes no time, or where event time has run many
// steps ahead of the last one.
func (b *Book) recent() *snapshot {
	if b.fresh < 0 {
		return b.within(recentSteps*b.step, true)
	}
	return b.within(24*b.step, b.snap.Load().took < quick)
}

const (
	recentSteps = 6
	quick       = int64(2 * time.Millisecond)
)

func (b *Book) within(step int64, patient bool) *snapshot {
	s := b.snap.Load()
	version, newest, players := b.heard.version.Load(), b.heard.newest.Load(), b.heard.players.Load()
	if s.version == version {
		return s
	}
	exact := b.fresh >= 0 && players <= exactPlayers && s.took < quick
	switch {
	case s.version == 0, exact, newest-s.at >= step && (players <= waitPlayers || b.fresh < 0):
		b.making.Lock() // whoever comes meanwhile waits and finds the work done
		defer b.making.Unlock()
		if s = b.snap.Load(); s.version == 0 || exact && s.version < version || newest-s.at >= step {
			s = b.renew()
		}
		return s
	case b.fresh < 0:
		return s
	}
	now, rest := time.Now().UnixNano(), max(b.fresh, 8*s.took)
	if now-s.made < rest {
		return s
	}
	if !b.making.TryLock() {
		return s
	}
	// A store that halts for a moment is no rest: what takes long is not waited for then.
	if patient && players <= waitPlayers && now-b.touched.Load() > rest {
		defer b.making.Unlock()
		return b.renew() // nothing comes in: who asks may have it exactly
	}
	b.behind(func() {
		defer b.making.Unlock()
		b.renew()
	})
	return s
}

// begin has the first snapshot made before anybody waits for it.
func (b *Book) begin() {
	if b.fresh < 0 || b.snap.Load().version != 0 || b.heard.version.Load() == 0 || !b.making.TryLock() {
		return
	}
	b.behind(func() {
		defer b.making.Unlock()
		b.renew()
	})
}

// exactPlayers is up to how many players a book answers from what was counted last, where
// that takes no time: a game that is tried out shows what an entry did at once.
const exactPlayers = 256

// waitPlayers is up to how many players a question may wait for a snapshot: when the
// book is at rest, or entries run through event time faster than the clock.
const waitPlayers = 50_000

// renew computes and publishes a snapshot; b.making is held.
func (b *Book) renew() *snapshot {
	began, missed := time.Now(), b.cold.misses.Load()
	if was := b.snap.Load(); b.cold.lost.Load() || began.UnixNano() < b.cold.reading.Load() {
		return was // it would know some players only
	}
	b.mu.RLock()
	s := &snapshot{book: b, at: b.horizon(), version: b.version}
	coins, items := b.coins.len(), b.items.len()
	b.mu.RUnlock()
	s.involved(b)
	s.lines = s.joinLoose(b)
	s.units(b, coins)
	s.prices(b, items)
	s.trades = pulses{}
	m := s.flows(b)
	s.circles(m.gifts)
	s.events(b)
	s.hopsOf(m.items)
	s.habits(b)
	s.ledgers(b, m)
	s.funnels()
	s.dealers()
	m.missed = nil // they are large
	s.lines = nil
	s.judge(b, m)
	s.known = make([]known, len(s.nodes))
	for i := range s.nodes {
		s.known[i] = s.nodes[i].known
	}
	if !b.measure {
		s.nodes = nil
	}
	if b.cold.misses.Load() != missed { // it knows some players only
		return b.snap.Load()
	}
	s.made = time.Now().UnixNano()
	s.took = int64(time.Since(began))
	b.snap.Store(s)
	return s
}

// readChunk is how many records are read in one hold of the lock.
const readChunk = 512

// eachPlayer calls f for every player of the snapshot, with the sections of it that
// are wanted, under the lock in pieces.
func (s *snapshot) eachPlayer(b *Book, want section, f func(p int32, pl *player, r *records)) {
	desk := takeDesk()
	defer desk.done()
	for lo := 1; lo < len(s.who); lo += readChunk {
		hi := min(lo+readChunk, len(s.who))
		b.rlock(desk, s.who[lo:hi]...)
		for p := lo; p < hi; p++ {
			pl, r := b.read(s.who[p], desk, want)
			f(int32(p), pl, r)
		}
		b.mu.RUnlock()
	}
}

// everyPlayer calls f for every player of the book, likewise.
func everyPlayer(b *Book, want section, f func(p int32, pl *player, r *records)) {
	desk := takeDesk()
	defer desk.done()
	b.mu.RLock()
	n := b.cards.n
	b.mu.RUnlock()
	for lo := 1; lo < n; {
		hi := min((lo/readChunk+1)*readChunk, n) // whole blocks of those that are away
		list := desk.list[:0]
		for p := lo; p < hi; p++ {
			list = append(list, int32(p))
		}
		desk.list = list
		b.rlock(desk, list...)
		for p := lo; p < hi; p++ {
			pl, r := b.read(int32(p), desk, want)
			f(int32(p), pl, r)
		}
		b.mu.RUnlock()
		lo = hi
	}
}

// involved gives numbers to the players there may be something to say of: who
// traded, played a lot, was charged back, or whose ledger has a hole.
func (s *snapshot) involved(b *Book) {
	b.mu.RLock()
	in := make([]bool, b.cards.n)
	for p := range b.bans {
		in[p] = true
	}
	for p := range b.flags {
		in[p] = true
	}
	b.broken(in)
	finds := b.finds // what is there is not written to again
	blocks := slices.Clone(b.deals.blocks)
	b.mu.RUnlock()
	var room dealBlock
	for _, bl := range blocks {
		b.mu.RLock()
		for _, d := range bl.read(&room).deals {
			for _, side := range d.side {
				if int(side.player) < len(in) {
					in[side.player] = true
				}
			}
		}
		b.mu.RUnlock()
	}
	everyPlayer(b, ofWallets|ofStashes, func(p int32, pl *player, r *records) {
		if int(p) < len(in) {
			in[p] = in[p] || r.notable(pl, b.newest)
		}
	})
	b.repeated(finds, func(p int32) {
		if int(p) < len(in) {
			in[p] = true
		}
	})
	in[0] = false
	s.slot = make([]int32, len(in))
	s.who = append(s.who, 0)
	for p := range in {
		if in[p] {
			s.slot[p] = int32(len(s.who))
			s.who = append(s.who, int32(p))
		}
	}
	s.nodes = make([]node, len(s.who))
}

// broken marks the players of whom something was told that a game does once; b.mu is
// held.
func (b *Book) broken(in []bool) {
	for i := range b.tellings {
		in[b.tellings[i].from], in[b.tellings[i].to] = true, true
	}
	for _, d := range b.debts {
		in[d.player] = true
	}
}

// repeated calls f with players that something came to twice that comes once.
func (b *Book) repeated(finds []find, f func(p int32)) {
	eachFoundTwice(finds, f)
	b.eachClaim(func(c *claim) {
		if c.again() {
			f(c.player)
		}
	})
}

// notable reports whether there may be something to say of a player that does not
// trade.
func (r *records) notable(pl *player, newest int64) bool {
	if pl.plays >= 50 || pl.odd > 0 || pl.created > newest-newDays*day {
		return true
	}
	for i := pl.wallet; i != 0; {
		w := r.wallets.at(i - 1)
		if w.pay > 0 || w.chain.holes() || w.huge() {
			return true
		}
		i = w.next
	}
	for i := pl.stash; i != 0; {
		st := r.stashes.at(i - 1)
		if st.silent() > 0 {
			return true
		}
		i = st.next
	}
	return false
}

// of is a player's number in the snapshot, 0 where it has none.
func (s *snapshot) of(p int32) int32 {
	if int(p) < len(s.slot) {
		return s.slot[p]
	}
	return 0
}

// eachDeal calls f for every deal that happened, without the lock: on copies that
// are good for the call.
func (s *snapshot) eachDeal(b *Book, f func(d *deal, legs []leg)) {
	s.eachDealOrHalf(b, f, func(*deal, []leg) {})
}

// eachDealOrHalf is eachDeal that calls half for deals of which one side is known.
func (s *snapshot) eachDealOrHalf(b *Book, f, half func(d *deal, legs []leg)) {
	b.mu.RLock()
	blocks := slices.Clone(b.deals.blocks)
	b.mu.RUnlock()
	var room dealBlock
	for _, bl := range blocks {
		b.mu.RLock()
		if was := bl.read(&room); was != &room {
			room.deals, room.legs = append(room.deals[:0], was.deals...), append(room.legs[:0], was.legs...)
		}
		b.mu.RUnlock()
		for i := range room.deals {
			d := &room.deals[i]
			s.fill(d)
			switch {
			case d.flags&undone != 0:
			case s.of(d.side[0].player) != 0 && s.of(d.side[1].player) != 0:
				f(d, room.legsOf(d))
			default:
				half(d, room.legsOf(d))
			}
		}
	}
}

// units finds what an amount of each currency means: the median over players of
// their income on a day they play.
func (s *snapshot) units(b *Book, coins int) {
	samples := make([][]float64, coins)
	now := weight(s.at)
	everyPlayer(b, ofWallets, func(_ int32, pl *player, r *records) {
		days := fadedDays(pl, s.at)
		if days == 0 {
			return
		}
		for i := pl.wallet; i != 0; {
			w := r.wallets.at(i - 1)
			i = w.next
			income := w.sum[sumEarn] + w.sum[sumGrant]
			if w.pay > 0 {
				income += r.paid.at(w.pay - 1).bought
			}
			if income /= now; income > 0 && int(w.cur) < coins {
				samples[w.cur] = append(samples[w.cur], income/days)
			}
		}
	})
	s.unit = make([]float64, coins)
	traded := make([][]float64, coins)
	s.eachDeal(b, func(d *deal, _ []leg) {
		for i := range d.side {
			if x := &d.side[i]; x.gives > 0 && int(x.cur) < coins && len(samples[x.cur]) == 0 {
				traded[x.cur] = append(traded[x.cur], float64(x.gives))
			}
		}
	})
	for c := range samples {
		// A currency that nobody earns is worth what is traded of it: at a guess, a
		// tenth of a day's income at a time.
		s.unit[c] = cmp.Or(median(samples[c]), 10*median(traded[c]), 1)
	}
}

// fadedDays is on how many days a player played, each fading like amounts do.
func fadedDays(pl *player, at int64) float64 {
	sum := 0.0
	for i := range ringDays {
		if pl.days>>i&1 != 0 {
			sum += fade(int64(pl.dayNo-int32(i))*day+day/2, at, halfLife)
		}
	}
	return sum
}

func median(v []float64) float64 { return quantile(v, .5) }

// quantile is a quantile of v, which it sorts; 0 of nothing.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[min(len(v)-1, int(q*float64(len(v))))]
}

// ramp is 0 up to low, 1 from high on and straight between.
func ramp(v, low, high float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(1, max(0, (v-low)/(high-low)))
}

// riskOf is the risk of a player from what the snapshot says, at a time.
func (s *snapshot) riskOf(p int32, at int64) economy.Risk {
	p = s.of(p)
	if p == 0 {
		return economy.Risk{Level: economy.Normal}
	}
	return s.marks[p].risk(fade(s.at, at, halfLife))
}
