package stats

import (
	"context"

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
	bans, err := s.deps.Store.BanTallies(ctx, q.App, q.From.UnixMilli(), q.To.UnixMilli())
	if err != nil {
		return nil, err
	}
	made := table.Table{ID: "bans", Columns: []string{"type", "by", "bans", "lifted"}}
	for _, b := range bans {
		made.Rows = append(made.Rows, []table.Value{table.Text(b.Type), table.Text(b.By), table.Int(b.N), table.Int(b.Lifted)})
	}
	tallies, err := s.deps.Store.CaseTallies(ctx, q.App, q.From.UnixMilli(), q.To.UnixMilli(), 0)
	if err != nil {
		return nil, err
	}
	cases := table.Table{ID: "cases", Columns: []string{"kind", "closed", "approved", "rejected"}}
	for i := range tallies {
		c := &tallies[i]
		if c.Kind == "" { // content's
			continue
		}
		at := len(cases.Rows) - 1
		if at < 0 || cases.Rows[at][0].Text != c.Kind {
			at++
			cases.Rows = append(cases.Rows, []table.Value{table.Text(c.Kind), table.Int(0), table.Int(0), table.Int(0)})
		}
		cases.Rows[at][1].Int += c.N
		switch c.Decision {
		case approved:
			cases.Rows[at][2].Int += c.N
		case rejected:
			cases.Rows[at][3].Int += c.N
		}
	}
	return []table.Table{logs[0], supply[0], flows[0], made, cases}, nil
}
