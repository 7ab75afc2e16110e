package policies_test

import (
	"context"
	"errors"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// begin takes a rollout of a change to a state.
func begin(tb testing.TB, k *policies.Keeper, c policies.Change, bounds store.RolloutBounds, to store.RolloutState, share int) store.Rollout {
	tb.Helper()
	r, err := k.Draft(tb.Context(), c, policies.Plan{Bounds: &bounds}, 0)
	if err != nil {
		tb.Fatal(err)
	}
	for r.State != to || r.Share != share {
		if r.State == store.RolloutBacktest {
			await(tb, k, r.Backtest)
		}
		r = advance(tb, k, r)
	}
	return r
}

func order(r *store.Rollout) policies.Order {
	return policies.Order{Key: r.PolicyKey, ID: r.ID, Was: r.Version, By: "ann", Person: true}
}

func advance(tb testing.TB, k *policies.Keeper, r store.Rollout) store.Rollout {
	tb.Helper()
	next, err := k.Advance(tb.Context(), order(&r))
	if err != nil {
		tb.Fatalf("advance from %s: %v", r.State, err)
	}
	return next
}

func statsOf(tb testing.TB, k *policies.Keeper, r *store.Rollout) policies.Stats {
	tb.Helper()
	s, err := k.Stats(tb.Context(), r)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// The steps that a rollout can't take.
func TestStepsOutOfOrder(t *testing.T) {
	k := newKeeper(t, openStore(t))
	serve(t, k)
	r, err := k.Draft(t.Context(), change("channel", "arena", strict), policies.Plan{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Pause(t.Context(), order(&r)); !errors.Is(err, policies.ErrState) {
		t.Errorf("pause of a draft: %v", err)
	}
	stale := order(&r)
	stale.Was = 7
	for name, do := range map[string]func(context.Context, policies.Order) (store.Rollout, error){
		"advance": k.Advance, "pause": k.Pause, "stop": k.Stop, "return": k.TakeBack, "approve": k.Approve,
	} {
		if _, err := do(t.Context(), stale); !errors.Is(err, store.ErrConflict) {
			t.Errorf("%s of another version: %v", name, err)
		}
		elsewhere := order(&r)
		elsewhere.Key.Name = "square"
		if _, err := do(t.Context(), elsewhere); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s under another layer: %v", name, err)
		}
	}
	if r, err = k.Stop(t.Context(), order(&r)); err != nil || r.State != store.RolloutStopped || r.Step != store.RolloutDraft {
		t.Fatalf("Stop = %+v, %v", r, err)
	}
	for name, do := range map[string]func(context.Context, policies.Order) (store.Rollout, error){
		"advance": k.Advance, "pause": k.Pause, "stop": k.Stop, "return": k.TakeBack,
	} {
		if _, err := do(t.Context(), order(&r)); !errors.Is(err, policies.ErrState) {
			t.Errorf("%s of one that has stopped: %v", name, err)
		}
	}

	_, err = k.Draft(t.Context(), change(store.SettingsLayer, store.SettingsName, `{}`), policies.Plan{}, 0)
	if _, ok := errors.AsType[policy.Faults](err); !ok {
		t.Errorf("a rollout of settings: %v", err)
	}

	// One that is live is not taken back over what came after it.
	r = begin(t, k, change("channel", "arena", strict), wide, store.RolloutLive, 100)
	put(t, k, change("channel", "arena", `{"strictness":2}`), 1)
	if _, err := k.TakeBack(t.Context(), order(&r)); !errors.Is(err, store.ErrConflict) {
		t.Errorf("return over a later version: %v", err)
	}
}

// Under the two-person rule nothing that one person wrote reaches players by that
// person's own word.
func TestTwoPersons(t *testing.T) {
	k := newKeeper(t, openStore(t))
	serve(t, k)
	put(t, k, change(store.SettingsLayer, store.SettingsName, `{"two_person":true}`), 0)
	p, proposal, err := k.Put(t.Context(), change("channel", "arena", strict), 0)
	if err != nil || proposal == nil || p.Version != 0 || proposal.State != store.RolloutProposed {
		t.Fatalf("Put = %+v, %+v, %v", p, proposal, err)
	}
	if got := decide(k, "arena", "p").Suggestion; got != engines.Review {
		t.Errorf("a proposal holds: %s", got)
	}
	if _, err := k.Advance(t.Context(), order(proposal)); !errors.Is(err, policies.ErrState) {
		t.Errorf("advance of a proposal: %v", err)
	}
	bob := order(proposal)
	bob.By = "bob"
	app := bob
	app.By, app.Person = "app/game", false
	for name, o := range map[string]policies.Order{"who wrote it": order(proposal), "an app": app} {
		if _, err := k.Approve(t.Context(), o); !errors.Is(err, policies.ErrApproval) {
			t.Errorf("approval by %s: %v", name, err)
		}
	}
	r, err := k.Approve(t.Context(), bob)
	if err != nil || r.State != store.RolloutLive {
		t.Fatalf("Approve = %+v, %v", r, err)
	}
	if got := decide(k, "arena", "p").Suggestion; got != engines.Block {
		t.Errorf("once it is approved it is %s", got)
	}

	r = begin(t, k, change("channel", "square", strict), wide, store.RolloutShadow, 0)
	if _, err := k.Advance(t.Context(), order(&r)); !errors.Is(err, policies.ErrApproval) {
		t.Errorf("a share without approval: %v", err)
	}
	bob = order(&r)
	bob.By = "bob"
	if r, err = k.Approve(t.Context(), bob); err != nil || r.State != store.RolloutShadow || r.Approved != "bob" {
		t.Fatalf("Approve = %+v, %v", r, err)
	}
	advance(t, k, r)
	if _, err := k.Return(t.Context(), key("channel", "arena"), 1, 1, "ann", ""); err != nil {
		t.Errorf("return to what was in force once: %v", err)
	}
}

// A test set that came out as promised under the draft says how much of it does under
// what is in force.
func TestTestsNow(t *testing.T) {
	k := newKeeper(t, openStore(t))
	serve(t, k)
	tests := []store.PolicyTest{{Content: "idiot", Suggestion: engines.Block}, {Content: "hello", Suggestion: engines.Pass}}
	r, err := k.Draft(t.Context(), change("channel", "arena", strict), policies.Plan{Tests: tests}, 0)
	if err != nil {
		t.Fatal(err)
	}
	of, wrong, err := k.TestsNow(t.Context(), r.PolicyKey, r.ID)
	if err != nil || of != 2 || len(wrong) != 1 || wrong[0].Pointer != "/tests/0" {
		t.Errorf("before: %d tests, wrong %v, %v; want the first wrong", of, wrong, err)
	}
	for r.State != store.RolloutLive {
		if r.State == store.RolloutBacktest {
			await(t, k, r.Backtest)
		}
		r = advance(t, k, r)
	}
	if of, wrong, err = k.TestsNow(t.Context(), r.PolicyKey, r.ID); err != nil || of != 2 || len(wrong) != 0 {
		t.Errorf("live: %d tests, wrong %v, %v; want none wrong", of, wrong, err)
	}
	if _, _, err := k.TestsNow(t.Context(), r.PolicyKey, "another"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("of no rollout: %v", err)
	}
}
