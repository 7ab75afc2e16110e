package storetest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// testStatsNarrow: whatever dims labels are asked by, the answer is what was counted,
// by many gateways and late too, whether or not the store keeps it in fewer rows.
func testStatsNarrow(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	r := rand.New(rand.NewPCG(7, 8)) //nolint:gosec // the same counts each time
	shape := store.StatLabels.Shape()
	day := time.Now().UnixMilli() / dayMS * dayMS
	var counts []store.StatCount
	for range 600 {
		c := store.StatCount{Cube: store.StatLabels, App: "game", Hour: day - r.Int64N(5)*dayMS + r.Int64N(24)*hourMS, Counts: []int64{r.Int64N(9) + 1, r.Int64N(3)}}
		for _, dim := range shape.Dims {
			c.Dims = append(c.Dims, []string{"", dim, "another"}[r.IntN(3)])
		}
		counts = append(counts, c)
	}
	// Each gateway writes its part in its own order, the last of them after a restart.
	const gateways = 6
	_, errs := race(gateways-1, func(i int) error { return s.AddStats(ctx, counts[i*100:(i+1)*100]) })
	for _, err := range errs {
		t.Error(err)
	}
	s = p.Open(t)
	must(t, s.AddStats(ctx, counts[500:]))
	asked := 0
	for _, by := range someDims(shape.Dims) {
		for _, q := range []store.StatQuery{
			{By: by},
			{By: by[:1], Where: map[string][]string{by[len(by)-1]: {"another", "none"}}},
			{By: by, Step: store.StatDay},
			{By: by, Step: store.StatDay, Measures: []string{"verdicts"}, Keep: map[string][]string{by[0]: {"another"}}},
		} {
			q.Cube, q.App, q.From, q.To = store.StatLabels, "game", day-3*dayMS, day+dayMS
			if q.Step == 0 {
				q.From += 5 * hourMS // the edge is read by hour
			}
			got, err := s.Stats(ctx, q)
			must(t, err)
			if diff := cmp.Diff(summed(counts, &q), got); diff != "" {
				t.Fatalf("%+v (-want +got):\n%s", q, diff)
			}
			asked++
		}
	}
	if asked < 200 {
		t.Errorf("%d questions were asked", asked)
	}
}

// someDims are each dim, each pair of them and each Narrow of labels.
func someDims(dims []string) (list [][]string) {
	for i, a := range dims {
		list = append(list, []string{a})
		for _, b := range dims[i+1:] {
			list = append(list, []string{a, b})
		}
	}
	return append(list, store.StatLabels.Shape().Narrow...)
}

// fits reports whether a count has the dims that a query asks for.
func fits(c *store.StatCount, q *store.StatQuery, dim func(*store.StatCount, string) string) bool {
	for name, values := range q.Where {
		if !slices.Contains(values, dim(c, name)) {
			return false
		}
	}
	return true
}

// summed adds counts up as a query asks, one by one.
func summed(counts []store.StatCount, q *store.StatQuery) []store.StatSum {
	shape := q.Cube.Shape()
	dim := func(c *store.StatCount, name string) string { return c.Dims[slices.Index(shape.Dims, name)] }
	measures := q.Measures
	if measures == nil {
		measures = shape.Measures
	}
	sums := map[string]*store.StatSum{}
	for i := range counts {
		c := &counts[i]
		if c.Hour < q.From || c.Hour >= q.To || !fits(c, q, dim) {
			continue
		}
		one := store.StatSum{Dims: []string{}, Counts: make([]int64, len(measures))}
		if q.Step > 0 {
			one.At = c.Hour - c.Hour%q.Step.Milliseconds()
		}
		for _, name := range q.By {
			value := dim(c, name)
			if keep := q.Keep[name]; keep != nil && !slices.Contains(keep, value) {
				value = store.StatOther
			}
			one.Dims = append(one.Dims, value)
		}
		key := strconv.FormatInt(one.At, 10) + "\x00" + strings.Join(one.Dims, "\x00")
		if sums[key] == nil {
			sums[key] = &one
		}
		for j, name := range measures {
			sums[key].Counts[j] += c.Counts[slices.Index(shape.Measures, name)]
		}
	}
	list := []store.StatSum{}
	for _, sum := range slices.SortedFunc(maps.Values(sums), func(a, b *store.StatSum) int {
		if a.At != b.At {
			return int(a.At - b.At)
		}
		return slices.Compare(a.Dims, b.Dims)
	}) {
		list = append(list, *sum)
	}
	return list
}
