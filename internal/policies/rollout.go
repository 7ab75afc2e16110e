package policies

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// MaxTests bounds the test set of a rollout.
const MaxTests = 1000

// Plan is how a change is taken to life.
type Plan struct {
	Tests  []store.PolicyTest
	Bounds *store.RolloutBounds // nil has the usual ones
}

// enter moves a rollout to a state and notes it.
func enter(r *store.Rollout, to store.RolloutState, share int, by, why string) {
	if to == store.RolloutPaused || to.Ended() && r.State != store.RolloutPaused {
		r.Step = r.State // where it stood
	}
	r.State = to
	if to != store.RolloutPaused && !to.Ended() {
		r.Step, r.Share = to, share
	}
	r.Steps = append(r.Steps, store.RolloutStep{State: to, Share: r.Share, By: by, Why: why})
}

// Draft begins a rollout of a change to the layer at version was. Errors are those of Put.
func (k *Keeper) Draft(ctx context.Context, c Change, plan Plan, was int) (store.Rollout, error) {
	if c.Layer == store.SettingsLayer {
		return store.Rollout{}, policy.Faults{{Reason: "settings decide nothing that could be tried: change them as they are"}}
	}
	have, next, err := k.examine(ctx, &c)
	if err != nil {
		return store.Rollout{}, err
	}
	if have.version != was {
		return store.Rollout{}, fmt.Errorf("draft of %s/%s: %w", c.Layer, c.Name, store.ErrConflict)
	}
	r := store.Rollout{
		PolicyKey: c.PolicyKey, ID: newID(), Base: was, Body: next.Body, Remove: next.Removed, Tests: plan.Tests, Bounds: defaultBounds,
		By: c.By, Comment: c.Comment,
	}
	if plan.Bounds != nil {
		r.Bounds = *plan.Bounds
	}
	enter(&r, store.RolloutDraft, 0, c.By, "")
	return k.deps.Store.PutRollout(ctx, r, 0, c.By, nil)
}

// Rollout returns one of a layer; store.ErrNotFound where it has none of this id.
func (k *Keeper) Rollout(ctx context.Context, key store.PolicyKey, id string) (store.Rollout, error) {
	r, err := k.deps.Store.Rollout(ctx, key.App, id)
	if err == nil && r.PolicyKey != key {
		err = fmt.Errorf("rollout %s of %s/%s: %w", id, key.Layer, key.Name, store.ErrNotFound)
	}
	return r, err
}

// Rollouts lists rollouts, newest first.
func (k *Keeper) Rollouts(ctx context.Context, q store.RolloutQuery) ([]store.Rollout, error) {
	return k.deps.Store.Rollouts(ctx, q)
}

// Order is what somebody wants of a rollout.
type Order struct {
	Key store.PolicyKey
	ID  string
	Was int // the version that it is meant for
	By  string
	// Person is set where a person asks, not an app.
	Person bool
	Why    string
	// From and To bound the back-test that an advance begins, epoch ms; 0 is usual.
	From, To int64
}

// at reads the rollout that an order is for, as its version says.
func (k *Keeper) at(ctx context.Context, o *Order) (store.Rollout, error) {
	r, err := k.Rollout(ctx, o.Key, o.ID)
	if err == nil && r.Version != o.Was {
		err = fmt.Errorf("rollout %s: %w", o.ID, store.ErrConflict)
	}
	return r, err
}

// Advance takes a rollout one step on: draft, tested, backtest, shadow, 1, 10, 50 and
// 100 percent, live; a paused one goes on. Errors are policy.Faults (of its tests),
// ErrState, ErrApproval, store.ErrConflict, store.ErrRunning and the store's.
func (k *Keeper) Advance(ctx context.Context, o Order) (store.Rollout, error) {
	r, err := k.at(ctx, &o)
	if err != nil {
		return r, err
	}
	switch r.State {
	case store.RolloutDraft:
		if err := k.runTests(ctx, &r); err != nil {
			return r, err
		}
		enter(&r, store.RolloutTested, 0, o.By, o.Why)
	case store.RolloutTested:
		return k.startBacktest(ctx, r, &o)
	case store.RolloutBacktest:
		b, err := k.Backtest(ctx, r.App, r.Backtest)
		switch {
		case err != nil:
			return r, err
		case b.GoesOn():
			return r, fmt.Errorf("%w: its back-test goes on", ErrState)
		case b.State != store.PolicyBacktestDone:
			return k.startBacktest(ctx, r, &o) // it came to no end: once more
		}
		if why := backtestOutside(&r, &b.Result); why != "" { // it could not be stopped when that was found
			k.stopByBounds(ctx, r, why)
			return r, fmt.Errorf("%w: %s", ErrState, why)
		}
		enter(&r, store.RolloutShadow, 0, o.By, o.Why)
	case store.RolloutShadow, store.RolloutPartial:
		if err := k.approved(ctx, &r); err != nil {
			return r, err
		}
		next := store.ShareAfter(r.Share)
		if next == 0 {
			return k.goLive(ctx, r, &o)
		}
		enter(&r, store.RolloutPartial, next, o.By, o.Why)
	case store.RolloutPaused:
		enter(&r, r.Step, r.Share, o.By, o.Why)
	default:
		return r, fmt.Errorf("%w: it is %s", ErrState, r.State)
	}
	return k.move(ctx, r, &o, nil)
}

