package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Of so many decisions one leads to a penalty, a report of a player, an appeal, a batch.
const (
	statsPenalties = 200
	statsReports   = 200
	statsAppeals   = 1000
	statsBatches   = 5000
)

// people stores what reports count beside verdicts and cases, over the same 30 days.
func (f *statsFill) people(ctx context.Context, decisions int) error {
	writers, writing := errgroup.WithContext(ctx)
	writers.SetLimit(32)
	some := func(each int, put func(i int, at time.Time, player engines.PlayerID, category engines.Category) func(ctx context.Context) error) {
		for i := range max(1, decisions/each) {
			at := f.now.Add(-time.Duration(f.r.Int64N(int64(30 * store.StatDay)))).Truncate(time.Millisecond)
			do := put(i, at, engines.PlayerID(fmt.Sprint("p", f.r.IntN(100_000))), drawn(f.r, engines.TextCategories))
			writers.Go(func() error { return do(writing) })
		}
	}
	some(statsPenalties, func(i int, at time.Time, player engines.PlayerID, category engines.Category) func(context.Context) error {
		p := store.Penalty{
			App: statsApp, ID: fmt.Sprint("penalty-", i), Player: player, Kind: drawn(f.r, store.PenaltyKinds), Category: category,
			By: drawn(f.r, []string{"ladder", "mod1", "app/bench"}), Created: at.UnixMilli(), Expires: at.Add(store.StatDay).UnixMilli(),
		}
		return func(ctx context.Context) error {
			_, _, err := f.db.PutPenalty(ctx, p)
			return err
		}
	})
	some(statsReports, func(i int, at time.Time, player engines.PlayerID, category engines.Category) func(context.Context) error {
		r := store.Report{ID: fmt.Sprint("report-", i), App: statsApp, Reporter: "reporter", Player: player, Reason: string(category), Weight: .5, Times: 1, State: store.ReportOpen, Created: at, Updated: at}
		c := f.complaint(fmt.Sprint("of-report-", i), store.CaseOfReports, player, category, at)
		c.Group = fmt.Sprint("report\n", i)
		return func(ctx context.Context) error {
			_, err := f.db.FileReport(ctx, r, c, func(*store.Case) {})
			return err
		}
	})
	some(statsAppeals, func(i int, at time.Time, player engines.PlayerID, category engines.Category) func(context.Context) error {
		c := f.complaint(fmt.Sprint("of-appeal-", i), store.CaseOfAppeal, player, category, at)
		a := store.Appeal{ID: fmt.Sprint("appeal-", i), App: statsApp, Player: player, Case: c.ID, Penalty: fmt.Sprint("penalty-", i), State: store.AppealOpen, By: string(player), Created: at}
		return func(ctx context.Context) error {
			return f.db.OpenAppeal(ctx, a, c, store.Audit{TS: at, Actor: string(player), Action: "appeal", Object: "appeal/" + a.ID, Detail: "{}"})
		}
	})
	some(statsBatches, func(i int, at time.Time, _ engines.PlayerID, _ engines.Category) func(context.Context) error {
		b := store.Batch{ID: fmt.Sprint("batch-", i), App: statsApp, Lines: 1000, Bytes: 100_000, By: "app/bench", Created: at}
		return func(ctx context.Context) error {
			if err := f.db.BeginBatch(ctx, b); err != nil {
				return err
			}
			_, _, err := f.db.QueueBatch(ctx, store.BatchOrder{Batch: b, AtOnce: math.MaxInt32, LinesADay: math.MaxInt32})
			return err
		}
	})
	return writers.Wait()
}

// complaint is the case of one.
func (f *statsFill) complaint(id, kind string, player engines.PlayerID, category engines.Category, at time.Time) store.Case {
	return store.Case{
		ID: engines.CaseID(id), App: statsApp, Request: engines.RequestID(id), Player: player, Kind: kind, Queue: kind, Category: category,
		State: store.CaseOpen, Due: at.Add(store.StatDay), Version: 1, Created: at, Updated: at,
	}
}
