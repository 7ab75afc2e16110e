package limit

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/engines"
)

// exactRates have intervals that binary fractions hold exactly. redis_rate
// counts in those: with a clock that stands still, as in miniredis, the tenth
// of ten tenths of a second is a hair too much.
func exactRates() Config {
	cfg := DefaultConfig()
	cfg.Query, cfg.Action = 64, 8
	return cfg
}

func newLimiter(t *testing.T, cfg Config, o Options) *Limiter {
	t.Helper()
	if o.Redis != nil {
		o.Key = testKey
	}
	l, err := New(cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	l.timeout = 5 * time.Second // a busy machine is not what is tested
	return l
}

// allow asks n times and returns how many were allowed.
func allow(t *testing.T, l *Limiter, class Class, app engines.AppID, n int) (allowed int, last Decision) {
	t.Helper()
	for range n {
		d, err := l.Allow(t.Context(), class, app)
		if err != nil {
			t.Fatalf("Allow(%s): %v", class, err)
		}
		if d.Allowed {
			allowed++
		}
		last = d
	}
	return allowed, last
}

// Both counters promise the same: a second's worth at once, then the rate, each
// app and class for itself.
func TestAllow(t *testing.T) {
	type limiter struct {
		*Limiter
		advance func(time.Duration)
	}
	kinds := map[string]func(*testing.T) limiter{
		"local": func(t *testing.T) limiter {
			t.Helper()
			clock := newClock()
			return limiter{newLimiter(t, exactRates(), Options{Now: clock.now}), clock.advance}
		},
		"redis": func(t *testing.T) limiter {
			t.Helper()
			m, c := miniRedis(t)
			now := time.Unix(1790000000, 0)
			return limiter{newLimiter(t, exactRates(), Options{Redis: c}), func(d time.Duration) {
				now = now.Add(d)
				m.SetTime(now)
				m.FastForward(d)
			}}
		},
	}
	for name, open := range kinds {
		t.Run(name, func(t *testing.T) {
			l := open(t)
			got, d := allow(t, l.Limiter, Query, "a", 96)
			if got != 64 {
				t.Errorf("%d of 96 at once, want 64", got)
			}
			if d.Allowed || d.Limit != 64 || d.Remaining != 0 || d.Degraded {
				t.Errorf("decision %+v, want a refusal of 64", d)
			}
			if !near(d.RetryAfter, time.Second/64) || !near(d.Reset, time.Second) {
				t.Errorf("retry after %s, reset in %s; want 15.6ms and 1s", d.RetryAfter, d.Reset)
			}
			if got, _ := allow(t, l.Limiter, Query, "b", 64); got != 64 {
				t.Errorf("another app: %d of 64, want 64", got)
			}
			if got, _ := allow(t, l.Limiter, Action, "a", 20); got != 8 {
				t.Errorf("another class: %d of 20, want 8", got)
			}
			l.advance(250 * time.Millisecond)
			got, d = allow(t, l.Limiter, Query, "a", 1)
			if got != 1 || d.Remaining != 15 || d.RetryAfter != 0 {
				t.Errorf("a quarter of a second later: %+v, want 15 more", d)
			}
			if got, _ := allow(t, l.Limiter, Query, "a", 50); got != 15 {
				t.Errorf("a quarter of a second later: %d of 50 more, want 15", got)
			}
			l.advance(2 * time.Second)
			if got, _ := allow(t, l.Limiter, Query, "a", 96); got != 64 {
				t.Errorf("two seconds later: %d of 96, want 64", got)
			}
		})
	}
}

func near(got, want time.Duration) bool {
	d := got - want
	return -time.Millisecond <= d && d <= time.Millisecond
}

func TestDefaults(t *testing.T) {
	l := newLimiter(t, DefaultConfig(), Options{Now: newClock().now})
	for class, want := range map[Class]int{Log: 1000, Query: 100, Action: 10, Check: 2000, Mint: 10, Admin: 10} {
		if got, _ := allow(t, l, class, "a", 2*want); got != want {
			t.Errorf("%s: %d, want %d", class, got, want)
		}
	}
	if _, err := l.Allow(t.Context(), "nothing", "a"); err == nil {
		t.Error("a class that there is not is allowed")
	}
}

func TestConfigValidate(t *testing.T) {
	if err := DefaultConfig().Validate(); err != nil {
		t.Errorf("defaults: %v", err)
	}
	cfg := DefaultConfig()
	cfg.Log, cfg.Admin, cfg.FailedAuth = 0, -1, maxRate+1
	err := cfg.Validate()
	want := "limits.log: must be 1 to 1000000\nlimits.admin: must be 1 to 1000000\nlimits.failed_auth: must be 1 to 1000000"
	if err == nil || err.Error() != want {
		t.Errorf("Validate = %v, want %s", err, want)
	}
	if _, err := New(cfg, Options{}); err == nil {
		t.Error("New takes a bad Config")
	}
}

func TestNewRefuses(t *testing.T) {
	_, c := miniRedis(t)
	if _, err := New(DefaultConfig(), Options{Redis: c}); err == nil {
		t.Error("New takes Redis without Key")
	}
	plain := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1"})
	defer plain.Close()
	if _, err := New(DefaultConfig(), Options{Redis: plain, Key: testKey}); err == nil || !strings.Contains(err.Error(), "ContextTimeoutEnabled") {
		t.Errorf("New with a client that can hang = %v", err)
	}
}

func TestRedisShared(t *testing.T) {
	m, c := miniRedis(t)
	one, two := newLimiter(t, exactRates(), Options{Redis: c}), newLimiter(t, exactRates(), Options{Redis: c})
	a, _ := allow(t, one, Action, "a", 7)
	b, _ := allow(t, two, Action, "a", 7)
	if a != 7 || b != 1 {
		t.Errorf("two gateways allow %d and %d, want 7 and 1", a, b)
	}
	// redis_rate puts its own word before the key; the hash tag stays.
	if got, want := m.Keys(), []string{"rate:pc:{a:a}:rl:action"}; !cmp.Equal(got, want) {
		t.Errorf("keys = %v, want %v", got, want)
	}
}

// A step back of the Redis host's clock must not refuse an app for as long as
// the step.
func TestRedisClockStepsBack(t *testing.T) {
	m, c := miniRedis(t)
	l := newLimiter(t, exactRates(), Options{Redis: c})
	if got, _ := allow(t, l, Action, "a", 20); got != 8 {
		t.Fatalf("%d of 20, want 8", got)
	}
	m.SetTime(time.Unix(1790000000-3600, 0))
	got, d := allow(t, l, Action, "a", 20)
	if got != 8 || d.Reset > period || d.RetryAfter > period {
		t.Errorf("an hour back: %d of 20 and %+v; want 8 and no wait over a second", got, d)
	}
	// A step within a period heals by itself within it.
	m.SetTime(time.Unix(1790000000-3601, 0).Add(950 * time.Millisecond))
	if _, d := allow(t, l, Action, "a", 1); d.RetryAfter > period {
		t.Errorf("50 ms back: wait %s, want at most a second", d.RetryAfter)
	}
	m.SetTime(time.Unix(1790000000, 0))
	if got, _ := allow(t, l, Action, "a", 20); got != 8 {
		t.Errorf("an hour forward: %d of 20, want 8", got)
	}
}

func TestRedisDown(t *testing.T) {
	m, c := miniRedis(t)
	clock := newClock()
	nodes := 4
	l := newLimiter(t, DefaultConfig(), Options{Redis: c, Now: clock.now, Nodes: func() int { return nodes }})
	if _, d := allow(t, l, Query, "a", 1); d.Degraded || l.Degraded() {
		t.Fatalf("%+v with Redis up", d)
	}
	m.SetError("LOADING Redis is loading the dataset in memory")
	got, d := allow(t, l, Query, "a", 100)
	if got != 25 || d.Limit != 25 || !d.Degraded || !l.Degraded() {
		t.Errorf("%d of 100 and %+v, want the share of one in 4: 25", got, d)
	}
	for _, class := range []Class{Mint, Admin} {
		if d, err := l.Allow(t.Context(), class, "a"); !errors.Is(err, ErrUnavailable) || d.Allowed {
			t.Errorf("Allow(%s) = %+v, %v; want ErrUnavailable", class, d, err)
		}
	}
	nodes = 0
	if got, _ := allow(t, l, Action, "a", 20); got != 10 {
		t.Errorf("nobody counts the nodes: %d of 20, want 10", got)
	}
	nodes = 1000
	if got, _ := allow(t, l, Action, "b", 5); got != 1 {
		t.Errorf("more nodes than rate: %d of 5, want 1", got)
	}

	m.SetError("")
	if _, d := allow(t, l, Query, "c", 1); !d.Degraded {
		t.Error("the breaker let a caller through within its second")
	}
	clock.advance(breakFor)
	if _, d := allow(t, l, Query, "c", 1); d.Degraded || l.Degraded() {
		t.Errorf("%+v a second after Redis came back", d)
	}
	if _, err := l.Allow(t.Context(), Admin, "a"); err != nil {
		t.Errorf("Allow(admin) after Redis came back: %v", err)
	}
}

// A caller that leaves says nothing about Redis.
func TestCallerLeaves(t *testing.T) {
	_, c := miniRedis(t)
	l := newLimiter(t, DefaultConfig(), Options{Redis: c})
	gone, leave := context.WithCancel(t.Context())
	leave()
	for range 3 * breakAfter {
		if _, err := l.Allow(gone, Log, "a"); err != nil {
			t.Fatal(err)
		}
	}
	if l.Degraded() {
		t.Error("callers that left opened the breaker")
	}
	if _, d := allow(t, l, Log, "a", 1); d.Degraded {
		t.Errorf("%+v, want a decision of Redis", d)
	}
}

func TestBreaker(t *testing.T) {
	clock := newClock()
	b := breaker{now: clock.now}
	for range breakAfter {
		if !b.ask() {
			t.Fatal("closed breaker refuses")
		}
		b.done(failed)
	}
	if b.ask() || !b.open() {
		t.Fatal("still closed after 5 failures")
	}
	clock.advance(breakFor)
	if !b.ask() {
		t.Fatal("nobody may try after a second")
	}
	if b.ask() {
		t.Error("two try at once")
	}
	b.done(failed)
	if b.ask() {
		t.Error("a failed try closed it")
	}
	clock.advance(breakFor)
	if !b.ask() {
		t.Fatal("nobody may try after another second")
	}
	b.done(abandoned)
	if !b.ask() {
		t.Error("a try that was given up blocks the next")
	}
	b.done(answered)
	if b.open() || !b.ask() || !b.ask() {
		t.Error("an answer did not close it")
	}
}

func TestAllowRace(t *testing.T) {
	clock := newClock()
	_, c := miniRedis(t)
	for name, o := range map[string]Options{"local": {Now: clock.now}, "redis": {Redis: c}} {
		t.Run(name, func(t *testing.T) {
			l := newLimiter(t, exactRates(), o)
			var allowed atomic.Int32
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					for range 25 {
						d, err := l.Allow(t.Context(), Query, "a")
						if err != nil || d.Degraded {
							t.Errorf("Allow = %+v, %v", d, err)
						}
						if d.Allowed {
							allowed.Add(1)
						}
					}
				})
			}
			wg.Wait()
			if got := allowed.Load(); got != 64 {
				t.Errorf("%d of 200 allowed, want 64", got)
			}
		})
	}
}

