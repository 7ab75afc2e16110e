package limit

import (
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// steadily makes rounds of n requests, leaseSpan apart.
func steadily(t *testing.T, l *Limiter, clock *fakeClock, set func(time.Time), app engines.AppID, rounds, n int) (allowed int) {
	t.Helper()
	for range rounds {
		clock.advance(leaseSpan)
		set(clock.now())
		got, _ := allow(t, l, Query, app, n)
		allowed += got
	}
	return allowed
}

// An app that asks steadily has most of its requests granted by what was taken at once,
// and none is lost to it; what is taken is a tenth of the rate at most, and lasts no longer
// than a second.
func TestLease(t *testing.T) {
	m, c := miniRedis(t)
	clock := newClock()
	l := newLimiter(t, DefaultConfig(), Options{Redis: c, Now: clock.now})
	rate := DefaultConfig().Rate(Query)
	part := rate / leasePart
	if part < 5 {
		t.Fatalf("a rate of %d shows nothing", rate)
	}
	if _, err := c.Ping(t.Context()).Result(); err != nil { // connects
		t.Fatal(err)
	}
	allow(t, l, Query, "another", 1) // Redis knows the script now
	before := m.CommandCount()
	allow(t, l, Query, "another", 1)
	each := m.CommandCount() - before // with those of the script
	before = m.CommandCount()
	if got := steadily(t, l, clock, m.SetTime, "a", 50, part-1); got != 50*(part-1) {
		t.Errorf("%d of %d steady requests are allowed", got, 50*(part-1))
	}
	// The first round knows of no other, after that each asks once, or twice where what is
	// left over is not enough.
	if n := (m.CommandCount() - before) / each; n > part-1+2*50 {
		t.Errorf("Redis is asked %d times for %d requests", n, 50*(part-1))
	}
	// What is left over is granted without Redis, and then not.
	m.SetError("LOADING Redis is loading the dataset in memory")
	shared := 0
	for range rate {
		if d, err := l.Allow(t.Context(), Query, "a"); err == nil && !d.Degraded && d.Allowed {
			shared++
		}
	}
	if shared > part {
		t.Errorf("%d are granted out of what was taken, %d at most may be", shared, part)
	}
	m.SetError("")
	clock.advance(breakFor + leaseFor)
	m.SetTime(clock.now())
	steadily(t, l, clock, m.SetTime, "a", 3, part-1)
	l.leases.mu.Lock()
	s := l.leases.of[limited{"a", Query}]
	s.left = part
	s.until = clock.now().Add(leaseFor)
	l.leases.mu.Unlock()
	clock.advance(leaseFor)
	if _, ok, n := l.leases.take(limited{"a", Query}, rate); ok || n != 1 {
		t.Errorf("granted %v out of what is over, %d asked for after a rest", ok, n)
	}
}

// However gateways share an app, they grant no more than its rate and what each had left.
func TestLeasesShareTheRate(t *testing.T) {
	m, c := miniRedis(t)
	clock := newClock()
	rate := DefaultConfig().Rate(Query)
	var list []*Limiter
	for range 3 {
		list = append(list, newLimiter(t, DefaultConfig(), Options{Redis: c, Now: clock.now}))
	}
	const seconds = 5
	allowed := 0
	for range seconds * int(time.Second/leaseSpan) {
		clock.advance(leaseSpan)
		m.SetTime(clock.now())
		var wg sync.WaitGroup
		var mu sync.Mutex
		for _, l := range list {
			wg.Go(func() {
				got, _ := allow(t, l, Query, "a", rate/5)
				mu.Lock()
				defer mu.Unlock()
				allowed += got
			})
		}
		wg.Wait()
	}
	if most, least := rate*(seconds+1), rate*seconds*9/10; allowed > most || allowed < least {
		t.Errorf("%d allowed in %d s of %d a second, want %d to %d", allowed, seconds, rate, least, most)
	}
	for key := range list[0].leases.of {
		if key != (limited{"a", Query}) {
			t.Errorf("a lease of %v", key)
		}
	}
}

func TestLeasesAreBounded(t *testing.T) {
	clock := newClock()
	l := leases{now: clock.now, of: map[limited]*lease{}}
	for i := range appsKept + 10 {
		l.take(limited{engines.AppID(rune(i)), Query}, 100)
	}
	if len(l.of) > appsKept {
		t.Errorf("%d are kept", len(l.of))
	}
}
