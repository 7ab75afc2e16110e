package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

func layerOf(app engines.AppID, layer, name string) store.Policy {
	return store.Policy{
		PolicyKey: store.PolicyKey{App: app, Layer: layer, Name: name}, Body: `{"strictness":4,"description":"é\n"}`, How: store.ByPut,
		By: "ann", Approved: "bob", Comment: "first\nline",
	}
}

// testPolicies: every version stays, and one that is not after the newest is refused.
func testPolicies(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	before := time.Now().UnixMilli()
	put := func(one store.Policy, was int) store.Policy {
		t.Helper()
		stored, err := s.PutPolicy(ctx, one, was)
		must(t, err)
		if stored.Version != was+1 || stored.Changed < before {
			t.Errorf("stored as version %d at %d", stored.Version, stored.Changed)
		}
		return stored
	}
	first := put(layerOf("game", "region", "jp"), 0)
	gone := layerOf("game", "region", "jp")
	gone.Body, gone.Removed, gone.How = "", true, store.ByDelete
	second := put(gone, 1)
	list := put(layerOf("game", store.ListLayer, "jp"), 0)
	other := put(layerOf("other", "region", "jp"), 0)
	for _, was := range []int{0, 1, 3} {
		_, err := s.PutPolicy(ctx, layerOf("game", "region", "jp"), was)
		wantErr(t, "PutPolicy after another version", err, store.ErrConflict)
	}
	got, err := s.Policies(ctx, "game")
	must(t, err)
	same(t, "policies", got, []store.Policy{list, second})
	key := first.PolicyKey
	for before, want := range map[int][]store.Policy{0: {second, first}, 2: {first}, 1: nil} {
		got, err = s.PolicyHistory(ctx, key, before, 10)
		must(t, err)
		same(t, "history", got, want)
	}
	got, err = s.PolicyHistory(ctx, key, 0, 1)
	must(t, err)
	same(t, "newest version", got, []store.Policy{second})
	got, err = s.PoliciesChanged(ctx, before)
	must(t, err)
	if len(got) != 3 {
		t.Errorf("%d changed, want 3: %+v", len(got), got)
	}
	got, err = s.PoliciesChanged(ctx, other.Changed+60_000)
	must(t, err)
	same(t, "changed later", got, nil)
	must(t, s.VerifyAudit(ctx, p.Config.Node))
	raw := p.Core(t)
	var n int
	err = raw.QueryRowContext(ctx, `SELECT count(*) FROM audit_log WHERE action = 'policy' AND object LIKE 'policy/game/%'`).Scan(&n)
	must(t, errors.Join(err, raw.Close()))
	if n != 3 {
		t.Errorf("%d audit entries of the app, want 3", n)
	}
}

// testPoliciesConcurrent: of many that change one version, one wins.
func testPoliciesConcurrent(t *testing.T, p Place) {
	t.Helper()
	s := p.Open(t)
	for was := range 3 {
		wins, errs := race(16, func(int) error {
			_, err := s.PutPolicy(t.Context(), layerOf("game", "global", "default"), was)
			return err
		})
		if wins != 1 {
			t.Errorf("%d of 16 changed version %d, want 1", wins, was)
		}
		for _, err := range errs {
			wantErr(t, "the others", err, store.ErrConflict)
		}
	}
	must(t, s.VerifyAudit(t.Context(), p.Config.Node))
}

func rolloutOf(app engines.AppID, id, layer string) store.Rollout {
	return store.Rollout{
		PolicyKey: store.PolicyKey{App: app, Layer: layer, Name: "jp"}, ID: id, State: store.RolloutDraft, Body: `{"strictness":5}`, By: "ann", Comment: "why",
		Tests: []store.PolicyTest{{
			Content: "é\x00", Language: "ja", Scene: "s", Kind: engines.KindText, Region: "jp", Segment: "minor", Suggestion: engines.Block, Category: engines.Hate,
		}},
		Bounds: store.RolloutBounds{Block: store.Bound{Absolute: .1, Relative: 2}, Review: store.Bound{Absolute: .2, Relative: 3}, Least: 100},
		Steps:  []store.RolloutStep{{State: store.RolloutDraft, By: "ann"}},
	}
}

