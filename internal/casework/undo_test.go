package casework_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

var (
	tom = casework.Person{Name: "tom", Role: "senior"}
	uma = casework.Person{Name: "uma", Role: "senior"}
)

func anyVersion(m casework.Move) casework.Move { m.Version = casework.AnyVersion; return m }

// TestAppealUndone: another senior undoes the answer to an appeal, and what it did to
// the decision that it was against is taken back.
func TestAppealUndone(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		d.held(t, "c1", "p")
		d.do(t, "c1", decide(sue, store.CaseRejected))
		a, err := d.Appeal(t.Context(), store.Appeal{App: "game", Player: "p", Against: "c1", Words: "not me", By: "app/game"})
		if err != nil {
			t.Fatal(err)
		}
		id := string(a.Case)
		d.do(t, id, decide(tom, store.CaseApproved))
		for _, who := range []casework.Person{tom, sue, ann} { // who answered, who was appealed against, who is no senior
			if _, err := d.Move(t.Context(), a.Case, anyVersion(undo(who, false))); !errors.Is(err, casework.ErrForbidden) {
				t.Errorf("%s undoes the answer: %v", who.Name, err)
			}
		}
		stands := func(what, decision, appeal string, undone bool, rulings string) {
			t.Helper()
			c := file(t, d, "c1").Case
			a, err := d.AppealOf(t.Context(), "game", a.ID)
			if err != nil || c.State != store.CaseClosed || c.Decision != decision || c.Undone != undone || a.State != appeal {
				t.Errorf("%s: decision %s, undone %t, appeal %s, %v", what, c.Decision, c.Undone, a.State, err)
			}
			var got []string
			for _, r := range d.out.rulings["c1"] {
				word := r.Decision
				if r.Undone {
					word += "!"
				}
				got = append(got, word)
			}
			if got := strings.Join(got, " "); got != rulings {
				t.Errorf("%s: rulings %s, want %s", what, got, rulings)
			}
		}
		stands("upheld", store.CaseApproved, store.AppealUpheld, true, "reject reject!")
		d.do(t, id, undo(uma, false))
		stands("turned round", store.CaseRejected, store.AppealDenied, false, "reject reject! reject")
		if d.message(t, "c1") != "retracted" {
			t.Errorf("the message is %s", d.message(t, "c1"))
		}
		d.do(t, id, undo(uma, false)) // a repeat
		d.do(t, id, undo(tom, true))  // to be answered again
		stands("opened", store.CaseRejected, store.AppealOpen, false, "reject reject! reject")
		d.do(t, id, decide(uma, store.CaseApproved))
		stands("upheld again", store.CaseApproved, store.AppealUpheld, true, "reject reject! reject reject!")

		// Who has decided anew meanwhile is not overruled.
		d.do(t, "c1", undo(sue, true))
		d.do(t, "c1", decide(ann, store.CaseApproved))
		d.do(t, id, undo(tom, false))
		stands("decided anew", store.CaseApproved, store.AppealDenied, false, "reject reject! reject reject! approve")
	})
}

// A penalty that an appeal has lifted is not brought back by an undo, which says so.
func TestPenaltyAppealUndone(t *testing.T) {
	d := newDesk(openStore(t, sqlstore.Config{Dir: t.TempDir()}), casework.Default())
	d.out.penalties = []casework.Penalty{{ID: "pen", By: "ann"}}
	a, err := d.Appeal(t.Context(), store.Appeal{App: "game", Player: "p", Penalty: "pen"})
	if err != nil {
		t.Fatal(err)
	}
	d.do(t, string(a.Case), decide(sue, store.CaseRejected))
	if c := d.do(t, string(a.Case), undo(tom, false)); c.Decision != store.CaseApproved || len(d.out.revoked) != 1 {
		t.Errorf("%+v, revoked %v", c, d.out.revoked)
	}
	if _, err := d.Move(t.Context(), a.Case, anyVersion(undo(uma, true))); !errors.Is(err, store.ErrConflict) {
		t.Errorf("undone: %v", err)
	}
}

