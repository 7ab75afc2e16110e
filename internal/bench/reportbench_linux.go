package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/report"
	"github.com/portcullis-gg/portcullis/internal/stats"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	figures "github.com/portcullis-gg/portcullis/internal/table"
)

// reportQuery is one question that a report asks, each time that it was asked.
type reportQuery struct {
	name  string
	rows  int
	times []float64 // ms
	cpu   time.Duration
}

// reportClock stands between a report and what it asks, and notes how long each
// question takes. It is for one report at a time.
type reportClock struct {
	figures report.Figures
	counts  *sqlstore.Store
	prefix  string
	list    []*reportQuery
}

// ask times one question; what a report asks by the same name twice is one of the list.
func (c *reportClock) ask(name string, query func() (rows int, err error)) error {
	name = c.prefix + name
	var q *reportQuery
	for _, have := range c.list {
		if have.name == name {
			q = have
		}
	}
	if q == nil {
		q = &reportQuery{name: name}
		c.list = append(c.list, q)
	}
	cpu, began := ownCPU(), time.Now()
	rows, err := query()
	q.times = append(q.times, float64(time.Since(began).Microseconds())/1000)
	q.cpu += ownCPU() - cpu
	q.rows = rows
	return err
}

// Answer implements report.Figures.
func (c *reportClock) Answer(ctx context.Context, kind string, q figures.Query) (a *figures.Answer, err error) {
	name := kind
	if q.Compare {
		name += ", compared"
	}
	if q.Step > 0 {
		name += ", by hour"
	}
	return a, c.ask(name, func() (rows int, err error) {
		if a, err = c.figures.Answer(ctx, kind, q); err != nil {
			return 0, err
		}
		for i := range a.Tables {
			rows += len(a.Tables[i].Rows)
		}
		return rows, nil
	})
}

// Stats implements report.Counts.
func (c *reportClock) Stats(ctx context.Context, q store.StatQuery) (list []store.StatSum, err error) {
	return list, c.ask(q.Cube.Shape().Table, func() (int, error) {
		list, err = c.counts.Stats(ctx, q)
		return len(list), err
	})
}

// CaseTallies implements report.Counts.
func (c *reportClock) CaseTallies(ctx context.Context, app engines.AppID, from, to int64, step time.Duration, waits bool) (list []store.CaseTally, err error) {
	return list, c.ask("closed cases", func() (int, error) {
		list, err = c.counts.CaseTallies(ctx, app, from, to, step, waits)
		return len(list), err
	})
}

// MarkTallies implements report.Counts.
func (c *reportClock) MarkTallies(ctx context.Context, app engines.AppID, from, to int64) (list []store.MarkTally, err error) {
	return list, c.ask("what closed cases were about", func() (int, error) {
		list, err = c.counts.MarkTallies(ctx, app, from, to)
		return len(list), err
	})
}

// Again implements report.Counts.
func (c *reportClock) Again(ctx context.Context, app engines.AppID, from, to int64) (a store.Again, err error) {
	return a, c.ask("appeals, reports and undone decisions", func() (int, error) {
		a, err = c.counts.Again(ctx, app, from, to)
		return int(min(1, a.Opened)), err
	})
}

// AccountTallies implements report.Counts.
func (c *reportClock) AccountTallies(ctx context.Context, app engines.AppID, from, to int64) (list []store.AccountTally, err error) {
	return list, c.ask("penalties", func() (int, error) {
		list, err = c.counts.AccountTallies(ctx, app, from, to)
		return len(list), err
	})
}

// BatchTally implements report.Counts.
func (c *reportClock) BatchTally(ctx context.Context, app engines.AppID, from, to int64) (t store.BatchTally, err error) {
	return t, c.ask("batches", func() (int, error) {
		t, err = c.counts.BatchTally(ctx, app, from, to)
		return int(min(1, t.Batches)), err
	})
}

// measureReports makes each kind of report, of a month and of a year, and says how long
// each of its questions took, and the whole; those alone that have only in their name.
func measureReports(ctx context.Context, db *sqlstore.Store, s *stats.Service, now time.Time, rounds int, only string) (queries, whole []StatsMeasure, err error) {
	for _, kind := range report.Kinds {
		for _, of := range []struct {
			name string
			back time.Duration
		}{{"30 days", 30 * store.StatDay}, {"a year", 365 * store.StatDay}} {
			clock := &reportClock{figures: s, counts: db, prefix: fmt.Sprintf("%s report of %s: ", kind, of.name)}
			reports := report.New(report.Deps{Figures: clock, Counts: clock, Median: stats.WaitQuantile})
			all := &reportQuery{name: fmt.Sprintf("%s report of %s", kind, of.name)}
			if !strings.Contains(all.name, only) {
				continue
			}
			for range rounds {
				cpu, began := ownCPU(), time.Now()
				r, err := reports.Make(ctx, statsApp, kind, "UTC", now.Add(-of.back), now)
				if err != nil {
					return nil, nil, fmt.Errorf("%s: %w", all.name, err)
				}
				all.times = append(all.times, float64(time.Since(began).Microseconds())/1000)
				all.cpu += ownCPU() - cpu
				all.rows = 0
				for i := range r.Sections {
					all.rows += len(r.Sections[i].Rows)
				}
			}
			for _, q := range clock.list {
				queries = append(queries, measured(q.name, q.rows, q.times, q.cpu))
			}
			whole = append(whole, measured(all.name, all.rows, all.times, all.cpu))
		}
	}
	return queries, whole, nil
}
