package rules

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// named is a rule of app "game".
func named(r economy.Rule, name string, state economy.RuleState) economy.Rule {
	r.App, r.Name, r.State = "game", name, state
	return r
}

// store puts rules into a store by their names, past the way to life.
func (m *memory) store(t *testing.T, list ...economy.Rule) {
	t.Helper()
	for i, r := range list {
		if r.Name == "" || r.App == "" {
			t.Fatalf("rule %d has no name", i)
		}
		if _, err := m.PutRule(t.Context(), r, 0); err != nil {
			t.Fatal(err)
		}
	}
}

func scored(r economy.Rule, score int) economy.Rule {
	r.Then = economy.RuleEffect{Score: score}
	return r
}

func blocking(r economy.Rule) economy.Rule {
	r.Then = economy.RuleEffect{Suggestion: engines.Block}
	return r
}

func knows(f economy.Features) func(engines.PlayerID) economy.Features {
	return func(engines.PlayerID) economy.Features { return f }
}

func TestOnPlayer(t *testing.T) {
	store := newMemory()
	hit := onPlayer("player.partners > 5")
	more := hit
	more.Then.Factor = 80
	store.store(t, named(hit, "live", economy.Live), named(more, "more", economy.Live), named(more, "shadow", economy.InTrial), named(more, "draft", economy.Draft),
		named(onPlayer("player.partners > 50"), "other", economy.Live), named(onPlayer("1 % player.takers == 0"), "broken", economy.Live))
	k := keeper(t, store, nobodyElse)
	model := []economy.Factor{{Code: "fan_in", Score: 50}, {Code: "guild_bank", Score: -5}}
	r := economy.Risk{Score: 30, Level: economy.Attention, Factors: model[:1:2]}
	k.OnPlayer("game", "p", knows(economy.Features{Partners: 9}), 10*dayMillis, true, &r)
	want := economy.Risk{Score: 92, Level: economy.Critical, Factors: []economy.Factor{{Code: "rule:more", Score: 80}, {Code: "fan_in", Score: 50}, {Code: "rule:live", Score: 40}}}
	if diff := cmp.Diff(want, r); diff != "" { // 100 - 70*.6*.2 = 91.6
		t.Errorf("(-want +got):\n%s", diff)
	}
	if model[1].Code != "guild_bank" {
		t.Error("the model's own list was written to")
	}
	// Those that only look are not counted; other apps have no rules.
	k.OnPlayer("game", "p", knows(economy.Features{Partners: 9}), 10*dayMillis, false, &r)
	other := economy.Risk{Score: 30}
	k.OnPlayer("other", "p", knows(economy.Features{Partners: 9}), 10*dayMillis, true, &other)
	if other.Score != 30 {
		t.Errorf("another app's player: %+v", other)
	}
	k.flush(t.Context())
	wantCounts(t, store, map[string]economy.RuleTally{
		"live1@10": {Evaluations: 1, Hits: 1, Raised: 1}, "more1@10": {Evaluations: 1, Hits: 1, Raised: 1}, "shadow1@10": {Evaluations: 1, Hits: 1, Raised: 1},
		"other1@10": {Evaluations: 1}, "broken1@10": {Evaluations: 1, Errors: 1},
	})
}

func wantCounts(t *testing.T, m *memory, want map[string]economy.RuleTally) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if diff := cmp.Diff(want, m.counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
}

