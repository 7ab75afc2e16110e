package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/session"
)

type sceneEntry = session.SceneEntry

// stopWithin is how long a gateway may take to go down.
const stopWithin = 20 * time.Second

// serve runs the gateway until ctx ends.
func serve(ctx context.Context, args []string, io std) error {
	f := newFlags("serve", io)
	listen := f.String("listen", "", "address of the gateway (default 127.0.0.1:8080)")
	admin := f.String("admin", "", "address of metrics and detailed health (default 127.0.0.1:9090)")
	data := f.String("data", "data", "folder for what must not be lost")
	file := f.String("config", "", "configuration file; without one the gateway is in development mode, with the demo page")
	if err := parse(f, args); err != nil {
		return err
	}
	cfg, err := loadConfig(*file, os.Environ())
	cfg.data, cfg.demo = *data, *file == ""
	if cfg.demo {
		demo, _ := demoPolicy()
		cfg.Policy.Scenes = demo.Scenes // the rest may come from the environment
	}
	if *listen != "" {
		cfg.HTTP.Listen = *listen
	}
	if *admin != "" {
		cfg.HTTP.Admin = *admin
	}
	if err := errors.Join(err, cfg.validate()); err != nil {
		return fmt.Errorf("configuration:\n%w", err)
	}
	level, err := cfg.level()
	if err != nil {
		return err
	}
	pace(0)
	spare()
	log := slog.New(slog.NewJSONHandler(io.err, &slog.HandlerOptions{Level: level}))
	a, err := newApp(ctx, cfg, log)
	if err != nil {
		return err
	}
	return errors.Join(a.run(ctx, io), a.close())
}

// run serves until ctx ends, then drains: readiness first, then sessions, then
// requests under way, then what was put off.
func (a *app) run(ctx context.Context, io std) error {
	var lc net.ListenConfig
	public, err := lc.Listen(ctx, "tcp", a.cfg.HTTP.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	admin, err := lc.Listen(ctx, "tcp", a.cfg.HTTP.Admin)
	if err != nil {
		return errors.Join(fmt.Errorf("listen (admin): %w", err), public.Close())
	}
	// What runs behind the answers outlives ctx: it is stopped last.
	behind, stopBehind := context.WithCancel(context.WithoutCancel(ctx))
	defer stopBehind()
	// The economy writes down what the desk still finds while it drains.
	last, stopLast := context.WithCancel(context.WithoutCancel(ctx))
	defer stopLast()
	var parts, doors, end sync.WaitGroup
	for _, away := range a.away { // as long as the desk may ask
		end.Go(func() { away.Serve(last) })
	}
	parts.Go(func() { a.desk.Serve(behind) })
	end.Go(func() { a.economy.Serve(last) })
	end.Go(func() { a.hooks.Serve(last) })
	parts.Go(func() { a.batches.Serve(behind) })
	end.Go(func() { a.counter.Serve(last) })
	end.Go(func() { a.penalties.Serve(last) })
	end.Go(func() { a.players.Serve(last) })
	parts.Go(func() { a.cases.Serve(behind) })
	end.Go(func() { a.policies.Serve(last) })
	end.Go(func() { a.imageBanks.Serve(last) })
	parts.Go(func() { a.hub.Run(behind) })
	parts.Go(func() { a.voice.Serve(behind) })
	parts.Go(func() { a.listener.Listen(behind) })
	parts.Go(func() { trim(behind) })
	parts.Go(func() { a.feed.beacon(behind) })
	parts.Go(func() { a.rules.Serve(behind) })
	parts.Go(func() { a.desk.Follow(behind) })
	parts.Go(func() { a.stats.Serve(behind) })
	parts.Go(func() { a.reports.Serve(behind) })
	parts.Go(func() { a.evidence.Serve(behind) })
	parts.Go(func() { a.erasures.Serve(behind) })
	// They hear of what the others do to their end.
	end.Go(func() { a.history.Serve(last) })
	end.Go(func() { a.voiceLinks.Serve(last) })
	end.Go(func() { a.auditing.Serve(last) })
	failed := make(chan error, 2) // one for each door
	server := gateway.Admin(a, a.reg)
	doors.Go(func() { failed <- a.door.Serve(public) })
	doors.Go(func() {
		if err := server.Serve(admin); !errors.Is(err, http.ErrServerClosed) {
			failed <- err
		}
	})
	a.announce(ctx, io, public.Addr().String(), admin.Addr().String())

	select {
	case <-ctx.Done():
		err = nil
	case err = <-failed:
	}
	a.draining.Store(true)
	a.log.InfoContext(ctx, "going down")
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	a.drainVoice(stop)
	err = errors.Join(err, a.hub.Drain(stop), a.door.Shutdown(stop), server.Shutdown(stop))
	// A door that was told to close before it had begun to serve would serve now.
	if closed := public.Close(); !errors.Is(closed, net.ErrClosed) {
		err = errors.Join(err, closed)
	}
	doors.Wait()
	stopBehind()
	parts.Wait()
	stopLast()
	end.Wait()
	a.log.InfoContext(ctx, "stopped")
	return err
}

// announce says where the gateway answers, how its state is kept, and how to
// become its first admin.
func (a *app) announce(ctx context.Context, io std, public, admin string) {
	scheme := "http"
	if a.cfg.HTTP.TLS.Cert != "" {
		scheme = "https"
	}
	url := scheme + "://" + public
	state := "Redis"
	if !a.redis.Shared() {
		state = "embedded: sessions are in memory and end with this process"
	}
	a.log.InfoContext(ctx, "listening", "addr", public, "admin", admin, "url", url, "version", buildVersion(),
		"database", a.db.Driver(), "session_state", state, "demo", a.cfg.demo)
	token, err := a.setup.Open(ctx)
	switch {
	case err != nil:
		a.log.ErrorContext(ctx, "set-up link not made", "err", err)
	case token != "":
		io.say("No admin yet. Open this link once, within 30 minutes, to make the first one:\n  %s/console/#/setup?token=%s\n", url, token)
	}
	if a.cfg.demo {
		io.say("Development mode (no --config).\n  demo     %s/demo/\n  console  %s/console/\n", url, url)
	}
}
