package policies

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// backtestQueue is how many back-tests wait at a gateway, each of another app. Rule
	// when full: a new one is refused.
	backtestQueue = 8
	// beatEvery is how often a gateway says how far its back-tests are; one that was
	// silent for lostAfter is lost.
	beatEvery = 2 * time.Second
	lostAfter = time.Minute

	day = 24 * time.Hour
	// usualRange and maxRange bound the time that is decided again.
	usualRange = 7 * day
	maxRange   = 90 * day
)

// job is one back-test.
type job struct {
	store.PolicyBacktest
	set *policy.Set
}

// JobID implements turns.Job.
func (j *job) JobID() string { return j.ID }

// Cancel implements turns.Job.
func (j *job) Cancel() { j.State = store.PolicyBacktestCancelled }

// Replay has the stored decisions of a time decided again under drafts, behind the
// answer: b has App, ID, By, and From and To, which may be 0. It returns the back-test
// as it begins. Errors are policy.Faults, store.ErrRunning (one of an app at a time),
// ErrMany (of a gateway) and the store's.
func (k *Keeper) Replay(ctx context.Context, b store.PolicyBacktest, drafts []Change) (store.PolicyBacktest, error) {
	_, after, err := k.drafted(ctx, b.App, drafts)
	if err != nil {
		return b, err
	}
	set, err := k.compile(&after)
	if err != nil {
		return b, err
	}
	b.Drafts = draftsBody(drafts)
	return k.replay(ctx, b, set)
}

// draftsBody is drafts as they are stored beside what they came to.
func draftsBody(drafts []Change) string {
	list := make([]map[string]any, len(drafts))
	for i := range drafts {
		c := &drafts[i]
		list[i] = map[string]any{"layer": c.Layer, "name": c.Name}
		if c.Remove {
			list[i]["remove"] = true
			continue
		}
		body, err := canonical(c)
		if err != nil { // it was read before
			continue
		}
		list[i]["body"] = json.RawMessage(body)
	}
	text, err := json.Marshal(list)
	if err != nil { // of names and of JSON, it does not happen
		return "[]"
	}
	return string(text)
}

func (k *Keeper) replay(ctx context.Context, b store.PolicyBacktest, set *policy.Set) (store.PolicyBacktest, error) {
	now := k.clock()
	if b.To == 0 {
		b.To = now
	}
	if b.From == 0 {
		b.From = b.To - usualRange.Milliseconds()
	}
	if b.From >= b.To || b.To-b.From > maxRange.Milliseconds() {
		return b, policy.Faults{{Pointer: "/from", Reason: "must be before to, and at most 90 days"}}
	}
	b.State, b.Created, b.Changed, b.Reached = store.PolicyBacktestQueued, now, now, b.From
	return b, k.enqueue(ctx, &job{b, set})
}

// enqueue stores a job and has it wait for its turn.
func (k *Keeper) enqueue(ctx context.Context, j *job) error {
	return k.tests.Add(j, func(have map[string]*job) error {
		if len(have) >= backtestQueue {
			return fmt.Errorf("back-tests: %w, at most %d wait", ErrMany, backtestQueue)
		}
		ctx, cancel := context.WithTimeout(ctx, storeWithin)
		defer cancel()
		return k.deps.Store.StartPolicyBacktest(ctx, j.PolicyBacktest, k.clock()-lostAfter.Milliseconds())
	})
}

// Backtest returns one as it is now; store.ErrNotFound where there is none.
func (k *Keeper) Backtest(ctx context.Context, app engines.AppID, id string) (store.PolicyBacktest, error) {
	b, err := k.deps.Store.PolicyBacktest(ctx, app, id)
	k.judgeLost(&b)
	return b, err
}

// Backtests lists the newest ones of an app.
func (k *Keeper) Backtests(ctx context.Context, app engines.AppID, most int) ([]store.PolicyBacktest, error) {
	list, err := k.deps.Store.PolicyBacktests(ctx, app, most)
	for i := range list {
		k.judgeLost(&list[i])
	}
	return list, err
}

func (k *Keeper) judgeLost(b *store.PolicyBacktest) {
	if b.GoesOn() && k.clock()-b.Changed > lostAfter.Milliseconds() {
		b.State = store.PolicyBacktestLost
	}
}

// startBacktest begins the back-test of a rollout.
func (k *Keeper) startBacktest(ctx context.Context, r store.Rollout, o *Order) (store.Rollout, error) {
	have, err := k.now(ctx, r.PolicyKey)
	if err != nil {
		return r, err
	}
	set, err := k.draftSet(&have.own, change(&r))
	if err != nil {
		return r, ofChange(r.PolicyKey, err)
	}
	b, err := k.replay(ctx, store.PolicyBacktest{
		App: r.App, ID: newID(), Rollout: r.ID, By: o.By, From: o.From, To: o.To,
		Drafts: draftsBody([]Change{{PolicyKey: r.PolicyKey, Body: []byte(r.Body), Remove: r.Remove}}),
	}, set)
	if err != nil {
		return r, err
	}
	r.Backtest = b.ID
	enter(&r, store.RolloutBacktest, 0, o.By, o.Why)
	return k.move(ctx, r, o, nil)
}

// runBacktest does a job whose turn has come.
func (k *Keeper) runBacktest(ctx context.Context, j *job) {
	k.tests.Change(ctx, j, func() { j.State = store.PolicyBacktestRunning })
	result, err := k.again(ctx, j)
	k.finish(ctx, j, result, err)
}

// finish ends a job that ran, unless the keeper ends: it is cancelled then. The
// rollout that it is of stops where the result is out of its bounds.
func (k *Keeper) finish(ctx context.Context, j *job, result store.BacktestDiff, err error) {
	if ctx.Err() != nil {
		return
	}
	k.tests.Change(ctx, j, func() {
		if err == nil {
			j.Result, j.State, j.Reached = result, store.PolicyBacktestDone, j.To
			return
		}
		j.State, j.Why = store.PolicyBacktestFailed, "the stored decisions could not be read"
		k.deps.Log.WarnContext(ctx, "a policy's back-test failed", "app", j.App, "backtest_id", j.ID, "err", err)
	})
	if err == nil && j.Rollout != "" {
		k.judgeBacktest(ctx, j)
	}
}

// judgeBacktest stops the rollout of a back-test whose result is out of its bounds.
func (k *Keeper) judgeBacktest(ctx context.Context, j *job) {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	r, err := k.deps.Store.Rollout(ctx, j.App, j.Rollout)
	if err != nil || r.State != store.RolloutBacktest || r.Backtest != j.ID {
		return // somebody else has moved it; Advance looks at the result again
	}
	if why := backtestOutside(&r, &j.Result); why != "" {
		k.stopByBounds(ctx, r, why)
	}
}

// backtestOutside says which bound a back-test has left, "" for none.
func backtestOutside(r *store.Rollout, d *store.BacktestDiff) string {
	var live, draft [3]float64
	for _, p := range d.Pairs {
		live[p.Was.Rank()] += p.Weight
		draft[p.Is.Rank()] += p.Weight
	}
	return outside(&r.Bounds, live, draft)
}

// writeBacktest stores a job as it is.
func (k *Keeper) writeBacktest(ctx context.Context, j *job) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	err := k.deps.Store.PutPolicyBacktest(ctx, j.PolicyBacktest)
	if err != nil {
		k.deps.Log.DebugContext(ctx, "back-test not written", "backtest_id", j.ID, "err", err)
	}
	return err
}
