package casework_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// TestPublishedInTheOrderOfWhatWasSaid: an approved message waits for the earlier ones
// of its player in its scene, and for nobody else's.
func TestPublishedInTheOrderOfWhatWasSaid(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		for _, id := range []string{"a1", "a2", "a3", "a4", "a5"} {
			d.held(t, id, "p")
		}
		d.held(t, "b2", "other")
		out := func(want ...engines.RequestID) {
			t.Helper()
			if err := d.Look(t.Context()); err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(d.out.order) != fmt.Sprint(want) {
				t.Errorf("published %v, want %v", d.out.order, want)
			}
		}
		for _, id := range []string{"a3", "b2", "a5", "a2"} {
			d.do(t, id, decide(ann, store.CaseApproved))
		}
		if d.message(t, "a3") != "delivered" { // it is decided: only the scene waits
			t.Errorf("a3 is %s", d.message(t, "a3"))
		}
		out("m-b2")
		// Who looks next need not be who decided: nothing of it is in memory.
		next := newDesk(db, casework.Default())
		next.Service = casework.New(casework.Default(), casework.Deps{Store: db, Scenes: d.out, Ruled: d.out, Now: d.clock.now, Log: slog.New(slog.DiscardHandler)})
		d.Service = next.Service
		d.do(t, "a1", decide(ann, store.CaseRejected)) // either way is a decision
		out("m-b2", "m-a2", "m-a3")
		d.do(t, "a4", decide(ann, store.CaseApproved))
		out("m-b2", "m-a2", "m-a3", "m-a4", "m-a5")
	})
}

// TestPublicationWaitsForOneThatFails: an earlier message that is approved, and could
// not be published yet, is still the earlier one.
func TestPublicationWaitsForOneThatFails(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		d.held(t, "c1", "p")
		d.held(t, "c2", "p")
		d.out.faults = func() (bool, bool) { return true, false }
		d.do(t, "c1", decide(ann, store.CaseApproved))
		d.out.faults = nil
		d.do(t, "c2", decide(ann, store.CaseApproved))
		if len(d.out.order) != 0 {
			t.Errorf("published %v before m-c1", d.out.order)
		}
		d.clock.forward(effectsAgain)
		if err := d.Look(t.Context()); err != nil || fmt.Sprint(d.out.order) != "[m-c1 m-c2]" {
			t.Errorf("published %v, %v", d.out.order, err)
		}
	})
}

// TestPublicationDoesNotWaitForEver: only until the earlier one should be decided.
func TestPublicationDoesNotWaitForEver(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		d.held(t, "c1", "p")
		d.held(t, "c2", "p")
		d.held(t, "c3", "p")
		d.do(t, "c1", casework.Move{Action: casework.Hold, By: ann, Until: time.Now().Add(48 * time.Hour), Reason: "r"})
		d.do(t, "c2", decide(ann, store.CaseApproved))
		d.do(t, "c3", decide(ann, store.CaseApproved))
		d.do(t, "c3", undo(ann, false)) // taken back while it waits: nobody ever sees it
		d.clock.forward(59 * time.Minute)
		if err := d.Look(t.Context()); err != nil || len(d.out.order) != 0 {
			t.Errorf("published %v, %v", d.out.order, err)
		}
		d.clock.forward(2 * time.Minute)
		if err := d.Look(t.Context()); err != nil || fmt.Sprint(d.out.order) != "[m-c2]" {
			t.Errorf("once it is overdue: published %v, %v", d.out.order, err)
		}
		if got := d.out.rulings["c3"]; len(got) != 2 || !got[1].Undone {
			t.Errorf("rulings on what was taken back: %+v", got)
		}
	})
}