// A Redis that hangs costs a decision ten milliseconds, then none.
func TestRedisHangs(t *testing.T) {
	m, _ := miniRedis(t)
	wire := newLine(t, m.Addr())
	l := newLimiter(t, DefaultConfig(), Options{Redis: client(t, wire.Addr().String()), Nodes: func() int { return 2 }})
	if _, d := allow(t, l, Check, "a", 1); d.Degraded {
		t.Fatalf("%+v before Redis hangs", d)
	}
	generous := l.timeout
	l.timeout = redisTimeout
	wire.hung.Store(true)
	start, asked := time.Now(), wire.came.Load()
	for i := range 500 {
		d, err := l.Allow(t.Context(), Check, engines.AppID(fmt.Sprint("app-", i)))
		if err != nil || !d.Degraded || d.Limit != 1000 {
			t.Fatalf("Allow while Redis hangs = %+v, %v; want a share of 1000", d, err)
		}
	}
	// Five ask in vain, each over a connection that is of no use any more; were it all of
	// them it would be 5 s, and 5 s each without ContextTimeoutEnabled.
	if n := wire.came.Load() - asked; n > 100 {
		t.Errorf("%d of 500 asked while Redis hangs, want some 5", n)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("500 decisions while Redis hangs took %s, want some 50 ms", took)
	}
	if _, err := l.Allow(t.Context(), Admin, "a"); !errors.Is(err, ErrUnavailable) {
		t.Errorf("Allow(admin) while Redis hangs = %v, want ErrUnavailable", err)
	}
	wire.hung.Store(false)
	l.timeout = generous
	// Others are kept away from Redis for a second; who administers is not.
	if _, err := l.Allow(t.Context(), Admin, "a"); err != nil {
		t.Errorf("Allow(admin) once Redis answers = %v", err)
	}
	for range 100 {
		if _, d := allow(t, l, Check, "a", 1); !d.Degraded {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("Redis answers again and is not asked")
}

// The real server runs the same script and counts for all gateways.
func TestRealRedis(t *testing.T) {
	c := realRedis(t)
	app := engines.AppID(rand.Text())
	one, two := newLimiter(t, DefaultConfig(), Options{Redis: c}), newLimiter(t, DefaultConfig(), Options{Redis: c})
	start := time.Now()
	allowed := 0
	for range 20 {
		for _, l := range []*Limiter{one, two} {
			d, err := l.Allow(t.Context(), Action, app)
			if err != nil || d.Degraded {
				t.Fatalf("Allow = %+v, %v; want a decision of Redis", d, err)
			}
			if d.Allowed {
				allowed++
			}
		}
	}
	if most := 11 + int(time.Since(start)*10/time.Second); allowed < 10 || allowed > most {
		t.Errorf("%d of 40 allowed, want 10 to %d", allowed, most)
	}
}

func BenchmarkAllowLocal(b *testing.B) {
	l, err := New(DefaultConfig(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := l.Allow(b.Context(), Log, "a"); err != nil {
			b.Fatal(err)
		}
	}
}
