package casework_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func file(t *testing.T, d *desk, id engines.CaseID) *casework.File {
	t.Helper()
	f, err := d.File(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCrashBetweenDecisionAndPublication: what a gateway left undone is done by who
// looks next, in its order, and once as the scene sees it.
func TestCrashBetweenDecisionAndPublication(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		d.held(t, "c1", "p")
		down := true
		d.out.faults = func() (bool, bool) { return down, false }
		c := d.do(t, "c1", decide(ann, store.CaseApproved)) // decided, and nothing of it reaches anybody
		if c.State != store.CaseClosed || len(d.out.published) != 0 || d.message(t, "c1") != "delivered" {
			t.Fatalf("decided: %+v", c)
		}
		d.do(t, "c1", undo(ann, false)) // what comes after waits for what came before
		down = false
		if err := d.Look(t.Context()); err != nil || len(d.out.published) != 0 {
			t.Fatalf("somebody may still be at it: %v", err)
		}
		d.clock.forward(time.Minute)
		next := newDesk(db, casework.Default()) // another process
		next.out, next.clock.ahead = d.out, time.Minute
		next.Service = casework.New(casework.Default(), casework.Deps{Store: db, Scenes: d.out, Ruled: d.out, Now: d.clock.now})
		if err := next.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d.out.published["m-c1"] != 0 || d.out.retracted["m-c1"] != 1 { // taken back before anybody saw it
			t.Errorf("published %v, retracted %v", d.out.published, d.out.retracted)
		}
		got := d.out.rulings["c1"]
		if len(got) != 2 || got[0].Undone || !got[1].Undone || got[0].Player != "p" || got[0].Request != "m-c1" {
			t.Errorf("rulings %+v", got)
		}
		if err := next.Look(t.Context()); err != nil || d.out.retracted["m-c1"] != 1 {
			t.Errorf("looked again: %v, %v", d.out.retracted, err)
		}
	})
}

func TestKeyIsDoneOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		d.held(t, "c1", "p")
		m := casework.Move{Action: casework.Escalate, By: ann, Version: 1, Key: "k", Reason: "r"}
		first := d.do(t, "c1", m)
		// It is the seniors' by now, and of another version: it was done all the same.
		if again := d.do(t, "c1", m); again.Version != first.Version || again.Queue != casework.QueueSenior {
			t.Errorf("again: %+v", again)
		}
		m.Action = casework.Skip
		if _, err := d.Move(t.Context(), "c1", m); !errors.Is(err, store.ErrConflict) {
			t.Errorf("the key for another action: %v", err)
		}
	})
}

func TestRightsAndHandOver(t *testing.T) {
	d := newDesk(openStore(t, sqlstore.Config{Dir: t.TempDir()}), casework.Default())
	d.held(t, "c1", "p", func(c *store.Case) { c.Queue = casework.QueueSenior })
	d.held(t, "c2", "p")
	if _, err := d.Move(t.Context(), "c1", claim(ann)); !errors.Is(err, casework.ErrForbidden) {
		t.Errorf("a moderator claims the seniors': %v", err)
	}
	d.do(t, "c1", claim(sue))
	over := casework.Move{Action: casework.HandOver, By: sue, Version: casework.AnyVersion, To: casework.Person{Name: "ann"}}
	if _, err := d.Move(t.Context(), "c1", over); !errors.Is(err, casework.ErrForbidden) {
		t.Errorf("it is handed to a moderator: %v", err)
	}
	d.do(t, "c2", claim(ann))
	over.By, over.To.Name = ann, "nobody"
	if _, err := d.Move(t.Context(), "c2", over); !errors.Is(err, store.ErrConflict) {
		t.Errorf("handed to nobody: %v", err)
	}
	over.To.Name = "bob"
	if c := d.do(t, "c2", over); c.Assignee != "bob" {
		t.Errorf("handed over: %+v", c)
	}
	if _, err := d.Move(t.Context(), "c9", claim(ann)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no case: %v", err)
	}
	viewer := casework.Person{Name: "v", Role: "viewer"}
	if _, err := d.Move(t.Context(), "c2", claim(viewer)); !errors.Is(err, casework.ErrForbidden) {
		t.Errorf("a viewer claims: %v", err)
	}
}

