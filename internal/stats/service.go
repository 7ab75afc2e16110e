package stats

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

const (
	// answersAtOnce is how many questions are read at once, so that the store's
	// readers are there for others too. Rule when full: the next one waits, and is
	// engines.ErrUnavailable after answerWithin.
	answersAtOnce = 2
	answerWithin  = 10 * time.Second
)

// Bounds of a question.
const (
	maxHours = 31 * 24
	maxDays  = 750
)

// Deps is what a Service stands on.
type Deps struct {
	Store Store
	Extra Extra
	// Told is told of each anomaly that is found here first. It does not wait.
	Told func(a *store.Anomaly)
	Log  *slog.Logger
	Now  func() time.Time // nil is time.Now
}

// Service answers for what was counted. Its methods are safe for concurrent use.
type Service struct {
	deps  Deps
	slots chan struct{}            // a token for each question that is being read
	known map[engines.CaseID]int64 // facts written lately, by when they closed; of Serve's goroutine
}

// New makes a service. Serve follows cases and looks for anomalies.
func New(deps Deps) *Service {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{deps: deps, slots: make(chan struct{}, answersAtOnce), known: map[engines.CaseID]int64{}}
}

// Kinds are the statistics that Answer knows, by name.
var Kinds = slices.Sorted(maps.Keys(answers))

var answers = map[string]func(*Service, context.Context, *table.Query) ([]table.Table, error){
	"volume":     (*Service).volume,
	"categories": (*Service).categories,
	"languages":  by(volumeOf, "language"),
	"scenes":     by(scenesOf, "scene"),
	"modes":      by(volumeOf, "mode"),
	"engines":    by(findsOf, "source"),
	"latency":    (*Service).latency,
	"trends":     (*Service).trends,
	"accuracy":   (*Service).accuracy,
	"queue":      (*Service).queue,
	"economy":    (*Service).economy,
}

// Answer answers one of Kinds. The period is widened to whole hours, or days with
// that step. What cannot be answered is a *table.Fault.
func (s *Service) Answer(ctx context.Context, kind string, q table.Query) (*table.Answer, error) {
	f := answers[kind]
	if f == nil {
		return nil, fmt.Errorf("statistics: no kind %q", kind)
	}
	if err := widen(&q); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("statistics: others are asked for: %w", engines.ErrUnavailable)
	}
	defer func() { <-s.slots }()
	tables, err := f(s, ctx, &q)
	if err != nil {
		return nil, err
	}
	return &table.Answer{From: q.From, To: q.To, Step: q.Step, Tables: tables}, nil
}

// widen makes the period one of whole steps, and bounds it.
func widen(q *table.Query) error {
	span := max(q.Step, store.StatHour)
	q.From = q.From.UTC().Truncate(span)
	if to := q.To.UTC().Truncate(span); !to.Equal(q.To) {
		q.To = to.Add(span)
	}
	q.To = q.To.UTC()
	steps := q.To.Sub(q.From) / span
	switch {
	case !q.From.Before(q.To):
		return &table.Fault{Param: "from", Reason: "must be before to"}
	case q.Step == store.StatHour && steps > maxHours:
		return &table.Fault{Param: "step", Reason: fmt.Sprintf("by hour a period has at most %d days", maxHours/24)}
	case q.To.Sub(q.From) > maxDays*store.StatDay:
		return &table.Fault{Param: "from", Reason: fmt.Sprintf("a period has at most %d days", maxDays)}
	}
	return nil
}

// figures says how the counts of a cube become the columns of a table.
type figures struct {
	cube store.StatCube
	// split are dims that are not told apart by row but by column.
	split []string
	// measures are what is summed up, nil for all of the cube's.
	measures []string
	// width is how many sums a row has; add adds a cube's counts to them.
	width int
	add   func(sums []int64, split []string, counts []int64)
	// columns are made of a row's sums; total is those of all rows. The first sum is
	// what rows are sorted and compared by, under this name.
	columns []string
	values  func(sums, total []int64) []table.Value
	chief   string
}

// row is a row in the making.
type row struct {
	at   int64
	dims []string
	sums []int64
}