// move stores a rollout in its new state; it holds here when move returns.
func (k *Keeper) move(ctx context.Context, r store.Rollout, o *Order, publish *store.Policy) (store.Rollout, error) {
	stored, err := k.deps.Store.PutRollout(ctx, r, o.Was, o.By, publish)
	if err != nil {
		return stored, err
	}
	var docs []store.Policy
	if publish != nil {
		docs = []store.Policy{*publish}
	}
	k.learn(ctx, docs, []store.Rollout{stored})
	k.deps.Tell()
	return stored, nil
}

// approved holds a change back from players that nobody else has approved, where the
// app wants that.
func (k *Keeper) approved(ctx context.Context, r *store.Rollout) error {
	have, err := k.now(ctx, r.PolicyKey)
	if err != nil {
		return err
	}
	if have.own.settings.TwoPerson && (r.Approved == "" || r.Approved == r.By) {
		return ErrApproval
	}
	return nil
}

// goLive makes the draft the layer's next version.
func (k *Keeper) goLive(ctx context.Context, r store.Rollout, o *Order) (store.Rollout, error) {
	c := Change{PolicyKey: r.PolicyKey, Body: []byte(r.Body), Remove: r.Remove, By: r.By, Comment: r.Comment}
	_, next, err := k.examine(ctx, &c) // other layers and lists may have changed since
	if err != nil {
		return r, err
	}
	next.Version, next.How, next.Rollout, next.Approved = r.Base+1, store.ByRollout, r.ID, r.Approved
	r.Published = next.Version
	enter(&r, store.RolloutLive, r.Share, o.By, o.Why)
	return k.move(ctx, r, o, &next)
}

// Approve notes that another person has looked at a change; a proposal is published
// by it. ErrApproval where that is who wrote it, or no person.
func (k *Keeper) Approve(ctx context.Context, o Order) (store.Rollout, error) {
	r, err := k.at(ctx, &o)
	switch {
	case err != nil:
		return r, err
	case !o.Person || o.By == r.By:
		return r, ErrApproval
	case r.State.Ended():
		return r, fmt.Errorf("%w: it is %s", ErrState, r.State)
	}
	r.Approved = o.By
	if r.State == store.RolloutProposed {
		return k.goLive(ctx, r, &o)
	}
	r.Steps = append(r.Steps, store.RolloutStep{State: r.State, Share: r.Share, By: o.By, Why: "approved"})
	return k.move(ctx, r, &o, nil)
}

// Pause has the live policy decide for everybody until the rollout is advanced.
func (k *Keeper) Pause(ctx context.Context, o Order) (store.Rollout, error) {
	r, err := k.at(ctx, &o)
	if err == nil && !r.State.Runs() {
		err = fmt.Errorf("%w: it is %s", ErrState, r.State)
	}
	if err != nil {
		return r, err
	}
	enter(&r, store.RolloutPaused, r.Share, o.By, o.Why)
	return k.move(ctx, r, &o, nil)
}

// Stop ends a rollout; the live policy stays as it is.
func (k *Keeper) Stop(ctx context.Context, o Order) (store.Rollout, error) {
	r, err := k.at(ctx, &o)
	if err == nil && r.State.Ended() {
		err = fmt.Errorf("%w: it is %s", ErrState, r.State)
	}
	if err != nil {
		return r, err
	}
	r.Why = o.Why
	enter(&r, store.RolloutStopped, r.Share, o.By, o.Why)
	return k.move(ctx, r, &o, nil)
}

// TakeBack ends a rollout and, where it was live, has the version before it hold again.
// store.ErrConflict where the layer has changed since.
func (k *Keeper) TakeBack(ctx context.Context, o Order) (store.Rollout, error) {
	r, err := k.at(ctx, &o)
	if err != nil {
		return r, err
	}
	r.Why = o.Why
	switch r.State {
	case store.RolloutStopped, store.RolloutReturned:
		return r, fmt.Errorf("%w: it is %s", ErrState, r.State)
	case store.RolloutLive:
	default:
		enter(&r, store.RolloutReturned, r.Share, o.By, o.Why)
		return k.move(ctx, r, &o, nil)
	}
	before := store.Policy{PolicyKey: r.PolicyKey, Removed: true}
	if r.Base > 0 {
		if before, err = k.version(ctx, r.PolicyKey, r.Base); err != nil {
			return r, err
		}
	}
	next := store.Policy{
		PolicyKey: r.PolicyKey, Version: r.Published + 1, Body: before.Body, Removed: before.Removed, How: store.ByReturn, Of: r.Base, Rollout: r.ID,
		By: o.By, Comment: o.Why,
	}
	enter(&r, store.RolloutReturned, r.Share, o.By, o.Why)
	return k.move(ctx, r, &o, &next)
}
