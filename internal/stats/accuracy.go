package stats

import (
	"cmp"
	"context"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// What people decide of content.
const (
	approved = "approve"
	rejected = "reject"
)

// judged counts how people decided what the engines had found.
type judged struct{ closed, rejected, approved int64 }

func (j *judged) add(decision string, n int64) {
	j.closed += n
	switch decision {
	case rejected:
		j.rejected += n
	case approved:
		j.approved += n
	}
}

// precision is the share of findings that people agreed with.
func (j *judged) precision() table.Value { return table.Share(j.rejected, j.rejected+j.approved) }

// accuracy says how often people agreed with what was found, in the cases that they
// closed in the period: in all, and by category, label, source and rule.
func (s *Service) accuracy(ctx context.Context, q *table.Query) ([]table.Table, error) {
	if err := unfiltered(q); err != nil {
		return nil, err
	}
	if q.Step > 0 {
		return nil, &table.Fault{Param: "step", Reason: "is not for this: there are few cases in one"}
	}
	from, to := q.From.UnixMilli(), q.To.UnixMilli()
	summary, err := s.held(ctx, q, from, to)
	if err != nil {
		return nil, err
	}
	if q.Compare {
		span := to - from
		before, err := s.held(ctx, q, from-span, from)
		if err != nil {
			return nil, err
		}
		before.ID = "previous"
		return s.marks(ctx, q, []table.Table{summary, before})
	}
	return s.marks(ctx, q, []table.Table{summary})
}

// held is the summary of a period.
func (s *Service) held(ctx context.Context, q *table.Query, from, to int64) (table.Table, error) {
	t := table.Table{ID: "summary", Single: true}
	tallies, err := s.deps.Store.CaseTallies(ctx, q.App, from, to, 0, false)
	if err != nil {
		return t, err
	}
	var all, blocked judged
	for i := range tallies {
		c := &tallies[i]
		if c.Kind != "" || c.Suggestion == string(engines.Pass) || c.Suggestion == "" { // no engine found it
			continue
		}
		all.add(c.Decision, c.N)
		if c.Suggestion == string(engines.Block) {
			blocked.add(c.Decision, c.N)
		}
	}
	put := func(name string, v table.Value) {
		t.Columns = append(t.Columns, name)
		if len(t.Rows) == 0 {
			t.Rows = [][]table.Value{nil}
		}
		t.Rows[0] = append(t.Rows[0], v)
	}
	put("closed", table.Int(all.closed))
	put("rejected", table.Int(all.rejected))
	put("approved", table.Int(all.approved))
	put("precision", all.precision())
	put("overturn_rate", table.Share(all.approved, all.rejected+all.approved))
	put("blocked_closed", table.Int(blocked.closed))
	put("blocked_overturned", table.Int(blocked.approved))
	put("blocked_overturn_rate", table.Share(blocked.approved, blocked.rejected+blocked.approved))
	restricted, err := s.restrictions(ctx, q, from, to)
	if err != nil {
		return t, err
	}
	put("restrictions", table.Int(restricted))
	if s.deps.Extra == nil {
		return t, nil
	}
	a, err := s.deps.Extra.Again(ctx, q.App, from, to)
	if err != nil {
		return t, err
	}
	put("appeals", table.Int(a.Opened))
	put("appeal_rate", table.Share(a.Opened, restricted+all.rejected))
	put("appeals_closed", table.Int(a.Closed))
	put("appeals_granted", table.Int(a.Granted))
	put("appeal_overturn_rate", table.Share(a.Granted, a.Closed))
	put("appeal_median_seconds", WaitQuantile(a.Waits[:], .5))
	put("blind_pairs", table.Int(a.Pairs))
	put("blind_agreement", table.Share(a.Agreed, a.Pairs))
	put("undone", table.Int(a.Undone))
	put("player_reports", table.Int(a.Reports))
	put("reports_upheld", table.Int(a.Upheld))
	return t, nil
}

// restrictions counts the verdicts that kept content from being seen as it was.
func (s *Service) restrictions(ctx context.Context, q *table.Query, from, to int64) (int64, error) {
	list, err := s.deps.Store.Stats(ctx, store.StatQuery{
		Cube: store.StatVerdicts, App: q.App, From: from, To: to, Measures: []string{"n"}, Where: map[string][]string{"action": {string(engines.Drop), string(engines.Mask)}},
	})
	if err != nil {
		return 0, err
	}
	var n int64
	for _, sum := range list {
		n += sum.Counts[0]
	}
	return n, nil
}

func (s *Service) marks(ctx context.Context, q *table.Query, tables []table.Table) ([]table.Table, error) {
	list, err := s.deps.Store.MarkTallies(ctx, q.App, q.From.UnixMilli(), q.To.UnixMilli())
	if err != nil {
		return nil, err
	}
	for _, what := range []string{store.MarkCategory, store.MarkLabel, store.MarkSource, store.MarkRule} {
		sums := map[string]*judged{}
		for _, m := range list {
			if m.What != what {
				continue
			}
			if sums[m.Name] == nil {
				sums[m.Name] = &judged{}
			}
			sums[m.Name].add(m.Decision, m.N)
		}
		t := table.Table{ID: "by_" + what, Columns: []string{what, "closed", "rejected", "approved", "precision"}}
		for name, j := range sums {
			t.Rows = append(t.Rows, []table.Value{table.Text(name), table.Int(j.closed), table.Int(j.rejected), table.Int(j.approved), j.precision()})
		}
		slices.SortFunc(t.Rows, func(a, b []table.Value) int {
			return cmp.Or(cmp.Compare(b[1].Int, a[1].Int), cmp.Compare(a[0].Text, b[0].Text))
		})
		if q.Top > 0 && len(t.Rows) > q.Top {
			t.Rows = t.Rows[:q.Top]
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// unfiltered refuses filters where nothing is counted by them.
func unfiltered(q *table.Query) error {
	for dim := range q.Where {
		return &table.Fault{Param: dim, Reason: "is not a filter of this"}
	}
	if len(q.By) > 0 {
		return &table.Fault{Param: "by", Reason: "is not for this"}
	}
	return nil
}
