package bench

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// replayGoal is how long the back-test of a policy may take with a million stored decisions.
const replayGoal = time.Minute

// replayName is what the back-test is called among the measures.
const replayName = "back-test of a policy, all decisions"

// replayDraft is stricter everywhere and prohibits a word that stands in every text:
// what was recorded is decided again, and looked at anew.
const replayDraft = `{"strictness":5,"prohibited":[{"term":"players","category":"spam"}]}`

// measureReplay has all stored decisions of the fill decided again under a draft, as
// POST /policies/try does it: one at a time, resting between pages.
func measureReplay(ctx context.Context, db *sqlstore.Store, now time.Time, decisions int) (StatsMeasure, error) {
	engine, err := text.New(text.Config{}) //nolint:contextcheck // it loads and tests its lists at once
	if err != nil {
		return StatsMeasure{}, err
	}
	k, err := policies.New(policies.Deps{
		Store: db, BaseBody: "{}", BuiltSource: policies.SourceBuilt, Tell: func() {}, Log: slog.New(slog.DiscardHandler), Reword: engine.Reword,
		Words: policy.Words{Compile: func(words []engines.Word) (engines.WordMatcher, error) {
			m, err := text.CompileWords(words)
			if err != nil {
				return nil, err
			}
			return m, nil
		}},
		Inspect: func(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, []engines.Fault) {
			out, err := engine.Inspect(ctx, item, out)
			if err != nil {
				return out, []engines.Fault{{Engine: "text", Reason: engines.ReasonFailed}}
			}
			return out, nil
		},
	})
	if err != nil {
		return StatsMeasure{}, err
	}
	if err := k.Load(ctx); err != nil {
		return StatsMeasure{}, err
	}
	serving, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { k.Serve(serving) })
	defer wg.Wait()
	defer stop()
	cpu, began := ownCPU(), time.Now()
	b, err := k.Replay(ctx, store.PolicyBacktest{
		App: statsApp, ID: fmt.Sprint("bench-", began.UnixNano()), By: "bench", From: now.Add(-31 * store.StatDay).UnixMilli(), To: now.Add(time.Minute).UnixMilli(),
	}, []policies.Change{{PolicyKey: store.PolicyKey{App: statsApp, Layer: string(policy.KindGlobal), Name: policy.GlobalName}, Body: []byte(replayDraft), By: "bench"}})
	if err != nil {
		return StatsMeasure{}, err
	}
	for look := time.NewTicker(20 * time.Millisecond); b.GoesOn(); {
		select {
		case <-ctx.Done():
			return StatsMeasure{}, ctx.Err()
		case <-look.C:
		}
		if b, err = k.Backtest(ctx, statsApp, b.ID); err != nil {
			return StatsMeasure{}, err
		}
	}
	took := float64(time.Since(began).Microseconds()) / 1000
	if b.State != store.PolicyBacktestDone || b.Result.Decisions != int64(decisions) {
		return StatsMeasure{}, fmt.Errorf("the back-test is %s with %d of %d decisions (%s)", b.State, b.Result.Decisions, decisions, b.Why)
	}
	return measured(replayName, decisions, []float64{took}, ownCPU()-cpu), nil
}
