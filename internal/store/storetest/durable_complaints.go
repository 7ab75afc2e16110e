package storetest

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

func testCaseQueues(t *testing.T, p Place) {
	t.Helper()
	s, at := p.Open(t), now()
	old := at.Add(-time.Hour)
	putCase(t, s, store.Case{ID: "a", Queue: "spam", Created: old, Due: at.Add(time.Hour)})
	putCase(t, s, store.Case{ID: "b", Queue: "spam", State: store.CaseClaimed, Assignee: "ann", Until: at.Add(time.Hour), Due: old})
	putCase(t, s, store.Case{ID: "c", Queue: "spam", State: store.CaseHeld, Assignee: "ann", Until: at.Add(time.Hour), Due: at.Add(time.Hour)})
	putCase(t, s, store.Case{ID: "d", Queue: "spam", State: store.CaseClaimed, Assignee: "bob", Until: at.Add(-time.Minute), Due: at.Add(time.Hour)})
	putCase(t, s, store.Case{ID: "e", Queue: "spam", State: store.CaseClosed})
	putCase(t, s, store.Case{ID: "f", Queue: "abuse", App: "other", Due: at.Add(time.Hour)})
	got, err := s.CaseQueues(t.Context(), "", at)
	must(t, err)
	if len(got) != 2 || got[0].Queue != "abuse" {
		t.Fatalf("queues %+v", got)
	}
	same(t, "spam", got[1], store.CaseQueue{Queue: "spam", Open: 2, Claimed: 1, Held: 1, Overdue: 1, Oldest: old, Owners: []store.CaseOwner{{Name: "ann", Cases: 2}}})
	got, err = s.CaseQueues(t.Context(), "other", at)
	must(t, err)
	if len(got) != 1 || got[0].Queue != "abuse" || got[0].Open != 1 {
		t.Errorf("of one app: %+v", got)
	}
}

func testCasePairs(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	pair := store.CasePair{
		App: "game", First: "c1", Second: "c2", FirstBy: "ann", SecondBy: "bob", FirstDecision: "reject", SecondDecision: "approve",
		FirstCategory: engines.Spam, At: at,
	}
	putCase(t, s, store.Case{ID: "c2"})
	_, _, err := s.MoveCase(ctx, "c2", "decide", "", func(f store.CaseFacts) (store.CaseChange, error) {
		c := f.Case
		c.Version++
		x := moved(c, "decide", "bob", at)
		x.Pair = &pair
		return x, nil
	})
	must(t, err)
	got, err := s.CasePairs(ctx, "game", at, at.Add(time.Second), 10)
	must(t, err)
	same(t, "pairs", got, []store.CasePair{pair})
	got, err = s.CasePairs(ctx, "", at.Add(time.Millisecond), at.Add(time.Second), 10)
	must(t, err)
	same(t, "pairs of later", got, nil)
}

// filed files a report by somebody on a message; weigh makes the priority the number
// of reporters.
func filed(t *testing.T, s *sqlstore.Store, id, reporter, message string) (store.Case, error) {
	t.Helper()
	r := store.Report{
		ID: id, App: "game", Reporter: engines.PlayerID(reporter), Player: "bad", Message: engines.RequestID(message), Scene: "s1",
		Reason: "harassment", Detail: "d\u0000", Content: "c\u0000", Weight: 0.5, Created: now(),
	}
	fresh := store.Case{
		ID: engines.CaseID("case-" + id), App: "game", Request: engines.RequestID("case-" + id), Subject: r.Message, Player: "bad", State: store.CaseOpen,
		Kind: store.CaseOfReports, Group: "g\n" + message, Version: 1, Created: r.Created, Updated: r.Created,
	}
	return s.FileReport(t.Context(), r, fresh, func(c *store.Case) { c.Priority = c.Reporters })
}