func TestLeasesEnd(t *testing.T) {
	d := newDesk(openStore(t, sqlstore.Config{Dir: t.TempDir()}), casework.Default())
	d.held(t, "c1", "p")
	d.held(t, "c2", "p")
	d.do(t, "c1", claim(ann))
	d.do(t, "c2", casework.Move{Action: casework.Hold, By: ann, Until: time.Now().Add(5 * time.Minute), Reason: "r"})
	d.clock.forward(6 * time.Minute)
	d.do(t, "c1", casework.Move{Action: casework.Renew, By: ann})
	d.clock.forward(6 * time.Minute)
	if err := d.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f := file(t, d, "c1"); f.Case.State != store.CaseClaimed {
		t.Errorf("a heart-beat did not hold it: %+v", f.Case)
	}
	if f := file(t, d, "c2"); f.Case.State != store.CaseOpen || f.History[len(f.History)-1].Actor != "system" {
		t.Errorf("what was held did not come back: %+v", f)
	}
	d.clock.forward(6 * time.Minute)
	if f := file(t, d, "c1"); f.Case.State != store.CaseOpen || f.Case.Assignee != "" {
		t.Errorf("a lease that ran out still shows: %+v", f.Case)
	}
	if err := d.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c, err := d.db.Case(t.Context(), "c1"); err != nil || c.State != store.CaseOpen || c.Version != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestNext(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		add := func(id string, priority int, change func(*store.Case)) {
			d.held(t, id, "p", func(c *store.Case) {
				c.Priority = priority
				if change != nil {
					change(c)
				}
			})
		}
		add("low", 0, nil)
		add("spam", 1, func(c *store.Case) { c.Queue, c.Category = "spam", engines.Spam })
		add("sexual", 2, func(c *store.Case) { c.Category = engines.Sexual })
		add("barred", 3, func(c *store.Case) { c.Barred = []string{"ann"} })
		add("senior", 4, func(c *store.Case) { c.Queue = casework.QueueSenior })
		add("taken", 4, nil)
		d.do(t, "taken", claim(bob))
		if err := d.PutPreferences(t.Context(), store.Preferences{Name: "ann", OptOut: []engines.Category{engines.Sexual}}); err != nil {
			t.Fatal(err)
		}
		next := func(p casework.Person, queue string) engines.CaseID {
			t.Helper()
			c, err := d.Next(t.Context(), p, "", queue)
			if errors.Is(err, casework.ErrNone) {
				return ""
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.Assignee != p.Name || c.State != store.CaseClaimed {
				t.Errorf("next: %+v", c)
			}
			return c.ID
		}
		if got := next(ann, ""); got != "spam" {
			t.Errorf("ann gets %q, want what she may take", got)
		}
		d.do(t, "spam", casework.Move{Action: casework.Skip, By: ann, Reason: "do not read the language"})
		if got := next(ann, "spam"); got != "" {
			t.Errorf("ann gets %q, which she has passed over", got)
		}
		if got := next(bob, "spam"); got != "spam" {
			t.Errorf("bob gets %q", got)
		}
		if got := next(sue, ""); got != "senior" {
			t.Errorf("sue gets %q", got)
		}
		if got := next(ann, ""); got != "low" {
			t.Errorf("ann gets %q then", got)
		}
		// Who has seen enough of it today gets no more.
		if err := d.PutPreferences(t.Context(), store.Preferences{Name: "bob", ExposureLimit: 1}); err != nil {
			t.Fatal(err)
		}
		if got := next(bob, ""); got != "barred" {
			t.Errorf("bob gets %q", got)
		}
		if got := next(bob, ""); got != "sexual" {
			t.Errorf("bob gets %q", got)
		}
		add("sexual2", 2, func(c *store.Case) { c.Category = engines.Sexual })
		if got := next(bob, ""); got != "" {
			t.Errorf("bob gets %q past his limit", got)
		}
		if n, err := d.Exposure(t.Context(), "bob"); err != nil || n != 1 {
			t.Errorf("bob's exposure is %d, %v", n, err)
		}
	})
}

// TestNextTogether has many ask at once: no case is given to two.
func TestNextTogether(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		const n = 12
		for i := range n {
			d.held(t, fmt.Sprint("c", i), "p")
		}
		given := make(chan engines.CaseID, n)
		for i := range n {
			go func() {
				c, err := d.Next(t.Context(), casework.Person{Name: fmt.Sprint("mod", i), Role: "moderator"}, "", "")
				if err != nil {
					t.Error(err)
				}
				given <- c.ID
			}()
		}
		var ids []engines.CaseID
		for range n {
			ids = append(ids, <-given)
		}
		slices.Sort(ids)
		if got := slices.Compact(ids); len(got) != n {
			t.Errorf("%d cases were given to %d people", len(got), n)
		}
	})
}

