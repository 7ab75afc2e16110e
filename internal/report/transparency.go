package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// restricted is what was done to content of a category: by the policy alone, or by
// people who rejected it.
type restricted struct{ removed, masked, human int64 }

func (r *restricted) total() int64 { return r.removed + r.masked + r.human }

// transparency is what the public is told: what was restricted, why and by whom, of
// content and of accounts; how soon; how often wrongly; and what players complained of.
func (b *builder) transparency(ctx context.Context) error {
	q := b.q
	a, err := b.s.deps.Figures.Answer(ctx, "volume", q) // which says what whole hours the period has
	if err != nil {
		return err
	}
	b.r.From, b.r.To = a.From, a.To
	from, to := a.From.UnixMilli(), a.To.UnixMilli()
	cases, err := b.s.deps.Counts.CaseTallies(ctx, q.App, from, to, 0, true)
	if err != nil {
		return err
	}
	by, err := b.byCategory(ctx, from, to)
	if err != nil {
		return err
	}
	all, err := b.restrictions(ctx, from, to, cases)
	if err != nil {
		return err
	}
	b.r.Sections = append(b.r.Sections, all, grounds(by), categories(by))
	names := map[string]string{"rows": "automated_time"}
	if err := b.add(ctx, "latency", func(q *table.Query) { q.By = []string{"kind"} }, names); err != nil {
		return err
	}
	last := &b.r.Sections[len(b.r.Sections)-1]
	keep(last, "kind", "verdicts", "p50_ms", "p99_ms")
	if err := b.add(ctx, "accuracy", nil, map[string]string{"summary": "accuracy", "by_category": "accuracy_by_category"}); err != nil {
		return err
	}
	if err := b.add(ctx, "economy", nil, map[string]string{"bans": "account_restrictions"}); err != nil {
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
	pick := func(n int) []int { return at[:min(n, len(at))] }
	names := make([]string, len(at))
	for i, j := range pick(len(at)) {
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
func (b *builder) restrictions(ctx context.Context, from, to int64, cases []store.CaseTally) (table.Table, error) {
	t := table.Table{ID: "restrictions", Single: true, Columns: []string{
		"verdicts", "removed", "masked", "removed_by_people", "restrictions", "automated_share", "people_decided", "median_seconds",
	}}
	list, err := b.s.deps.Counts.Stats(ctx, store.StatQuery{Cube: store.StatVerdicts, App: b.q.App, From: from, To: to, By: []string{"action"}, Measures: []string{"n"}})
	if err != nil {
		return t, err
	}
	var verdicts, decided int64
	var sum restricted
	for _, row := range list {
		verdicts += row.Counts[0]
		switch engines.Action(row.Dims[0]) {
		case engines.Drop:
			sum.removed += row.Counts[0]
		case engines.Mask:
			sum.masked += row.Counts[0]
		case engines.Deliver, engines.Hold:
		}
	}
	var waits [store.WaitBuckets]int64
	for i := range cases {
		c := &cases[i]
		if store.AreaOf(c.Kind) != store.AreaContent {
			continue
		}
		decided += c.N
		if c.Decision == rejected {
			sum.human += c.N
		}
		for j, n := range c.Waits {
			waits[j] += n
		}
	}
	t.Rows = [][]table.Value{{
		table.Int(verdicts), table.Int(sum.removed), table.Int(sum.masked), table.Int(sum.human), table.Int(sum.total()),
		table.Share(sum.removed+sum.masked, sum.total()), table.Int(decided), b.s.deps.Median(waits[:], .5),
	}}
	return t, nil
}

const rejected = "reject"

// why is what content is restricted for.
type why struct{ category, ground string }

// byCategory counts restrictions by category and ground. Content of two categories is
// counted in both.
func (b *builder) byCategory(ctx context.Context, from, to int64) (map[why]*restricted, error) {
	by := map[why]*restricted{}
	of := func(category, sub string) *restricted {
		w := why{category, b.s.deps.Ground(category, sub)}
		if by[w] == nil {
			by[w] = &restricted{}
		}
		return by[w]
	}
	list, err := b.s.deps.Counts.Stats(ctx, store.StatQuery{
		Cube: store.StatLabels, App: b.q.App, From: from, To: to, By: []string{"category", "sub_label", "action"},
		Where: map[string][]string{"action": {string(engines.Drop), string(engines.Mask)}}, Measures: []string{"verdicts"},
	})
	if err != nil {
		return nil, err
	}
	for _, row := range list {
		if row.Counts[0] == 0 { // another label of a verdict that has its category already
			continue
		}
		if n := row.Counts[0]; row.Dims[2] == string(engines.Mask) {
			of(row.Dims[0], row.Dims[1]).masked += n
		} else {
			of(row.Dims[0], row.Dims[1]).removed += n
		}
	}
	marks, err := b.s.deps.Counts.MarkTallies(ctx, b.q.App, from, to)
	if err != nil {
		return nil, err
	}
	for _, m := range marks {
		if m.What == store.MarkCategory && m.Decision == rejected {
			of(m.Name, "").human += m.N
		}
	}
	return by, nil
}

func categories(by map[why]*restricted) table.Table {
	t := table.Table{ID: "restrictions_by_category", Columns: []string{"category", "ground", "removed", "masked", "removed_by_people", "restrictions", "automated_share"}}
	for w, r := range by {
		t.Rows = append(t.Rows, []table.Value{
			table.Text(w.category), table.Text(w.ground), table.Int(r.removed), table.Int(r.masked), table.Int(r.human), table.Int(r.total()),
			table.Share(r.removed+r.masked, r.total()),
		})
	}
	slices.SortFunc(t.Rows, func(x, y []table.Value) int {
		return cmp.Or(cmp.Compare(y[5].Int, x[5].Int), cmp.Compare(x[0].Text, y[0].Text), cmp.Compare(x[1].Text, y[1].Text))
	})
	return t
}

func grounds(by map[why]*restricted) table.Table {
	t := table.Table{ID: "restrictions_by_ground", Columns: []string{"ground", "removed", "masked", "removed_by_people", "restrictions"}}
	for _, g := range []string{Illegal, Terms} {
		var sum restricted
		for w, r := range by {
			if w.ground == g {
				sum.removed += r.removed
				sum.masked += r.masked
				sum.human += r.human
			}
		}
		t.Rows = append(t.Rows, []table.Value{table.Text(g), table.Int(sum.removed), table.Int(sum.masked), table.Int(sum.human), table.Int(sum.total())})
	}
	return t
}