// testRollouts: one of an app holds, it keeps its layer, and publishes it.
func testRollouts(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	endpoint(t, s, "game", "h")
	put := func(r store.Rollout, was int, by string, publish *store.Policy) store.Rollout {
		t.Helper()
		stored, err := s.PutRollout(ctx, r, was, by, publish)
		must(t, err)
		return stored
	}
	first := put(rolloutOf("game", "r1", "region"), 0, "ann", nil)
	second := put(rolloutOf("game", "r2", "mode"), 0, "ann", nil)
	put(rolloutOf("other", "r3", "mode"), 0, "ann", nil)
	if first.Version != 1 || first.Created == 0 || first.Steps[0].At == 0 {
		t.Errorf("a new rollout: %+v", first)
	}
	first.State, first.Step, first.Share = store.RolloutPartial, store.RolloutPartial, 10
	first.Steps = append(first.Steps, store.RolloutStep{State: store.RolloutPartial, Share: 10, By: "bob", Why: "a note"})
	_, err := s.PutRollout(ctx, first, 2, "bob", nil)
	wantErr(t, "PutRollout after another version", err, store.ErrConflict)
	first = put(first, 1, "bob", nil)
	got, err := s.Rollout(ctx, "game", "r1")
	must(t, err)
	same(t, "rollout", got, first)
	_, err = s.Rollout(ctx, "other", "r1")
	wantErr(t, "Rollout of another app", err, store.ErrNotFound)

	second.State = store.RolloutShadow
	_, err = s.PutRollout(ctx, second, 1, "bob", nil)
	wantErr(t, "PutRollout beside one that holds", err, store.ErrRunning)
	_, err = s.PutPolicy(ctx, layerOf("game", "region", "jp"), 0)
	wantErr(t, "PutPolicy under a rollout", err, store.ErrRollout)
	_, err = s.PutPolicy(ctx, layerOf("game", "mode", "jp"), 0)
	must(t, err)

	list, err := s.Rollouts(ctx, store.RolloutQuery{App: "game", Most: 10})
	must(t, err)
	if len(list) != 2 {
		t.Errorf("%d rollouts, want 2", len(list))
	}
	next, err := s.Rollouts(ctx, store.RolloutQuery{App: "game", Before: list[0].Created, BeforeID: list[0].ID, Most: 10})
	must(t, err)
	same(t, "older rollouts", next, list[1:])
	list, err = s.Rollouts(ctx, store.RolloutQuery{App: "game", Layer: "region", Name: "jp", State: store.RolloutPartial, Most: 10})
	must(t, err)
	same(t, "rollouts of a layer", list, []store.Rollout{first})
	list, err = s.RolloutsChanged(ctx, 0)
	must(t, err)
	same(t, "rollouts that hold", list, []store.Rollout{first})
	list, err = s.RolloutsChanged(ctx, first.Created)
	must(t, err)
	if len(list) != 3 {
		t.Errorf("%d changed rollouts, want 3", len(list))
	}

	// What is published is there together with the rollout's end, or neither.
	first.State, first.Published = store.RolloutLive, 2
	published := layerOf("game", "region", "jp")
	published.How, published.Rollout, published.Version = store.ByRollout, "r1", 2
	_, err = s.PutRollout(ctx, first, 2, "bob", &published)
	wantErr(t, "PutRollout of a layer that has changed", err, store.ErrConflict)
	got, err = s.Rollout(ctx, "game", "r1")
	must(t, err)
	if got.State != store.RolloutPartial {
		t.Errorf("it is %s after a failure", got.State)
	}
	published.Version, first.Published = 1, 1
	put(first, 2, "bob", &published)
	layers, err := s.PolicyHistory(ctx, first.PolicyKey, 0, 1)
	must(t, err)
	same(t, "what it became", layers, []store.Policy{published})

	// One that stops by itself is told of.
	second = put(second, 1, "bob", nil)
	second.State, second.Why = store.RolloutStopped, "too many blocks"
	second = put(second, 2, "", nil)
	events, err := s.Events(ctx, 10)
	must(t, err)
	if len(events) != 1 || events[0].Type != store.EventPolicyStopped || events[0].Rollout == nil || events[0].Rollout.ID != "r2" ||
		events[0].Rollout.Why != second.Why || events[0].Rollout.Layer != "mode" {
		t.Errorf("events %+v", events)
	}
	must(t, s.VerifyAudit(ctx, p.Config.Node))
}

