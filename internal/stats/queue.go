package stats

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// queue says what waits for people now, and what they closed in the period.
func (s *Service) queue(ctx context.Context, q *table.Query) ([]table.Table, error) {
	if err := unfiltered(q); err != nil {
		return nil, err
	}
	from, to := q.From.UnixMilli(), q.To.UnixMilli()
	waiting, err := s.deps.Store.WaitingCases(ctx, q.App)
	if err != nil {
		return nil, err
	}
	opened, err := s.deps.Store.OpenedCases(ctx, q.App, from, to)
	if err != nil {
		return nil, err
	}
	states := table.Table{ID: "by_state", Columns: []string{"state", "cases", "oldest_at"}}
	var open int64
	var oldest time.Time
	for _, w := range waiting {
		open += w.N
		if oldest.IsZero() || w.Oldest.Before(oldest) {
			oldest = w.Oldest
		}
		states.Rows = append(states.Rows, []table.Value{table.Text(w.State), table.Int(w.N), table.At(w.Oldest.UnixMilli())})
	}
	tallies, err := s.deps.Store.CaseTallies(ctx, q.App, from, to, q.Step, true)
	if err != nil {
		return nil, err
	}
	all, steps := closed{}, newSteps()
	for i := range tallies {
		all.add(&tallies[i])
		steps.at(tallies[i].At).add(&tallies[i])
	}
	summary := table.Table{ID: "summary", Single: true, Columns: []string{"open", "oldest_at", "oldest_seconds", "opened"}}
	row := []table.Value{table.Int(open), {}, {}, table.Int(opened)}
	if open > 0 {
		row[1] = table.At(oldest.UnixMilli())
		row[2] = table.Int(max(0, int64(s.deps.Now().Sub(oldest)/time.Second)))
	}
	summary.Columns = append(summary.Columns, closedColumns...)
	row = append(row, all.values()...)
	hours := q.To.Sub(q.From).Hours()
	summary.Columns = append(summary.Columns, "closed_per_hour")
	summary.Rows = [][]table.Value{append(row, table.Real(float64(all.n)/hours))}
	tables := []table.Table{summary, states}
	if q.Step == 0 {
		return tables, nil
	}
	t := table.Table{ID: "rows", Columns: append([]string{"at"}, closedColumns...)}
	for _, at := range steps.order {
		t.Rows = append(t.Rows, append([]table.Value{table.At(at)}, steps.of[at].values()...))
	}
	return append(tables, t), nil
}

var closedColumns = []string{"closed", "approved", "rejected", "median_seconds", "p90_seconds"}

// closed sums cases up that were closed.
type closed struct {
	n, approved, rejected int64
	waits                 [store.WaitBuckets]int64
}

func (c *closed) add(t *store.CaseTally) {
	c.n += t.N
	switch t.Decision {
	case approved:
		c.approved += t.N
	case rejected:
		c.rejected += t.N
	}
	for i, n := range t.Waits {
		c.waits[i] += n
	}
}

func (c *closed) values() []table.Value {
	return []table.Value{table.Int(c.n), table.Int(c.approved), table.Int(c.rejected), WaitQuantile(c.waits[:], .5), WaitQuantile(c.waits[:], .9)}
}

// WaitQuantile estimates the seconds that a share of cases had not waited longer
// than; what is in the last bucket waited a week at least, and is given as that.
func WaitQuantile(waits []int64, share float64) table.Value {
	bounds := make([]float64, len(store.WaitBounds))
	for i, b := range store.WaitBounds {
		bounds[i] = b.Seconds()
	}
	return quantile(waits, bounds, share)
}

type steps struct {
	order []int64
	of    map[int64]*closed
}

func newSteps() *steps { return &steps{of: map[int64]*closed{}} }

func (s *steps) at(ms int64) *closed {
	if s.of[ms] == nil {
		s.of[ms] = &closed{}
		s.order = append(s.order, ms) // tallies come in the order of time
	}
	return s.of[ms]
}
