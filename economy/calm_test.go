package economy

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/portcullis-gg/portcullis/engines"
)

// An open case says when its risk has fallen, and when it has risen again, each once,
// though another gateway opened it.
func TestCasesFollowTheirRisks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		submit := func(n int) {
			t.Helper()
			for range n {
				r.store.mu.Lock()
				id := strconv.Itoa(len(r.store.entries))
				r.store.mu.Unlock()
				if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", id, r.at())}); err != nil {
					t.Fatal(err)
				}
			}
		}
		submit(70)
		wantRisk(t, r, "p", 70)
		r.store.mu.Lock()
		r.store.alerts = []Alert{{Kind: HighRisk, App: "game", Player: "p", Score: 80}, {Kind: HighRisk, App: "game", Player: "stranger", Score: 80}}
		r.store.mu.Unlock()
		wait := func(want ...string) {
			t.Helper()
			rests(fadeEvery + 2*watchEvery) // whether or not anything comes
			r.mu.Lock()
			defer r.mu.Unlock()
			if !slices.Equal(r.cases, want) {
				t.Errorf("cases %v, want %v", r.cases, want)
			}
		}
		wait() // 70 swings about the mark
		r.store.mu.Lock()
		r.store.alerts[0].Now = &AlertNow{Score: 20, Fallen: true}
		r.store.mu.Unlock()
		wait() // it was noted, and has not risen
		submit(10)
		r.store.fail(errors.New("away"))
		wait()
		r.store.fail(nil)
		wait("p rose")
		wait("p rose")
		r.store.mu.Lock()
		defer r.store.mu.Unlock()
		if last := r.store.moves[len(r.store.moves)-1]; last.Close || last.Now.Score != 80 || last.Now.Level != High {
			t.Errorf("moved %+v", last)
		}
	})
}

// A risk that fell closes its case where that is asked for.
func TestCalmCasesAreClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newFakeStore()
		r := serve(t, store)
		r.deps.CloseCalmed = true
		if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", r.at())}); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, r, "p", 1)
		store.mu.Lock()
		store.alerts = []Alert{{Kind: HighRisk, App: "game", Player: "p", Score: 80}}
		store.mu.Unlock()
		rests(fadeEvery + 2*watchEvery)
		store.mu.Lock()
		defer store.mu.Unlock()
		if len(store.moves) != 1 || !store.moves[0].Close || !store.moves[0].Now.Fallen {
			t.Errorf("moves %+v, want that p's case is closed", store.moves)
		}
	})
}

// However many cases are open, each has its turn.
func TestOpenCasesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		var entries []Entry
		for i := range risksAtOnce + 20 {
			entries = append(entries, earn(engines.PlayerID("p"+strconv.Itoa(10_000+i)), "1", r.at()))
		}
		if _, err := r.Submit(t.Context(), "game", entries); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, r, "p10000", 1)
		r.store.mu.Lock()
		for i := range entries {
			r.store.alerts = append(r.store.alerts, Alert{Kind: HighRisk, App: "game", Player: entries[i].Player, Score: 80})
		}
		r.store.mu.Unlock()
		rests(3 * fadeEvery)
		r.store.mu.Lock()
		defer r.store.mu.Unlock()
		if len(r.store.moves) != len(entries) {
			t.Errorf("%d cases moved, want %d", len(r.store.moves), len(entries))
		}
	})
}
