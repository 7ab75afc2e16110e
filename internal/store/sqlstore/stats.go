package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Steps as they are stored. A day of the first of a shape's Narrow is stepNarrow, of
// the next one more; the dims that it leaves out are "".
const (
	stepHour   = 0
	stepDay    = 1
	stepNarrow = 2
)

// statMost is the most that a count comes to: 2^62.
const (
	statMost  = "4611686018427387904"
	statMostN = 1 << 62
)

// statAdds are the statements that add to a cube.
var statAdds = func() map[store.StatCube]string {
	adds := map[store.StatCube]string{}
	for _, cube := range store.StatCubes() {
		shape := cube.Shape()
		columns := slices.Concat([]string{"app_id", "step", "at_ts"}, shape.Dims, shape.Measures)
		holders, sums := make([]string, len(columns)), make([]string, len(shape.Measures))
		for i := range columns {
			holders[i] = "$" + strconv.Itoa(i+1)
		}
		for i, m := range shape.Measures {
			old := shape.Table + "." + m
			// A sum past its range would fail each time it is tried again.
			sums[i] = m + " = CASE WHEN " + old + " > " + statMost + " - excluded." + m + " THEN " + statMost + " ELSE " + old + " + excluded." + m + " END"
		}
		adds[cube] = "INSERT INTO " + shape.Table + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Join(holders, ", ") +
			") ON CONFLICT (app_id, step, at_ts, " + strings.Join(shape.Dims, ", ") + ") DO UPDATE SET " + strings.Join(sums, ", ")
	}
	return adds
}()

// statAdd is one row to add to.
type statAdd struct {
	*store.StatCount
	step int
	at   int64
}

