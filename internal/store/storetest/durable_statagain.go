package storetest

import (
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// testAgain: what became of decisions that somebody looked at once more, by when.
func testAgain(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	move := func(id engines.CaseID, change func(x *store.CaseChange)) {
		t.Helper()
		_, _, err := s.MoveCase(ctx, id, "decide", "", func(f store.CaseFacts) (store.CaseChange, error) {
			c := f.Case
			c.Version, c.Updated = c.Version+1, at
			x := moved(c, "decide", "mo", at)
			change(&x)
			return x, nil
		})
		must(t, err)
	}
	for i, second := range []struct {
		decision string
		category engines.Category
	}{{"reject", engines.Spam}, {"reject", engines.Hate}, {"approve", ""}} {
		id := engines.CaseID([]string{"p1", "p2", "p3"}[i])
		putCase(t, s, store.Case{ID: id, Second: true})
		move(id, func(x *store.CaseChange) {
			x.Pair = &store.CasePair{
				App: "game", First: "f", Second: id, FirstDecision: "reject", FirstCategory: engines.Spam, SecondDecision: second.decision, SecondCategory: second.category, At: at,
			}
		})
	}
	putCase(t, s, store.Case{ID: "u"})
	move("u", func(x *store.CaseChange) { x.Case.Undone = true })
	for i, id := range []string{"a1", "a2", "a3"} {
		c := store.Case{ID: engines.CaseID("c" + id), App: "game", Request: engines.RequestID(id), Kind: store.CaseOfAppeal, State: store.CaseOpen, Version: 1, Created: at, Updated: at}
		a := store.Appeal{ID: id, App: "game", Player: "p", Case: c.ID, Against: engines.CaseID("x" + id), State: store.AppealOpen, Created: at.Add(-time.Hour)}
		must(t, s.OpenAppeal(ctx, a, c, store.Audit{TS: at, Actor: "app/game", Action: "appeal.open", Object: "appeal", Detail: "{}"}))
		if state := []string{store.AppealUpheld, store.AppealDenied, ""}[i]; state != "" {
			move(c.ID, func(x *store.CaseChange) { x.Appeal = state })
		}
	}
	first, err := filed(t, s, "1", "ann", "m1")
	must(t, err)
	_, err = filed(t, s, "2", "bob", "m2")
	must(t, err)
	move(first.ID, func(x *store.CaseChange) { x.Reports = store.ReportUpheld })

	ask := func(app engines.AppID, from, to time.Time) store.Again {
		t.Helper()
		a, err := s.Again(ctx, app, from.UnixMilli(), to.UnixMilli())
		must(t, err)
		return a
	}
	want := store.Again{Opened: 3, Closed: 2, Granted: 1, Pairs: 3, Agreed: 1, Undone: 1, Reports: 2, Upheld: 1}
	want.Waits[8] = 2 // at most an hour
	same(t, "all of it", ask("game", at.Add(-2*time.Hour), at.Add(time.Hour)), want)
	want.Opened = 0
	same(t, "from when they were filed on", ask("game", at.Add(-time.Minute), at.Add(time.Hour)), want)
	same(t, "before", ask("game", at.Add(-3*time.Hour), at.Add(-2*time.Hour)), store.Again{})
	same(t, "another app's", ask("other", at.Add(-2*time.Hour), at.Add(time.Hour)), store.Again{})

	// Statistics of cases leave the second looks out.
	changed, err := s.CasesChanged(ctx, 0, "", 100)
	must(t, err)
	for _, c := range changed {
		if c.ID == "p1" || c.ID == "p2" || c.ID == "p3" {
			t.Errorf("a blind second look counts: %+v", c.Case)
		}
	}
}

// testAccountTallies: penalties by kind and by whom, and bans that have none; a ban
// that a penalty stands behind counts once.
func testAccountTallies(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	give := func(id string, kind store.PenaltyKind, by string) {
		t.Helper()
		one := penaltyOf(id, "ann", kind, at.UnixMilli())
		one.By = by
		putPenalty(t, s, one)
	}
	give("1", store.PenaltyMuteText, "ladder")
	give("2", store.PenaltyMuteText, "ladder")
	give("3", store.PenaltyMuteText, "senior")
	give("4", store.PenaltyWarn, "app/game")
	give("5", store.PenaltySuspend, "ladder")
	_, err := s.LiftPenalty(ctx, "game", "ann", "2", "senior", "appeal", at.UnixMilli())
	must(t, err)
	for id, typ := range map[string]economy.BanType{"5": economy.Temporary, "6": economy.Permanent, "7": economy.Temporary} {
		_, err := s.PutBan(ctx, economy.Ban{App: "game", ID: id, Player: engines.PlayerID("p" + id), Type: typ, By: "app/game", Reason: "x", Created: at.UnixMilli()})
		must(t, err)
	}
	list, err := s.AccountTallies(ctx, "game", at.UnixMilli(), at.UnixMilli()+1)
	must(t, err)
	same(t, "accounts", list, []store.AccountTally{
		{Kind: "warn", By: "app", N: 1},
		{Kind: "mute_text", By: "ladder", N: 2, Lifted: 1},
		{Kind: "mute_text", By: "moderator", N: 1},
		{Kind: "suspend", By: "app", N: 1},
		{Kind: "suspend", By: "ladder", N: 1},
		{Kind: "ban", By: "app", N: 1},
	})
	list, err = s.AccountTallies(ctx, "game", at.UnixMilli()+1, at.UnixMilli()+2)
	must(t, err)
	same(t, "later", list, []store.AccountTally{})
}

// testBatchTally: batches that an app sent, and not those that still arrive.
func testBatchTally(t *testing.T, p Place) {
	t.Helper()
	s, at := p.Open(t), now()
	queued(t, s, "game", "b1", 2, at)
	queued(t, s, "game", "b2", 1, at.Add(time.Minute))
	queued(t, s, "other", "b3", 1, at)
	received(t, s, "game", "b4", 1, at)
	for to, want := range map[time.Duration]store.BatchTally{
		time.Hour: {Batches: 2, Lines: 30}, time.Second: {Batches: 1, Lines: 20}, 0: {},
	} {
		got, err := s.BatchTally(t.Context(), "game", at.UnixMilli(), at.Add(to).UnixMilli())
		must(t, err)
		same(t, "within "+to.String(), got, want)
	}
}
