package economy

import (
	"testing"
	"testing/synctest"
)

// A service that ends saves its books, and the next one reads nothing again but what
// others stored meanwhile.
func TestSavedBooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFakeStore()
		r := serve(t, store)
		if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", r.at()), earn("p", "2", r.at())}); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, r, "p", 2)
		if _, err := r.Ban(t.Context(), Ban{App: "game", ID: "b", Player: "p", Type: TradeBan}, 0); err != nil {
			t.Fatal(err)
		}
		r.end()
		store.elsewhere(earn("p", "3", r.at()))

		r = serve(t, store)
		wantRisk(t, r, "p", 2)
		rests(2 * followLogsEvery)
		wantRisk(t, r, "p", 3)
		if store.replays != 1 {
			t.Errorf("the log was read %d times, want once", store.replays)
		}
		book, ok := (*r.shelf("game").book.Load()).(*countBook)
		if !ok || !book.banned["p"] {
			t.Error("the loaded book knows nothing of the ban")
		}
		r.end()

		store.saved = store.saved[:len(store.saved)/2]
		r = serve(t, store)
		wantRisk(t, r, "p", 3)
		if store.replays != 2 {
			t.Errorf("the log was read %d times, want once more", store.replays)
		}
	})
}