func testRolloutsConcurrent(t *testing.T, p Place) {
	t.Helper()
	s := p.Open(t)
	wins, errs := race(16, func(i int) error {
		r := rolloutOf("game", fmt.Sprint("r", i), "region")
		r.State = store.RolloutShadow
		_, err := s.PutRollout(t.Context(), r, 0, "ann", nil)
		return err
	})
	if wins != 1 {
		t.Errorf("%d of 16 hold, want 1", wins)
	}
	for _, err := range errs {
		if !errors.Is(err, store.ErrRunning) && !errors.Is(err, store.ErrConflict) {
			t.Errorf("the others: %v", err)
		}
	}
}

func testPolicyCounts(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	cell := store.PolicyCell{App: "game", Rollout: "r", Step: "10", Arm: store.ArmDraft, Live: "pass", Draft: "block"}
	spam := store.PolicyCell{App: "game", Rollout: "r", Step: "10", Arm: store.ArmDraft, Category: engines.Spam, Draft: "found"}
	var samples []store.PolicySample
	for i := range store.SamplesOfStep + 5 {
		samples = append(samples, store.PolicySample{
			App: "game", Rollout: "r", Step: "10", Request: engines.RequestID(fmt.Sprintf("q%03d", i)), Live: engines.Pass, Draft: engines.Block,
			Arm: store.ArmDraft, Category: engines.Spam, At: int64(i),
		})
	}
	must(t, s.AddPolicyCounts(ctx, []store.PolicyCount{{PolicyCell: cell, N: 2}, {PolicyCell: spam, N: 1}}, samples[:2]))
	must(t, s.AddPolicyCounts(ctx, []store.PolicyCount{{PolicyCell: cell, N: 3}}, samples[1:])) // one of them again
	must(t, s.AddPolicyCounts(ctx, nil, nil))
	counts, err := s.PolicyCounts(ctx, "game", "r")
	must(t, err)
	same(t, "counts", counts, []store.PolicyCount{{PolicyCell: cell, N: 5}, {PolicyCell: spam, N: 1}})
	got, err := s.PolicySamples(ctx, "game", "r")
	must(t, err)
	if len(got) != store.SamplesOfStep {
		t.Errorf("%d samples, want %d", len(got), store.SamplesOfStep)
	}
	same(t, "the oldest sample", got[len(got)-1], samples[0])
	none, err := s.PolicyCounts(ctx, "other", "r")
	must(t, err)
	same(t, "counts of another app", none, nil)
}

func testPolicyBacktests(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	b := store.PolicyBacktest{
		App: "game", ID: "b1", Rollout: "r", State: store.PolicyBacktestQueued, Drafts: `[{}]`, From: 5, To: 9, By: "ann",
	}
	must(t, s.StartPolicyBacktest(ctx, b, 0))
	second := b
	second.ID = "b2"
	wantErr(t, "StartPolicyBacktest beside another", s.StartPolicyBacktest(ctx, second, 0), store.ErrRunning)
	b.State, b.Seen, b.Reached = store.PolicyBacktestRunning, 7, 8
	must(t, s.PutPolicyBacktest(ctx, b))
	got, err := s.PolicyBacktest(ctx, "game", "b1")
	must(t, err)
	b.Created, b.Changed = got.Created, got.Changed
	same(t, "back-test", got, b)
	b.State = store.PolicyBacktestDone
	b.Result = store.BacktestDiff{
		Decisions: 2, Weight: 2.5, Bare: 1, Pairs: []store.PairWeight{{Was: engines.Pass, Is: engines.Block, Weight: 2.5}},
		Categories: []store.CategoryWeight{{Category: engines.Spam, Was: 1, Is: 2, Both: .5}},
		Samples:    []store.PolicySample{{Request: "q", Live: engines.Pass, Draft: engines.Block, Category: engines.Spam, At: 3}},
	}
	must(t, s.PutPolicyBacktest(ctx, b))
	got, err = s.PolicyBacktest(ctx, "game", "b1")
	must(t, err)
	b.Changed = got.Changed
	same(t, "back-test that is done", got, b)
	b.State = store.PolicyBacktestFailed
	must(t, s.PutPolicyBacktest(ctx, b)) // it ended already
	must(t, s.StartPolicyBacktest(ctx, second, 0))
	list, err := s.PolicyBacktests(ctx, "game", 10)
	must(t, err)
	if len(list) != 2 || list[0].ID != "b2" || list[1].State != store.PolicyBacktestDone {
		t.Errorf("back-tests %+v", list)
	}
	third := b
	third.ID, third.State = "b3", store.PolicyBacktestQueued
	must(t, s.StartPolicyBacktest(ctx, third, time.Now().UnixMilli()+1)) // b2 was not heard of
	got, err = s.PolicyBacktest(ctx, "game", "b2")
	must(t, err)
	if got.State != store.PolicyBacktestLost {
		t.Errorf("it is %s, want lost", got.State)
	}
	_, err = s.PolicyBacktest(ctx, "other", "b1")
	wantErr(t, "PolicyBacktest of another app", err, store.ErrNotFound)
}