func TestFile(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		cfg := casework.Default()
		cfg.SecondShare, cfg.Context = 1, 2
		d := newDesk(db, cfg)
		now := time.Now().UTC().Truncate(time.Millisecond)
		var talk []store.SceneMessage
		for _, id := range []string{"m-a", "m-b", "m-c", "m-d", "m-e", "m-f"} {
			talk = append(talk, store.SceneMessage{App: "game", Scene: "lobby", Message: engines.RequestID(id), Player: "p", Content: id, State: "delivered", Sent: now})
		}
		if err := db.PutSceneMessages(t.Context(), talk); err != nil {
			t.Fatal(err)
		}
		d.held(t, "before", "p")
		d.do(t, "before", decide(bob, store.CaseRejected))
		d.held(t, "c1", "p")
		d.out.penalties = []casework.Penalty{{ID: "old", At: now.Add(-time.Hour)}, {ID: "new", At: now.Add(time.Minute)}}
		if _, err := d.Report(t.Context(), store.Report{App: "game", Reporter: "r", Player: "p", Message: "m-c1", Scene: "lobby", Reason: "harassment"}); err != nil {
			t.Fatal(err)
		}
		f := file(t, d, "c1")
		if f.Opened == nil || f.Opened.Verdict.PolicyVersion != "v1" || f.Message == nil || f.Message.State != "held" || len(f.Reports) != 1 || len(f.Penalties) != 2 {
			t.Errorf("file: %+v", f)
		}
		if len(f.Before) != 2 || f.Before[1].Message != "m-c" || len(f.After) != 2 || f.After[0].Message != "m-d" {
			t.Errorf("around it: %v, %v", f.Before, f.After)
		}
		if len(f.Earlier) != 1 || f.Earlier[0].ID != "before" {
			t.Errorf("earlier: %+v", f.Earlier)
		}
		d.do(t, "c1", decide(ann, store.CaseRejected))
		seconds, err := db.Cases(t.Context(), store.CaseQuery{States: []string{store.CaseOpen}, Now: time.Now(), Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(seconds, func(c store.Case) bool { return c.Parent == "c1" })
		if i < 0 {
			t.Fatalf("no second look among %+v", seconds)
		}
		second := seconds[i]
		f = file(t, d, second.ID)
		for _, e := range f.Earlier {
			if e.ID == "c1" || e.Parent == "c1" {
				t.Errorf("a second look shows the first: %+v", e)
			}
		}
		if f.Case.Second || f.Case.Parent != "" || f.Parent != nil || f.Case.Barred != nil || len(f.Reports) != 1 || f.Reports[0].State != store.ReportOpen || len(f.Penalties) != 1 {
			t.Errorf("a second look shows that it is one: %+v, reports %+v, penalties %+v", f.Case, f.Reports, f.Penalties)
		}
		if f.Opened == nil || f.Opened.Content != "text of c1" || f.Case.About() != "m-c1" {
			t.Errorf("a second look is of something else: %+v", f)
		}
		list, err := d.List(t.Context(), store.CaseQuery{States: []string{store.CaseOpen}, Limit: 10})
		if err != nil || slices.ContainsFunc(list, func(f casework.File) bool { return f.Case.Second || f.Case.Parent != "" }) {
			t.Errorf("the list tells second looks apart: %v", err)
		}
		if _, err := d.Move(t.Context(), second.ID, claim(ann)); !errors.Is(err, casework.ErrForbidden) {
			t.Errorf("who decided first looks again: %v", err)
		}
		if f.Message == nil || f.Message.State != "held" {
			t.Errorf("a second look shows what became of the message: %+v", f.Message)
		}
		// bob sees it otherwise: a senior settles it, and what stood falls.
		d.do(t, string(second.ID), decide(bob, store.CaseApproved))
		a, err := d.Agreement(t.Context(), "game", now.Add(-time.Hour), now.Add(time.Hour))
		if err != nil || a.Pairs != 1 || a.Agreed != 0 {
			t.Errorf("agreement %+v, %v", a, err)
		}
		dispute, err := d.Next(t.Context(), sue, "", casework.QueueSenior)
		if err != nil || dispute.Kind != store.CaseOfDispute {
			t.Fatalf("%+v, %v", dispute, err)
		}
		if f := file(t, d, dispute.ID); f.Parent == nil || f.Parent.ID != "c1" {
			t.Errorf("dispute of %+v", f.Parent)
		}
		d.do(t, string(dispute.ID), decide(sue, store.CaseApproved))
		if c := file(t, d, "c1").Case; !c.Undone || c.Decision != store.CaseApproved || d.message(t, "c1") != "delivered" || d.out.published["m-c1"] != 1 {
			t.Errorf("the first stands: %+v, message %s", c, d.message(t, "c1"))
		}
	})
}

