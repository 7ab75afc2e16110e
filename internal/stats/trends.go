package stats

import (
	"cmp"
	"context"
	"slices"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

const (
	anomaliesAtMost = 200
	// A share moves where it changes by a tenth at least, and chance would have it so
	// once in a hundred periods at most.
	movesFrom = 0.1
	movesAt   = 0.01
)

// trends holds each category's share of all verdicts against the period before, and
// lists the anomalies of the period.
func (s *Service) trends(ctx context.Context, q *table.Query) ([]table.Table, error) {
	if err := unfiltered(q); err != nil {
		return nil, err
	}
	if q.Step > 0 {
		return nil, &table.Fault{Param: "step", Reason: "is not for this: it holds one period against the one before"}
	}
	span := q.To.Sub(q.From).Milliseconds()
	now, err := s.found(ctx, q, 0)
	if err != nil {
		return nil, err
	}
	before, err := s.found(ctx, q, span)
	if err != nil {
		return nil, err
	}
	t := table.Table{ID: "rows", Columns: []string{
		"category", "verdicts", "share", "previous_verdicts", "previous_share", "change", "direction",
	}}
	names := map[string]bool{}
	for name := range now.of {
		names[name] = true
	}
	for name := range before.of {
		names[name] = true
	}
	for name := range names {
		a, b := now.of[name], before.of[name]
		share, was := table.Share(a, now.all), table.Share(b, before.all)
		var change table.Value
		if was.Real > 0 && now.all > 0 {
			change = table.Real(share.Real/was.Real - 1)
		}
		t.Rows = append(t.Rows, []table.Value{
			table.Text(name), table.Int(a), share, table.Int(b), was, change, table.Text(direction(a, now.all, b, before.all)),
		})
	}
	slices.SortFunc(t.Rows, func(x, y []table.Value) int {
		return cmp.Or(cmp.Compare(y[1].Int, x[1].Int), cmp.Compare(x[0].Text, y[0].Text))
	})
	list, err := s.deps.Store.Anomalies(ctx, q.App, q.From.UnixMilli(), q.To.UnixMilli(), anomaliesAtMost)
	if err != nil {
		return nil, err
	}
	odd := table.Table{ID: "anomalies", Columns: []string{"category", "began_at", "last_at", "found", "verdicts", "share", "usual_share", "ratio", "chance", "found_at"}}
	for _, a := range list {
		odd.Rows = append(odd.Rows, []table.Value{
			table.Text(a.Category), table.At(a.Began), table.At(a.Last), table.Int(a.Found), table.Int(a.Verdicts),
			table.Real(a.Share), table.Real(a.Usual), table.Real(a.Ratio), table.Real(a.P), table.At(a.Seen.UnixMilli()),
		})
	}
	return []table.Table{t, odd}, nil
}

// direction says whether a share has moved.
func direction(a, of, b, before int64) string {
	if of == 0 || before == 0 {
		return "unknown"
	}
	x, y := float64(a)/float64(of), float64(b)/float64(before)
	switch {
	case x >= y*(1+movesFrom) && chance(float64(a), float64(of), float64(b), float64(before)) <= movesAt:
		return "up"
	case x <= y*(1-movesFrom) && chance(float64(b), float64(before), float64(a), float64(of)) <= movesAt:
		return "down"
	}
	return "steady"
}

// found is what a period had.
type found struct {
	all int64
	of  map[string]int64
}

func (s *Service) found(ctx context.Context, q *table.Query, back int64) (f found, err error) {
	ask := store.StatQuery{Cube: store.StatScenes, App: q.App, From: q.From.UnixMilli() - back, To: q.To.UnixMilli() - back, Measures: []string{"n"}}
	all, err := s.deps.Store.Stats(ctx, ask)
	if err != nil {
		return f, err
	}
	for _, sum := range all {
		f.all += sum.Counts[0]
	}
	ask.Cube, ask.By, ask.Measures = store.StatLabels, []string{"category"}, []string{"verdicts"}
	list, err := s.deps.Store.Stats(ctx, ask)
	if err != nil {
		return f, err
	}
	f.of = map[string]int64{}
	for _, sum := range list {
		f.of[sum.Dims[0]] = sum.Counts[0]
	}
	return f, nil
}
