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
		time.Sleep(2 * followLogsEvery)
		wantRisk(t, r, "p", 3)
		wantRisk(t, r, "q", 1)
		time.Sleep(5 * followLogsEvery)
		wantRisk(t, r, "p", 3)

		store.elsewhere(earn("p", "torn", r.at()))
		store.fail(engines.ErrUnavailable)
		time.Sleep(5 * followLogsEvery)
		store.fail(nil)
		time.Sleep(3 * retryAfter)
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
		time.Sleep(3 * followLogsEvery)
		wantRisk(t, r, "p", 2)
		r.pass(34 * day)
		put("third")
		time.Sleep(10 * followLogsEvery)
		wantRisk(t, r, "p", 2) // the first is out of every window
		r.store.mu.Lock()
		defer r.store.mu.Unlock()
		if r.store.replays != 2 {
			t.Errorf("the book was made %d times, want 2", r.store.replays)
		}
	})
}