func TestOnTrade(t *testing.T) {
	pass := economy.Evaluation{Suggestion: engines.Pass, Score: 10, Reasons: []string{"a"}}
	review := economy.Evaluation{Suggestion: engines.Review, Score: 60, Reasons: []string{"a"}}
	block := economy.Evaluation{Suggestion: engines.Block, Score: 95, Reasons: []string{"a"}}
	yes := onTrade("trade.money > 1")
	for name, test := range map[string]struct {
		base  economy.Evaluation
		rules []economy.Rule
		want  economy.Evaluation
	}{
		"none hits":                  {pass, []economy.Rule{onTrade("trade.money > 1000")}, pass},
		"a review":                   {pass, []economy.Rule{yes}, economy.Evaluation{Suggestion: engines.Review, Score: 50, Reasons: []string{"rule:r0", "a"}}},
		"a review of a review":       {review, []economy.Rule{yes}, economy.Evaluation{Suggestion: engines.Review, Score: 60, Reasons: []string{"a", "rule:r0"}}},
		"a review of a block":        {block, []economy.Rule{yes}, economy.Evaluation{Suggestion: engines.Block, Score: 95, Reasons: []string{"a", "rule:r0"}}},
		"a block":                    {pass, []economy.Rule{blocking(yes)}, economy.Evaluation{Suggestion: engines.Block, Score: 80, Reasons: []string{"rule:r0", "a"}}},
		"a block before a review":    {review, []economy.Rule{yes, blocking(yes)}, economy.Evaluation{Suggestion: engines.Block, Score: 80, Reasons: []string{"rule:r1", "a", "rule:r0"}}},
		"a score":                    {pass, []economy.Rule{scored(yes, 20)}, economy.Evaluation{Suggestion: engines.Pass, Score: 28, Reasons: []string{"a", "rule:r0"}}},
		"scores that ask for review": {pass, []economy.Rule{scored(yes, 40), scored(yes, 30)}, economy.Evaluation{Suggestion: engines.Review, Score: 62, Reasons: []string{"a", "rule:r0", "rule:r1"}}},
		"no score blocks by itself":  {review, []economy.Rule{scored(yes, 100)}, economy.Evaluation{Suggestion: engines.Review, Score: 79, Reasons: []string{"a", "rule:r0"}}},
		"a score beside a block":     {pass, []economy.Rule{scored(yes, 90), blocking(yes)}, economy.Evaluation{Suggestion: engines.Block, Score: 91, Reasons: []string{"rule:r1", "a", "rule:r0"}}},
		"a score of a block":         {block, []economy.Rule{scored(yes, 50)}, economy.Evaluation{Suggestion: engines.Block, Score: 98, Reasons: []string{"a", "rule:r0"}}},
	} {
		t.Run(name, func(t *testing.T) {
			store := newMemory()
			for i, r := range test.rules {
				store.store(t, named(r, fmt.Sprint("r", i), economy.Live), named(r, fmt.Sprint("shadow", i), economy.InTrial))
			}
			k := keeper(t, store, nobodyElse)
			e := test.base
			k.OnTrade("game", &economy.Proposal{Sender: "p", Receiver: "q", Deal: economy.Deal{Money: economy.Money{Type: "gold", Amount: 9}}}, knows(economy.Features{}), 0, &e)
			if diff := cmp.Diff(test.want, e); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if rank[e.Suggestion] < rank[test.base.Suggestion] || e.Score < test.base.Score {
				t.Errorf("the rules made %+v of %+v", e, test.base)
			}
		})
	}
}

// What rules in shadow would change is counted, each beside the model alone.
func TestShadowCounts(t *testing.T) {
	store := newMemory()
	yes := onTrade(`trade.money > 1 and receiver.partners == 3 and sender.partners == 2`)
	store.store(t, named(yes, "review", economy.InTrial), named(blocking(yes), "block", economy.InTrial), named(scored(yes, 90), "score", economy.InTrial), named(yes, "live", economy.Live))
	k := keeper(t, store, nobodyElse)
	of := func(p engines.PlayerID) economy.Features {
		return economy.Features{Partners: map[engines.PlayerID]int{"p": 2, "q": 3}[p]}
	}
	p := &economy.Proposal{Sender: "p", Receiver: "q", Deal: economy.Deal{Money: economy.Money{Type: "gold", Amount: 9}}}
	for _, e := range []economy.Evaluation{{Suggestion: engines.Pass}, {Suggestion: engines.Review, Score: 70}, {Suggestion: engines.Block, Score: 90}} {
		k.OnTrade("game", p, of, 5*dayMillis, &e)
	}
	k.snoozes.put([]economy.Snooze{{App: "game", Rule: "block", Player: "q", Until: k.clock() + 1000}}, k.clock())
	k.OnTrade("game", p, of, 6*dayMillis, &economy.Evaluation{Suggestion: engines.Pass})
	k.flush(t.Context())
	wantCounts(t, store, map[string]economy.RuleTally{
		"review1@5": {Evaluations: 3, Hits: 3, PassReview: 1}, "block1@5": {Evaluations: 3, Hits: 3, PassBlock: 1, ReviewBlock: 1},
		"score1@5": {Evaluations: 3, Hits: 3, PassReview: 1}, "live1@5": {Evaluations: 3, Hits: 3, PassReview: 1},
		"review1@6": {Evaluations: 1, Hits: 1, PassReview: 1}, "block1@6": {Evaluations: 1, Snoozed: 1},
		"score1@6": {Evaluations: 1, Hits: 1, PassReview: 1}, "live1@6": {Evaluations: 1, Hits: 1, PassReview: 1},
	})
}

