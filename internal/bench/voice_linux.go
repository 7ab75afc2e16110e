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
	"slices"
	"strconv"
	"sync"
	"time"

	speaker "github.com/portcullis-gg/portcullis/streams/voice/caller"
)

func voiceBench(ctx context.Context, args []string, stdout, stderr io.Writer, self string) (err error) {
	o, err := parseVoice(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "portcullis-bench-")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if o.noWords {
		o.config = filepath.Join(dir, "no-words.yaml")
		if err := os.WriteFile(o.config, []byte("audio:\n  words: []\n"), 0o600); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	server, g, err := startGateway(ctx, self, place{dir: dir, config: o.config})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	nonce := make([]byte, 4)
	_, _ = rand.Read(nonce) // never fails
	g.run, g.language = hex.EncodeToString(nonce), o.language
	b := &voiceLoad{options: o, gateway: g, server: server, progress: stderr}
	report, err := b.measure(ctx)
	if err != nil {
		return err
	}
	return report.print(stdout, o)
}

// voiceLoad is one run.
type voiceLoad struct {
	options  *voiceOptions
	gateway  *gateway
	server   *child
	progress io.Writer

	talk, threat []speaker.Packet
	calls        []*voiceCall
	setups       []time.Duration

	mu    sync.Mutex
	waits []time.Duration // from a threat's last packet to its verdict
	said  int
}

func (b *voiceLoad) say(format string, args ...any) {
	_, _ = fmt.Fprintf(b.progress, format+"\n", args...)
}

func (b *voiceLoad) measure(ctx context.Context) (r *voiceReport, err error) {
	if b.talk, err = speaker.ReadOgg(talkFile); err != nil {
		return nil, err //nolint:wrapcheck // our own file
	}
	if b.threat, err = speaker.ReadOgg(threatFile); err != nil {
		return nil, err //nolint:wrapcheck // as above
	}
	b.say("warming up: one call loads the models")
	if err := b.warm(ctx); err != nil {
		return nil, err
	}
	r = &voiceReport{Streams: b.options.streams, Speaking: b.options.speaking, Words: !b.options.noWords, Language: b.options.language}
	before, err := b.lookLong(ctx)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, c := range b.calls {
			err = errors.Join(err, c.close())
		}
	}()
	b.say("setting up %d calls", b.options.streams)
	began := time.Now()
	if err := b.connect(ctx); err != nil {
		return nil, err
	}
	r.PerSecond = float64(len(b.calls)) / time.Since(began).Seconds()
	r.SetupP50, r.SetupP95 = quantile(b.setups, .5), quantile(b.setups, .95)
	b.say("speaking for %s", b.options.duration)
	if err := b.speak(ctx, r, before); err != nil {
		return nil, err
	}
	b.say("ending them")
	for _, c := range b.calls {
		err = errors.Join(err, c.close())
	}
	b.calls = nil
	if err != nil {
		return nil, err
	}
	return r, b.after(ctx, r, before)
}

// warm makes one call that says everything once, and ends it.
func (b *voiceLoad) warm(ctx context.Context) error {
	if err := b.one(ctx, 1_000_000); err != nil {
		return err
	}
	c := b.calls[0]
	b.calls, b.setups = nil, nil
	err := c.client.Speak(ctx, slices.Concat(b.talk, pause(time.Second), b.threat, pause(4*time.Second)), nil)
	if _, found := c.threatTold(); err == nil && !found && !b.options.noWords {
		b.say("the first threat was not found: it came late, or there is no recogniser (portcullis models list says)")
	}
	return errors.Join(err, c.close(), rest(ctx, 8*time.Second)) // the end of its clip is stored, and its call forgotten
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // the caller's own
	}
}

// one makes call n.
func (b *voiceLoad) one(ctx context.Context, n int) error {
	scene := "scene-" + strconv.Itoa(n/10)
	ticket, err := b.gateway.ticket("bench-"+b.gateway.run+"-"+strconv.Itoa(n), scene, time.Now())
	if err != nil {
		return err
	}
	conn, _, err := dialStream(ctx, "ws://"+b.gateway.addr)
	if err != nil {
		return err
	}
	c, setup, err := b.gateway.call(ctx, conn, ticket, scene)
	if err != nil {
		return fmt.Errorf("call %d: %w", n, err)
	}
	go c.follow() // it ends with the call's connection, which close closes
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls, b.setups = append(b.calls, c), append(b.setups, setup)
	return nil
}

// atOnce is how many calls are set up at a time: fewer than an address may have.
const atOnce = 8

func (b *voiceLoad) connect(ctx context.Context) error {
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	errs := make([]error, b.options.streams)
	for n := range b.options.streams {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			errs[n] = b.one(ctx, n)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// speak has all calls send for the measured time.
func (b *voiceLoad) speak(ctx context.Context, r *voiceReport, idle *voiceLook) error {
	talk, end := context.WithCancelCause(ctx)
	var wg sync.WaitGroup
	for i, c := range b.calls {
		wg.Go(func() {
			if err := b.turns(talk, i, c); talk.Err() == nil { // it ends when it is told to
				end(fmt.Errorf("call %d: %w", i, err)) // nothing that is measured from here on is of so many calls
			}
		})
	}
	err := b.watch(talk, r, idle)
	if cause := context.Cause(talk); err != nil && cause != nil {
		err = cause
	}
	end(nil)
	wg.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	r.Threats, r.Found = b.said, len(b.waits)
	r.FlagP50, r.FlagP95 = quantile(b.waits, .5), quantile(b.waits, .95)
	return err
}

// watch looks at the gateway while all calls send.
func (b *voiceLoad) watch(ctx context.Context, r *voiceReport, idle *voiceLook) error {
	err := rest(ctx, 2*time.Second) // until all send
	if err != nil {
		return err
	}
	start, err := b.look(ctx)
	if err != nil {
		return err
	}
	at := time.Now()
	err = b.server.profiling(ctx, b.options.profile, b.options.duration, func() (err error) {
		r.Soak, err = b.soak(ctx, b.options.duration)
		return err
	})
	if err != nil {
		return err
	}
	end, err := b.look(ctx)
	if err != nil {
		return err
	}
	took := time.Since(at)
	kept, err := b.lookLong(ctx) // while they speak
	if err != nil {
		return err
	}
	r.fill(start, end, took)
	r.keep(idle, kept)
	return nil
}

// quantile is 0 for none.
func quantile(list []time.Duration, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return milliseconds(sorted[min(int(q*float64(len(sorted))), len(sorted)-1)])
}