func testPlayerReports(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	file := func(id, reporter, message string) store.Case {
		t.Helper()
		c, err := filed(t, s, id, reporter, message)
		must(t, err)
		return c
	}
	first := file("1", "ann", "m1")
	if first.Reporters != 1 || first.Weight != 0.5 || first.Priority != 1 || first.Kind != store.CaseOfReports {
		t.Errorf("first report: %+v", first)
	}
	again := file("2", "ann", "m1")
	if again.ID != first.ID || again.Reporters != 1 || again.Weight != 0.5 {
		t.Errorf("the same again: %+v", again)
	}
	if c := file("3", "bob", "m1"); c.ID != first.ID || c.Reporters != 2 || c.Priority != 2 || c.Weight != 1 {
		t.Errorf("somebody else: %+v", c)
	}
	if c := file("4", "ann", "m2"); c.ID == first.ID {
		t.Errorf("another message: %+v", c)
	}
	list, err := s.Reports(ctx, store.ReportQuery{App: "game", Case: first.ID, Limit: 10})
	must(t, err)
	if len(list) != 2 || list[0].Times+list[1].Times != 3 || list[0].Detail != "d\u0000" || list[0].Content != "c\u0000" || list[0].State != store.ReportOpen {
		t.Errorf("reports: %+v", list)
	}
	// Decided: they were right. What is said of it afterwards is settled at once.
	_, _, err = s.MoveCase(ctx, first.ID, "decide", "", func(f store.CaseFacts) (store.CaseChange, error) {
		c := f.Case
		c.State, c.Decision, c.Version = store.CaseClosed, store.CaseRejected, 2
		x := moved(c, "decide", "mo", now())
		x.Reports = store.ReportUpheld
		return x, nil
	})
	must(t, err)
	upheld, dismissed, err := s.ReporterRecord(ctx, "game", "ann")
	must(t, err)
	if upheld != 1 || dismissed != 0 {
		t.Errorf("ann's record: %d upheld, %d dismissed", upheld, dismissed)
	}
	if c := file("5", "cy", "m1"); c.ID == first.ID || c.State != store.CaseOpen {
		t.Errorf("once the group's case is closed: %+v", c)
	}

	// A message that has a case of its own keeps it, closed or not.
	putCase(t, s, store.Case{ID: "own", Player: "bad"})
	if c := file("6", "ann", "r-own"); c.ID != "own" || c.Reporters != 1 {
		t.Errorf("a message with a case: %+v", c)
	}
	_, err = DecideCase(ctx, s, "own", 1, store.CaseApproved, "mo", "", now())
	must(t, err)
	if c := file("7", "cy", "r-own"); c.ID != "own" || c.Priority != 1 {
		t.Errorf("a message whose case is closed: %+v", c)
	}
	list, err = s.Reports(ctx, store.ReportQuery{App: "game", Reporter: "cy", State: store.ReportDismissed, Limit: 10})
	must(t, err)
	if len(list) != 1 || list[0].ID != "7" {
		t.Errorf("settled at once: %+v", list)
	}
	all, err := s.Reports(ctx, store.ReportQuery{App: "game", Limit: 2})
	must(t, err)
	last := all[1]
	rest, err := s.Reports(ctx, store.ReportQuery{App: "game", Before: economy.Mark{At: last.Created.UnixMilli(), ID: last.ID}, Limit: 10})
	must(t, err)
	if len(all)+len(rest) != 6 {
		t.Errorf("%d and %d reports, want 6", len(all), len(rest))
	}
}

// testPlayerReportsConcurrent has many report one message at once: one case, each counted
// once.
func testPlayerReportsConcurrent(t *testing.T, p Place) {
	t.Helper()
	s := p.Open(t)
	const n = 24
	_, errs := race(n, func(i int) error {
		_, err := filed(t, s, strconv.Itoa(i), fmt.Sprint("p", i%12), "m1")
		return err
	})
	if errs != nil {
		t.Fatal(errs)
	}
	cases, err := s.Cases(t.Context(), store.CaseQuery{App: "game", Now: now(), Limit: 10})
	must(t, err)
	if len(cases) != 1 || cases[0].Reporters != n/2 || cases[0].Weight != n/4 || cases[0].Priority != n/2 {
		t.Errorf("%d cases: %+v", len(cases), cases)
	}
}

