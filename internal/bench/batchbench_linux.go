package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

const batchUsage = `Usage: portcullis bench batch [flags]

Measures batches of checks beside live chat: sessions send messages on an open-loop
schedule, in rounds between batches and beside them, so that what a batch costs them
shows within one run, whatever else the machine does. The lines come in several
batches; then one of them again, with nobody chatting.
The gateway is one of its own on a free port; with --database it stores in PostgreSQL.

`

// batchOptions are the flags of `bench batch`.
type batchOptions struct {
	lines, parts, sessions int
	rate, flagged          float64
	quiet, round           time.Duration
	config                 string
	asJSON, goals          bool
	servers
}

func parseBatchOptions(args []string, stderr io.Writer) (*batchOptions, error) {
	o := &batchOptions{}
	f := flag.NewFlagSet("bench batch", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, batchUsage); f.PrintDefaults() } // nothing to do for a closed stderr
	f.IntVar(&o.lines, "lines", 100_000, "lines of all batches together")
	f.IntVar(&o.parts, "parts", 5, "batches that they come in")
	f.IntVar(&o.sessions, "sessions", 500, "sessions that chat")
	f.Float64Var(&o.rate, "rate", 500, "messages a second over all sessions; 5 a second and session at most")
	f.Float64Var(&o.flagged, "flagged", 0.05, "share of abusive lines, live and in the batch")
	f.DurationVar(&o.quiet, "quiet", 20*time.Second, "measured time without a batch")
	f.DurationVar(&o.round, "round", time.Second, "measured time of a round")
	f.StringVar(&o.config, "config", "", "configuration `file` of the gateway, without --database")
	o.servers.flags(f)
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.goals, "goals", false, "print the project's goals beside the figures")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	errs := []error{o.validate()}
	bad := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf("bench batch: "+format, args...))
		}
	}
	bad(f.NArg() > 0, "unexpected argument %q", f.Arg(0))
	bad(o.parts < 1 || o.parts > 100, "--parts: must be 1 to 100")
	bad(o.lines < o.parts || o.lines > 900_000 || o.lines/max(o.parts, 1) > 100_000, "--lines: must be 1 to 100000 in a part, 900000 in all")
	bad(o.sessions < 1, "--sessions: must be positive")
	bad(!(o.rate > 0 && o.rate <= float64(playerRate*o.sessions)), "--rate: must be positive and at most 5 a second and session")
	bad(!(o.flagged >= 0 && o.flagged <= 1), "--flagged: must be 0 to 1")
	bad(o.round <= 0 || o.round > time.Minute, "--round: must be positive and at most 1m")
	bad(o.quiet <= 0 || o.quiet > time.Hour, "--quiet: must be positive and at most 1h")
	bad(o.config != "" && o.database != "", "--config and --database exclude each other")
	return o, errors.Join(errs...)
}

// batchBench is one run.
type batchBench struct {
	*batchOptions
	live   *bench
	token  string
	client *http.Client
	body   []byte
	number int // of the next round
}

func batchBenchMain(ctx context.Context, args []string, stdout, stderr io.Writer, self string) (err error) {
	o, err := parseBatchOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	dir, in, done, err := o.workplace(ctx)
	if err != nil {
		return fmt.Errorf("bench batch: %w", err)
	}
	defer func() { err = errors.Join(err, done()) }()
	config := o.config
	if in.database != "" {
		if config, err = in.configure(dir, ""); err != nil {
			return fmt.Errorf("bench batch: %w", err)
		}
	}
	b := &batchBench{batchOptions: o, client: &http.Client{Timeout: time.Minute}}
	b.live = &bench{
		options: &options{sessions: o.sessions, sceneSize: 1, rate: o.rate, rounds: 1, ramp: 64, duration: o.round, warmup: 200 * time.Millisecond, config: config, join: true},
		lines:   &corpus{flagged: o.flagged}, self: self, dir: dir, progress: stderr,
	}
	defer func() { err = errors.Join(err, b.live.close()) }()
	report, err := b.measure(ctx)
	if err != nil {
		return fmt.Errorf("bench batch: %w", errors.Join(err, b.live.aliveIfStarted()))
	}
	if o.goals {
		report.goals()
	}
	return report.print(stdout, o.asJSON)
}

// aliveIfStarted is alive where there is a server yet.
func (b *bench) aliveIfStarted() error {
	if b.server == nil {
		return nil
	}
	return b.alive()
}