func TestReports(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		report := func(r store.Report) store.Case {
			t.Helper()
			r.App = "game"
			c, err := d.Report(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		by := func(reporter, message string) store.Report {
			return store.Report{Reporter: engines.PlayerID(reporter), Player: "bad", Message: engines.RequestID(message), Reason: "harassment"}
		}
		first := report(by("r1", "m1"))
		if first.Kind != store.CaseOfReports || first.Category != engines.Harassment || first.Queue != casework.QueueReports || first.About() != "m1" {
			t.Errorf("first: %+v", first)
		}
		for range 20 { // a flood by one
			report(by("r1", "m1"))
		}
		if c := report(by("r1", "m1")); c.Reporters != 1 || c.Priority != first.Priority {
			t.Errorf("a flood by one: %+v", c)
		}
		last := first
		for i := range 8 {
			last = report(by(fmt.Sprint("other", i), "m1"))
		}
		if last.ID != first.ID || last.Reporters != 9 || last.Priority <= first.Priority || !last.Due.Before(first.Due) {
			t.Errorf("nine who say so: %+v after %+v", last, first)
		}
		// Without a message: by player, or by what was said.
		one, two := report(by("r1", "")), report(by("r2", ""))
		said := by("r1", "")
		said.Content = "you know what"
		if c := report(said); one.ID != two.ID || c.ID == one.ID || report(said).ID != c.ID {
			t.Errorf("%s, %s and %s", one.ID, two.ID, c.ID)
		}
		// A liar: reports that are dismissed make the next one weigh less.
		for i := range 6 {
			c := report(by("liar", fmt.Sprint("lie", i)))
			d.do(t, string(c.ID), decide(ann, store.CaseApproved))
		}
		lie := report(by("liar", "lie7"))
		if lie.Weight >= first.Weight/2 || lie.Priority != 0 {
			t.Errorf("a liar's report weighs %g, priority %d", lie.Weight, lie.Priority)
		}
		d.do(t, string(last.ID), decide(ann, store.CaseRejected))
		list, err := d.Reports(t.Context(), store.ReportQuery{App: "game", State: store.ReportUpheld, Limit: 50})
		if err != nil || len(list) != 9 {
			t.Errorf("%d reports were upheld, %v", len(list), err)
		}
		if c := report(by("r1", "m9")); c.Weight <= first.Weight {
			t.Errorf("who was right weighs %g, before %g", c.Weight, first.Weight)
		}

		// A message that has a case of its own; that of another player; oneself.
		d.held(t, "c1", "bad")
		own := by("r1", "m-c1")
		if c := report(own); c.ID != "c1" || c.Reporters != 1 || c.Kind != "" {
			t.Errorf("a message with a case: %+v", c)
		}
		theirs := by("r1", "m-c1")
		theirs.App, theirs.Player = "game", "somebody"
		if _, err := d.Report(t.Context(), theirs); !errors.Is(err, casework.ErrNotTheirs) {
			t.Errorf("another player's message: %v", err)
		}
		theirs.Scene = "lobby"
		if _, err := d.Report(t.Context(), theirs); !errors.Is(err, casework.ErrNotTheirs) {
			t.Errorf("another player's message, in its scene: %v", err)
		}
		if _, err := d.Report(t.Context(), store.Report{App: "game", Reporter: "x", Player: "x", Reason: "r"}); !errors.Is(err, casework.ErrOwn) {
			t.Errorf("oneself: %v", err)
		}
	})
}

