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
