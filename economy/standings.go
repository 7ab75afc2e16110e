package economy

import (
	"context"
	"hash/maphash"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// standingPlaces is how many players' scores are at hand, 8 bytes each.
	standingPlaces = 1 << 17
	// standingFresh is after how many ticks a score is asked for anew. The old one
	// serves until the answer is there.
	standingFresh = 5
	standingTick  = time.Second
	// Rule when full: nothing is asked, and the player's next message asks again.
	standingQueue = 1024

	scoreBits = 7  // 0 to 100
	tickBits  = 17 // wraps after 36 hours, when a score that old would be fresh for a moment
	tickMask  = 1<<tickBits - 1
)

// standings has the risk of the players who chat at hand, so that a verdict reads one
// word and waits for nobody: neither for the book's lock nor for a snapshot. A place
// holds 40 bits of the player's hash, the tick of the answer and the score; with the
// place 57 bits tell players apart. Who is asked about first has no standing until
// the answer is there, within a millisecond or so.
//
// Where two players fall on one place, the riskier keeps it while it is fresh.
type standings struct {
	seed   maphash.Seed
	tick   atomic.Uint64
	asked  chan PlayerKey
	places []atomic.Uint64
}

func newStandings() *standings {
	st := &standings{seed: maphash.MakeSeed(), asked: make(chan PlayerKey, standingQueue), places: make([]atomic.Uint64, standingPlaces)}
	st.tick.Store(1)
	for i := 0; i < standingPlaces; i += 4096 / 8 {
		st.places[i].Store(0) // its pages are the service's, not those of the first players
	}
	return st
}

// place is where a player's score is kept, and what tells that it is this player's.
func (st *standings) place(k PlayerKey) (at *atomic.Uint64, tag uint64) {
	h := maphash.Comparable(st.seed, k)
	return &st.places[h%standingPlaces], h >> (scoreBits + tickBits)
}

func pack(tag, tick uint64, score int) uint64 {
	return tag<<(scoreBits+tickBits) | (tick&tickMask)<<scoreBits | uint64(score)
}

func tagOf(v uint64) uint64 { return v >> (scoreBits + tickBits) }
func scoreOf(v uint64) int  { return int(v & (1<<scoreBits - 1)) }

// fresh reports whether a place was filled within the last ticks.
func (st *standings) fresh(v uint64) bool {
	return v != 0 && (st.tick.Load()-v>>scoreBits)&tickMask < standingFresh
}

// Standing is what the economy knows of a player. It reads memory alone and does
// not wait; what it says is some seconds old.
func (s *Service) Standing(app engines.AppID, player engines.PlayerID) engines.Standing {
	st, k := s.standings, PlayerKey{app, player}
	at, tag := st.place(k)
	v := at.Load()
	mine := v != 0 && tagOf(v) == tag
	if mine && st.fresh(v) {
		return engines.Standing{EconomyRisk: scoreOf(v)}
	}
	score := 0
	if mine {
		score = scoreOf(v)
		if !at.CompareAndSwap(v, pack(tag, st.tick.Load(), score)) {
			return engines.Standing{EconomyRisk: score} // somebody else asks
		}
	}
	select {
	case st.asked <- k:
	default:
	}
	return engines.Standing{EconomyRisk: score}
}

// rate finds the scores that were asked for.
func (s *Service) rate(ctx context.Context) {
	tick := time.NewTicker(standingTick)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.standings.tick.Add(1)
		case k := <-s.standings.asked:
			s.standings.keep(k, s.scoreNow(k))
		}
	}
}

// scoreNow is a player's score, 0 where the app has no book.
func (s *Service) scoreNow(k PlayerKey) int {
	sh := s.shelf(k.App)
	book := sh.book.Load()
	if book == nil {
		return 0
	}
	now := s.at(sh)
	r, _ := (*book).Risk(k.Player, now)
	s.deps.Rules.OnPlayer(k.App, k.Player, featuresIn(*book, now), now, false, &r)
	s.said(k.App, k.Player, &r)
	return min(max(r.Score, 0), 100)
}

func (st *standings) keep(k PlayerKey, score int) {
	at, tag := st.place(k)
	if v := at.Load(); tagOf(v) != tag && st.fresh(v) && scoreOf(v) > score {
		return
	}
	at.Store(pack(tag, st.tick.Load(), score))
}
