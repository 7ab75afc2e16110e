package bench

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"time"
)

const (
	streamPath = "/api/v1/stream"
	// playerRate is the stream's limit per player (WIRE.md §5): above it the
	// gateway would rightly refuse.
	playerRate = 5
)

// options are the flags of `bench chat`.
type options struct {
	sessions, sceneSize, rounds, idle, ramp int
	rate, flagged                           float64
	duration, warmup, settle                time.Duration
	messages, config                        string
	url, app, secret, profile               string
	pid                                     int
	start, join, floor, asJSON, goals       bool
}

const usage = `Usage: portcullis bench chat [flags]

Opens chat sessions on a gateway, sends messages on an open-loop schedule and
prints latencies, the server's CPU time and its memory, with a raw TCP echo in
interleaved rounds beside it as the floor. Without --url it starts a gateway of
its own on a free port with a temporary data folder.

`

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("bench chat", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, usage); f.PrintDefaults() } // nothing to do for a closed stderr
	f.IntVar(&o.sessions, "sessions", 2000, "sessions that chat")
	f.Float64Var(&o.rate, "rate", 2000, "messages a second over all sessions; 5 a second and session at most")
	f.DurationVar(&o.duration, "duration", 20*time.Second, "measured time of each side, over all rounds")
	f.DurationVar(&o.warmup, "warmup", time.Second, "unmeasured time at the start of each round")
	f.IntVar(&o.rounds, "rounds", 5, "rounds of each side, in turn")
	f.IntVar(&o.sceneSize, "scene-size", 1, "members of a scene: from 2 on every message is also fanned out")
	f.StringVar(&o.messages, "messages", "", "`file` with one clean message a line (default a built-in mix of four languages)")
	f.Float64Var(&o.flagged, "flagged", 0.05, "share of built-in abusive messages, reported apart")
	f.IntVar(&o.idle, "idle", 0, "instead of chatting, open this many sessions and report memory a session")
	f.DurationVar(&o.settle, "settle", 10*time.Second, "with --idle, how long the sessions rest before memory is read")
	f.BoolVar(&o.join, "join", true, "with --idle, whether sessions join their scene")
	f.BoolVar(&o.floor, "floor", true, "whether to run the raw echo beside it")
	f.IntVar(&o.ramp, "ramp", 64, "connections opened at once")
	f.BoolVar(&o.start, "start", false, "start a gateway for the run (the default without --url)")
	f.StringVar(&o.config, "config", "", "configuration `file` of the gateway that is started")
	f.StringVar(&o.profile, "profile", "", "write the gateway's CPU profile of as long as it is measured, from the first round on, to this `file`, which costs it a little")
	f.StringVar(&o.url, "url", "", "`ws://host:port` of a running gateway on this machine")
	f.StringVar(&o.app, "app", "", "with --url, the app id")
	f.StringVar(&o.secret, "secret", "", "with --url, the app's secret")
	f.IntVar(&o.pid, "pid", 0, "with --url, the gateway's process id, for CPU and memory")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	f.BoolVar(&o.goals, "goals", false, "print the project's goals beside the figures")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("bench chat: unexpected argument %q", f.Arg(0))
	}
	return o, o.validate()
}

// validate returns every fault at once.
func (o *options) validate() error {
	var errs []error
	bad := func(wrong bool, text string) {
		if wrong {
			errs = append(errs, errors.New("bench chat: "+text))
		}
	}
	bad(o.sessions < 1, "--sessions: must be positive")
	bad(!(o.rate > 0 && o.rate <= 1e6), "--rate: must be positive and at most 1000000")
	bad(o.rate > float64(playerRate*o.sessions), "--rate: over 5 messages a second and session, which the gateway refuses")
	bad(o.duration <= 0 || o.duration > time.Hour, "--duration: must be positive and at most 1h")
	bad(o.warmup < 0, "--warmup: must not be negative")
	bad(o.rounds < 1 || o.rounds > 1000, "--rounds: must be 1 to 1000")
	bad(o.sceneSize < 1, "--scene-size: must be positive")
	bad(o.sessions%max(o.sceneSize, 1) != 0, "--sessions: must be a multiple of --scene-size")
	bad(!(o.flagged >= 0 && o.flagged <= 1), "--flagged: must be 0 to 1")
	bad(o.idle < 0, "--idle: must not be negative")
	bad(o.settle < 0, "--settle: must not be negative")
	bad(o.ramp < 1, "--ramp: must be positive")
	bad(o.start && o.url != "", "--start and --url exclude each other")
	bad(o.url != "" && (o.app == "" || o.secret == ""), "--url: needs --app and --secret")
	bad(o.profile != "" && (o.url != "" || o.idle > 0), "--profile: is for a gateway that is started and chats")
	bad(o.url != "" && o.config != "", "--config: is for a gateway that is started, not for --url")
	if o.url != "" {
		if _, err := loopbackAddr(o.url); err != nil {
			errs = append(errs, fmt.Errorf("bench chat: --url: %w", err))
		}
	}
	return errors.Join(errs...)
}

// loopbackAddr is the host:port of a ws:// URL, which must name this machine by
// address: load goes to no other.
func loopbackAddr(raw string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return "", err
	}
	host := u.Hostname()
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip := net.ParseIP(host)
	switch {
	case u.Scheme != "ws":
		return "", errors.New("must start with ws://")
	case u.Port() == "":
		return "", errors.New("must name a port")
	case ip == nil || !ip.IsLoopback():
		return "", errors.New("must be a loopback address: load goes to this machine alone")
	}
	return net.JoinHostPort(host, u.Port()), nil
}
