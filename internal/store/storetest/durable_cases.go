package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// DecideCase closes a case that is at version, for tests of what comes after that.
func DecideCase(ctx context.Context, s *sqlstore.Store, id engines.CaseID, version int, decision, by, reason string, at time.Time) (store.Case, error) {
	c, _, err := s.MoveCase(ctx, id, "decide", "", func(f store.CaseFacts) (store.CaseChange, error) {
		c := f.Case
		if c.Version != version || c.State == store.CaseClosed {
			return store.CaseChange{}, store.ErrConflict
		}
		c.State, c.Decision, c.By, c.Reason, c.Decided, c.Updated = store.CaseClosed, decision, by, reason, at, at
		c.Version++
		return moved(c, "decide", by, at), nil
	})
	return c, err
}

// moved is a change with its step and audit entry.
func moved(c store.Case, action, by string, at time.Time) store.CaseChange {
	return store.CaseChange{
		Case:  c,
		Event: store.CaseEvent{Version: c.Version, At: at, Actor: by, Action: action, State: c.State, Detail: "{}"},
		Audit: store.Audit{TS: at, Actor: by, Action: "case." + action, Object: "case/" + string(c.ID), Detail: "{}"},
	}
}

// putCase stores a case with the decision that it is about.
func putCase(t *testing.T, s *sqlstore.Store, c store.Case) store.Case {
	t.Helper()
	if c.App == "" {
		c.App = "game"
	}
	c.Request, c.Version = "r-"+engines.RequestID(c.ID), 1
	if c.State == "" {
		c.State = store.CaseOpen
	}
	if c.Created.IsZero() {
		c.Created = now()
	}
	if c.Due.IsZero() {
		c.Due = c.Created
	}
	c.Updated = c.Created
	d := decision(c.Request)
	d.App = c.App
	must(t, s.PutDecision(t.Context(), d, &c, nil))
	return c
}

func caseIDs(t *testing.T, s *sqlstore.Store, q store.CaseQuery) (ids []engines.CaseID) {
	t.Helper()
	if q.Now.IsZero() {
		q.Now = now()
	}
	if q.Limit == 0 {
		q.Limit = 100
	}
	cases, err := s.Cases(t.Context(), q)
	must(t, err)
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return ids
}

func testCases(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	for i := range 5 {
		c := store.Case{ID: engines.CaseID(fmt.Sprintf("c%d", i)), Created: now().Add(time.Duration(-i) * time.Minute)}
		if i == 4 {
			c.App = "other"
		}
		putCase(t, s, c)
	}
	open, closed := []string{store.CaseOpen}, []string{store.CaseClosed}
	same(t, "all open", caseIDs(t, s, store.CaseQuery{States: open}), []engines.CaseID{"c4", "c3", "c2", "c1", "c0"})
	same(t, "open of game", caseIDs(t, s, store.CaseQuery{App: "game", States: open, Limit: 2}), []engines.CaseID{"c3", "c2"})

	decided := make(chan store.Case, 8)
	wins, errs := race(8, func(i int) error {
		c, err := DecideCase(ctx, s, "c3", 1, "approve", fmt.Sprintf("mod%d", i), "fine\u0000", now())
		if err == nil {
			decided <- c
		}
		return err
	})
	if wins != 1 {
		t.Fatalf("%d of 8 decided the case, want 1", wins)
	}
	for _, err := range errs {
		wantErr(t, "MoveCase", err, store.ErrConflict)
	}
	c := <-decided
	stored, err := s.Case(ctx, "c3")
	must(t, err)
	same(t, "case as returned and as stored", c, stored)
	if c.State != store.CaseClosed || c.Version != 2 || c.Decision != "approve" || c.Reason != "fine\u0000" {
		t.Errorf("decided case: %+v", c)
	}
	same(t, "closed", caseIDs(t, s, store.CaseQuery{States: closed}), []engines.CaseID{"c3"})
	_, err = DecideCase(ctx, s, "c3", 2, "reject", "m", "", now())
	wantErr(t, "deciding a closed case", err, store.ErrConflict)
	_, err = DecideCase(ctx, s, "c9", 0, "reject", "m", "", now())
	wantErr(t, "deciding no case", err, store.ErrNotFound)
}

