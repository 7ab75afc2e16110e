package limit

import (
	"math/rand/v2"
	"net/netip"
	"strconv"
	"sync"
	"testing"
	"time"
)

func prefix(s string) netip.Prefix { return netip.MustParsePrefix(s) }

func TestFailures(t *testing.T) {
	clock := newClock()
	f := NewFailures(50, clock.now)
	from, other := prefix("203.0.113.9/32"), prefix("198.51.100.7/32")
	for i := range 50 {
		if retry, blocked := f.Blocked(from); blocked || retry != 0 {
			t.Fatalf("blocked after %d failures, retry in %s", i, retry)
		}
		f.Charge(from)
	}
	if retry, blocked := f.Blocked(from); !blocked || retry != 20*time.Millisecond {
		t.Errorf("after 50 failures: blocked %v, retry in %s; want 20 ms", blocked, retry)
	}
	if _, blocked := f.Blocked(other); blocked {
		t.Error("another address is blocked too")
	}
	clock.advance(20 * time.Millisecond)
	if _, blocked := f.Blocked(from); blocked {
		t.Error("still blocked when it may retry")
	}
	// Failures that raced past Blocked don't add up beyond a second.
	for range 10_000 {
		f.Charge(from)
	}
	if retry, blocked := f.Blocked(from); !blocked || retry > period {
		t.Errorf("after 10,000 more: blocked %v for %s, want at most a second", blocked, retry)
	}
	clock.advance(period)
	if _, blocked := f.Blocked(from); blocked {
		t.Error("blocked a second later")
	}
}

// Valid credentials cost nothing: asking is not charging.
func TestFailuresAskingIsFree(t *testing.T) {
	f := NewFailures(1, newClock().now)
	for range 1000 {
		if _, blocked := f.Blocked(prefix("203.0.113.9/32")); blocked {
			t.Fatal("asking was charged")
		}
	}
}

// Cases auth-ratelimit-01 and 04: five pass, the next is told when to retry.
func TestRateLimitCases(t *testing.T) {
	cfg := DefaultConfig()
	cfg.Action = 5
	l := newLimiter(t, cfg, Options{Now: newClock().now})
	got, d := allow(t, l, Action, "a", 10)
	if got != 5 {
		t.Errorf("%d of 10, want 5", got)
	}
	_, _, retry := Headers(d, Action)
	if n, err := strconv.Atoi(retry); err != nil || n < 1 {
		t.Errorf("Retry-After = %q, want whole seconds, at least 1", retry)
	}
	f := NewFailures(5, newClock().now)
	passed := 0
	for range 10 {
		if _, blocked := f.Blocked(prefix("203.0.113.9/32")); !blocked {
			passed++
			f.Charge(prefix("203.0.113.9/32"))
		}
	}
	if passed != 5 {
		t.Errorf("%d of 10 failures passed, want 5", passed)
	}
}

func TestGCRABounded(t *testing.T) {
	clock := newClock()
	g := newGCRA[int](1000, clock.now)
	for i := range 100_000 {
		g.take(i, 1)
		if i%10 == 0 {
			clock.advance(time.Millisecond)
		}
	}
	if got := g.len(); got > 2000 {
		t.Errorf("%d keys, want at most 2000", got)
	}
	clock.advance(2 * period)
	g.take(0, 1)
	if got := g.len(); got != 1 {
		t.Errorf("%d keys after two idle periods, want 1", got)
	}
}

// Compared with a limiter that forgets nothing: changing generations never
// lets anything through.
func TestGCRAModel(t *testing.T) {
	const seed = 20260101
	r := rand.New(rand.NewPCG(seed, seed))
	clock := newClock()
	g := newGCRA[int](1000, clock.now)
	model := map[int]time.Time{}
	const rate = 5
	for i := range 50_000 {
		clock.advance(time.Duration(r.Int64N(int64(20 * time.Millisecond))))
		now, key := clock.now(), r.IntN(20)
		at := model[key]
		if at.Before(now) {
			at = now
		}
		want := !at.Add(period / rate).After(now.Add(period))
		if want {
			model[key] = at.Add(period / rate)
		}
		if got := g.take(key, rate).Allowed; got != want {
			t.Fatalf("step %d (seed %d): take = %v, want %v", i, seed, got, want)
		}
	}
}

func TestFailuresRace(t *testing.T) {
	f := NewFailures(50, nil)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				from := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}), 32)
				f.Charge(from)
				f.Blocked(from)
			}
		})
	}
	wg.Wait()
	if got := f.gcra.len(); got == 0 || got > 2*addressesKept {
		t.Errorf("%d addresses", got)
	}
}

func TestHeaders(t *testing.T) {
	tests := []struct {
		d                    Decision
		class                Class
		policy, limit, retry string
	}{
		{Decision{Allowed: true, Limit: 1000, Remaining: 999, Reset: time.Millisecond}, Log, `"log";q=1000;w=1`, `"log";r=999;t=1`, ""},
		{Decision{Allowed: true, Limit: 100, Remaining: 0, Reset: time.Second}, Query, `"query";q=100;w=1`, `"query";r=0;t=1`, ""},
		{Decision{Limit: 10, Reset: time.Second, RetryAfter: 100 * time.Millisecond}, Action, `"action";q=10;w=1`, `"action";r=0;t=1`, "1"},
		{Decision{Limit: 10, Reset: 3 * time.Second, RetryAfter: 2001 * time.Millisecond}, Admin, `"admin";q=10;w=1`, `"admin";r=0;t=3`, "3"},
	}
	for _, test := range tests {
		policy, limit, retry := Headers(test.d, test.class)
		if policy != test.policy || limit != test.limit || retry != test.retry {
			t.Errorf("Headers(%+v) = %s, %s, %q; want %s, %s, %q", test.d, policy, limit, retry, test.policy, test.limit, test.retry)
		}
	}
	for d, want := range map[time.Duration]string{-1: "1", 0: "1", 1: "1", time.Second: "1", time.Second + 1: "2"} {
		if got := RetryAfter(d); got != want {
			t.Errorf("RetryAfter(%s) = %s, want %s", d, got, want)
		}
	}
}
