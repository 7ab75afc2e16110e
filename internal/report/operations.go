package report

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/internal/table"
)

const (
	topScenes    = 20
	topLanguages = 20
	topRules     = 50
)

// operations is what a team looks at: how much there was, of what, how fast, how well,
// and what waits.
func (b *builder) operations(ctx context.Context) error {
	compared := func(q *table.Query) { q.Compare = true }
	if err := b.add(ctx, "volume", compared, map[string]string{"rows": "volume"}); err != nil {
		return err
	}
	b.r.Sections[0].Single = true
	if err := b.days(ctx); err != nil {
		return err
	}
	for _, part := range []struct {
		kind   string
		change func(q *table.Query)
		names  map[string]string
	}{
		{"categories", compared, map[string]string{"rows": "categories"}},
		{"trends", nil, map[string]string{"anomalies": "anomalies"}},
		{"queue", nil, map[string]string{"summary": "queue", "by_state": "queue_states"}},
		{"accuracy", func(q *table.Query) { q.Top = topRules }, map[string]string{"summary": "accuracy", "by_category": "accuracy_by_category", "by_rule": "accuracy_by_rule"}},
		{"scenes", func(q *table.Query) { q.Top, q.Compare = topScenes, true }, map[string]string{"rows": "scenes"}},
		{"languages", func(q *table.Query) { q.Top, q.Compare = topLanguages, true }, map[string]string{"rows": "languages"}},
		{"modes", nil, map[string]string{"rows": "modes"}},
		{"engines", nil, map[string]string{"rows": "sources"}},
		{"latency", nil, map[string]string{"rows": "latency"}},
		{"economy", nil, map[string]string{"rows": "economy_logs", "supply": "economy_supply", "bans": "bans"}},
	} {
		if err := b.add(ctx, part.kind, part.change, part.names); err != nil {
			return err
		}
	}
	return b.people(ctx)
}

// people is what was done beside verdicts: penalties, complaints, batches.
func (b *builder) people(ctx context.Context) error {
	from, to := b.r.From.UnixMilli(), b.r.To.UnixMilli()
	if err := b.accounts(ctx, "penalties", from, to, func(string) bool { return true }); err != nil {
		return err
	}
	if err := b.complaints(ctx, from, to); err != nil {
		return err
	}
	t, err := b.s.deps.Counts.BatchTally(ctx, b.q.App, from, to)
	if err != nil {
		return err
	}
	b.r.Sections = append(b.r.Sections, table.Table{
		ID: "batches", Single: true, Columns: []string{"batches_sent", "lines", "pass", "review", "block", "line_errors"},
		Rows: [][]table.Value{{table.Int(t.Batches), table.Int(t.Lines), table.Int(t.Passed), table.Int(t.Reviewed), table.Int(t.Blocked), table.Int(t.Errors)}},
	})
	return nil
}

// seriesAtMost is how long a period may be to be told by days of the report's zone,
// which are put together from hours.
const seriesAtMost = 31 * 24 * time.Hour

// days is the volume by day of the zone.
func (b *builder) days(ctx context.Context) error {
	q := b.q
	q.Step = time.Hour
	if q.To.Sub(q.From) > seriesAtMost {
		return nil
	}
	a, err := b.s.deps.Figures.Answer(ctx, "volume", q)
	if err != nil {
		return err
	}
	t := table.Table{ID: "days", Columns: []string{"day", "verdicts", "pass", "review", "block", "degraded"}}
	hours := &a.Tables[0]
	for _, row := range hours.Rows {
		day := table.Text(row[0].Time().In(b.place).Format(time.DateOnly))
		if n := len(t.Rows); n == 0 || t.Rows[n-1][0] != day {
			t.Rows = append(t.Rows, []table.Value{day, table.Int(0), table.Int(0), table.Int(0), table.Int(0), table.Int(0)})
		}
		sum := t.Rows[len(t.Rows)-1]
		for i, name := range t.Columns[1:] {
			for j, c := range hours.Columns {
				if c == name {
					sum[i+1].Int += row[j].Int
				}
			}
		}
	}
	b.r.Sections = append(b.r.Sections, t)
	return nil
}