// TestDisputeUndone: what a senior made of two who saw it differently turns round.
func TestDisputeUndone(t *testing.T) {
	for _, said := range []string{store.CaseApproved, store.CaseRejected} {
		cfg := casework.Default()
		cfg.SecondShare = 1
		d := newDesk(openStore(t, sqlstore.Config{Dir: t.TempDir()}), cfg)
		d.held(t, "c1", "p")
		d.do(t, "c1", decide(ann, store.CaseRejected))
		twin, err := d.Next(t.Context(), bob, "", "")
		if err != nil {
			t.Fatal(err)
		}
		d.do(t, string(twin.ID), decide(bob, store.CaseApproved))
		dispute, err := d.Next(t.Context(), sue, "", casework.QueueSenior)
		if err != nil {
			t.Fatal(err)
		}
		d.do(t, string(dispute.ID), decide(sue, said))
		if c := file(t, d, "c1").Case; c.Decision != said {
			t.Errorf("settled as %s: %+v", said, c)
		}
		d.do(t, string(dispute.ID), undo(tom, false))
		c := file(t, d, "c1").Case
		if c.Decision == said || c.Undone != (said == store.CaseRejected) {
			t.Errorf("settled as %s and undone: %+v", said, c)
		}
	}
}

// TestReasons: the decision on a message has the reasons of the people who decided
// after it, and one statement holds at a time.
func TestReasons(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		d.held(t, "c1", "p")
		holds := func(what string, n int, ground, category, facts, visibility string) {
			t.Helper()
			dec, err := db.Decision(t.Context(), "game", "m-c1")
			if err != nil {
				t.Fatal(err)
			}
			var list []store.Statement
			for _, s := range dec.Statements {
				if s.Ends.IsZero() {
					list = append(list, s)
				}
			}
			if facts == "" && len(list) == 0 && len(dec.Statements) == n {
				return
			}
			if len(dec.Statements) != n || len(list) != 1 || list[0].GroundText != ground || list[0].Category != category || list[0].Facts != facts ||
				list[0].Visibility != visibility || list[0].AutomatedDecision != store.AutomatedNot {
				t.Errorf("%s: %d statements, of which hold %+v", what, len(dec.Statements), list)
			}
		}
		holds("nobody decided", 0, "", "", "", "")
		reject := decide(ann, store.CaseRejected)
		if _, err := d.Move(t.Context(), "c1", casework.Move{Action: casework.Decide, By: ann, Version: 7, Decision: store.CaseRejected}); !errors.Is(err, store.ErrConflict) {
			t.Errorf("a stale version: %v", err)
		}
		holds("refused", 0, "", "", "", "")
		d.do(t, "c1", reject)
		holds("rejected", 1, "§1", "hate", "r", store.VisibilityRemoved)
		d.do(t, "c1", undo(ann, false))
		holds("turned round", 2, "", "hate", "mistake", "")
		d.do(t, "c1", undo(sue, true))
		holds("open again", 2, "", "", "", "")
		reject.Category = engines.Extremism
		d.do(t, "c1", reject)
		holds("rejected again", 3, "§1", "extremism", "r", store.VisibilityRemoved)
		if dec, err := db.Decision(t.Context(), "game", "m-c1"); err != nil || dec.Statements[2].Ground != store.GroundIllegal {
			t.Errorf("%+v, %v", dec.Statements, err)
		}
		a, err := d.Appeal(t.Context(), store.Appeal{App: "game", Player: "p", Against: "c1", Words: "not me", By: "app/game"})
		if err != nil {
			t.Fatal(err)
		}
		d.do(t, string(a.Case), decide(tom, store.CaseApproved))
		holds("appeal upheld", 4, "", "hate", "case "+string(a.Case)+" decided otherwise", "")
		d.do(t, string(a.Case), undo(uma, false))
		holds("and undone", 4, "§1", "extremism", "r", store.VisibilityRemoved)
	})
}
