package economy

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// A ban that ends by itself is told once, as are its making and its lift; repeats of
// a request are not.
func TestBanChangesAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		r.Named("game", "p")
		for _, request := range []engines.RequestID{"r1", "r2"} { // the second is the first again
			if _, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Temporary, Request: request}, 1); err != nil {
				t.Fatal(err)
			}
		}
		if until := r.Until("game", "p"); !until.Equal(r.clock.Add(time.Hour)) {
			t.Errorf("until %v, want in an hour", until)
		}
		r.pass(time.Hour)
		rests(3 * followEvery)
		if _, err := r.Ban(t.Context(), Ban{App: "game", ID: "2", Player: "p", Type: Permanent, Request: "r3"}, 0); err != nil {
			t.Fatal(err)
		}
		if until := r.Until("game", "p"); !until.IsZero() {
			t.Errorf("a permanent ban ends at %v", until)
		}
		if _, err := r.Lift(t.Context(), Lift{App: "game", Player: "p"}); err != nil {
			t.Fatal(err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if want := []string{"1 created", "1 expired", "2 created", "2 lifted"}; !slices.Equal(r.news, want) {
			t.Errorf("told %v, want %v", r.news, want)
		}
	})
}

// An app that plays old logs may come to a ban's end before our clock does.
func TestBanEndedByEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		past := r.at() - 100*24*time.Hour.Milliseconds()
		submit := func(at int64, id string) {
			t.Helper()
			if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", id, at)}); err != nil {
				t.Fatal(err)
			}
		}
		submit(past, "1")
		wantRisk(t, r, "p", 1)
		if _, err := r.Ban(t.Context(), Ban{App: "game", ID: "1", Player: "p", Type: Temporary}, 10); err != nil {
			t.Fatal(err)
		}
		submit(past+10*time.Hour.Milliseconds(), "2")
		rests(3 * followEvery)
		r.mu.Lock()
		defer r.mu.Unlock()
		if want := []string{"1 created", "1 expired"}; !slices.Equal(r.news, want) {
			t.Errorf("told %v, want %v", r.news, want)
		}
	})
}

// show has a book show something, and has it looked at.
func (r *rig) show(t *testing.T, f Findings) {
	t.Helper()
	book, ok := (*r.shelf("game").book.Load()).(*countBook)
	if !ok {
		t.Fatal("not the test's book")
	}
	book.mu.Lock()
	book.findings = f
	book.version++
	book.mu.Unlock()
	rests(2 * watchEvery)
}

// alerts are the cases asked for since the last call.
func (r *rig) alerts() (list []Alert) {
	r.store.mu.Lock()
	defer r.store.mu.Unlock()
	list, r.store.alerts = r.store.alerts, nil
	return list
}

func atRisk(p engines.PlayerID, score int) AtRisk {
	return AtRisk{Player: p, Risk: Risk{Score: score, Level: LevelOf(score)}}
}

// Links and high risks open cases, each once while it lasts.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		if _, err := r.Submit(t.Context(), "game", []Entry{earn("new", "1", r.at())}); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, r, "new", 1)
		f := Findings{
			Links: []Linked{{Player: "new", Link: Link{Banned: "old", BanID: "b", By: ByDevice}}},
			High:  []AtRisk{atRisk("x", 80), atRisk("y", 92), atRisk("z", 70)},
		}
		r.store.fail(errors.New("away"))
		r.show(t, f)
		if got := r.alerts(); len(got) != 0 {
			t.Errorf("cases though the store is away: %v", got)
		}
		r.store.fail(nil)
		rests(2 * watchEvery) // the same snapshot is looked at again
		got := r.alerts()
		if len(got) != 3 || got[0].Kind != BanEvasion || got[0].Player != "new" || got[0].Link.Banned != "old" || got[0].Score != 1 ||
			got[1].Player != "y" || got[1].Kind != HighRisk || got[2].Player != "x" || got[2].Rose {
			t.Errorf("cases %+v, want the link's, y's and x's", got)
		}
		r.show(t, f)
		if got := r.alerts(); len(got) != 0 {
			t.Errorf("cases again: %v", got)
		}
		f.High = []AtRisk{atRisk("x", 95), atRisk("y", 70)} // x is critical by now, y swings
		r.show(t, f)
		if got := r.alerts(); len(got) != 1 || got[0].Player != "x" || got[0].Level != Critical {
			t.Errorf("cases %+v, want that x is critical", got)
		}
		f.High = []AtRisk{atRisk("y", 90)}
		r.show(t, f) // x has fallen
		if got := r.alerts(); len(got) != 0 {
			t.Errorf("cases %+v: y has not fallen far", got)
		}
		f.High = []AtRisk{atRisk("x", 76), atRisk("y", 90)}
		r.show(t, f)
		if got := r.alerts(); len(got) != 1 || got[0].Player != "x" || !got[0].Rose {
			t.Errorf("cases %+v, want that x rose again", got)
		}
	})
}

// One look opens no more than so many cases; the rest come with the next.
func TestWatchIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, newFakeStore())
		if _, err := r.Submit(t.Context(), "game", []Entry{earn("p", "1", r.at())}); err != nil {
			t.Fatal(err)
		}
		wantRisk(t, r, "p", 1)
		var f Findings
		for i := range alertsAtOnce + 50 {
			f.High = append(f.High, atRisk(engines.PlayerID(rune('a'+i)), 80))
		}
		r.show(t, f)
		rests(3 * watchEvery)
		if got := r.alerts(); len(got) != alertsAtOnce+50 {
			t.Errorf("%d cases, want %d", len(got), alertsAtOnce+50)
		}
	})
}