func (b *batchBench) measure(ctx context.Context) (*BatchReport, error) {
	if err := b.live.fits(b.sessions); err != nil {
		return nil, err
	}
	if err := b.live.start(ctx); err != nil {
		return nil, err
	}
	if err := b.live.connect(ctx, b.live.chat, b.sessions, &b.live.memChat); err != nil {
		return nil, err
	}
	if err := b.authorize(ctx); err != nil {
		return nil, err
	}
	b.body = b.makeLines()
	r := &BatchReport{Database: "SQLite", Lines: b.lines, Parts: b.parts, Rate: b.rate, Sessions: b.sessions}
	if b.database != "" {
		r.Database = "PostgreSQL"
	}
	quiet, beside := newTally(), newTally()
	r.Beside = &BatchRun{}
	for part := range b.parts {
		if err := b.rounds(ctx, quiet, b.quiet/time.Duration(b.parts)); err != nil {
			return nil, err
		}
		run, err := b.run(ctx, func(ctx context.Context) (func(), error) {
			one := newTally()
			return func() { beside.merge(one) }, b.oneRound(ctx, one)
		})
		if err != nil {
			return nil, err
		}
		r.Beside.add(run)
		b.live.say("part %d of %d: %.1f s; p99 %s without, %s beside", part+1, b.parts, run.Seconds, last(quiet.p99), last(beside.p99))
	}
	if beside.clean.n == 0 {
		return nil, errors.New("each batch was done before a round was: ask for more --lines, fewer --parts or a shorter --round")
	}
	var err error
	if r.Alone, err = b.run(ctx, func(ctx context.Context) (func(), error) { return func() {}, sleep(ctx, 50*time.Millisecond) }); err != nil {
		return nil, err
	}
	r.Quiet, r.Busy = newSide(quiet, nil, nil), newSide(beside, nil, nil)
	r.RatioP99 = r.Busy.Latency.P99 / r.Quiet.Latency.P99
	return r, nil
}

// rounds measures live rounds for a time.
func (b *batchBench) rounds(ctx context.Context, side *tally, d time.Duration) error {
	for range max(1, int(d/b.round)) {
		if err := b.oneRound(ctx, side); err != nil {
			return err
		}
	}
	return nil
}

func (b *batchBench) oneRound(ctx context.Context, side *tally) error {
	b.number++
	return b.live.round(ctx, b.live.chat, side, b.number, 0)
}

// run sends a batch, has something done meanwhile, again and again, and returns how the
// batch went once it is done. What was done while the batch ran all the time is kept.
func (b *batchBench) run(ctx context.Context, meanwhile func(context.Context) (keep func(), err error)) (*BatchRun, error) {
	began := time.Now()
	var taken struct {
		ID string `json:"batch_id"`
	}
	if err := b.ask(ctx, http.MethodPost, "/api/v1/batches", b.body, &taken); err != nil {
		return nil, err
	}
	run := &BatchRun{Upload: time.Since(began).Seconds()}
	cpu, err := cpuTime(b.live.chat.pid)
	if err != nil {
		return nil, err
	}
	for keep := func() {}; ; {
		var now struct {
			Status  string
			Done    int
			Errors  int
			Counts  struct{ Pass, Review, Block int }
			Started time.Time `json:"started_at"`
			Ended   time.Time `json:"ended_at"`
		}
		if err := b.ask(ctx, http.MethodGet, "/api/v1/batches/"+taken.ID, nil, &now); err != nil {
			return nil, err
		}
		if now.Status == "done" {
			used, err := cpuTime(b.live.chat.pid)
			if want := b.lines / b.parts; now.Done != want || now.Errors != 0 {
				err = errors.Join(err, fmt.Errorf("the batch has %d of %d lines and %d errors", now.Done, want, now.Errors))
			}
			run.Seconds = now.Ended.Sub(now.Started).Seconds()
			run.Lines = now.Done
			run.Pass, run.Review, run.Block = now.Counts.Pass, now.Counts.Review, now.Counts.Block
			run.CPU = (used - cpu).Seconds()
			return run, err
		}
		keep()
		if keep, err = meanwhile(ctx); err != nil {
			return nil, err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// makeLines are the lines of the batch: chat of many players.
func (b *batchBench) makeLines() []byte {
	var body []byte
	for i := range b.lines / b.parts {
		text, _ := b.live.lines.line(1_000_000 + i)
		body = append(body, `{"kind":"text","id":"`...)
		body = strconv.AppendInt(body, int64(i), 10)
		body = append(body, `","user_id":"player-`...)
		body = strconv.AppendInt(body, int64(i%5000), 10)
		body = append(body, `","content":`...)
		body, _ = jsontext.AppendQuote(body, text) // valid UTF-8
		body = append(body, "}\n"...)
	}
	return body
}

// authorize fetches a bearer token.
func (b *batchBench) authorize(ctx context.Context) error {
	c := newCaller(b.live.gateway, 1)
	var answer struct {
		Token string `json:"access_token"`
	}
	const target = "/api/v1/auth/token"
	err := c.send(ctx, http.MethodPost, target, []byte("{}"), c.signOnce(http.MethodPost, target, []byte("{}")), &answer)
	b.token = answer.Token
	return err
}

func (b *batchBench) ask(ctx context.Context, method, target string, body []byte, answer any) error {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+b.live.gateway.addr+target, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	req.Header.Set("Authorization", "Bearer "+b.token)
	res, err := b.client.Do(req)
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	data, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("%s: HTTP %d: %s", target, res.StatusCode, tail(data))
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	return nil
}