// serves runs keepers until done is called.
func serves(t *testing.T, list ...*Keeper) (done func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, k := range list {
		wg.Go(func() { k.Serve(ctx) })
	}
	return func() { cancel(); wg.Wait() }
}

// A rule that is stored at one gateway acts at the other within two seconds, at once
// where that is told, and a store that is away takes nothing out of force.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		var two *Keeper
		tell := false
		one := keeper(t, store, func() {
			if tell {
				two.Told()
			}
		})
		two = keeper(t, store, nobodyElse)
		defer serves(t, one, two)()
		acts := func(k *Keeper) bool {
			e := economy.Evaluation{Suggestion: engines.Pass}
			k.OnTrade("game", &economy.Proposal{Deal: economy.Deal{Money: economy.Money{Amount: 9}}}, knows(economy.Features{}), 0, &e)
			return e.Suggestion == engines.Review
		}
		put := func(state economy.RuleState, was int) {
			t.Helper()
			if _, err := one.Put(t.Context(), named(onTrade("trade.money > 1"), "r", state), was); err != nil {
				t.Fatal(err)
			}
		}
		put(economy.InTrial, 0)
		put(economy.Live, 1)
		if !acts(one) || acts(two) {
			t.Errorf("at once: %v here, %v there", acts(one), acts(two))
		}
		rests(2 * time.Second)
		if synctest.Wait(); !acts(two) {
			t.Error("not in force at the other gateway after two seconds")
		}
		store.fail(engines.ErrUnavailable)
		rests(10 * time.Second)
		if synctest.Wait(); !acts(one) || !acts(two) {
			t.Error("a store that is away takes rules out of force")
		}
		store.fail(nil)
		tell = true
		put(economy.Retired, 2)
		if synctest.Wait(); acts(one) || acts(two) {
			t.Error("a retired rule acts, though it was told")
		}
		// A clock that is far behind ours: all rules are read now and then.
		late := named(onTrade("trade.money > 1"), "late", economy.Live)
		late.Version, late.Changed = 1, 5
		store.mu.Lock()
		store.rules = append(store.rules, late)
		store.mu.Unlock()
		rests(time.Minute + time.Second) // when all is read
		if synctest.Wait(); !acts(one) || !acts(two) {
			t.Error("a rule with a time of long ago is never found")
		}
	})
}

// What was counted while the store was away is written afterwards, and once.
func TestCountsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		store.store(t, named(onPlayer("true"), "r", economy.InTrial))
		k := keeper(t, store, nobodyElse)
		done := serves(t, k)
		ask := func(day int64) {
			k.OnPlayer("game", "p", knows(economy.Features{}), day*dayMillis, true, &economy.Risk{})
		}
		store.fail(engines.ErrUnavailable)
		for range 100 {
			ask(1)
			rests(time.Second)
		}
		store.fail(nil)
		rests(2 * countsEvery)
		wantCounts(t, store, map[string]economy.RuleTally{"r1@1": {Evaluations: 100, Hits: 100, Raised: 100}})
		// The last ones are written when the gateway ends.
		ask(2)
		done()
		if got := store.counts["r1@2"].Hits; got != 1 {
			t.Errorf("%d hits were written at the end, want 1", got)
		}
	})
}

func TestCounterIsBounded(t *testing.T) {
	var c counter
	for day := range int64(100) {
		c.add(day, economy.RuleTally{Evaluations: 1})
	}
	if days := c.take(); len(days) != countDays || days[99].Evaluations != 1 {
		t.Errorf("%d days wait, want %d with the newest", len(days), countDays)
	}
}