// AddStats adds counts to those that are stored, of their hour and their day, all of
// them or none.
func (s *Store) AddStats(ctx context.Context, counts []store.StatCount) error {
	adds, err := statAddsOf(counts)
	if err != nil {
		return fmt.Errorf("add statistics: %w", err)
	}
	if len(adds) == 0 {
		return nil
	}
	err = s.core.write(ctx, len(adds), func(ctx context.Context, q querier) error {
		for i := range adds {
			if _, err := q.ExecContext(ctx, statAdds[adds[i].Cube], adds[i].args()...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("add statistics: %w", classify(err))
	}
	return nil
}

// statAddsOf says which rows counts are to be added to, in one order everywhere, so
// that two gateways do not wait for each other.
func statAddsOf(counts []store.StatCount) ([]statAdd, error) {
	adds := make([]statAdd, 0, 2*len(counts))
	for i := range counts {
		c := &counts[i]
		shape := c.Cube.Shape()
		if len(c.Dims) != len(shape.Dims) || len(c.Counts) != len(shape.Measures) {
			return nil, fmt.Errorf("%s has another shape", shape.Table)
		}
		if !c.OnlyDay {
			adds = append(adds, statAdd{c, stepHour, floorTo(c.Hour, store.StatHour)})
		}
		if !c.OnlyHour {
			adds = append(adds, statAdd{c, stepDay, floorTo(c.Hour, store.StatDay)})
		}
	}
	adds = append(adds, narrowAdds(adds)...)
	slices.SortFunc(adds, func(a, b statAdd) int {
		return cmp.Or(cmp.Compare(a.Cube, b.Cube), cmp.Compare(a.App, b.App), cmp.Compare(a.step, b.step), cmp.Compare(a.at, b.at), slices.Compare(a.Dims, b.Dims))
	})
	return adds, nil
}

// narrowAdds sums the days of adds up by the fewer dims of their shapes.
func narrowAdds(adds []statAdd) (list []statAdd) {
	at := map[string]int{}
	for i := range adds {
		a := &adds[i]
		if a.step != stepDay {
			continue
		}
		shape := a.Cube.Shape()
		for k, dims := range shape.Narrow {
			c := &store.StatCount{Cube: a.Cube, App: a.App, Dims: make([]string, len(a.Dims)), Counts: slices.Clone(a.Counts)}
			for j, name := range shape.Dims {
				if slices.Contains(dims, name) {
					c.Dims[j] = textual(a.Dims[j])
				}
			}
			one := statAdd{c, stepNarrow + k, a.at}
			key := strings.Join(append([]string{shape.Table, string(a.App), strconv.Itoa(one.step), strconv.FormatInt(a.at, 10)}, c.Dims...), "\x00")
			have, ok := at[key]
			if !ok {
				at[key] = len(list)
				list = append(list, one)
				continue
			}
			for j, n := range c.Counts {
				list[have].Counts[j] = int64(min(uint64(list[have].Counts[j])+uint64(n), statMostN)) //nolint:gosec // counts are not negative
			}
		}
	}
	return list
}

// narrowest is the step that has the days of a query in the fewest rows.
func narrowest(q *store.StatQuery) int {
	for k, dims := range q.Cube.Shape().Narrow {
		has := func(dim string) bool { return slices.Contains(dims, dim) }
		if !slices.ContainsFunc(q.By, func(dim string) bool { return !has(dim) }) &&
			!slices.ContainsFunc(slices.Collect(maps.Keys(q.Where)), func(dim string) bool { return !has(dim) }) {
			return stepNarrow + k
		}
	}
	return stepDay
}

func (a *statAdd) args() []any {
	args := make([]any, 0, 3+len(a.Dims)+len(a.Counts))
	args = append(args, string(a.App), a.step, a.at)
	for _, d := range a.Dims {
		args = append(args, textual(d))
	}
	for _, n := range a.Counts {
		args = append(args, n)
	}
	return args
}

// textual is a value as both stores take it as text.
func textual(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
}

// floorTo is the beginning of the span of UTC that a time is in.
func floorTo(ms int64, span time.Duration) int64 {
	n := span.Milliseconds()
	return (ms - ((ms%n)+n)%n)
}

// Stats sums counts up. What is asked for without a step is read from whole days
// and from the hours at their edges.
func (s *Store) Stats(ctx context.Context, q store.StatQuery) ([]store.StatSum, error) {
	if q.Measures == nil {
		q.Measures = q.Cube.Shape().Measures
	}
	query, args, err := statQuery(&q)
	if err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	ranges := statRanges(&q)
	parts := make([][]store.StatSum, len(ranges))
	reads, reading := errgroup.WithContext(ctx)
	reads.SetLimit(statReads)
	for i, r := range ranges {
		reads.Go(func() (err error) {
			parts[i], err = collect(reading, s.core.read(), scanSum(&q), query, slices.Concat([]any{string(q.App), r.step, r.from, r.to}, args)...)
			return err
		})
	}
	if err := reads.Wait(); err != nil {
		return nil, fmt.Errorf("statistics: %w", classify(err))
	}
	var list []store.StatSum
	for _, rows := range parts {
		list = addSums(list, rows, q.Step > 0)
	}
	slices.SortFunc(list, compareSums)
	return list, nil
}

// scanSum reads a row of statQuery's.
func scanSum(q *store.StatQuery) func(row scanner) (store.StatSum, error) {
	return func(row scanner) (sum store.StatSum, err error) {
		sum.Dims, sum.Counts = make([]string, len(q.By)), make([]int64, len(q.Measures))
		into := make([]any, 0, 1+len(q.By)+len(q.Measures))
		sums := make([]float64, len(q.Measures))
		if q.Step > 0 {
			into = append(into, &sum.At)
		}
		for i := range sum.Dims {
			into = append(into, &sum.Dims[i])
		}
		for i := range sums {
			into = append(into, &sums[i])
		}
		err = row.Scan(into...)
		for i, x := range sums {
			sum.Counts[i] = int64(min(x, 1<<62))
		}
		return sum, err
	}
}

// addSums adds the sums of another range, which has other times where there are steps.
func addSums(list, more []store.StatSum, steps bool) []store.StatSum {
	if len(list) == 0 {
		return more
	}
	if steps {
		return append(list, more...)
	}
	at := make(map[string]int, len(list))
	for i := range list {
		at[strings.Join(list[i].Dims, "\x00")] = i
	}
	for _, sum := range more {
		i, ok := at[strings.Join(sum.Dims, "\x00")]
		if !ok {
			list = append(list, sum)
			continue
		}
		for j, n := range sum.Counts {
			list[i].Counts[j] += n
		}
	}
	return list
}

func compareSums(a, b store.StatSum) int {
	return cmp.Or(cmp.Compare(a.At, b.At), slices.Compare(a.Dims, b.Dims))
}

type statRange struct {
	step     int
	from, to int64
}

// statRanges says where the counts of a query stand.
func statRanges(q *store.StatQuery) []statRange {
	switch q.Step {
	case store.StatHour:
		return halves(statRange{stepHour, q.From, q.To}, store.StatHour)
	case store.StatDay:
		return halves(statRange{narrowest(q), q.From, q.To}, store.StatDay)
	}
	day := store.StatDay.Milliseconds()
	first, last := floorTo(q.From+day-1, store.StatDay), floorTo(q.To, store.StatDay)
	if first >= last {
		return []statRange{{stepHour, q.From, q.To}}
	}
	list := halves(statRange{narrowest(q), first, last}, store.StatDay)
	if q.From < first {
		list = append(list, statRange{stepHour, q.From, first})
	}
	if last < q.To {
		list = append(list, statRange{stepHour, last, q.To})
	}
	return list
}

// A long span is read in two halves at once: what takes time is adding up rows, which
// one query does on one processor.
const (
	longSpan  = 90 // steps
	statReads = 2
)

func halves(r statRange, step time.Duration) []statRange {
	n := (r.to - r.from) / step.Milliseconds()
	if n < longSpan {
		return []statRange{r}
	}
	middle := r.from + n/2*step.Milliseconds()
	return []statRange{{r.step, r.from, middle}, {r.step, middle, r.to}}
}

// statQuery makes the statement, whose names are those of the shape alone.
func statQuery(q *store.StatQuery) (query string, args []any, err error) {
	shape := q.Cube.Shape()
	columns := slices.Clone(q.By)
	for dim := range q.Where {
		columns = append(columns, dim)
	}
	for _, c := range columns {
		if !slices.Contains(shape.Dims, c) {
			return "", nil, fmt.Errorf("%s has no %s", shape.Table, c)
		}
	}
	n := 4
	in := func(values []string) string {
		holders := make([]string, len(values))
		for i, v := range values {
			n++
			holders[i] = "$" + strconv.Itoa(n)
			args = append(args, textual(v))
		}
		return " IN (" + strings.Join(holders, ", ") + ")"
	}
	var groups, selected []string
	if q.Step > 0 {
		groups, selected = append(groups, "at_ts"), append(selected, "at_ts")
	}
	for _, dim := range q.By {
		if keep := q.Keep[dim]; keep != nil {
			selected = append(selected, "CASE WHEN "+dim+in(keep)+" THEN "+dim+" ELSE '"+store.StatOther+"' END AS kept_"+dim)
			groups = append(groups, "kept_"+dim)
			continue
		}
		groups, selected = append(groups, dim), append(selected, dim)
	}
	for _, m := range q.Measures {
		if !slices.Contains(shape.Measures, m) {
			return "", nil, fmt.Errorf("%s does not count %s", shape.Table, m)
		}
		if strings.HasPrefix(m, "amount_") || m == "took_us" {
			// As reals, whose sum is never past its range; whole up to 2^53.
			m = "CAST(" + m + " AS DOUBLE PRECISION)"
		}
		selected = append(selected, "COALESCE(sum("+m+"), 0)")
	}
	var b strings.Builder
	b.WriteString("SELECT " + strings.Join(selected, ", ") + " FROM " + shape.Table + " WHERE app_id = $1 AND step = $2 AND at_ts >= $3 AND at_ts < $4")
	for _, dim := range slices.Sorted(maps.Keys(q.Where)) {
		b.WriteString(" AND " + dim + in(q.Where[dim]))
	}
	if len(groups) > 0 {
		b.WriteString(" GROUP BY " + strings.Join(groups, ", "))
	}
	return b.String(), args, nil
}

// StatApps lists the apps.
func (s *Store) StatApps(ctx context.Context) ([]engines.AppID, error) {
	apps, err := s.Apps(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]engines.AppID, len(apps))
	for i := range apps {
		ids[i] = apps[i].ID
	}
	return ids, nil
}

// sweepStats deletes the counts that are past their time, an hour or a day at once.
func (s *Store) sweepStats(ctx context.Context, now time.Time) error {
	apps, err := s.StatApps(ctx)
	if err != nil {
		return err
	}
	for _, app := range apps {
		for _, cube := range store.StatCubes() {
			shape := cube.Shape()
			err := s.sweepCube(ctx, app, shape.Table, stepHour, millis(now.Add(-store.StatHoursKept)))
			for step := stepDay; err == nil && step < stepNarrow+len(shape.Narrow); step++ {
				err = s.sweepCube(ctx, app, shape.Table, step, millis(now.Add(-store.StatDaysKept)))
			}
			if err != nil {
				return fmt.Errorf("sweep statistics: %w", classify(err))
			}
		}
		if err := s.sweepFacts(ctx, app, millis(now.Add(-store.StatDaysKept))); err != nil {
			return fmt.Errorf("sweep statistics: %w", classify(err))
		}
	}
	return nil
}

func (s *Store) sweepCube(ctx context.Context, app engines.AppID, table string, step int, before int64) error {
	for {
		var oldest *int64
		err := s.core.read().QueryRowContext(ctx, `SELECT min(at_ts) FROM `+table+` WHERE app_id = $1 AND step = $2`, string(app), step).Scan(&oldest)
		if err != nil || oldest == nil || *oldest >= before {
			return err
		}
		if _, err := s.execCore(ctx, `DELETE FROM `+table+` WHERE app_id = $1 AND step = $2 AND at_ts = $3`, string(app), step, *oldest); err != nil {
			return err
		}
	}
}

// factKeys are the tables of what is kept of cases, each with what tells its rows of
// one app apart.
var factKeys = map[string]string{"stat_case": "closed_ts, case_id", "stat_case_mark": "closed_ts, case_id, what, name"}

// sweepFacts deletes what is kept of cases that were closed before a time.
func (s *Store) sweepFacts(ctx context.Context, app engines.AppID, before int64) error {
	for table, key := range factKeys {
		for {
			var old bool // no write where there is nothing to delete
			err := s.core.read().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+table+` WHERE app_id = $1 AND closed_ts < $2)`, string(app), before).Scan(&old)
			if err != nil {
				return err
			}
			if !old {
				break
			}
			_, err = s.execCore(ctx, `DELETE FROM `+table+` WHERE app_id = $1 AND (`+key+`) IN
				(SELECT `+key+` FROM `+table+` WHERE app_id = $1 AND closed_ts < $2 LIMIT $3)`, string(app), before, sweepRows)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
