package bench

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// spareFiles are the descriptors that the generator needs besides its sockets.
const spareFiles = 200

// Main is `portcullis bench`: args are what follows that word. self is the path
// of the running binary, started again as the gateway and as the echo. Figures
// go to stdout, progress to stderr. The error is nil only if every message was
// answered and no session was lost. Main returns when all that it started has
// ended.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer, self string) error {
	if len(args) == 0 {
		_, _ = io.WriteString(stderr, usage) // nothing to do for a closed stderr
		return errors.New("bench: say what to measure: chat, text, batch, webhooks, stats, voice, economy, economy-kill or economy-memory")
	}
	switch args[0] {
	case "chat":
		return chat(ctx, args[1:], stdout, stderr, self)
	case "text":
		return textBench(ctx, args[1:], stdout, stderr)
	case "batch":
		return batchBenchMain(ctx, args[1:], stdout, stderr, self)
	case "webhooks":
		return hooksBenchMain(ctx, args[1:], stdout, stderr, self)
	case "voice":
		return voiceBench(ctx, args[1:], stdout, stderr, self)
	case "stats":
		return statsBench(ctx, args[1:], stdout, stderr)
	case "economy":
		return economyBenchMain(ctx, args[1:], stdout, stderr, self)
	case "economy-kill":
		return economyKill(ctx, args[1:], stdout, stderr, self)
	case "economy-memory":
		return economyMemory(ctx, args[1:], stdout, stderr)
	case "echo": // the floor's own process; not in the usage
		return serveEcho(ctx, stdout)
	}
	return fmt.Errorf("bench: unknown measurement %q: there are chat, text, batch, webhooks, stats, voice, economy, economy-kill and economy-memory", args[0])
}

func chat(ctx context.Context, args []string, stdout, stderr io.Writer, self string) (err error) {
	o, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	lines := &corpus{flagged: o.flagged}
	if o.messages != "" {
		if lines.own, err = readLines(o.messages); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "portcullis-bench-")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &bench{options: o, lines: lines, self: self, dir: dir, progress: stderr}
	defer func() { err = errors.Join(err, b.close()) }()
	report, err := b.measure(ctx)
	if err != nil {
		return err
	}
	if o.goals {
		report.Goals = goals(report)
	}
	if err := report.print(stdout, o.asJSON); err != nil {
		return err
	}
	return report.fault()
}

// bench is one run.
type bench struct {
	*options
	lines     *corpus
	self, dir string
	progress  io.Writer

	driver   *driver
	gateway  *gateway
	server   *child // nil with --url
	raw      *child // the echo; nil without a floor
	chat     *target
	echo     *target
	memChat  memory
	memFloor memory
}

func (b *bench) say(format string, args ...any) {
	_, _ = fmt.Fprintf(b.progress, format+"\n", args...) // progress only
}

func (b *bench) measure(ctx context.Context) (*Report, error) {
	if err := b.start(ctx); err != nil {
		return nil, err
	}
	if b.idle > 0 {
		return b.measureIdle(ctx)
	}
	return b.measureChat(ctx)
}

// start brings up the servers and the driver.
func (b *bench) start(ctx context.Context) (err error) {
	if b.driver, err = newDriver(); err != nil {
		return err
	}
	b.chat, b.echo = &target{name: "chat"}, &target{name: "echo"}
	if b.url != "" {
		addr, err := loopbackAddr(b.url)
		if err != nil {
			return err
		}
		b.gateway = &gateway{addr: addr, path: streamPath, app: b.app, secret: b.secret}
		b.chat.pid = b.pid
	} else {
		b.say("starting a gateway …")
		if b.server, b.gateway, err = startGateway(ctx, b.self, place{b.dir, b.config}); err != nil {
			return err
		}
		b.chat.pid = b.server.pid()
	}
	nonce := make([]byte, 4)
	_, _ = rand.Read(nonce) // never fails (crypto/rand)
	b.gateway.run, b.gateway.scenes, b.gateway.join = hex.EncodeToString(nonce), b.sceneSize, b.join || b.idle == 0
	if b.floor {
		if b.raw, err = startChild(ctx, b.self, filepath.Join(b.dir, "echo.log"), "bench", "echo"); err != nil {
			return err
		}
		b.echo.pid = b.raw.pid()
	}
	return nil
}

// close ends what start began.
func (b *bench) close() error {
	var errs []error
	if b.driver != nil {
		errs = append(errs, b.driver.hangUp(b.chat), b.driver.hangUp(b.echo), b.driver.close())
	}
	for _, c := range []*child{b.server, b.raw} {
		if c != nil {
			errs = append(errs, c.stop())
		}
	}
	return errors.Join(errs...)
}

