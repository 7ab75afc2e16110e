package storetest

import (
	"cmp"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

func rule(name string, state economy.RuleState) economy.Rule {
	return economy.Rule{
		App: "game", Name: name, State: state, On: economy.OnTrade, When: `trade.money > 5 and "ü" != ""`, Then: economy.RuleEffect{Suggestion: engines.Review},
		Text: economy.Text{English: "Much money", Japanese: "大金", Chinese: "大额", Korean: "큰 금액"}, Comment: "first\nline", Author: "ann", By: "app/game", Print: "p1",
		MustHit: []economy.RuleCase{{
			Deal: economy.Deal{Money: economy.Money{Type: "gold", Amount: 9}, Items: []economy.Stack{{Item: "ore", Count: 2}}}, Score: 7, Reasons: []string{"fan_in"},
			Sender: economy.Features{
				Score: 3, Factors: []economy.Factor{{Code: "fan_in", Score: 4}}, AccountAge: 1.5, Partners: 2, Trades: [economy.Spans]int{1, 2, 3, 4}, FreeGot: .5,
				Flows: []economy.Flow{{What: "gold", Source: "quest", In: [economy.Spans]float64{1, 2, 3, 4}, Ins: [economy.Spans]int{1, 1, 1, 1}}},
			},
			Receiver: economy.Features{AccountAge: -1},
		}},
		MustPass: []economy.RuleCase{{Player: economy.Features{AccountAge: -1}}},
	}
}

func testRules(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	before := time.Now().UnixMilli()
	put := func(r economy.Rule, was int) economy.Rule {
		t.Helper()
		stored, err := s.PutRule(ctx, r, was)
		must(t, err)
		if stored.Version != was+1 || stored.Changed < before {
			t.Errorf("stored as version %d at %d", stored.Version, stored.Changed)
		}
		return stored
	}
	first := put(rule("a", economy.Draft), 0)
	second := rule("a", economy.InTrial)
	second.Print = "p2"
	second = put(second, 1)
	third := put(rule("b", economy.Live), 0)
	other := rule("a", economy.Live)
	other.App = "other"
	other = put(other, 0)
	for _, was := range []int{0, 1, 3} {
		_, err := s.PutRule(ctx, rule("a", economy.Live), was)
		wantErr(t, "PutRule after another version", err, economy.ErrRuleVersion)
	}
	list, err := s.Rules(ctx, "game")
	must(t, err)
	same(t, "rules", list, []economy.Rule{second, third})
	list, err = s.RuleHistory(ctx, "game", "a", 0, 10)
	must(t, err)
	same(t, "history", list, []economy.Rule{second, first})
	list, err = s.RuleHistory(ctx, "game", "a", 2, 10)
	must(t, err)
	same(t, "older versions", list, []economy.Rule{first})
	list, err = s.RuleHistory(ctx, "game", "a", 1, 10)
	must(t, err)
	same(t, "versions before the first", list, nil)
	_, err = s.RuleHistory(ctx, "game", "none", 0, 10)
	wantErr(t, "RuleHistory of none", err, economy.ErrNoRule)
	for since, want := range map[int64][]economy.Rule{0: {second, third, other}, before: {second, third, other}, third.Changed + 60_000: nil} {
		list, err = s.RulesChanged(ctx, since)
		must(t, err)
		slices.SortFunc(list, func(a, b economy.Rule) int { return cmp.Or(cmp.Compare(a.App, b.App), cmp.Compare(a.Name, b.Name)) })
		same(t, "changed rules", list, want)
	}
	must(t, s.VerifyAudit(ctx, p.Config.Node))
	raw := p.Core(t)
	var n int
	err = raw.QueryRowContext(ctx, `SELECT count(*) FROM audit_log WHERE action = 'rule'`).Scan(&n)
	must(t, errors.Join(err, raw.Close()))
	if n != 4 {
		t.Errorf("%d audit entries, want 4", n)
	}
}

// testRulesConcurrent: of many that change one version, one wins.
func testRulesConcurrent(t *testing.T, p Place) {
	t.Helper()
	s := p.Open(t)
	for was := range 3 {
		wins, errs := race(16, func(int) error {
			_, err := s.PutRule(t.Context(), rule("a", economy.Draft), was)
			return err
		})
		if wins != 1 {
			t.Errorf("%d of 16 changed version %d, want 1", wins, was)
		}
		for _, err := range errs {
			wantErr(t, "the others", err, economy.ErrRuleVersion)
		}
	}
	must(t, s.VerifyAudit(t.Context(), p.Config.Node))
}

func testSnoozes(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	now := time.Now().UnixMilli()
	z := economy.Snooze{App: "game", Rule: "a", Player: "p", Until: now + 1000, By: "app/game", Reason: "known"}
	gone := economy.Snooze{App: "game", Rule: "a", Player: "q", Until: now - 1000, By: "app/game"}
	for _, one := range []economy.Snooze{z, gone} {
		must(t, s.PutSnooze(ctx, one))
	}
	changed := func(since int64) (list []economy.Snooze) {
		t.Helper()
		list, err := s.SnoozesChanged(ctx, since, now)
		must(t, err)
		for i := range list {
			if list[i].Changed < now {
				t.Errorf("changed at %d, want %d or later", list[i].Changed, now)
			}
			list[i].Changed = 0
		}
		slices.SortFunc(list, func(a, b economy.Snooze) int { return int(a.Player[0]) - int(b.Player[0]) })
		return list
	}
	same(t, "those that hold", changed(0), []economy.Snooze{z})
	same(t, "those that changed", changed(now), []economy.Snooze{z, gone})
	z.Until, z.Reason = now+5000, "longer"
	must(t, s.PutSnooze(ctx, z))
	same(t, "one that changed again", changed(0), []economy.Snooze{z})
	must(t, s.VerifyAudit(ctx, p.Config.Node))

	// One that ended a day ago is swept, as soon as a store is opened.
	gone.Until = now - 25*time.Hour.Milliseconds()
	must(t, s.PutSnooze(ctx, gone))
	p.Open(t)
	for until := time.Now().Add(patience); len(changed(now)) != 1; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("a snooze of yesterday is not swept")
		}
	}
}