// full has every field set.
func full(id engines.CaseID) store.Case {
	at := now()
	return store.Case{
		ID: id, App: "game", Subject: "s1", Player: "p1", Scene: "s1", State: store.CaseHeld, Held: true, Kind: store.CaseOfReports, Queue: "safety",
		Category: engines.Hate, SubLabel: "x", Severity: 3, Priority: 4, Due: at.Add(time.Hour), Assignee: "ann", Until: at.Add(time.Minute), Level: 1,
		Parent: "c0", Second: true, Barred: []string{"bob", "eve"}, Group: "g", Reporters: 3, Weight: 1.25, Decision: "reject", By: "cy", Policy: "§1",
		Reason: "a\u0000b", Note: "c\u0000d", Decided: at, Undone: true, Created: at,
	}
}

func testCaseFilters(t *testing.T, p Place) {
	t.Helper()
	s, at := p.Open(t), now()
	all := full("full")
	all = putCase(t, s, all)
	got, err := s.Case(t.Context(), "full")
	must(t, err)
	same(t, "every field", got, all)

	putCase(t, s, store.Case{ID: "plain", Queue: "general", Due: at.Add(time.Minute)})
	putCase(t, s, store.Case{ID: "mine", Queue: "spam", Category: engines.Spam, Player: "p2", State: store.CaseClaimed, Assignee: "bob", Until: at.Add(time.Hour), Due: at.Add(2 * time.Minute)})
	putCase(t, s, store.Case{ID: "lapsed", Queue: "spam", State: store.CaseClaimed, Assignee: "eve", Until: at.Add(-time.Minute), Due: at.Add(3 * time.Minute)})
	putCase(t, s, store.Case{ID: "senior", Queue: "senior", State: store.CaseClaimed, Level: 1, Assignee: "eve", Until: at.Add(-time.Minute), Due: at.Add(4 * time.Minute)})
	states := func(list ...string) []string { return list }
	for what, test := range map[string]struct {
		q    store.CaseQuery
		want []engines.CaseID
	}{
		"open, with one whose lease ran out":     {store.CaseQuery{States: states(store.CaseOpen)}, []engines.CaseID{"plain", "lapsed"}},
		"escalated, with one whose lease is out": {store.CaseQuery{States: states(store.CaseEscalated)}, []engines.CaseID{"senior"}},
		"claimed":                                {store.CaseQuery{States: states(store.CaseClaimed)}, []engines.CaseID{"mine"}},
		"held or claimed":                        {store.CaseQuery{States: states(store.CaseHeld, store.CaseClaimed)}, []engines.CaseID{"full", "mine"}},
		"a queue":                                {store.CaseQuery{Queue: "spam"}, []engines.CaseID{"mine", "lapsed"}},
		"a category":                             {store.CaseQuery{Category: engines.Spam}, []engines.CaseID{"mine"}},
		"a player":                               {store.CaseQuery{Player: "p2"}, []engines.CaseID{"mine"}},
		"an assignee":                            {store.CaseQuery{Assignee: "ann"}, []engines.CaseID{"full"}},
		"a kind":                                 {store.CaseQuery{Kind: store.CaseOfReports}, []engines.CaseID{"full"}},
		"content":                                {store.CaseQuery{Kind: "content"}, []engines.CaseID{"plain", "mine", "lapsed", "senior"}},
		"due":                                    {store.CaseQuery{DueBefore: at.Add(150 * time.Second)}, []engines.CaseID{"plain", "mine"}},
		"held content":                           {store.CaseQuery{Held: true}, []engines.CaseID{"full"}},
		"after one":                              {store.CaseQuery{After: store.QueueMark{Priority: 0, Due: at.Add(2 * time.Minute), ID: "mine"}}, []engines.CaseID{"lapsed", "senior"}},
		"after the urgent one":                   {store.CaseQuery{After: store.QueueMark{Priority: 4, Due: all.Due, ID: "full"}, Limit: 2}, []engines.CaseID{"plain", "mine"}},
		"together":                               {store.CaseQuery{App: "game", States: states(store.CaseOpen, store.CaseClaimed), Queue: "spam", DueBefore: at.Add(time.Hour)}, []engines.CaseID{"mine", "lapsed"}},
		"none":                                   {store.CaseQuery{App: "other"}, nil},
	} {
		same(t, what, caseIDs(t, s, test.q), test.want)
	}
	due, err := s.CasesDue(t.Context(), at, 10)
	must(t, err)
	slices.Sort(due)
	same(t, "whose time has passed", due, []engines.CaseID{"lapsed", "senior"})
}

