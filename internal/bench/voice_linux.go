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

const voiceUsage = `Usage: portcullis bench voice [flags]

Starts a gateway and calls it: players whose clients are in this process, each with a
socket of its own, speak an Opus file in its own time, so many of them at once, the
others send silence. Now and then one says a threat. Printed are the gateway's CPU time
and memory, how long a packet took until it was measured, how long calls took to set up,
what is left after all have ended, and how long a threat took from its last packet until
its player was told (which is after it is on disk and in the feed).

What is written down depends on the models: PORTCULLIS_MODELS, or data/models. With
--no-words nothing is: what is left is what each call costs, be it said or not (received,
decoded, measured, and whether somebody speaks). Memory is what is in use after a
collection, beside what the gateway has before the calls, in which models are.

`

// voiceOptions are the flags of `bench voice`.
type voiceOptions struct {
	streams, speaking int
	duration          time.Duration
	config, language  string
	profile           string
	noWords           bool
	asJSON, goals     bool
}

func parseVoice(args []string, stderr io.Writer) (*voiceOptions, error) {
	o := &voiceOptions{}
	f := flag.NewFlagSet("bench voice", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, voiceUsage); f.PrintDefaults() }
	f.IntVar(&o.streams, "streams", 20, "calls")
	f.IntVar(&o.speaking, "speaking", 5, "how many of them speak at a time")
	f.DurationVar(&o.duration, "duration", 20*time.Second, "measured time; from 5m on whether memory grows is printed too")
	f.StringVar(&o.config, "config", "", "configuration `file` of the gateway")
	f.StringVar(&o.language, "language", "en", "of the players, as their tickets have it: what is said is English; \"\" has the recogniser find out")
	f.StringVar(&o.profile, "profile", "", "write the gateway's CPU profile of the measured time to this `file`, which costs it a little")
	f.BoolVar(&o.noWords, "no-words", false, "write down nothing of what is said")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.goals, "goals", false, "print the project's goals beside the figures")
	if err := f.Parse(args); err != nil {
		return nil, err //nolint:wrapcheck // flag.ErrHelp, or printed
	}
	switch {
	case o.streams < 1 || o.streams > 2000:
		return nil, errors.New("bench voice: --streams: must be 1 to 2000")
	case o.speaking < 0 || o.speaking > o.streams:
		return nil, errors.New("bench voice: --speaking: must be 0 to --streams")
	case o.noWords && o.config != "":
		return nil, errors.New("bench voice: --no-words: with --config, write audio.words: [] into that file")
	case o.duration < 5*time.Second || o.duration > time.Hour:
		return nil, errors.New("bench voice: --duration: must be 5s to 1h")
	}
	return o, nil
}

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

// turns is one player's talk: speech while it is one of those that speak, which others
// are after each round, else silence.
func (b *voiceLoad) turns(ctx context.Context, i int, c *voiceCall) error {
	n := max(b.options.streams, 1)
	length := len(b.talk)
	for round := 0; ; round++ {
		first := round * b.options.speaking % n
		place := (i - first + n) % n
		if place >= b.options.speaking {
			if err := c.client.Speak(ctx, pause(time.Duration(length)*20*time.Millisecond), nil); err != nil {
				return err //nolint:wrapcheck // named by the client
			}
			continue
		}
		if place != round%b.options.speaking { // one of those that speak says a threat
			if err := c.client.Speak(ctx, b.talk, nil); err != nil {
				return err //nolint:wrapcheck // as above
			}
			continue
		}
		if err := b.threaten(ctx, c, length); err != nil {
			return err
		}
	}
}

// threaten says a threat, and waits for its verdict in silence as long as a turn is.
func (b *voiceLoad) threaten(ctx context.Context, c *voiceCall, length int) error {
	for len(c.pushes) > 0 { // of an earlier one
		<-c.pushes
	}
	err := c.client.Speak(ctx, b.threat, nil)
	if err != nil {
		return err //nolint:wrapcheck // as above
	}
	said := time.Now()
	err = c.client.Speak(ctx, pause(time.Duration(max(length-len(b.threat), 0))*20*time.Millisecond), nil)
	var best time.Duration = -1
	for len(c.pushes) > 0 {
		if p := <-c.pushes; p.Type == "voice.verdict" && slices.Contains(p.Categories, "violence") && (best < 0) {
			best = max(p.at.Sub(said), 0)
		}
	}
	if err == nil || best >= 0 {
		b.mu.Lock()
		b.said++
		if best >= 0 {
			b.waits = append(b.waits, best)
		}
		b.mu.Unlock()
	}
	return err //nolint:wrapcheck // as above
}

// quantile is 0 for none.
func quantile(list []time.Duration, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return milliseconds(sorted[min(int(q*float64(len(sorted))), len(sorted)-1)])
}
