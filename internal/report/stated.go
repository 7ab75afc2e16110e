package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// statedAs is a number of statements of reasons that say the same.
type statedAs struct {
	store.Statement // its ground, category, visibility, account and automated decision
	n               int64
	ended           bool // by people, who decided something else or the same once more
}

// stated are the statements of a period: those of machines as they were counted when
// they were made, those of people with the cases that they closed.
type stated struct{ list []statedAs }

// stated reads them.
func (b *builder) stated(ctx context.Context, from, to int64) (*stated, error) {
	var all stated
	sums, err := b.s.deps.Counts.Stats(ctx, store.StatQuery{
		Cube: store.StatStatements, App: b.q.App, From: from, To: to, By: []string{"ground", "category", "automated", "visibility", "account"},
	})
	if err != nil {
		return nil, err
	}
	for _, sum := range sums {
		d := sum.Dims
		all.list = append(all.list, statedAs{
			Statement: store.Statement{Ground: d[0], Category: d[1], AutomatedDecision: d[2], Visibility: d[3], Account: d[4]}, n: sum.Counts[0],
		})
	}
	marks, err := b.s.deps.Counts.MarkTallies(ctx, b.q.App, from, to)
	if err != nil {
		return nil, err
	}
	for _, m := range marks {
		s := statedAs{Statement: store.ReadStated(m.Name), n: m.N}
		switch m.What {
		case store.MarkStated:
			s.AutomatedDecision = store.AutomatedNot
		case store.MarkEnded:
			s.AutomatedDecision, s.ended = store.AutomatedPartially, true
		default:
			continue
		}
		all.list = append(all.list, s)
	}
	all.list = slices.DeleteFunc(all.list, func(s statedAs) bool { return s.Visibility == "" && s.Account == "" }) // nothing was restricted
	return &all, nil
}

// restricted is what was done to content: by the policy alone, or by people. What the
// policy did and a person has decided since is ended: it does not hold any more, or
// holds because the person said so.
type restricted struct{ removed, masked, ended, human int64 }

func (r *restricted) total() int64 { return r.removed + r.masked - r.ended + r.human }

// share is how much of it machines alone did; None where there is nothing.
func (r *restricted) share() table.Value {
	// What ended may have been made before the period.
	return table.Share(max(r.removed+r.masked-r.ended, 0), max(r.total(), 0))
}

// values are those of restrictedColumns.
func (r *restricted) values() []table.Value {
	return []table.Value{table.Int(r.removed), table.Int(r.masked), table.Int(r.ended), table.Int(r.human), table.Int(max(r.total(), 0))}
}

var restrictedColumns = []string{"removed", "masked", "ended_by_people", "removed_by_people", "restrictions"}

func (r *restricted) add(s *statedAs) {
	switch {
	case s.ended && s.Visibility != store.VisibilityDisabled:
		r.ended += s.n
	case s.ended:
	case s.AutomatedDecision == store.AutomatedNot:
		r.human += s.n
	case s.Visibility == store.VisibilityMasked:
		r.masked += s.n
	case s.Visibility == store.VisibilityRemoved:
		r.removed += s.n
	}
}

// total sums up those that count.
func (all *stated) total(counts func(s *statedAs) bool) (sum restricted) {
	for i := range all.list {
		if s := &all.list[i]; counts(s) {
			sum.add(s)
		}
	}
	return sum
}

func (all *stated) grounds() table.Table {
	t := table.Table{ID: "restrictions_by_ground", Columns: append([]string{"ground"}, restrictedColumns...)}
	for _, ground := range []string{store.GroundIllegal, store.GroundTerms} {
		sum := all.total(func(s *statedAs) bool { return s.Ground == ground })
		t.Rows = append(t.Rows, append([]table.Value{table.Text(ground)}, sum.values()...))
	}
	return t
}

// categories counts each statement in the category that it names, which is the gravest
// that was found.
func (all *stated) categories() table.Table {
	type why struct{ category, ground string }
	by := map[why]*restricted{}
	for i := range all.list {
		s := &all.list[i]
		w := why{s.Category, s.Ground}
		if by[w] == nil {
			by[w] = &restricted{}
		}
		by[w].add(s)
	}
	t := table.Table{ID: "restrictions_by_category", Columns: slices.Concat([]string{"category", "ground"}, restrictedColumns, []string{"automated_share"})}
	for w, r := range by {
		if *r != (restricted{}) {
			t.Rows = append(t.Rows, append(append([]table.Value{table.Text(w.category), table.Text(w.ground)}, r.values()...), r.share()))
		}
	}
	slices.SortFunc(t.Rows, func(x, y []table.Value) int {
		return cmp.Or(cmp.Compare(y[6].Int, x[6].Int), cmp.Compare(x[0].Text, y[0].Text), cmp.Compare(x[1].Text, y[1].Text))
	})
	return t
}

// visibilities counts what became of content, that which is held until somebody has
// looked too.
func (all *stated) visibilities() table.Table {
	t := table.Table{ID: "restrictions_by_visibility", Columns: []string{"visibility", "by_machines", "ended_by_people", "by_people"}}
	for _, v := range []string{store.VisibilityRemoved, store.VisibilityMasked, store.VisibilityDisabled} {
		var machines, ended, people int64
		for i := range all.list {
			switch s := &all.list[i]; {
			case s.Visibility != v:
			case s.ended:
				ended += s.n
			case s.AutomatedDecision == store.AutomatedNot:
				people += s.n
			default:
				machines += s.n
			}
		}
		t.Rows = append(t.Rows, []table.Value{table.Text(v), table.Int(machines), table.Int(ended), table.Int(people)})
	}
	return t
}

// automation counts decisions that restricted something by how far machines made them.
func (all *stated) automation() table.Table {
	t := table.Table{ID: "decisions_by_automation", Columns: []string{"automated_decision", "decisions"}}
	for _, a := range []string{store.AutomatedFully, store.AutomatedPartially, store.AutomatedNot} {
		var n int64
		for i := range all.list {
			if s := &all.list[i]; s.AutomatedDecision == a && !s.ended {
				n += s.n
			}
		}
		t.Rows = append(t.Rows, []table.Value{table.Text(a), table.Int(n)})
	}
	return t
}