// testPastDecisions: decisions of a time come back in its order, a page at a time,
// with what it takes to decide them again.
func testPastDecisions(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	at := now().Add(-time.Hour)
	id := func(ms int64, n int) engines.RequestID {
		u := uuid.UUID{byte(ms >> 40), byte(ms >> 32), byte(ms >> 24), byte(ms >> 16), byte(ms >> 8), byte(ms), 0x70, byte(n), 0x80}
		return engines.RequestID(u.String())
	}
	const many = 9001 // more than two pages
	var all []store.Decision
	for i := range many {
		when := at.Add(time.Duration(i) * time.Millisecond)
		all = append(all, store.Decision{
			App: "game", Request: id(when.UnixMilli(), i), Player: "p", Kind: engines.KindText, Weight: 2, Created: when,
			Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}, Mode: engines.RealTimeBlock, Action: engines.Deliver},
		})
	}
	flagged := &all[3]
	flagged.Content, flagged.Scene, flagged.Session, flagged.Language = "é\x00", "s", "c", "ja"
	flagged.Signals = []engines.Signal{{Category: engines.Hate, Confidence: .5}}
	flagged.Circumstances = store.Circumstances{
		Segment: "minor", Region: "jp", StrictLevel: 4, Live: true, Standing: engines.Standing{Strikes: 2, Trust: "watched", EconomyRisk: 80, Earlier: []engines.Earlier{
			{Request: "r0", Kind: engines.KindImage, Category: engines.Nudity, Confidence: .75, At: 7},
		}},
		Faults: []engines.Fault{{Engine: "text", Reason: engines.ReasonLate}},
	}
	found := engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{{Category: engines.Hate, Confidence: .5}}}
	flagged.Verdict.Mode, flagged.Verdict.Observed = engines.MonitorOnly, &found
	for len(all) > 0 {
		n := min(len(all), 3000)
		must(t, s.PutDecisions(ctx, all[:n]))
		all = all[n:]
	}
	other := store.Decision{App: "other", Request: id(at.UnixMilli(), 1), Created: at}
	must(t, s.PutDecisions(ctx, []store.Decision{other}))

	read := func(from, to int64) (list []store.PastDecision) {
		t.Helper()
		must(t, s.PastDecisions(ctx, "game", from, to, func(page []store.PastDecision) error {
			list = append(list, page...)
			return nil
		}))
		return list
	}
	ms := at.UnixMilli()
	list := read(ms, ms+many)
	if len(list) != many {
		t.Fatalf("%d decisions, want %d", len(list), many)
	}
	for i := range list {
		if list[i].Created != ms+int64(i) || list[i].Weight != 2 {
			t.Fatalf("decision %d: %+v", i, list[i])
		}
	}
	same(t, "a pass", list[0].Found, engines.Finding{Suggestion: engines.Pass})
	same(t, "a flagged one", list[3], store.PastDecision{
		App: "game", Request: flagged.Request, Player: "p", Scene: "s", Session: "c", Kind: engines.KindText, Language: "ja", Text: flagged.Content,
		Mode: engines.MonitorOnly, Signals: flagged.Signals, Circumstances: flagged.Circumstances, Found: found, Weight: 2, Created: flagged.Created.UnixMilli(),
	})
	if n := len(read(ms+10, ms+20)); n != 10 {
		t.Errorf("%d decisions of ten milliseconds, want 10", n)
	}
	stop := errors.New("stop")
	err := s.PastDecisions(ctx, "game", 0, ms+many, func([]store.PastDecision) error { return stop })
	wantErr(t, "PastDecisions that is ended", err, stop)
}
