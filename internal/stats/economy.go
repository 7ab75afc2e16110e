package stats

import (
	"context"
	"maps"
	"slices"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// entriesOf counts entries of the economy's logs, by when they were stored.
var entriesOf = figures{
	cube: store.StatEconomy, measures: []string{"n"}, width: 1, chief: "entries", columns: []string{"entries"},
	add:    func(sums []int64, _ []string, counts []int64) { sums[0] += counts[0] },
	values: func(sums, _ []int64) []table.Value { return ints(sums) },
}

// supplyOf sums up what came into players' hands and went.
var supplyOf = figures{
	cube: store.StatEconomy, width: 3, chief: "entries", columns: []string{"entries", "in", "out", "net"},
	add: func(sums []int64, _ []string, counts []int64) {
		for i, n := range counts {
			sums[i] = plus(sums[i], n)
		}
	},
	values: func(sums, _ []int64) []table.Value { return append(ints(sums), table.Int(sums[1]-sums[2])) },
}

// flowsAtMost is how many sources of currency stand by name.
const flowsAtMost = 50

// economy counts log entries, the supply of each currency with where it comes from
// and goes to, bans, and the cases of the economy that people closed.
func (s *Service) economy(ctx context.Context, q *table.Query) ([]table.Table, error) {
	if err := unfiltered(q); err != nil {
		return nil, err
	}
	logs, err := s.tables(ctx, q, &entriesOf, []string{"log"})
	if err != nil {
		return nil, err
	}
	money := *q
	money.Where = map[string][]string{"log": {"currency"}}
	supply, err := s.tables(ctx, &money, &supplyOf, []string{"what"})
	if err != nil {
		return nil, err
	}
	money.Top = flowsAtMost
	flows, err := s.tables(ctx, &money, &supplyOf, []string{"what", "action", "source"})
	if err != nil {
		return nil, err
	}
	for _, t := range []*table.Table{&supply[0], &flows[0]} {
		for i, c := range t.Columns {
			if c == "what" {
				t.Columns[i] = "currency"
			}
		}
	}
	supply[0].ID, flows[0].ID = "supply", "flows"
	bans, err := s.bans(ctx, q)
	if err != nil {
		return nil, err
	}
	cases, err := s.economyCases(ctx, q)
	if err != nil {
		return nil, err
	}
	return []table.Table{logs[0], supply[0], flows[0], bans, cases}, nil
}

func (s *Service) bans(ctx context.Context, q *table.Query) (table.Table, error) {
	t := table.Table{ID: "bans", Columns: []string{"type", "by", "bans", "lifted"}}
	list, err := s.deps.Store.BanTallies(ctx, q.App, q.From.UnixMilli(), q.To.UnixMilli())
	for _, b := range list {
		t.Rows = append(t.Rows, []table.Value{table.Text(b.Type), table.Text(b.By), table.Int(b.N), table.Int(b.Lifted)})
	}
	return t, err
}

// economyCases counts what people made of what the economy found.
func (s *Service) economyCases(ctx context.Context, q *table.Query) (table.Table, error) {
	t := table.Table{ID: "cases", Columns: []string{"kind", "closed", "approved", "rejected"}}
	tallies, err := s.deps.Store.CaseTallies(ctx, q.App, q.From.UnixMilli(), q.To.UnixMilli(), 0, false)
	if err != nil {
		return t, err
	}
	by := map[string]*judged{}
	for i := range tallies {
		c := &tallies[i]
		if store.AreaOf(c.Kind) != store.AreaEconomy {
			continue
		}
		if by[c.Kind] == nil {
			by[c.Kind] = &judged{}
		}
		by[c.Kind].add(c.Decision, c.N)
	}
	for _, kind := range slices.Sorted(maps.Keys(by)) {
		t.Rows = append(t.Rows, []table.Value{table.Text(kind), table.Int(by[kind].closed), table.Int(by[kind].approved), table.Int(by[kind].rejected)})
	}
	return t, nil
}