// by makes a statistic by one dim.
func by(f figures, dim string) func(*Service, context.Context, *table.Query) ([]table.Table, error) {
	return func(s *Service, ctx context.Context, q *table.Query) ([]table.Table, error) {
		return s.tables(ctx, q, &f, append([]string{dim}, q.By...))
	}
}

// tables makes a table of rows by dims, and by step where one is asked for.
func (s *Service) tables(ctx context.Context, q *table.Query, f *figures, dims []string) ([]table.Table, error) {
	if err := known(f, dims, q.Where); err != nil {
		return nil, err
	}
	keep, err := s.keep(ctx, q, f, dims)
	if err != nil {
		return nil, err
	}
	now, err := s.sum(ctx, q, f, dims, 0, keep)
	if err != nil {
		return nil, err
	}
	var before []row
	if q.Compare {
		if before, err = s.sum(ctx, q, f, dims, q.To.Sub(q.From), keep); err != nil {
			return nil, err
		}
	}
	if keep == nil {
		now, before = top(q.Top, now, before, len(dims))
	}
	return []table.Table{s.table(q, f, dims, now, before)}, nil
}

// known says what is wrong with the dims that a question names.
func known(f *figures, dims []string, where map[string][]string) error {
	shape := f.cube.Shape()
	for i, d := range dims {
		if !slices.Contains(shape.Dims, d) {
			return &table.Fault{Param: "by", Reason: "must be of " + strings.Join(shape.Dims, ", ")}
		}
		if slices.Contains(dims[:i], d) {
			return &table.Fault{Param: "by", Reason: "tells " + d + " apart already"}
		}
	}
	for _, d := range slices.Sorted(maps.Keys(where)) {
		if !slices.Contains(shape.Dims, d) {
			return &table.Fault{Param: d, Reason: "is not counted together with this; filters are " + strings.Join(shape.Dims, ", ")}
		}
	}
	return nil
}

// few are dims of which there are so few things that the store may tell all apart: to
// ask first which have the most would be a second look at every row.
var few = []string{"kind", "way", "mode", "category", "source"}

// keep says which things stand by their name where there are many steps, so that the
// store need not tell the others apart; nil where all do, or top is to choose.
func (s *Service) keep(ctx context.Context, q *table.Query, f *figures, dims []string) (map[string][]string, error) {
	if q.Step == 0 || q.Top <= 0 || len(dims) != 1 || slices.Contains(f.split, dims[0]) || slices.Contains(few, dims[0]) {
		return nil, nil
	}
	whole := *q
	whole.Step = 0
	all, err := s.sum(ctx, &whole, f, dims, 0, nil)
	if err != nil || len(all) <= q.Top {
		return nil, err
	}
	slices.SortStableFunc(all, func(x, y row) int { return cmp.Compare(y.sums[0], x.sums[0]) })
	names := make([]string, q.Top)
	for i := range names {
		names[i] = all[i].dims[0]
	}
	return map[string][]string{dims[0]: names}, nil
}

// sum reads the rows of a period that lies so long before.
func (s *Service) sum(ctx context.Context, q *table.Query, f *figures, dims []string, before time.Duration, keep map[string][]string) ([]row, error) {
	split := f.split
	for _, d := range dims {
		split = slices.DeleteFunc(slices.Clone(split), func(s string) bool { return s == d })
	}
	list, err := s.deps.Store.Stats(ctx, store.StatQuery{
		Cube: f.cube, App: q.App, From: q.From.Add(-before).UnixMilli(), To: q.To.Add(-before).UnixMilli(), Step: q.Step,
		By: slices.Concat(dims, split), Where: q.Where, Measures: f.measures, Keep: keep,
	})
	if err != nil {
		return nil, err
	}
	rows, parts, at := newRows(f.width), make([]string, len(f.split)), make([]int, len(f.split))
	for j, d := range f.split { // where each part stands among what was asked for
		if at[j] = slices.Index(dims, d); at[j] < 0 {
			at[j] = len(dims) + slices.Index(split, d)
		}
	}
	for i := range list {
		sum := &list[i]
		r := rows.of(sum.At+boolMS(q.Step > 0, before), sum.Dims[:len(dims)])
		for j, k := range at {
			parts[j] = sum.Dims[k]
		}
		f.add(r.sums, parts, sum.Counts)
	}
	return rows.list, nil
}

