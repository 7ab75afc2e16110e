package economy

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestBan(t *testing.T) {
	r := serve(t, newFakeStore())
	if _, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Permanent}, 0); !errors.Is(err, ErrUnknownPlayer) {
		t.Errorf("a ban of nobody: %v", err)
	}
	for _, p := range []engines.PlayerID{"p", "q"} {
		r.Named("game", p)
	}
	first, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Temporary, Request: "r1"}, 24)
	if err != nil || first.Expires != r.at()+24*time.Hour.Milliseconds() || !r.Excluded("game", "p") || r.Excluded("other", "p") {
		t.Errorf("%+v, %v; excluded %v", first, err, r.Excluded("game", "p"))
	}
	r.pass(time.Hour)
	if again, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Temporary, Request: "r2"}, 24); again != first || err != nil {
		t.Errorf("the same request again: %+v, %v", again, err)
	}
	if _, err := r.Ban(t.Context(), Ban{App: "game", ID: "2", Player: "q", Type: TradeBan}, 0); err != nil || r.Excluded("game", "q") {
		t.Errorf("a trade ban: %v; it keeps nobody out", err)
	}
	if !slices.Equal(r.expelled, []engines.PlayerID{"p"}) {
		t.Errorf("expelled %v, want p once", r.expelled)
	}
	r.pass(23 * time.Hour)
	if _, bans, _ := r.Risk(t.Context(), "game", "p"); r.Excluded("game", "p") || len(bans) != 0 || r.Status(&first) != "expired" {
		t.Error("the ban outlasts its hours")
	}
}

func TestLift(t *testing.T) {
	r := serve(t, newFakeStore())
	r.Named("game", "p")
	if _, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Permanent}, 0); err != nil {
		t.Fatal(err)
	}
	wantRisk(t, r, "p", 0)
	lifted, err := r.Lift(t.Context(), Lift{App: "game", Player: "p", Type: Permanent})
	if err != nil || len(lifted) != 1 || r.Excluded("game", "p") {
		t.Errorf("Lift() = %v, %v; excluded %v", lifted, err, r.Excluded("game", "p"))
	}
	if lifted, err = r.Lift(t.Context(), Lift{App: "game", Player: "p"}); err != nil || len(lifted) != 0 {
		t.Errorf("a second lift: %v, %v", lifted, err)
	}
}

// An app that plays old logs has the time of its newest event; a ban ends by it,
// or by our clock where no event comes.
func TestBanInAReplay(t *testing.T) {
	r := serve(t, newFakeStore())
	past := r.at() - 100*24*time.Hour.Milliseconds()
	if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", past), earn("q", "1", past)}); err != nil {
		t.Fatal(err)
	}
	wantRisk(t, r, "p", 1)
	for _, p := range []engines.PlayerID{"p", "q"} {
		b, err := r.Ban(t.Context(), Ban{App: "game", ID: string(p), Player: p, Type: Temporary}, 10)
		if err != nil || b.Created != past || !r.Excluded("game", p) {
			t.Errorf("%+v, %v", b, err)
		}
	}
	r.pass(11 * time.Hour)
	if r.Excluded("game", "p") {
		t.Error("without events the ban does not end")
	}
	b, err := r.Ban(t.Context(), Ban{App: "game", ID: "3", Player: "q", Type: Temporary}, 10)
	if err != nil || !r.Excluded("game", "q") {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "2", past+10*time.Hour.Milliseconds())}); err != nil {
		t.Fatal(err)
	}
	if r.Excluded("game", "q") {
		t.Error("the ban outlasts its hours of the game")
	}
}

// While nobody knows the time of an app that plays old logs, our clock alone ends its bans.
func TestBanBeforeTheBook(t *testing.T) {
	store := newFakeStore()
	now := int64(1790000000000)
	store.bans = []Ban{{App: "game", ID: "1", Player: "p", Type: Temporary, Expires: now - 100*24*3_600_000, Ends: now + 3_600_000}}
	r := serve(t, store)
	if err := r.Load(t.Context()); err != nil || !r.Excluded("game", "p") {
		t.Errorf("Load() = %v; excluded %v", err, r.Excluded("game", "p"))
	}
	r.pass(2 * time.Hour)
	if r.Excluded("game", "p") {
		t.Error("the ban outlasts its hours of our clock")
	}
}

// Who bans or lifts waits for the book, which knows the app's time: here right after
// a start of an app that plays old logs.
func TestBanRightAfterTheStart(t *testing.T) {
	store := newFakeStore()
	old := int64(1790000000000) - 100*24*3_600_000
	if _, err := store.PutEntries(t.Context(), "game", []Entry{earn("p", "1", old)}); err != nil {
		t.Fatal(err)
	}
	r := serve(t, store)
	b, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Temporary}, 10)
	if err != nil || b.Created != old {
		t.Errorf("Ban() = %+v, %v; want it made at %d", b, err, old)
	}
	r = serve(t, store)
	lifted, err := r.Lift(t.Context(), Lift{App: "game", Player: "p"})
	if err != nil || len(lifted) != 1 {
		t.Errorf("Lift() = %v, %v", lifted, err)
	}
}

