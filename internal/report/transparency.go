package report

import (
	"context"
	"slices"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// transparency is what the public is told: what was restricted, on which ground and by
// whom, of content and of accounts; how soon; how often wrongly; and what players
// complained of.
func (b *builder) transparency(ctx context.Context) error {
	q := b.q
	a, err := b.s.deps.Figures.Answer(ctx, "volume", q) // which says what whole hours the period has
	if err != nil {
		return err
	}
	b.r.From, b.r.To = a.From, a.To
	from, to := a.From.UnixMilli(), a.To.UnixMilli()
	all, err := b.stated(ctx, from, to)
	if err != nil {
		return err
	}
	summary, err := b.restrictions(ctx, from, to, all)
	if err != nil {
		return err
	}
	b.r.Sections = append(b.r.Sections, summary, all.grounds(), all.categories(), all.visibilities(), all.automation())
	names := map[string]string{"rows": "automated_time"}
	if err := b.add(ctx, "latency", func(q *table.Query) { q.By = []string{"kind"} }, names); err != nil {
		return err
	}
	last := &b.r.Sections[len(b.r.Sections)-1]
	keep(last, "kind", "verdicts", "p50_ms", "p99_ms")
	if err := b.add(ctx, "accuracy", nil, map[string]string{"summary": "accuracy", "by_category": "accuracy_by_category"}); err != nil {
		return err
	}
	if err := b.complaints(ctx, from, to); err != nil {
		return err
	}
	if err := b.accounts(ctx, "account_restrictions", from, to, restricting); err != nil {
		return err
	}
	if err := b.add(ctx, "languages", nil, map[string]string{"rows": "languages"}); err != nil {
		return err
	}
	keep(&b.r.Sections[len(b.r.Sections)-1], "language", "verdicts", "review", "block", "drop", "mask")
	return nil
}

// keep leaves these columns of a table.
func keep(t *table.Table, columns ...string) {
	var at []int
	for _, c := range columns {
		if i := slices.Index(t.Columns, c); i >= 0 {
			at = append(at, i)
		}
	}
	names := make([]string, len(at))
	for i, j := range at {
		names[i] = t.Columns[j]
	}
	for k, row := range t.Rows {
		cells := make([]table.Value, len(at))
		for i, j := range at {
			cells[i] = row[j]
		}
		t.Rows[k] = cells
	}
	t.Columns = names
}

// restrictions counts all of them. Content that was held is in none of them until
// somebody decides.
func (b *builder) restrictions(ctx context.Context, from, to int64, all *stated) (table.Table, error) {
	t := table.Table{ID: "restrictions", Single: true, Columns: []string{
		"verdicts", "removed", "masked", "ended_by_people", "removed_by_people", "restrictions", "automated_share", "people_decided", "median_seconds",
	}}
	list, err := b.s.deps.Counts.Stats(ctx, store.StatQuery{Cube: store.StatScenes, App: b.q.App, From: from, To: to, Measures: []string{"n"}})
	if err != nil {
		return t, err
	}
	var verdicts, decided int64
	for _, row := range list {
		verdicts += row.Counts[0]
	}
	cases, err := b.s.deps.Counts.CaseTallies(ctx, b.q.App, from, to, 0, true)
	if err != nil {
		return t, err
	}
	var waits [store.WaitBuckets]int64
	for i := range cases {
		c := &cases[i]
		if store.AreaOf(c.Kind) != store.AreaContent {
			continue
		}
		decided += c.N
		for j, n := range c.Waits {
			waits[j] += n
		}
	}
	sum := all.total(func(*statedAs) bool { return true })
	t.Rows = [][]table.Value{append(sum.values(), sum.share(), table.Int(decided), b.s.deps.Median(waits[:], .5))}
	t.Rows[0] = append([]table.Value{table.Int(verdicts)}, t.Rows[0]...)
	return t, nil
}

// complaints is what came of it when players contested something or reported somebody.
func (b *builder) complaints(ctx context.Context, from, to int64) error {
	a, err := b.s.deps.Counts.Again(ctx, b.q.App, from, to)
	if err != nil {
		return err
	}
	b.r.Sections = append(b.r.Sections, table.Table{
		ID: "complaints", Single: true,
		Columns: []string{"appeals", "appeals_closed", "appeals_granted", "appeal_overturn_rate", "appeal_median_seconds", "player_reports", "reports_upheld"},
		Rows: [][]table.Value{{
			table.Int(a.Opened), table.Int(a.Closed), table.Int(a.Granted), table.Share(a.Granted, a.Closed), b.s.deps.Median(a.Waits[:], .5),
			table.Int(a.Reports), table.Int(a.Upheld),
		}},
	})
	return nil
}

// restricting are the kinds of penalties that take something from an account.
func restricting(kind string) bool { return kind != string(store.PenaltyWarn) }

// accounts lists what was taken from accounts, by kind and by whom.
func (b *builder) accounts(ctx context.Context, id string, from, to int64, counts func(kind string) bool) error {
	t := table.Table{ID: id, Columns: []string{"penalty", "by", "given", "lifted"}}
	list, err := b.s.deps.Counts.AccountTallies(ctx, b.q.App, from, to)
	if err != nil {
		return err
	}
	for _, a := range list {
		if counts(a.Kind) {
			t.Rows = append(t.Rows, []table.Value{table.Text(a.Kind), table.Text(a.By), table.Int(a.N), table.Int(a.Lifted)})
		}
	}
	b.r.Sections = append(b.r.Sections, t)
	return nil
}