func boolMS(yes bool, d time.Duration) int64 {
	if yes {
		return d.Milliseconds()
	}
	return 0
}

// rows are rows by their time and dims.
type rows struct {
	width int
	list  []row
	by    map[string]int
	key   []byte
}

func newRows(width int) *rows { return &rows{width: width, by: map[string]int{}} }

func (r *rows) of(at int64, dims []string) *row {
	r.key = strconv.AppendInt(r.key[:0], at, 10)
	for _, d := range dims {
		r.key = append(append(r.key, 0), d...)
	}
	i, ok := r.by[string(r.key)]
	if !ok {
		i = len(r.list)
		r.by[string(r.key)] = i
		r.list = append(r.list, row{at, dims, make([]int64, r.width)})
	}
	return &r.list[i]
}

// top leaves the things with the most by name, over the whole period, and puts the
// rest of both periods under Other.
func top(n int, now, before []row, dims int) (a, b []row) {
	if n <= 0 || dims == 0 {
		return now, before
	}
	all := newRows(1)
	for _, r := range now {
		all.of(0, r.dims).sums[0] += r.sums[0]
	}
	if len(all.list) <= n {
		return now, before
	}
	slices.SortStableFunc(all.list, func(x, y row) int { return cmp.Compare(y.sums[0], x.sums[0]) })
	named := map[string]bool{}
	for _, r := range all.list[:n] {
		named[strings.Join(r.dims, "\x00")] = true
	}
	rest := slices.Repeat([]string{Other}, dims)
	fold := func(list []row) []row {
		if len(list) == 0 {
			return nil
		}
		out := newRows(len(list[0].sums))
		for _, r := range list {
			d := r.dims
			if !named[strings.Join(d, "\x00")] {
				d = rest
			}
			into := out.of(r.at, d)
			for i, x := range r.sums {
				into.sums[i] += x
			}
		}
		return out.list
	}
	return fold(now), fold(before)
}

// table writes rows out: by time, then those with the most first.
func (s *Service) table(q *table.Query, f *figures, dims []string, now, before []row) table.Table {
	all := newRows(2 * f.width) // now, then before
	for _, r := range now {
		copy(all.of(r.at, r.dims).sums, r.sums)
	}
	for _, r := range before {
		copy(all.of(r.at, r.dims).sums[f.width:], r.sums)
	}
	if len(dims) == 0 && q.Step == 0 {
		all.of(0, []string{}) // nothing is a figure too
	}
	slices.SortStableFunc(all.list, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.sums[0], a.sums[0]), slices.Compare(a.dims, b.dims))
	})
	t := table.Table{ID: "rows"}
	if q.Step > 0 {
		t.Columns = append(t.Columns, "at")
	}
	t.Columns = slices.Concat(t.Columns, dims, f.columns)
	if q.Compare {
		t.Columns = append(t.Columns, "previous_"+f.chief, "change")
	}
	totals := map[int64][]int64{} // of each step
	for _, r := range all.list {
		if totals[r.at] == nil {
			totals[r.at] = make([]int64, f.width)
		}
		for i, x := range r.sums[:f.width] {
			totals[r.at][i] += x
		}
	}
	for _, r := range all.list {
		var cells []table.Value
		if q.Step > 0 {
			cells = append(cells, table.At(r.at))
		}
		for _, d := range r.dims {
			cells = append(cells, table.Text(d))
		}
		cells = append(cells, f.values(r.sums[:f.width], totals[r.at])...)
		if q.Compare {
			cells = append(cells, table.Int(r.sums[f.width]), table.Change(r.sums[0], r.sums[f.width]))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

func ints(sums []int64) []table.Value {
	list := make([]table.Value, len(sums))
	for i, n := range sums {
		list[i] = table.Int(n)
	}
	return list
}
