package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/stats"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
	figures "github.com/portcullis-gg/portcullis/internal/table"
)

const statsUsage = `Usage: portcullis bench stats [flags]

Fills a store with decisions of 30 days, closed cases among them, and with what a
game of six languages and 150 scenes counts in a year, with its penalties, reports,
appeals and batches, and measures how long each statistic takes that the API answers,
and each question that the operations and transparency reports ask; then how long a
policy takes to decide all of those decisions again.

With --dir the store is kept, and found again by the next run, which does not fill it.

`

// statsGoal is how long a statistic may take with a million stored decisions.
const statsGoal = 300 * time.Millisecond

// statsApp is whose figures are read.
const statsApp engines.AppID = "bench"

type statsOptions struct {
	decisions, rounds         int
	database, dir, only       string
	asJSON, goals, onlyFilled bool
}

func parseStatsOptions(args []string, stderr io.Writer) (*statsOptions, error) {
	o := &statsOptions{}
	f := flag.NewFlagSet("bench stats", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, statsUsage); f.PrintDefaults() } // nothing to do for a closed stderr
	f.IntVar(&o.decisions, "decisions", 1_000_000, "stored decisions")
	f.IntVar(&o.rounds, "rounds", 15, "how often each statistic is asked for")
	f.StringVar(&o.database, "database", "", "an empty PostgreSQL `url`; SQLite in a temporary folder without it")
	f.StringVar(&o.dir, "dir", "", "keep the store in this `folder`, or use the one that is there; with --database what was filled in")
	f.BoolVar(&o.onlyFilled, "fill", false, "fill the store of --dir and measure nothing")
	f.StringVar(&o.only, "only", "", "measure only what has this `text` in its name")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.goals, "goals", false, "hold the figures against the project's goal; a missed one is an error")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("bench stats: unexpected argument %q", f.Arg(0))
	case o.decisions < 1000 || o.decisions > 50_000_000:
		return nil, errors.New("bench stats: --decisions: must be 1000 to 50000000")
	case o.onlyFilled && o.dir == "":
		return nil, errors.New("bench stats: --fill: needs --dir")
	case o.rounds < 1 || o.rounds > 10_000:
		return nil, errors.New("bench stats: --rounds: must be 1 to 10000")
	}
	return o, nil
}

// StatsReport is what one run of `bench stats` found.
type StatsReport struct {
	Driver    string         `json:"driver"`
	Decisions int            `json:"decisions"`
	Cases     int            `json:"closed_cases"`
	Counts    int            `json:"counts"`
	FillS     float64        `json:"fill_seconds"`
	Queries   []StatsMeasure `json:"queries"` // of statistics and reports, which have the goal
	Reports   []StatsMeasure `json:"reports"` // as a whole
	Replay    *StatsMeasure  `json:"replay,omitempty"`
}

// StatsMeasure is one statistic; times are in ms. Where other processes want the
// machine too, the CPU time says more than the rest.
type StatsMeasure struct {
	Name   string  `json:"name"`
	Rows   int     `json:"rows"`
	CPU    float64 `json:"cpu_ms"` // of all threads, mean
	Median float64 `json:"median_ms"`
	P95    float64 `json:"p95_ms"`
	Worst  float64 `json:"worst_ms"`
}