func testAppeals(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	a := store.Appeal{
		ID: "a1", App: "game", Player: "p1", Case: "ca", Against: "c1", Words: "w\u0000", State: store.AppealOpen, By: "app/game", Created: at,
	}
	c := store.Case{ID: "ca", App: "game", Request: "a1", Parent: "c1", Kind: store.CaseOfAppeal, State: store.CaseOpen, Version: 1, Created: at, Updated: at}
	entry := store.Audit{TS: at, Actor: "app/game", Action: "appeal.open", Object: "appeal/a1", Detail: "{}"}
	must(t, s.OpenAppeal(ctx, a, c, entry))
	again := a
	again.ID, c.ID, c.Request = "a2", "cb", "a2"
	wantErr(t, "the same again", s.OpenAppeal(ctx, again, c, entry), store.ErrExists)
	_, err := s.Case(ctx, "cb")
	wantErr(t, "case of a refused appeal", err, store.ErrNotFound)
	for _, id := range []string{"a1", "ca"} {
		got, err := s.Appeal(ctx, "game", id)
		must(t, err)
		same(t, "appeal by "+id, got, a)
	}
	_, err = s.Appeal(ctx, "other", "a1")
	wantErr(t, "another app's appeal", err, store.ErrNotFound)
	_, _, err = s.MoveCase(ctx, "ca", "decide", "", func(f store.CaseFacts) (store.CaseChange, error) {
		k := f.Case
		k.State, k.Decision, k.Updated, k.Version = store.CaseClosed, store.CaseApproved, at, 2
		x := moved(k, "decide", "mo", at)
		x.Appeal, x.Statement = store.AppealUpheld, "sorry\u0000"
		return x, nil
	})
	must(t, err)
	a.State, a.Statement, a.Decided = store.AppealUpheld, "sorry\u0000", at
	list, err := s.Appeals(ctx, store.AppealQuery{App: "game", Player: "p1", State: store.AppealUpheld, Limit: 10})
	must(t, err)
	same(t, "appeals", list, []store.Appeal{a})
	list, err = s.Appeals(ctx, store.AppealQuery{App: "game", State: store.AppealOpen, Limit: 10})
	must(t, err)
	same(t, "open ones", list, nil)
	must(t, s.VerifyAudit(ctx, p.Config.Node))
}

func testPreferences(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	got, err := s.Preferences(ctx, "ann")
	must(t, err)
	same(t, "none yet", got, store.Preferences{Name: "ann"})
	for _, want := range []store.Preferences{
		{Name: "ann", OptOut: []engines.Category{engines.Sexual, "gore"}, ExposureLimit: 3}, {Name: "ann"},
	} {
		must(t, s.PutPreferences(ctx, want))
		got, err = s.Preferences(ctx, "ann")
		must(t, err)
		same(t, "preferences", got, want)
	}
	putCase(t, s, store.Case{ID: "c1", Category: engines.Sexual})
	putCase(t, s, store.Case{ID: "c2", Category: engines.Spam})
	for _, id := range []engines.CaseID{"c1", "c2"} {
		_, err := DecideCase(ctx, s, id, 1, store.CaseApproved, "ann", "", now())
		must(t, err)
	}
	hard := []engines.Category{engines.Sexual, engines.Violence}
	for _, test := range []struct {
		name  string
		since time.Time
		list  []engines.Category
		want  int
	}{
		{"ann", now().Add(-time.Minute), hard, 1},
		{"ann", now().Add(time.Minute), hard, 0},
		{"bob", now().Add(-time.Minute), hard, 0},
		{"ann", now().Add(-time.Minute), nil, 0},
	} {
		n, err := s.Exposure(ctx, test.name, test.since, test.list)
		must(t, err)
		if n != test.want {
			t.Errorf("Exposure(%s, %v, %v) = %d, want %d", test.name, test.since, test.list, n, test.want)
		}
	}
}