// A version that no longer runs leaves nothing behind.
func TestCountersAreForgotten(t *testing.T) {
	store := newMemory()
	k := keeper(t, store, nobodyElse)
	for was := range 20 {
		if _, err := k.Put(t.Context(), named(onPlayer(fmt.Sprintf("player.score > %d", was)), "r", economy.InTrial), was); err != nil {
			t.Fatal(err)
		}
		k.OnPlayer("game", "p", knows(economy.Features{}), 0, true, &economy.Risk{})
	}
	k.flush(t.Context())
	if len(k.counters) != 1 || len(store.counts) != 20 {
		t.Errorf("%d counters are kept and %d versions counted, want 1 and 20", len(k.counters), len(store.counts))
	}
}

func TestWayToLife(t *testing.T) {
	base := onTrade("trade.money > 1")
	other := onTrade("trade.money > 2")
	for name, test := range map[string]struct {
		steps []economy.RuleState
		last  economy.Rule
		tried bool
		want  error
	}{
		"a new rule":                            {nil, base, false, economy.ErrUntried},
		"a draft":                               {[]economy.RuleState{economy.Draft}, base, false, economy.ErrUntried},
		"from shadow":                           {[]economy.RuleState{economy.InTrial}, base, false, nil},
		"from shadow, changed with the step":    {[]economy.RuleState{economy.InTrial}, other, false, economy.ErrUntried},
		"from shadow, with another effect":      {[]economy.RuleState{economy.InTrial}, blocking(base), false, economy.ErrUntried},
		"live, with another comment":            {[]economy.RuleState{economy.InTrial, economy.Live}, base, false, nil},
		"live, changed":                         {[]economy.RuleState{economy.InTrial, economy.Live}, other, false, economy.ErrUntried},
		"out of retirement":                     {[]economy.RuleState{economy.InTrial, economy.Retired}, base, false, economy.ErrUntried},
		"a draft that was back-tested":          {[]economy.RuleState{economy.Draft}, base, true, nil},
		"a new rule that was back-tested":       {nil, base, true, nil},
		"live, changed to what was back-tested": {[]economy.RuleState{economy.InTrial, economy.Live}, other, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			store := newMemory()
			k := keeper(t, store, nobodyElse)
			for i, s := range test.steps {
				if _, err := k.Put(t.Context(), named(base, "r", s), i); err != nil {
					t.Fatal(err)
				}
			}
			if test.tried {
				p, err := Compile(&test.last, known)
				if err != nil {
					t.Fatal(err)
				}
				store.tests["b"] = economy.Backtest{ID: "b", Rule: "r", Print: p.Rule.Print, State: economy.BacktestDone}
				store.tests["c"] = economy.Backtest{ID: "c", Rule: "other", Print: p.Rule.Print, State: economy.BacktestDone}
			}
			last := named(test.last, "r", economy.Live)
			last.Comment = "now"
			if _, err := k.Put(t.Context(), last, len(test.steps)); !errors.Is(err, test.want) {
				t.Errorf("Put: %v, want %v", err, test.want)
			}
		})
	}
}

