package economy

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// What other gateways store is counted here too, once each, whether it came before
// the book was made or after, and when reading it failed halfway.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFakeStore()
		store.elsewhere(earn("p", "before", 1790000000000))
		r := serve(t, store)
		if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "own", r.at())}); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, r, "p", 2)
		store.elsewhere(earn("p", "after", r.at()))
		store.elsewhere(earn("q", "after", r.at()))
		rests(2 * followLogsEvery)
		wantRisk(t, r, "p", 3)
		wantRisk(t, r, "q", 1)
		rests(5 * followLogsEvery)
		wantRisk(t, r, "p", 3)

		store.elsewhere(earn("p", "torn", r.at()))
		store.fail(engines.ErrUnavailable)
		rests(5 * followLogsEvery)
		store.fail(nil)
		rests(3 * retryAfter)
		wantRisk(t, r, "p", 4)
	})
}

// A book that reaches back too far is made anew, and not again and again.
func TestRenew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		day := 24 * time.Hour
		put := func(id string) {
			t.Helper()
			if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", id, r.at())}); err != nil {
				t.Fatal(err)
			}
		}
		put("first")
		wantRisk(t, r, "p", 1)
		r.pass(5 * day)
		put("second")
		rests(3 * followLogsEvery)
		wantRisk(t, r, "p", 2)
		r.pass(34 * day)
		put("third")
		rests(10 * followLogsEvery)
		wantRisk(t, r, "p", 2) // the first is out of every window
		r.store.mu.Lock()
		defer r.store.mu.Unlock()
		if r.store.replays != 2 {
			t.Errorf("the book was made %d times, want 2", r.store.replays)
		}
	})
}

// A book that can't read what it keeps elsewhere is made again from the log, and the old
// one, like that of a service that ends, gives up what it keeps.
func TestLostBookIsMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", r.at())}); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, r, "p", 1)
		book := func() *countBook {
			b, ok := (*r.shelf("game").book.Load()).(*countBook)
			if !ok {
				t.Fatal("another kind of book")
			}
			return b
		}
		first := book()
		rests(3 * followLogsEvery)
		if book() != first || first.closed.Load() {
			t.Error("made again for nothing")
		}
		first.lost.Store(true)
		rests(3 * followLogsEvery)
		second := book()
		if second == first || !first.closed.Load() || second.closed.Load() {
			t.Errorf("made again: %v, closed: %v and %v", second != first, first.closed.Load(), second.closed.Load())
		}
		wantRisk(t, r, "p", 1)
		r.end()
		if !second.closed.Load() {
			t.Error("it was not closed in the end")
		}
	})
}
