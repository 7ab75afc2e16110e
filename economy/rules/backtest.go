package rules

import (
	"context"
	"errors"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// backtestQueue is how many back-tests wait at a gateway, and of one app with the
	// one that runs backtestsOfApp. Rule when full: a new one is refused.
	backtestQueue  = 8
	backtestsOfApp = 2
	// beatEvery is how often a gateway says that its back-tests go on; one that was
	// silent for lostAfter is lost.
	beatEvery = 20 * time.Second
	lostAfter = 2 * time.Minute

	// usualRange and maxRange bound the event time that is judged.
	usualRange = 7 * dayMillis
	maxRange   = 90 * dayMillis
	// warmUp is how much before it is read and not judged: the longest window.
	warmUp = 30
)

// job is one back-test.
type job struct {
	economy.Backtest
	program *Program
}

// JobID implements turns.Job.
func (j *job) JobID() string { return j.ID }

// GoesOn implements turns.Job.
func (j *job) GoesOn() bool {
	return j.State == economy.BacktestQueued || j.State == economy.BacktestRunning
}

// Cancel implements turns.Job.
func (j *job) Cancel() { j.State = economy.BacktestCancelled }

// Backtest has a rule tried on stored entries behind the answer: b has App, ID, Rule,
// By, From and To, of which the last two may be 0. A nil rule is the newest version
// that is stored. It returns the back-test as it begins.
func (k *Keeper) Backtest(ctx context.Context, b economy.Backtest, r *economy.Rule) (economy.Backtest, error) {
	if r == nil {
		stored, err := k.Rule(ctx, b.App, b.Rule)
		if err != nil {
			return b, err
		}
		r, b.Version = &stored, stored.Version
	}
	program, err := k.Check(r)
	if err != nil {
		return b, err
	}
	b.On, b.Print = r.On, program.Rule.Print
	b.State, b.Created = economy.BacktestQueued, k.clock()
	newest, err := k.deps.Asker().Newest(ctx, b.App)
	if err != nil {
		return b, err
	}
	if b.To == 0 {
		b.To = newest + 1
	}
	if b.From == 0 {
		b.From = b.To - usualRange
	}
	if b.From >= b.To || b.To-b.From > maxRange {
		return b, economy.RuleFaults{{Pointer: "/from", Reason: "must be before to, and at most 90 days"}}
	}
	return b, k.enqueue(ctx, &job{b, program})
}

// enqueue stores a job and has it wait for its turn.
func (k *Keeper) enqueue(ctx context.Context, j *job) error {
	return k.tests.Add(j, func(have map[string]*job) error {
		mine, queued := 0, 0
		for _, other := range have {
			if other.App == j.App {
				mine++
			}
			if other.State == economy.BacktestQueued {
				queued++
			}
		}
		if mine >= backtestsOfApp || queued >= backtestQueue {
			return economy.ErrBacktests
		}
		ctx, cancel := context.WithTimeout(ctx, storeWithin)
		defer cancel()
		return k.deps.Store.PutBacktest(ctx, j.Backtest)
	})
}

// ResultOf returns a back-test of a rule as it is now; economy.ErrNoBacktest where
// there is none.
func (k *Keeper) ResultOf(ctx context.Context, app engines.AppID, rule, id string) (economy.Backtest, error) {
	b, err := k.deps.Store.Backtest(ctx, app, rule, id)
	goesOn := b.State == economy.BacktestQueued || b.State == economy.BacktestRunning
	if goesOn && k.clock()-b.Changed > lostAfter.Milliseconds() {
		b.State = economy.BacktestLost
	}
	return b, err
}

// runBacktest does a job whose turn has come.
func (k *Keeper) runBacktest(ctx context.Context, j *job) {
	k.tests.Change(ctx, j, func() { j.State = economy.BacktestRunning })
	result, err := k.replay(ctx, j)
	k.finish(ctx, j, result, err)
}

// finish ends a job that ran, unless the keeper ends: it is cancelled then.
func (k *Keeper) finish(ctx context.Context, j *job, result economy.BacktestResult, err error) {
	if ctx.Err() != nil {
		return
	}
	k.tests.Change(ctx, j, func() {
		if err == nil && result.Evaluations == 0 {
			j.State, j.Why = economy.BacktestFailed, "no player or trade in this time" // it tried nothing
			return
		}
		if err == nil {
			j.BacktestResult, j.State = result, economy.BacktestDone
			return
		}
		j.State, j.Why = economy.BacktestFailed, "the stored entries could not be read"
		if told, ok := errors.AsType[tooMuch](err); ok {
			j.Why = told.Error()
		}
		k.deps.Log.WarnContext(ctx, "economy: back-test failed", "app", j.App, "rule", j.Rule, "backtest_id", j.ID, "err", err)
	})
}

// writeBacktest stores a job as it is.
func (k *Keeper) writeBacktest(ctx context.Context, j *job) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	err := k.deps.Store.PutBacktest(ctx, j.Backtest)
	if err != nil {
		k.deps.Log.DebugContext(ctx, "economy: back-test not written", "backtest_id", j.ID, "err", err)
	}
	return err
}
