package limit

import (
	"sync"
	"time"
)

const period = time.Second

// gcra limits many keys in process, each to rate a period with a burst of rate.
//
// It is bounded without a sweep. A key that nobody took for a period is as good
// as new, so keys live in two generations that change places every period, and
// what is in the older one when it goes has been idle that long. When a
// generation fills up before its time (keys, in the young one), they change
// early: keys idle longest are forgotten, which favours the caller.
type gcra[K comparable] struct {
	keys int
	now  func() time.Time

	mu         sync.Mutex
	young, old map[K]time.Time // when the key is as good as new
	changed    time.Time
}

func newGCRA[K comparable](keys int, now func() time.Time) *gcra[K] {
	return &gcra[K]{keys: keys, now: now, young: map[K]time.Time{}, changed: now()}
}

// take counts one for key and allows it, or refuses and counts nothing.
func (g *gcra[K]) take(key K, rate int) Decision {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	fresh := g.fresh(key, now)
	interval := period / time.Duration(rate)
	d := decide(fresh.Sub(now), interval, rate)
	if d.Allowed {
		g.store(key, fresh.Add(interval), now)
	}
	return d
}

// charge counts one for key whether or not it is over, but never beyond one
// period's worth: who is over is so for a moment, not for as long as it tried.
func (g *gcra[K]) charge(key K, rate int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	fresh := g.fresh(key, now).Add(period / time.Duration(rate))
	if limit := now.Add(period); fresh.After(limit) {
		fresh = limit
	}
	g.store(key, fresh, now)
}

// look says what take would.
func (g *gcra[K]) look(key K, rate int) Decision {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	return decide(g.fresh(key, now).Sub(now), period/time.Duration(rate), rate)
}

// decide works out a decision for a key that is as good as new in wait.
func decide(wait, interval time.Duration, rate int) Decision {
	burst := interval * time.Duration(rate)
	if over := wait + interval - burst; over > 0 {
		return Decision{Limit: rate, Reset: wait, RetryAfter: over}
	}
	return Decision{
		Allowed: true, Limit: rate, Reset: wait + interval,
		Remaining: int((burst - wait - interval) / interval),
	}
}

// fresh returns when key is as good as new, not before now.
func (g *gcra[K]) fresh(key K, now time.Time) time.Time {
	at, ok := g.young[key]
	if !ok {
		at = g.old[key]
	}
	if at.Before(now) {
		return now
	}
	return at
}

func (g *gcra[K]) store(key K, at, now time.Time) {
	_, have := g.young[key]
	if now.Sub(g.changed) >= period || len(g.young) >= g.keys && !have {
		if now.Sub(g.changed) >= 2*period {
			g.young = nil // nobody stored anything for a whole period: all is idle
		}
		g.old, g.young, g.changed = g.young, make(map[K]time.Time), now
	}
	g.young[key] = at
}

func (g *gcra[K]) len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.young) + len(g.old)
}