func testRuleCounts(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	one := func(version int, day int64) economy.RuleCount {
		return economy.RuleCount{App: "game", Rule: "a", Version: version, Day: day, RuleTally: economy.RuleTally{
			Evaluations: 8, Hits: 7, Errors: 6, Snoozed: 5, PassReview: 4, PassBlock: 3, ReviewBlock: 2, Raised: 1,
		}}
	}
	_, errs := race(10, func(int) error { return s.AddRuleCounts(ctx, []economy.RuleCount{one(1, 20), one(2, 20), one(2, 21)}) })
	for _, err := range errs {
		t.Error(err)
	}
	var want []economy.RuleCount
	for _, c := range []economy.RuleCount{one(2, 21), one(2, 20), one(1, 20)} {
		each := c.RuleTally
		for range 9 {
			c.Add(each)
		}
		want = append(want, c)
	}
	got, err := s.RuleCounts(ctx, "game", "a", 0)
	must(t, err)
	same(t, "counts", got, want)
	got, err = s.RuleCounts(ctx, "game", "a", 21)
	must(t, err)
	same(t, "counts of the last day", got, want[:1])
}

func testBacktests(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	b := economy.Backtest{
		App: "game", ID: "b1", Rule: "a", On: economy.OnTrade, Version: 2, Print: "p1", State: economy.BacktestQueued, From: 1, To: 9, By: "app/game", Created: 5,
		BacktestResult: economy.BacktestResult{},
	}
	must(t, s.PutBacktest(ctx, b))
	done := func(deed string) bool {
		t.Helper()
		ok, err := s.Backtested(ctx, "game", "a", deed)
		must(t, err)
		return ok
	}
	if done("p1") {
		t.Error("a back-test that waits counts as done")
	}
	b.State, b.Reached, b.Why = economy.BacktestDone, 9, "because"
	b.BacktestResult = economy.BacktestResult{
		Population: 4, HitThings: 2, RuleTally: economy.RuleTally{Evaluations: 4, Hits: 2, PassReview: 1}, Model: map[string]int64{"pass": 3, "review": 1}, Both: map[string]int64{"pass": 2},
		Days: []economy.BacktestDay{{Day: 3, Evaluations: 4, Hits: 2}}, Sample: []economy.BacktestHit{{At: 3, Player: "p", Receiver: "q", TradeID: "t", LogID: "L", Score: 7}},
	}
	must(t, s.PutBacktest(ctx, b))
	got, err := s.Backtest(ctx, "game", "a", "b1")
	must(t, err)
	if got.Changed == 0 {
		t.Error("it never changed")
	}
	got.Changed = 0
	same(t, "back-test", got, b)
	if !done("p1") || done("p2") {
		t.Errorf("done: p1 %v, p2 %v, want p1 alone", done("p1"), done("p2"))
	}
	for _, other := range [][3]string{{"other", "a", "b1"}, {"game", "b", "b1"}, {"game", "a", "b2"}} {
		_, err = s.Backtest(ctx, engines.AppID(other[0]), other[1], other[2])
		wantErr(t, "another's back-test", err, economy.ErrNoBacktest)
	}
}

// testDayOf: a day's entries come in the order of their time, a trade before its legs.
func testDayOf(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	const day = 19_000
	const start = int64(day) * 86_400_000
	var entries []economy.Entry
	for i := range 2500 {
		at := start + int64((i*7919)%2500)
		entries = append(entries, economy.Entry{Log: economy.Currency, ID: Unique("L"), At: at, Player: engines.PlayerID(Unique("p")), What: "gold", Action: economy.Earn, Amount: 1})
	}
	trade := economy.Entry{Log: economy.Trade, ID: "T", At: start + 100, Player: "zed", Counterparty: "ann", TradeID: "t", Deal: &economy.Deal{Money: economy.Money{Type: "gold", Amount: 1}}}
	before := economy.Entry{Log: economy.Currency, ID: "B", At: start - 1, Player: "p", What: "gold", Action: economy.Earn}
	after := economy.Entry{Log: economy.Currency, ID: "A", At: start + 86_400_000, Player: "p", What: "gold", Action: economy.Earn}
	_, err := s.PutEntries(ctx, "game", append(entries, trade, before, after))
	must(t, err)
	var got []economy.Entry
	must(t, s.DayOf(ctx, "game", day, func(list []economy.Entry) error {
		got = append(got, list...)
		return nil
	}))
	if len(got) != 2501 {
		t.Fatalf("%d entries, want 2501", len(got))
	}
	if !slices.IsSortedFunc(got, func(a, b economy.Entry) int { return int(a.At - b.At) }) {
		t.Error("they are not in the order of their time")
	}
	at := slices.IndexFunc(got, func(e economy.Entry) bool { return e.At == start+100 })
	same(t, "the first of its time", got[at], trade)
	stop := errors.New("stop")
	calls := 0
	err = s.DayOf(ctx, "game", day, func([]economy.Entry) error { calls++; return stop })
	if wantErr(t, "DayOf", err, stop); calls != 1 {
		t.Errorf("%d calls after an error, want 1", calls)
	}
}