func statsBench(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	o, err := parseStatsOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	dir := o.dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "portcullis-bench-"); err != nil {
			return fmt.Errorf("bench stats: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	cfg := sqlstore.Config{Dir: dir, MasterKey: [32]byte{1}, Node: "bench"}
	if o.database != "" {
		cfg.Dir, cfg.URL = "", o.database
	}
	db, err := sqlstore.Open(ctx, cfg)
	if err != nil {
		return fmt.Errorf("bench stats: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	service := stats.New(stats.Deps{Store: db, Extra: db})
	filled, err := fillOnce(ctx, db, service, o, dir, stderr)
	if err != nil {
		return fmt.Errorf("bench stats: %w", err)
	}
	if o.onlyFilled {
		return nil
	}
	report := &StatsReport{Driver: db.Driver(), Decisions: filled.Decisions, Cases: filled.Cases, Counts: filled.Counts, FillS: filled.FillS}
	if err := report.measure(ctx, db, service, filled.Now, o); err != nil {
		return errors.Join(fmt.Errorf("bench stats: %w", err), report.print(stdout, o.asJSON)) // what was measured by then took long enough to be shown
	}
	if err := report.print(stdout, o.asJSON); err != nil {
		return err
	}
	if !o.goals {
		return nil
	}
	var missed []error
	for _, m := range report.Queries {
		if m.P95 > float64(statsGoal.Milliseconds()) {
			missed = append(missed, fmt.Errorf("goal missed: %s took %.0f ms at p95, want %d ms at most", m.Name, m.P95, statsGoal.Milliseconds()))
		}
	}
	if r := report.Replay; r != nil && r.Worst > float64(replayGoal.Milliseconds())*float64(r.Rows)/1e6 {
		missed = append(missed, fmt.Errorf("goal missed: %s took %.0f ms for %d, want %s a million at most", r.Name, r.Worst, r.Rows, replayGoal))
	}
	return errors.Join(missed...)
}

// measure asks each question that the options do not leave out.
func (r *StatsReport) measure(ctx context.Context, db *sqlstore.Store, service *stats.Service, now time.Time, o *statsOptions) error {
	for _, q := range statsQuestions(now) {
		if !strings.Contains(q.name, o.only) {
			continue
		}
		m, err := measureStats(ctx, service, q, o.rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		r.Queries = append(r.Queries, m)
	}
	queries, whole, err := measureReports(ctx, db, service, now, o.rounds, o.only)
	if err != nil {
		return err
	}
	r.Queries, r.Reports = append(r.Queries, queries...), whole
	if !strings.Contains(replayName, o.only) {
		return nil
	}
	replay, err := measureReplay(ctx, db, now, r.Decisions)
	if err != nil {
		return err
	}
	r.Replay = &replay
	return nil
}

// statsFilled is what a store was filled with, which stands beside one that is kept.
type statsFilled struct {
	Now       time.Time `json:"now"`
	Decisions int       `json:"decisions"`
	Cases     int       `json:"closed_cases"`
	Counts    int       `json:"counts"`
	FillS     float64   `json:"fill_seconds"`
}

// fillOnce fills the store, unless the folder says that it is filled.
func fillOnce(ctx context.Context, db *sqlstore.Store, service *stats.Service, o *statsOptions, dir string, progress io.Writer) (f statsFilled, err error) {
	path := filepath.Join(dir, "filled.json")
	text, err := os.ReadFile(path) //nolint:gosec // the folder that whoever runs this named
	switch {
	case err == nil:
		return f, json.Unmarshal(text, &f)
	case !errors.Is(err, os.ErrNotExist):
		return f, err
	}
	began := time.Now()
	fill := &statsFill{db: db, now: began.UTC(), days: statsYear, progress: progress}
	if err := fill.all(ctx, o.decisions, service); err != nil {
		return f, err
	}
	f = statsFilled{fill.now, o.decisions, fill.cases, fill.counts, time.Since(began).Seconds()}
	if text, err = json.Marshal(f); err != nil {
		return f, err
	}
	return f, os.WriteFile(path, text, 0o600)
}

// statsQuestion is one statistic as a console asks for it.
type statsQuestion struct {
	name, kind string
	q          figures.Query
}

// statsQuestions are each statistic of a month by day, and the larger ones of a month
// by hour and of a year by day, with the period before beside them where there is one.
func statsQuestions(now time.Time) (list []statsQuestion) {
	const day = 24 * time.Hour
	ask := func(name, kind string, back time.Duration, change func(q *figures.Query)) {
		q := figures.Query{App: statsApp, From: now.Add(-back), To: now, Top: 50}
		if change != nil {
			change(&q)
		}
		if q.Step > 0 {
			q.Top = 20 // as the API has it
		}
		list = append(list, statsQuestion{kind + ", " + name, kind, q})
	}
	byDay := func(q *figures.Query) { q.Step, q.Compare = day, true }
	for _, kind := range []string{"volume", "categories", "languages", "scenes", "modes", "engines", "latency", "economy"} {
		ask("30 days by day, compared", kind, 30*day, byDay)
		ask("30 days, compared", kind, 30*day, func(q *figures.Query) { q.Compare = true })
		ask("31 days by hour", kind, 31*day-time.Hour, func(q *figures.Query) { q.Step = time.Hour })
		ask("a year by day", kind, 365*day, func(q *figures.Query) { q.Step = day })
	}
	ask("a year by day, one language and mode", "volume", 365*day, func(q *figures.Query) {
		q.Step, q.Where = day, map[string][]string{"language": {"ja"}, "mode": {string(engines.RealTimeBlock)}}
	})
	ask("30 days", "trends", 30*day, nil)
	ask("30 days, compared", "accuracy", 30*day, func(q *figures.Query) { q.Compare = true })
	ask("30 days by hour", "queue", 30*day, func(q *figures.Query) { q.Step = time.Hour })
	return list
}

func measureStats(ctx context.Context, s *stats.Service, q statsQuestion, rounds int) (StatsMeasure, error) {
	rows, times := 0, make([]float64, 0, rounds)
	cpu := ownCPU()
	for range rounds {
		began := time.Now()
		a, err := s.Answer(ctx, q.kind, q.q)
		if err != nil {
			return StatsMeasure{}, err
		}
		times = append(times, float64(time.Since(began).Microseconds())/1000)
		rows = 0
		for i := range a.Tables {
			rows += len(a.Tables[i].Rows)
		}
	}
	return measured(q.name, rows, times, ownCPU()-cpu), nil
}

// measured is what times (ms, which it sorts) come to; cpu is of all of them.
func measured(name string, rows int, times []float64, cpu time.Duration) StatsMeasure {
	slices.Sort(times)
	return StatsMeasure{
		Name: name, Rows: rows, CPU: float64(cpu.Microseconds()) / 1000 / float64(len(times)),
		Median: times[len(times)/2], P95: times[(len(times)*95+99)/100-1], Worst: times[len(times)-1],
	}
}

func (r *StatsReport) print(w io.Writer, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintf(w, "%s: %d decisions, %d closed cases, %d counts; filled in %.0f s\n", r.Driver, r.Decisions, r.Cases, r.Counts, r.FillS)
	_, _ = fmt.Fprintln(t, "statistic\trows\tCPU ms\tmedian ms\tp95 ms\tworst ms\t")
	all := slices.Concat(r.Queries, r.Reports)
	if r.Replay != nil {
		all = append(all, *r.Replay)
	}
	for _, m := range all {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t\n", m.Name, m.Rows, m.CPU, m.Median, m.P95, m.Worst)
	}
	return t.Flush()
}
