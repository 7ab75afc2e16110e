package bench

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	speaker "github.com/portcullis-gg/portcullis/streams/voice/caller"
)

const sayUsage = `Usage: portcullis say FILE [flags]

Speaks an Ogg/Opus file into a scene, live, as a player's client does: a session on
the stream, a WebRTC call, packets in their own time. What the player is told of it is
printed, a line each. Sound of other kinds: opusenc in.wav out.opus.

`

const (
	// listenAfter is how long the verdicts of what was said last are waited for.
	listenAfter = 3 * time.Second
	// listenLonger is for how much longer where the player was told nothing so far: a
	// gateway that has just begun, or is busy, looks later.
	listenLonger = 9 * time.Second
)

// Say is `portcullis say`.
func Say(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("say", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, sayUsage); f.PrintDefaults() }
	at := f.String("url", "ws://127.0.0.1:8080", "of the gateway")
	ticket := f.String("ticket", os.Getenv("PORTCULLIS_TICKET"), "the player's ticket (default $PORTCULLIS_TICKET); or --app and --secret")
	app := f.String("app", "", "the app, to make a ticket")
	secret := f.String("secret", os.Getenv("PORTCULLIS_SECRET"), "the app's secret (default $PORTCULLIS_SECRET)")
	player := f.String("player", "speaker", "who speaks, where a ticket is made")
	scene := f.String("scene", "lobby", "the scene, which the ticket must name")
	var file string
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		file, args = args[0], args[1:]
	}
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return fmt.Errorf("say: %w", err)
	}
	if file == "" {
		file = f.Arg(0)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("say: %w", err)
	}
	packets, err := speaker.ReadOgg(content)
	if err != nil {
		return fmt.Errorf("say: %s: %w", file, err)
	}
	g := &gateway{path: streamPath, app: *app, secret: *secret}
	if *ticket == "" {
		if *app == "" || *secret == "" {
			return errors.New("say: --ticket, or --app and --secret to make one")
		}
		if *ticket, err = g.ticket(*player, *scene, time.Now()); err != nil {
			return err
		}
	}
	return g.say(ctx, *at, *ticket, *scene, packets, stdout, stderr)
}

func (g *gateway) say(ctx context.Context, at, ticket, scene string, packets []speaker.Packet, stdout, stderr io.Writer) (err error) {
	conn, host, err := dialStream(ctx, at)
	if err != nil {
		return fmt.Errorf("say: %w", err)
	}
	g.addr = host
	v, _, err := g.call(ctx, conn, ticket, scene)
	if err != nil {
		return fmt.Errorf("say: %w", err)
	}
	var told atomic.Bool
	var parts sync.WaitGroup
	parts.Go(v.follow)
	parts.Go(func() {
		for p := range v.pushes {
			told.Store(true)
			_, _ = fmt.Fprintln(stdout, p.raw) // a closed one has nobody to be told of it
		}
	})
	defer func() {
		err = errors.Join(err, v.close())
		parts.Wait()
	}()
	speak := func(packets []speaker.Packet) error { return v.client.Speak(ctx, packets, nil) }
	if err := sayAndListen(speak, packets, told.Load); err != nil {
		return fmt.Errorf("say: %w", err)
	}
	if !told.Load() {
		_, _ = io.WriteString(stderr, "the player was told nothing of it\n") // a closed one has nobody to be told
	}
	return nil
}

// sayAndListen speaks, and is silent for as long as something may be told of it.
func sayAndListen(speak func([]speaker.Packet) error, packets []speaker.Packet, told func() bool) error {
	err := speak(append(packets, pause(listenAfter)...))
	const step = time.Second
	for left := listenLonger; err == nil && left > 0 && !told(); left -= step {
		err = speak(pause(step))
	}
	return err
}