//nolint:gocognit // one case from its opening on
func testMoveCase(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	endpoint(t, s, "game", "h")
	c := store.Case{ID: "c1", App: "game", Player: "p1", Scene: "s1", Held: true, Queue: "abuse", Reporters: 1}
	c.Request, c.Version, c.State, c.Created, c.Updated, c.Due = "r1", 1, store.CaseOpen, at, at, at
	m := store.SceneMessage{App: "game", Scene: "s1", Message: "r1", Player: "p1", Content: "x", State: "held", Sent: at}
	d := decision("r1")
	must(t, s.PutDecision(ctx, d, &c, &m))

	refused := errors.New("refused")
	_, _, err := s.MoveCase(ctx, "c1", "claim", "", func(store.CaseFacts) (store.CaseChange, error) { return store.CaseChange{}, refused })
	wantErr(t, "a refusal", err, refused)
	_, _, err = s.MoveCase(ctx, "c9", "claim", "", func(store.CaseFacts) (store.CaseChange, error) { return store.CaseChange{}, nil })
	wantErr(t, "no case", err, store.ErrNotFound)

	effect := store.Effect{
		Case: "c1", Version: 2, Kind: store.EffectPublish, App: "game", Next: at, Player: "p1", Scene: "s1", Message: "r1", Target: "t", Category: engines.Hate,
		SubLabel: "x", Severity: 2, Decision: "approve", Undone: true, By: "ann", Reason: "a\u0000", At: at,
	}
	key := "ké" + store.KeyDigest + "body"
	steps := 0
	decide := func(f store.CaseFacts) (store.CaseChange, error) {
		steps++
		if f.Message == nil || f.Message.State != "held" {
			t.Errorf("facts: %+v", f)
		}
		k := f.Case
		k.State, k.Decision, k.By, k.Decided, k.Updated, k.Version = store.CaseClosed, "approve", "ann", at, at, 2
		x := moved(k, "decide", "ann", at)
		x.Event.Key = key
		x.Message, x.Effects, x.Tells = "delivered", []store.Effect{effect}, []string{store.EventCaseDecided}
		x.Opens = []store.Case{{ID: "c2", App: "game", Request: "x2", Parent: "c1", State: store.CaseOpen, Second: true, Version: 1, Created: at, Updated: at}}
		return x, nil
	}
	for range 2 { // the second time the key moves nothing
		k, _, err := s.MoveCase(ctx, "c1", "decide", key, decide)
		must(t, err)
		if k.State != store.CaseClosed || k.Version != 2 {
			t.Errorf("moved to %+v", k)
		}
	}
	if steps != 1 {
		t.Errorf("decided %d times", steps)
	}
	_, _, err = s.MoveCase(ctx, "c1", "undo", key, decide)
	wantErr(t, "the key for another action", err, store.ErrConflict)
	_, _, err = s.MoveCase(ctx, "c1", "decide", "ké"+store.KeyDigest+"other", decide)
	wantErr(t, "the key for another body", err, store.ErrConflict)
	msg, err := s.SceneMessage(ctx, "game", "s1", "r1")
	must(t, err)
	if msg.State != "delivered" {
		t.Errorf("the message is %s", msg.State)
	}
	twin, err := s.Case(ctx, "c2")
	must(t, err)
	if !twin.Second || twin.Parent != "c1" {
		t.Errorf("opened %+v", twin)
	}
	history, err := s.CaseEvents(ctx, "c1")
	must(t, err)
	same(t, "history", history, []store.CaseEvent{{Version: 2, At: at, Actor: "ann", Action: "decide", State: store.CaseClosed, Detail: "{}", Key: key}})
	effects, err := s.ClaimEffects(ctx, "", at, at.Add(time.Minute), 10)
	must(t, err)
	same(t, "effects", effects, []store.Effect{effect})
	events, err := s.Events(ctx, 10)
	must(t, err)
	var told []string
	for i := range events {
		told = append(told, events[i].Type)
		if k, err := store.ReadFact[store.Case](&events[i]); err != nil || k.ID != "c1" || k.Player != "p1" {
			t.Errorf("told of %+v, %v", k, err)
		}
	}
	same(t, "told, and nothing of the second look", told, []string{store.EventCaseOpened, store.EventCaseDecided})
	list, err := s.CasesOfPlayer(ctx, "game", "p1", 10)
	must(t, err)
	if len(list) != 1 || list[0].ID != "c1" {
		t.Errorf("the player's cases: %+v", list)
	}
	// A heart-beat leaves no step.
	_, _, err = s.MoveCase(ctx, "c2", "renew", "", func(f store.CaseFacts) (store.CaseChange, error) {
		if f.Parent == nil || f.Parent.ID != "c1" {
			t.Errorf("parent %+v", f.Parent)
		}
		k := f.Case
		k.Until = at.Add(time.Hour)
		return store.CaseChange{Case: k, Silent: true}, nil
	})
	must(t, err)
	twin, err = s.Case(ctx, "c2")
	must(t, err)
	if twin.Version != 1 || !twin.Until.Equal(at.Add(time.Hour)) {
		t.Errorf("after a heart-beat: %+v", twin)
	}
	must(t, s.VerifyAudit(ctx, p.Config.Node))
}