func TestAppeals(t *testing.T) {
	everywhere(t, func(t *testing.T, db *sqlstore.Store) {
		t.Helper()
		d := newDesk(db, casework.Default())
		d.held(t, "c1", "p")
		appeal := store.Appeal{App: "game", Player: "p", Against: "c1", Words: "not me", By: "app/game"}
		refused := func(what string, a store.Appeal, want error) {
			t.Helper()
			if _, err := d.Appeal(t.Context(), a); !errors.Is(err, want) {
				t.Errorf("%s: %v", what, err)
			}
		}
		refused("nothing is decided", appeal, store.ErrConflict)
		d.do(t, "c1", decide(sue, store.CaseRejected))
		other := appeal
		other.Player = "q"
		refused("of another player", other, store.ErrNotFound)
		other = appeal
		other.App = "other"
		refused("of another app", other, store.ErrNotFound)
		a, err := d.Appeal(t.Context(), appeal)
		if err != nil || a.State != store.AppealOpen {
			t.Fatalf("%+v, %v", a, err)
		}
		refused("again", appeal, store.ErrConflict)
		f := file(t, d, a.Case)
		if f.Appeal == nil || f.Appeal.Words != "not me" || f.Parent == nil || f.Parent.ID != "c1" || f.Case.Queue != casework.QueueAppeals || f.Message == nil {
			t.Errorf("file of an appeal: %+v", f)
		}
		if _, err := d.Next(t.Context(), sue, "", casework.QueueAppeals); !errors.Is(err, casework.ErrNone) {
			t.Errorf("who decided first gets the appeal: %v", err)
		}
		if got, err := d.Next(t.Context(), tom, "", casework.QueueAppeals); err != nil || got.ID != a.Case {
			t.Fatalf("%+v, %v", got, err)
		}
		m := decide(tom, store.CaseApproved)
		m.Statement = "we were wrong"
		d.do(t, string(a.Case), m)
		if a, err = d.AppealOf(t.Context(), "game", a.ID); err != nil || a.State != store.AppealUpheld || a.Statement != "we were wrong" || a.Decided.IsZero() {
			t.Errorf("%+v, %v", a, err)
		}
		c := file(t, d, "c1").Case
		if !c.Undone || c.Decision != store.CaseApproved || d.message(t, "c1") != "delivered" || len(d.out.appeals) != 1 || !d.out.appeals[0] {
			t.Errorf("the decision stands: %+v, told %v", c, d.out.appeals)
		}
		if r := d.out.rulings["c1"]; len(r) != 2 || !r[1].Undone {
			t.Errorf("rulings %+v", r)
		}

		// Against a penalty that somebody gave by hand.
		refused("no such penalty", store.Appeal{App: "game", Player: "p", Penalty: "pen"}, store.ErrNotFound)
		d.out.penalties = []casework.Penalty{{ID: "pen", By: "tom"}}
		a, err = d.Appeal(t.Context(), store.Appeal{App: "game", Player: "p", Penalty: "pen"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Move(t.Context(), a.Case, claim(tom)); !errors.Is(err, casework.ErrForbidden) {
			t.Errorf("who gave the penalty decides: %v", err)
		}
		d.do(t, string(a.Case), decide(sue, store.CaseApproved))
		if !slices.Equal(d.out.revoked, []string{"pen"}) {
			t.Errorf("revoked %v", d.out.revoked)
		}
		list, err := d.Appeals(t.Context(), store.AppealQuery{App: "game", State: store.AppealUpheld, Limit: 10})
		if err != nil || len(list) != 2 {
			t.Errorf("%d appeals, %v", len(list), err)
		}
	})
}

func TestQueues(t *testing.T) {
	d := newDesk(openStore(t, sqlstore.Config{Dir: t.TempDir()}), casework.Default())
	d.held(t, "c1", "p")
	d.held(t, "c2", "p")
	d.do(t, "c2", claim(ann))
	d.clock.forward(2 * time.Minute)
	list, err := d.Queues(t.Context(), "game")
	if err != nil || len(list) != 1 || list[0].Open != 1 || list[0].Claimed != 1 || list[0].Overdue != 0 || list[0].Owners[0].Name != "ann" {
		t.Errorf("%+v, %v", list, err)
	}
	d.clock.forward(2 * time.Hour)
	if list, err = d.Queues(t.Context(), "game"); err != nil || list[0].Overdue != 2 || list[0].Open != 2 {
		t.Errorf("later: %+v, %v", list, err)
	}
}