// Bans that stand at the start, and those that other gateways make, hold here.
func TestBansOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFakeStore()
		store.bans = []Ban{{App: "game", ID: "1", Player: "before", Type: Permanent}}
		r := serve(t, store)
		if !r.Excluded("game", "before") {
			t.Error("a ban was forgotten")
		}
		add := func(b Ban) {
			store.mu.Lock()
			defer store.mu.Unlock()
			store.bans = append(store.bans, b)
		}
		add(Ban{App: "game", ID: "2", Player: "told", Type: Permanent})
		r.Told("game", "told")
		synctest.Wait()
		if !r.Excluded("game", "told") {
			t.Error("a ban that we were told of does not hold")
		}
		add(Ban{App: "game", ID: "3", Player: "untold", Type: Permanent})
		rests(2 * followEvery)
		if !r.Excluded("game", "untold") {
			t.Error("a ban of another gateway does not hold")
		}
		store.mu.Lock()
		for i := range store.bans {
			store.bans[i].Lifted = 1
		}
		store.mu.Unlock()
		rests(2 * followEvery)
		for _, p := range []engines.PlayerID{"before", "told", "untold"} {
			if r.Excluded("game", p) {
				t.Errorf("%s is kept out though the ban was lifted", p)
			}
		}
	})
}

// Players that a check or a ticket named are noted behind it.
func TestNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		for range 3 {
			r.Named("game", "p")
		}
		r.Named("game", "")
		rests(2 * namedEvery)
		r.store.mu.Lock()
		defer r.store.mu.Unlock()
		if len(r.store.players) != 1 || !r.store.players[PlayerKey{"game", "p"}] {
			t.Errorf("noted %v", r.store.players)
		}
	})
}

// A ban that was made while no log had come for days, or while old logs were played,
// has its hours when the app's time jumps to ours; so has one that was made before
// logs failed to come.
func TestBanAcrossAJump(t *testing.T) {
	for name, lag := range map[string]time.Duration{"three quiet days": 72 * time.Hour, "logs of years ago": 3 * 365 * 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			r := serve(t, newFakeStore())
			submit := func(id string, at int64) {
				t.Helper()
				if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", id, at), earn("q", id, at)}); err != nil {
					t.Fatal(err)
				}
			}
			submit("1", r.at()-lag.Milliseconds())
			wantRisk(t, r, "p", 1)
			b, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Temporary}, 24)
			if err != nil {
				t.Fatal(err)
			}
			holds := func(when string, want bool) {
				t.Helper()
				_, bans, err := r.Risk(t.Context(), "game", "p")
				if err != nil || r.Excluded("game", "p") != want || len(bans) > 0 != want || (r.Status(&b) == "active") != want {
					t.Errorf("%s: excluded %v, bans %v, %s, %v; want %v", when, r.Excluded("game", "p"), bans, r.Status(&b), err, want)
				}
				e, err := r.Evaluate(t.Context(), "game", &Proposal{Sender: "q", Receiver: "p"})
				if err != nil || (e.Suggestion == engines.Block) != want {
					t.Errorf("%s: a trade %v, %v; want it blocked: %v", when, e, err, want)
				}
			}
			holds("at once", true)
			submit("live", r.at())
			holds("after a live entry", true)
			r.pass(23 * time.Hour)
			submit("more", r.at())
			holds("within its hours", true)
			r.pass(2 * time.Hour)
			holds("after its hours", false)
		})
	}
	r := serve(t, newFakeStore())
	if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", r.at())}); err != nil {
		t.Fatal(err)
	}
	wantRisk(t, r, "p", 1)
	if _, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Temporary}, 100); err != nil {
		t.Fatal(err)
	}
	r.pass(99 * time.Hour)
	if !r.Excluded("game", "p") {
		t.Error("the ban ends early where no logs come")
	}
	r.pass(2 * time.Hour)
	if r.Excluded("game", "p") {
		t.Error("the ban outlasts its hours where no logs come")
	}
}

// A book is told when a ban has ended, whichever gateway has noted it, and one that
// is made later never hears that it stands.
func TestBooksHearOfEnds(t *testing.T) {
	for name, elsewhere := range map[string]bool{"noted here": false, "noted by another gateway": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := newFakeStore()
				r := serve(t, store)
				if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", r.at())}); err != nil {
					t.Fatal(err)
				}
				wantRisk(t, r, "p", 1)
				if _, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Temporary}, 24); err != nil {
					t.Fatal(err)
				}
				stands := func() bool {
					book, _ := (*r.shelf("game").book.Load()).(*countBook)
					book.mu.Lock()
					defer book.mu.Unlock()
					return book.banned["p"]
				}
				if r.pass(23 * time.Hour); !stands() {
					t.Error("within its hours the book does not know of the ban")
				}
				r.pass(2 * time.Hour)
				if elsewhere {
					if ended, err := store.EndBans(t.Context(), r.at(), nil); err != nil || len(ended) != 1 {
						t.Fatalf("EndBans() = %v, %v", ended, err)
					}
				}
				rests(2 * followEvery)
				if stands() {
					t.Error("after its hours the ban stands in the book")
				}
				next := newCountBook()
				store.mu.Lock()
				store.bans[0].Ended = 0 // not noted yet
				store.mu.Unlock()
				if err := r.tellBans(t.Context(), "game", next); err != nil || next.banned["p"] {
					t.Errorf("a new book is told of it: %v, %v", next.banned, err)
				}
			})
		})
	}
}