// connect opens the sessions of one target and notes the memory they cost.
func (b *bench) connect(ctx context.Context, t *target, n int, mem *memory) (err error) {
	open := b.gateway.session
	if t == b.echo {
		open = plainly(b.raw.addr)
	}
	if mem.start, err = b.resident(t); err != nil {
		return err
	}
	began := time.Now()
	adopt := func(c *connected) error { return b.driver.adopt(t, c) }
	if err := connectAll(ctx, n, b.ramp, open, adopt); err != nil {
		return errors.Join(err, b.alive())
	}
	b.say("%s: %d sessions open after %.1f s", t.name, n, time.Since(began).Seconds())
	mem.sessions = n
	mem.connected, err = b.resident(t)
	return err
}

func (b *bench) resident(t *target) (int64, error) {
	if t.pid == 0 {
		return 0, nil
	}
	return residentBytes(t.pid)
}

// alive says how the server under test ended, nil while it runs.
func (b *bench) alive() error {
	if b.server == nil {
		return nil
	}
	return b.server.ended()
}

// measureIdle opens the sessions, lets them rest and reads the memory. The echo
// comes first and hangs up, so that both have the machine to themselves.
func (b *bench) measureIdle(ctx context.Context) (*Report, error) {
	if err := b.fits(b.idle); err != nil {
		return nil, err
	}
	one := func(t *target, mem *memory) (err error) {
		if err = b.connect(ctx, t, b.idle, mem); err != nil {
			return err
		}
		if err = b.driver.rest(ctx, b.settle); err != nil {
			return err
		}
		mem.end, err = b.resident(t)
		return err
	}
	if b.floor {
		if err := one(b.echo, &b.memFloor); err != nil {
			return nil, err
		}
		if err := b.driver.hangUp(b.echo); err != nil {
			return nil, err
		}
	} else if err := b.driver.rest(ctx, b.settle); err != nil { // what the gateway's start left would hide what sessions take
		return nil, err
	}
	if err := one(b.chat, &b.memChat); err != nil {
		return nil, err
	}
	return b.report(nil, nil), b.alive()
}

func (b *bench) fits(sessions int) error {
	limit, err := fileLimit()
	if err != nil {
		return err
	}
	if sessions+spareFiles > limit {
		return fmt.Errorf("bench chat: %d sessions need more than the %d descriptors allowed (ulimit -n)", sessions, limit)
	}
	return nil
}

// turns has the two sides chat by turns.
func (b *bench) turns(ctx context.Context, floor, gate *tally) error {
	for number := range b.rounds {
		if b.floor {
			if err := b.round(ctx, b.echo, floor, number, 0); err != nil {
				return err
			}
		}
		if err := b.round(ctx, b.chat, gate, number, b.sceneSize-1); err != nil {
			return errors.Join(err, b.alive())
		}
		b.say("round %d of %d: p50 %s (echo %s), p99 %s (echo %s)", number+1, b.rounds,
			last(gate.p50), last(floor.p50), last(gate.p99), last(floor.p99))
	}
	return nil
}

// measureChat measures both sides.
func (b *bench) measureChat(ctx context.Context) (*Report, error) {
	if err := b.fits(b.sessions); err != nil {
		return nil, err
	}
	if err := b.connect(ctx, b.chat, b.sessions, &b.memChat); err != nil {
		return nil, err
	}
	if b.floor {
		limit, err := fileLimit()
		if err != nil {
			return nil, err
		}
		// Both sides are open at once. Where the descriptors don't reach for that,
		// the echo gets fewer connections, which the report says.
		n := min(b.sessions, limit-b.sessions-spareFiles)
		if n < 1 {
			return nil, errors.New("bench chat: no descriptors left for the echo: use --floor=false or fewer sessions")
		}
		if err := b.connect(ctx, b.echo, n, &b.memFloor); err != nil {
			return nil, err
		}
	}
	floor, gate := newTally(), newTally()
	err := b.server.profiling(ctx, b.profile, b.duration, func() error { return b.turns(ctx, floor, gate) })
	if err != nil {
		return nil, err
	}
	if b.memChat.end, err = b.resident(b.chat); err != nil {
		return nil, err
	}
	if b.memFloor.end, err = b.resident(b.echo); err != nil {
		return nil, err
	}
	return b.report(floor, gate), b.alive()
}

func last(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	return d[len(d)-1].Round(100 * time.Nanosecond)
}

func (b *bench) round(ctx context.Context, t *target, side *tally, number, fan int) error {
	plan := newSchedule(0, b.rate, b.warmup, b.duration/time.Duration(b.rounds))
	r := newRound(t, side, b.lines, number, fan, plan)
	if err := b.driver.run(ctx, r); err != nil {
		return err
	}
	r.finish()
	return nil
}

func (b *bench) report(floor, chat *tally) *Report {
	var load *Load
	if chat != nil {
		load = &Load{
			Sessions: b.sessions, EchoSessions: b.memFloor.sessions, SceneSize: b.sceneSize, Rate: b.rate,
			Seconds: b.duration.Seconds(), Rounds: b.rounds, FlaggedShare: b.flagged,
		}
	}
	var raw *Side
	if b.floor {
		raw = newSide(floor, b.echo.lost, b.memFloor.report())
	}
	return newReport(load, raw, newSide(chat, b.chat.lost, b.memChat.report()))
}