// testMoveCaseConcurrent has many add one to a case at once: each sees what the one
// before it left.
func testMoveCaseConcurrent(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	putCase(t, s, store.Case{ID: "c1"})
	const n = 32
	wins, errs := race(n, func(i int) error {
		_, _, err := s.MoveCase(ctx, "c1", "add", "", func(f store.CaseFacts) (store.CaseChange, error) {
			c := f.Case
			c.Severity++
			c.Version++
			return moved(c, "add", strconv.Itoa(i), now()), nil
		})
		return err
	})
	if wins != n {
		t.Fatalf("%d of %d moved it: %v", wins, n, errs)
	}
	c, err := s.Case(ctx, "c1")
	must(t, err)
	history, err := s.CaseEvents(ctx, "c1")
	must(t, err)
	if c.Severity != n || c.Version != n+1 || len(history) != n {
		t.Errorf("after %d moves: severity %d, version %d, %d steps", n, c.Severity, c.Version, len(history))
	}
}

// testCaseEffects: of a case only the earliest is given out, to one, until its time.
func testCaseEffects(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	for _, id := range []engines.CaseID{"c1", "c2"} {
		putCase(t, s, store.Case{ID: id})
		_, _, err := s.MoveCase(ctx, id, "x", "", func(f store.CaseFacts) (store.CaseChange, error) {
			c := f.Case
			c.Version++
			x := moved(c, "x", "ann", at)
			for i := range 2 {
				x.Effects = append(x.Effects, store.Effect{Case: id, Version: c.Version, N: i, Kind: store.EffectRuled, App: "game", Next: at, At: at})
			}
			return x, nil
		})
		must(t, err)
	}
	got := make(chan store.Effect, 64)
	_, errs := race(8, func(int) error {
		list, err := s.ClaimEffects(ctx, "", at, at.Add(time.Minute), 10)
		for _, e := range list {
			got <- e
		}
		return err
	})
	if errs != nil {
		t.Fatal(errs)
	}
	if len(got) != 2 {
		t.Fatalf("%d effects were given out, want the first of each case", len(got))
	}
	for range 2 {
		e := <-got
		if e.N != 0 {
			t.Errorf("given out: %+v", e)
		}
		must(t, s.FinishEffect(ctx, e))
		must(t, s.FinishEffect(ctx, e))
	}
	list, err := s.ClaimEffects(ctx, "c2", at, at.Add(-time.Second), 10)
	must(t, err)
	if len(list) != 1 || list[0].Case != "c2" || list[0].N != 1 {
		t.Errorf("of one case: %+v", list)
	}
	list, err = s.ClaimEffects(ctx, "", at, at.Add(time.Minute), 10)
	must(t, err)
	if len(list) != 2 || list[0].N != 1 || list[1].N != 1 {
		t.Errorf("then: %+v", list)
	}
	list, err = s.ClaimEffects(ctx, "", at, at.Add(time.Minute), 10)
	must(t, err)
	same(t, "while they are under way", list, nil)
	list, err = s.ClaimEffects(ctx, "", at.Add(time.Minute), at.Add(time.Hour), 10)
	must(t, err)
	if len(list) != 2 {
		t.Errorf("once their time has passed: %+v", list)
	}
}
