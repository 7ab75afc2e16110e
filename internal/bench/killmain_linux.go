package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"time"
)

const killUsage = `Usage: portcullis bench economy-kill [flags]

Sends small log submissions at a steady rate, as a game server with retries does,
while the gateway is killed (SIGKILL) and started again at random moments. A retry
has the same log ids, and in turn the signature that it had before, a fresh one, or
an Idempotency-Key. Then all players' timelines are read and held against what was
acknowledged, and their scores against a replay of the store in process, in the
order in which the store hands entries on and in that of acknowledgement; a score
that lags what was counted is asked for again for up to 20 s. The exit status is not 0
if an entry is lost, doubled or changed or a score stays off by more than 1.

`

// killOptions are the flags of `bench economy-kill`.
type killOptions struct {
	servers
	kills, players int
	rate           float64 // submissions a second
	least, most    time.Duration
	seed           uint64
	asJSON         bool
}

func parseKillOptions(args []string, stderr io.Writer) (*killOptions, error) {
	o := &killOptions{}
	f := flag.NewFlagSet("bench economy-kill", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, killUsage); f.PrintDefaults() } // nothing to do for a closed stderr
	f.IntVar(&o.kills, "kills", 10, "how often the gateway is killed")
	f.IntVar(&o.players, "players", 300, "players that the entries concern")
	f.Float64Var(&o.rate, "rate", 1000, "submissions a second, of one to three entries each")
	f.DurationVar(&o.least, "least", 200*time.Millisecond, "shortest time from when it listens to a kill")
	f.DurationVar(&o.most, "most", 3*time.Second, "longest time from when it listens to a kill")
	f.Uint64Var(&o.seed, "seed", rand.Uint64(), "of the entries and the moments of the kills") //nolint:gosec // not for secrets
	o.servers.flags(f)
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	errs := []error{o.validate()}
	bad := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf("bench economy-kill: "+format, args...))
		}
	}
	bad(f.NArg() > 0, "unexpected argument %q", f.Arg(0))
	bad(o.kills < 1 || o.kills > 1000, "--kills: must be 1 to 1000")
	bad(o.players < 10 || o.players > 10_000, "--players: must be 10 to 10000")
	bad(!(o.rate > 0 && o.rate <= 10_000), "--rate: must be above 0 and at most 10000")
	bad(o.least <= 0 || o.most < o.least || o.most > time.Hour, "--least, --most: must be above 0, in order and at most 1h")
	return o, errors.Join(errs...)
}

// KillReport is what one run of `bench economy-kill` found.
type KillReport struct {
	Database string  `json:"database"`
	Kills    int     `json:"kills"`
	Seed     uint64  `json:"seed"`
	Seconds  float64 `json:"seconds"` // of sending, the times without a gateway included
	// Submissions and entries that were acknowledged, and attempts that were not.
	Submissions int     `json:"submissions"`
	PerSecond   float64 `json:"submissions_per_s"`
	Entries     int     `json:"entries"`
	Retries     int     `json:"retries"`
	Unsure      int     `json:"duplicates_after_a_lost_answer"`
	// What is wrong.
	Lost    int `json:"lost"`
	Doubled int `json:"doubled"`
	Changed int `json:"changed"`
	Unsent  int `json:"never_sent"`
	// Scores against the two replays, and how many are not 0.
	Scores     int `json:"scores"`
	Risky      int `json:"scores_above_0"`
	Difference int `json:"largest_difference"`
}

// fault is nil where all is well.
func (r *KillReport) fault() error {
	if r.Lost+r.Doubled+r.Changed+r.Unsent == 0 && r.Difference <= 1 {
		return nil
	}
	return fmt.Errorf("bench economy-kill: %d entries lost, %d doubled, %d changed, %d never sent; scores differ by up to %d", r.Lost, r.Doubled, r.Changed, r.Unsent, r.Difference)
}

func (r *KillReport) print(w io.Writer, asJSON bool) (err error) {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		err = enc.Encode(r)
	} else {
		_, err = fmt.Fprintf(w, `%s, %d kills in %.1f s, seed %d
sent      %d submissions (%.0f/s) with %d entries, %d attempts failed and were made again, %d entries were stored though their answer was lost
stored    %d lost, %d doubled, %d changed, %d never sent
scores    %d players (%d above 0), largest difference to a replay %d
`, r.Database, r.Kills, r.Seconds, r.Seed, r.Submissions, r.PerSecond, r.Entries, r.Retries, r.Unsure, r.Lost, r.Doubled, r.Changed, r.Unsent,
			r.Scores, r.Risky, r.Difference)
	}
	if err != nil {
		return fmt.Errorf("bench economy-kill: print: %w", err)
	}
	return nil
}

func economyKill(ctx context.Context, args []string, stdout, stderr io.Writer, self string) (err error) {
	o, err := parseKillOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	dir, in, done, err := o.workplace(ctx)
	if err != nil {
		return fmt.Errorf("bench economy-kill: %w", err)
	}
	defer func() { err = errors.Join(err, done()) }()
	// More than is sent: what is measured is the store, not the limit.
	config, err := in.configure(dir, fmt.Sprintf("limits: {log: %d, query: 10000}\n", int(10*o.rate)+10))
	if err != nil {
		return fmt.Errorf("bench economy-kill: %w", err)
	}
	k := &killing{killOptions: o, in: in, self: self, place: place{dir, config}, progress: stderr}
	report, err := k.run(ctx)
	if err != nil {
		return fmt.Errorf("bench economy-kill: %w", err)
	}
	return errors.Join(report.print(stdout, o.asJSON), report.fault())
}
