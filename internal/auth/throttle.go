package auth

import (
	"net/netip"
	"sync"
	"time"
)

const (
	freeAttempts  = 5
	firstDelay    = time.Minute
	longestDelay  = 15 * time.Minute
	attemptsKept  = 2 * longestDelay // without an attempt
	throttledKept = 16384            // accounts at addresses
)

// throttle slows the guessing of passwords per account and address: five
// attempts, then one a minute, then one in two minutes, up to one in 15. Half
// an hour without an attempt, or a success, starts afresh.
//
// It is bounded like cache: with more than twice throttledKept accounts at
// addresses the ones idle longest are forgotten. An attempt counts only once it
// has a slot to hash in, so at some 40 a second filling it takes minutes.
type throttle struct {
	now func() time.Time

	mu       sync.Mutex
	attempts *cache[account, attempts]
}

type account struct {
	name string
	from netip.Prefix
}

type attempts struct {
	n    int
	last time.Time
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, attempts: newCache[account, attempts](attemptsKept, throttledKept, now)}
}

// wait returns how long the next attempt has to wait, 0 when it may go ahead.
func (t *throttle) wait(a account) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, wait := t.look(a)
	return wait
}

// attempt counts an attempt, unless it has to wait.
func (t *throttle) attempt(a account) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	have, wait := t.look(a)
	if wait > 0 {
		return wait
	}
	t.attempts.put(a, attempts{n: have.n + 1, last: t.now()}, t.attempts.mark())
	return 0
}

// forget is for a success.
func (t *throttle) forget(a account) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.attempts.remove(a)
}

func (t *throttle) look(a account) (attempts, time.Duration) {
	have, ok := t.attempts.get(a, attemptsKept)
	if !ok || have.n < freeAttempts {
		return have, 0
	}
	delay := longestDelay
	if shift := have.n - freeAttempts; shift < 4 {
		delay = firstDelay << shift
	}
	return have, max(0, have.last.Add(delay).Sub(t.now()))
}
