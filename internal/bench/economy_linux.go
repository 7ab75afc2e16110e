package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"time"
)

const economyUsage = `Usage: portcullis bench economy [flags]

Measures log ingest and trade evaluation over HTTP, signatures, duplicates, commit
and scoring included. Beside it the same rows go into the same kind of store by a
bare multi-row insert, one transaction a batch. Then trades are evaluated and
scores read beside a steady stream of entries. With --database both store in
PostgreSQL: the bare insert sends columns as arrays (unnest), without looking for
duplicates, over as many connections as there are submissions at once.

`

// economyOptions are the flags of `bench economy`.
type economyOptions struct {
	entries, players, batch, workers int
	rate                             float64 // entries a second of the steady stream
	steady                           time.Duration
	asJSON, goals                    bool
	servers
}

func parseEconomyOptions(args []string, stderr io.Writer) (*economyOptions, error) {
	o := &economyOptions{}
	f := flag.NewFlagSet("bench economy", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, economyUsage); f.PrintDefaults() } // nothing to do for a closed stderr
	f.IntVar(&o.entries, "entries", 300_000, "entries of the race")
	f.IntVar(&o.players, "players", 20_000, "players that they concern")
	f.IntVar(&o.batch, "batch", 500, "entries a submission")
	f.IntVar(&o.workers, "workers", 4, "submissions at once")
	f.Float64Var(&o.rate, "rate", 20_000, "entries a second of the steady stream")
	f.DurationVar(&o.steady, "steady", 15*time.Second, "how long the steady stream takes")
	o.servers.flags(f)
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.goals, "goals", false, "print the project's goals beside the figures")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	errs := []error{o.validate()}
	bad := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf("bench economy: "+format, args...))
		}
	}
	bad(f.NArg() > 0, "unexpected argument %q", f.Arg(0))
	bad(o.batch < 1 || o.batch > 1000, "--batch: must be 1 to 1000")
	bad(o.entries < o.batch, "--entries: must be at least one batch")
	bad(o.players < 2, "--players: must be at least 2")
	bad(o.workers < 1 || o.workers > 64, "--workers: must be 1 to 64")
	bad(o.rate <= 0 || o.rate > 1000*float64(o.batch), "--rate: must be positive and at most 1000 submissions a second")
	bad(o.steady <= 0 || o.steady > time.Hour, "--steady: must be positive and at most 1h")
	return o, errors.Join(errs...)
}

// economyBench is one run.
type economyBench struct {
	*economyOptions
	server *child
	caller *caller
	rows   *economyRows
}

func economyBenchMain(ctx context.Context, args []string, stdout, stderr io.Writer, self string) (err error) {
	o, err := parseEconomyOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	dir, in, done, err := o.workplace(ctx)
	if err != nil {
		return fmt.Errorf("bench economy: %w", err)
	}
	defer func() { err = errors.Join(err, done()) }()
	b := &economyBench{economyOptions: o, rows: newEconomyRows(o.players, time.Now())}
	_, _ = fmt.Fprintln(stderr, "making the rows …") // progress
	batches := b.rows.batches(o.entries, o.batch)
	report := &EconomyReport{Database: "SQLite", Entries: o.entries, Players: o.players, Batch: o.batch, Workers: o.workers}
	_, _ = fmt.Fprintln(stderr, "bare insert …")
	config := ""
	if in.database == "" {
		report.Bare, err = bareInsert(ctx, filepath.Join(dir, "bare.db"), batches)
	} else {
		report.Database = "PostgreSQL"
		report.Bare, err = bareArrays(ctx, in.database, o.workers, batches)
		if err == nil {
			config, err = in.configure(dir, "")
		}
	}
	if err != nil {
		return fmt.Errorf("bench economy: %w", err)
	}
	_, _ = fmt.Fprintln(stderr, "starting a gateway …")
	server, g, err := startGateway(ctx, self, place{dir, config})
	if err != nil {
		return fmt.Errorf("bench economy: %w", err)
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	b.server, b.caller = server, newCaller(g, o.workers+64)
	_, _ = fmt.Fprintln(stderr, "ingest …")
	if err := b.race(ctx, batches, report); err != nil {
		return fmt.Errorf("bench economy: ingest: %w", err)
	}
	_, _ = fmt.Fprintln(stderr, "trades beside a steady stream …")
	if err := b.steadily(ctx, report); err != nil {
		return fmt.Errorf("bench economy: trades: %w", err)
	}
	if o.goals {
		report.goals()
	}
	return report.print(stdout, o.asJSON)
}
