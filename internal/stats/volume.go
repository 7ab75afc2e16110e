package stats

import (
	"context"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// volumeOf counts verdicts by what was found and what was done.
var volumeOf = figures{
	cube: store.StatVerdicts, split: []string{"suggestion", "action", "degraded"}, measures: []string{"n"}, width: 9, chief: "verdicts",
	columns: []string{"verdicts", "pass", "review", "block", "deliver", "hold", "drop", "mask", "degraded", "block_share", "review_share"},
	add: func(sums []int64, split []string, counts []int64) {
		n := counts[0]
		sums[0] += n
		switch engines.Suggestion(split[0]) {
		case engines.Pass:
			sums[1] += n
		case engines.Review:
			sums[2] += n
		case engines.Block:
			sums[3] += n
		}
		switch engines.Action(split[1]) {
		case engines.Deliver:
			sums[4] += n
		case engines.Hold:
			sums[5] += n
		case engines.Drop:
			sums[6] += n
		case engines.Mask:
			sums[7] += n
		}
		if split[2] == "yes" {
			sums[8] += n
		}
	},
	values: func(sums, _ []int64) []table.Value {
		return append(ints(sums), table.Share(sums[3], sums[0]), table.Share(sums[2], sums[0]))
	},
}

// scenesOf counts verdicts by scene, which are not counted by all that others are.
var scenesOf = figures{
	cube: store.StatScenes, width: 5, chief: "verdicts",
	columns: []string{"verdicts", "pass", "review", "block", "degraded", "block_share", "review_share", "share"},
	add: func(sums []int64, _ []string, counts []int64) {
		sums[0] += counts[0]
		sums[1] += counts[0] - counts[1] - counts[2]
		sums[2] += counts[1]
		sums[3] += counts[2]
		sums[4] += counts[3]
	},
	values: func(sums, total []int64) []table.Value {
		return append(ints(sums), table.Share(sums[3], sums[0]), table.Share(sums[2], sums[0]), table.Share(sums[0], total[0]))
	},
}

// labelsOf counts what was found.
var labelsOf = figures{
	cube: store.StatLabels, split: []string{"suggestion"}, width: 4, chief: "verdicts",
	columns: []string{"verdicts", "labels", "review", "block", "share"},
	add: func(sums []int64, split []string, counts []int64) {
		sums[0] += counts[1]
		sums[1] += counts[0]
		switch engines.Suggestion(split[0]) {
		case engines.Review:
			sums[2] += counts[1]
		case engines.Block:
			sums[3] += counts[1]
		case engines.Pass:
		}
	},
	values: func(sums, total []int64) []table.Value { return append(ints(sums), table.Share(sums[0], total[0])) },
}

// findsOf counts labels: by sub-label or source a verdict may have several of one
// category, so that verdicts do not add up.
var findsOf = figures{
	cube: store.StatLabels, measures: []string{"n"}, width: 1, chief: "labels", columns: []string{"labels", "share"},
	add:    func(sums []int64, _ []string, counts []int64) { sums[0] += counts[0] },
	values: func(sums, total []int64) []table.Value { return append(ints(sums), table.Share(sums[0], total[0])) },
}

// volume counts verdicts; by scene where one is asked for.
func (s *Service) volume(ctx context.Context, q *table.Query) ([]table.Table, error) {
	f := &volumeOf
	if q.Where["scene"] != nil || slices.Contains(q.By, "scene") {
		f = &scenesOf
	}
	return s.tables(ctx, q, f, q.By)
}

// categories counts verdicts by category; labels where they are told apart further.
func (s *Service) categories(ctx context.Context, q *table.Query) ([]table.Table, error) {
	f := &labelsOf
	if slices.Contains(q.By, "sub_label") || slices.Contains(q.By, "source") {
		f = &findsOf
	}
	return s.tables(ctx, q, f, append([]string{"category"}, q.By...))
}

// latencyOf is how long verdicts took.
var latencyOf = figures{
	cube: store.StatVerdicts, width: 2 + store.StatBuckets, chief: "verdicts",
	columns: slices.Concat([]string{"verdicts", "mean_ms", "p50_ms", "p90_ms", "p99_ms", "within_20_ms"}, bucketNames()),
	add: func(sums []int64, _ []string, counts []int64) {
		for i, n := range counts {
			sums[i] = plus(sums[i], n)
		}
	},
	values: func(sums, _ []int64) []table.Value {
		n, by := sums[0], sums[2:]
		list := []table.Value{table.Int(n), {}, percentile(by, .5), percentile(by, .9), percentile(by, .99), table.Share(within(by, 20), n)}
		if n > 0 {
			list[1] = table.Real(float64(sums[1]) / float64(n) / 1000)
		}
		return append(list, ints(by)...)
	},
}

func (s *Service) latency(ctx context.Context, q *table.Query) ([]table.Table, error) {
	dims := q.By
	if len(dims) == 0 {
		dims = []string{"kind", "way"}
	}
	return s.tables(ctx, q, &latencyOf, dims)
}
