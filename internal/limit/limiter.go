package limit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/engines"
)

// ErrUnavailable means that Redis did not answer and the class fails closed.
var ErrUnavailable = errors.New("limit: not available")

const (
	redisTimeout = 10 * time.Millisecond
	// strictTimeout is that of classes that are refused without an answer: a Redis that
	// is slow for a moment must not refuse what somebody administers.
	strictTimeout = 250 * time.Millisecond
	appsKept      = 16384 // apps times classes that were active within one period
)

// Decision says whether a request may go on.
type Decision struct {
	Allowed bool
	// Limit is the rate that decided: a gateway's share when Redis is away.
	Limit int
	// Remaining is how many more would be allowed right now.
	Remaining int
	// Reset is when all of Limit is there again.
	Reset time.Duration
	// RetryAfter is when the next one may be allowed; 0 when this one was.
	RetryAfter time.Duration
	// Degraded is set when Redis was to decide and did not.
	Degraded bool
}

// Options are what a Limiter works with.
type Options struct {
	// Redis counts for all gateways; nil where this process is the only one.
	// ContextTimeoutEnabled must be set: without it a hung Redis takes 5 s.
	Redis redis.UniversalClient
	// Key builds the Redis key of a limit. Required with Redis.
	Key func(app engines.AppID, class Class) string
	// Nodes says how many gateways there are, for their shares while Redis is
	// away; nil is one.
	Nodes func() int
	// Wait is how long classes that are refused without an answer of Redis wait for it;
	// 250 ms or less is 250 ms.
	Wait time.Duration
	// Now is time.Now when nil.
	Now func() time.Time
}

// Limiter limits requests per app and class.
type Limiter struct {
	cfg     Config
	key     func(engines.AppID, Class) string
	nodes   func() int
	local   *gcra[limited]
	shared  *redis_rate.Limiter // nil: local
	timeout time.Duration
	wait    time.Duration // of classes that fail closed
	breaker breaker
	leases  leases
}

type limited struct {
	app   engines.AppID
	class Class
}

// New returns a Limiter. It starts nothing and needs no closing.
func New(cfg Config, o Options) (*Limiter, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	now := orNow(o.Now)
	l := &Limiter{cfg: cfg, key: o.Key, nodes: o.Nodes, local: newGCRA[limited](appsKept, now), timeout: redisTimeout, wait: o.Wait, breaker: breaker{now: now}, leases: leases{now: now, of: map[limited]*lease{}}}
	if o.Redis == nil {
		return l, nil
	}
	if o.Key == nil {
		return nil, errors.New("limit: Redis without Key")
	}
	if !timesOut(o.Redis) {
		return nil, errors.New("limit: Redis client without ContextTimeoutEnabled")
	}
	l.shared = redis_rate.NewLimiter(o.Redis)
	return l, nil
}

func timesOut(c redis.UniversalClient) bool {
	switch c := c.(type) {
	case *redis.Client:
		return c.Options().ContextTimeoutEnabled
	case *redis.ClusterClient:
		return c.Options().ContextTimeoutEnabled
	}
	return true
}

// Allow counts a request of app, or takes it from what was counted for some at once (see
// lease). When Redis does not answer within 10 ms, or
// has not for a while, this gateway limits alone to its share of the rate; Mint
// and Admin wait 250 ms and are then refused with ErrUnavailable, the only error
// there is besides that of a class that does not exist.
func (l *Limiter) Allow(ctx context.Context, class Class, app engines.AppID) (Decision, error) {
	rate := l.cfg.Rate(class)
	if rate == 0 {
		return Decision{}, fmt.Errorf("limit: no class %q", class)
	}
	if l.shared == nil {
		return l.local.take(limited{app, class}, rate), nil
	}
	n := 1
	if !class.failsClosed() {
		var d Decision
		var ok bool
		if d, ok, n = l.leases.take(limited{app, class}, rate); ok {
			return d, nil
		}
	}
	if class.failsClosed() || l.breaker.ask() { // what would be refused anyway asks
		d, granted, err := l.ask(ctx, class, app, rate, n)
		if err == nil {
			l.leases.keep(limited{app, class}, granted-1, d)
			d.Remaining += max(0, granted-1)
			return d, nil
		}
		if class.failsClosed() {
			return Decision{}, fmt.Errorf("limit %s of app %s: %w: %w", class, app, ErrUnavailable, err)
		}
	}
	nodes := 1
	if l.nodes != nil {
		nodes = max(1, l.nodes())
	}
	d := l.local.take(limited{app, class}, max(1, rate/nodes))
	d.Degraded = true
	return d, nil
}

// Degraded reports whether Redis is given up for now, for health pages.
func (l *Limiter) Degraded() bool { return l.shared != nil && l.breaker.open() }

// ask lets Redis decide on n requests at most, and says how many it grants.
func (l *Limiter) ask(parent context.Context, class Class, app engines.AppID, rate, n int) (Decision, int, error) {
	r := failed
	defer func() { l.breaker.done(r) }()
	patience := l.timeout
	if class.failsClosed() {
		patience = max(patience, strictTimeout, l.wait)
	}
	ctx, cancel := context.WithTimeout(parent, patience)
	defer cancel()

	key := l.key(app, class)
	limit := redis_rate.Limit{Rate: rate, Burst: rate, Period: period}
	res, err := l.shared.AllowAtMost(ctx, key, limit, n)
	// The time in Redis is the wall clock of its host. When that steps back, what
	// is stored lies in the future, and the app would be refused for as long as
	// the step. No more than a period can be used up, so a longer wait shows it.
	if err == nil && res.ResetAfter > period+period/10 {
		if err = l.shared.Reset(ctx, key); err == nil {
			res, err = l.shared.AllowAtMost(ctx, key, limit, n)
		}
	}
	if err != nil {
		if errors.Is(parent.Err(), context.Canceled) {
			r = abandoned
		}
		return Decision{}, 0, err
	}
	r = answered
	return Decision{
		Allowed: res.Allowed > 0, Limit: rate, Remaining: res.Remaining,
		Reset: max(0, res.ResetAfter), RetryAfter: max(0, res.RetryAfter),
	}, res.Allowed, nil
}
