package redisstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// breakerFailures in a row open the breaker.
	breakerFailures = 5
	probeEvery      = time.Second
)

var errOpen = fmt.Errorf("%w: redis does not answer", store.ErrUnavailable)

// breaker is a hook of the client: while Redis does not answer it refuses calls at
// once. Only its own probe, once a second, tries the server meanwhile, so that no
// caller pays for finding out. The probe also runs while nobody calls, so that
// health is known on an idle gateway.
type breaker struct {
	failures atomic.Int32
	open     atomic.Bool
	wait     time.Duration // for the answer to a probe
}

func newBreaker(wait time.Duration) *breaker { return &breaker{wait: wait} }

func (b *breaker) closed() bool { return !b.open.Load() }

func (b *breaker) run(ctx context.Context, ping func(context.Context) error) {
	ticker := time.NewTicker(probeEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			b.probe(ctx, ping)
		}
	}
}

func (b *breaker) probe(ctx context.Context, ping func(context.Context) error) {
	pingCtx, cancel := context.WithTimeout(ctx, b.wait)
	defer cancel()
	err := ping(pingCtx)
	switch {
	case ctx.Err() != nil: // closing
	case failed(err):
		b.fail(ctx, err)
	default:
		b.failures.Store(0)
		if b.open.Swap(false) {
			slog.InfoContext(ctx, "redis answers again")
		}
	}
}

func (b *breaker) fail(ctx context.Context, err error) {
	if b.failures.Add(1) >= breakerFailures {
		b.trip(ctx, err)
	}
}

func (b *breaker) trip(ctx context.Context, err error) {
	if !b.open.Swap(true) {
		slog.WarnContext(ctx, "redis does not answer", "error", err)
	}
}

func (b *breaker) note(ctx context.Context, err error) {
	switch {
	case failed(err):
		b.fail(ctx, err)
	case b.failures.Load() != 0 && !errors.Is(err, context.Canceled):
		b.failures.Store(0)
	}
}

// failed tells a server that does not answer, or can't now, from one that answers no.
func failed(err error) bool {
	if err == nil || errors.Is(err, redis.Nil) || errors.Is(err, context.Canceled) {
		return false
	}
	var reply redis.Error
	if !errors.As(err, &reply) {
		return true
	}
	for _, word := range []string{"LOADING ", "MASTERDOWN ", "CLUSTERDOWN ", "TRYAGAIN ", "READONLY ", "MISCONF ", "OOM ", "NOAUTH ", "WRONGPASS ", "NOPERM "} {
		if strings.HasPrefix(reply.Error(), word) {
			return true
		}
	}
	return false
}

// classify gives an error of the client the name that callers tell apart.
func classify(err error) error {
	switch {
	case err == nil, errors.Is(err, store.ErrUnavailable):
		return err
	case errors.Is(err, redis.Nil):
		return store.ErrNotFound
	case failed(err), errors.Is(err, context.Canceled):
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

type withoutBreakerKey struct{}

func withoutBreaker(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutBreakerKey{}, true)
}

func (b *breaker) refuses(ctx context.Context) bool {
	return b.open.Load() && ctx.Value(withoutBreakerKey{}) == nil
}

// DialHook leaves dialling as it is.
func (b *breaker) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook refuses a command while the breaker is open, and counts how it went.
func (b *breaker) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if b.refuses(ctx) {
			cmd.SetErr(errOpen)
			return errOpen
		}
		err := next(ctx, cmd)
		if ctx.Value(withoutBreakerKey{}) == nil {
			b.note(ctx, err)
		}
		return err
	}
}

// ProcessPipelineHook refuses a pipeline while the breaker is open, and counts how it went.
func (b *breaker) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if b.refuses(ctx) {
			for _, cmd := range cmds {
				cmd.SetErr(errOpen)
			}
			return errOpen
		}
		err := next(ctx, cmds)
		b.note(ctx, err)
		return err
	}
}