func TestPut(t *testing.T) {
	store := newMemory()
	k := keeper(t, store, nobodyElse)
	put := func(r economy.Rule, was int) error {
		_, err := k.Put(t.Context(), r, was)
		return err
	}
	r := named(onTrade("trade.money > 10"), "r", economy.Draft)
	r.MustHit = []economy.RuleCase{{Deal: economy.Deal{Money: economy.Money{Amount: 11}}}, {}}
	r.MustPass = []economy.RuleCase{{}, {Deal: economy.Deal{Money: economy.Money{Amount: 12}}}}
	r.State = "on"
	faults, _ := errors.AsType[economy.RuleFaults](put(r, 0))
	if diff := cmp.Diff(economy.RuleFaults{
		{Pointer: "/state", Reason: "must be draft, shadow, live or retired"}, {Pointer: "/must_hit/1", Reason: "is not hit"}, {Pointer: "/must_pass/1", Reason: "is hit"},
	}, faults); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	r = named(onTrade("trade.money > 10"), "r", economy.Draft)
	if err := put(r, 1); !errors.Is(err, economy.ErrRuleVersion) {
		t.Errorf("a change of what is not there: %v", err)
	}
	for i := range maxRunning {
		if err := put(named(onTrade("true"), fmt.Sprint("s", i), economy.InTrial), 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := put(named(onTrade("true"), "more", economy.InTrial), 0); !errors.Is(err, economy.ErrRuleLimit) {
		t.Errorf("one rule too many in shadow: %v", err)
	}
	if err := put(named(onTrade("true"), "s0", economy.InTrial), 1); err != nil {
		t.Errorf("a change of one that runs: %v", err)
	}
	if err := put(named(onTrade("true"), "more", economy.Draft), 0); err != nil {
		t.Errorf("a draft beside them: %v", err)
	}
	for _, name := range []string{"", "A", "a b", "-a", "a/b", string(make([]byte, 60))} {
		if faults, _ := errors.AsType[economy.RuleFaults](put(named(onTrade("true"), name, economy.Draft), 0)); len(faults) != 1 || faults[0].Pointer != "/name" {
			t.Errorf("name %q: %v", name, faults)
		}
	}
}

func TestSnooze(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		store.store(t, named(onPlayer("true"), "r", economy.Live))
		k := keeper(t, store, nobodyElse)
		hit := func(p engines.PlayerID) bool {
			var r economy.Risk
			k.OnPlayer("game", p, knows(economy.Features{}), 0, true, &r)
			return r.Score > 0
		}
		snooze := func(hours int64) {
			t.Helper()
			z, err := k.Snooze(t.Context(), economy.Snooze{App: "game", Rule: "r", Player: "p"}, hours)
			if want := time.Now().UnixMilli() + hours*3_600_000; err != nil || z.Until != want {
				t.Fatalf("until %d, %v, want %d", z.Until, err, want)
			}
		}
		snooze(2)
		if hit("p") || !hit("q") {
			t.Errorf("snoozed: p is hit %v, q %v", hit("p"), hit("q"))
		}
		rests(2 * time.Hour)
		if !hit("p") {
			t.Error("a snooze does not end")
		}
		snooze(2)
		snooze(0)
		if !hit("p") {
			t.Error("a snooze is not taken back")
		}
		if _, err := k.Snooze(t.Context(), economy.Snooze{App: "game", Rule: "none", Player: "p"}, 1); !errors.Is(err, economy.ErrNoRule) {
			t.Errorf("a snooze of no rule: %v", err)
		}
	})
}

func TestStats(t *testing.T) {
	store := newMemory()
	store.store(t, named(onPlayer("true"), "r", economy.Live))
	k := keeper(t, store, nobodyElse)
	counts, _, err := k.Stats(t.Context(), "game", "r", 2)
	if err != nil || len(counts) != 2 || counts[1].Day != 99 {
		t.Errorf("%v, %v, want the last two days", counts, err)
	}
	if _, _, err := k.Stats(t.Context(), "game", "none", 2); !errors.Is(err, economy.ErrNoRule) {
		t.Errorf("of no rule: %v", err)
	}
}

func TestTry(t *testing.T) {
	k := keeper(t, newMemory(), nobodyElse)
	k.deps.Asker = func() Asker {
		return &asker{features: economy.Features{Partners: 6}, risk: economy.Risk{Score: 50, Level: economy.Attention}, e: economy.Evaluation{Suggestion: engines.Pass, Score: 5}}
	}
	r := named(onPlayer("player.partners == 6"), "r", economy.Draft)
	got, err := k.Try(t.Context(), &r, "p", nil)
	if err != nil || !got.Hit || got.Risk.Score != 50 || got.RiskWith.Score != 70 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := k.Try(t.Context(), &r, "nobody", nil); !errors.Is(err, economy.ErrUnknownPlayer) {
		t.Errorf("nobody: %v", err)
	}
	r = named(onTrade("sender.partners == 6 and trade.money > 3"), "r", economy.Draft)
	got, err = k.Try(t.Context(), &r, "", &economy.Proposal{Deal: economy.Deal{Money: economy.Money{Amount: 4}}})
	if err != nil || !got.Hit || got.Evaluation.Suggestion != engines.Pass || got.EvaluationWith.Suggestion != engines.Review {
		t.Errorf("%+v, %v", got, err)
	}
	r = named(onTrade("7 % sender.takers == 0"), "r", economy.Draft)
	if got, err = k.Try(t.Context(), &r, "", &economy.Proposal{}); err != nil || got.Hit || got.Why == "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// rests lets the time go by, and whoever it wakes come to rest: a tick at that very moment
// is over by then.
func rests(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
