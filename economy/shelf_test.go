package economy

import (
	"testing"
	"time"
)

// The first logs of an app may be old ones. They are in its book, though that is
// begun while they are being stored.
func TestFirstLogsAreOld(t *testing.T) {
	store := newFakeStore()
	store.slow = 50 * time.Millisecond // the book begins meanwhile
	r := serve(t, store)
	past := r.at() - 100*24*time.Hour.Milliseconds()
	if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", past)}); err != nil {
		t.Fatal(err)
	}
	wantRisk(t, r, "p", 1)
	if b, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Temporary}, 1); err != nil || b.Created != past {
		t.Errorf("banned at %d, %v; want the app's time %d", b.Created, err, past)
	}
}
