package limit

import (
	"sync"
	"time"
)

const (
	breakAfter = 5
	breakFor   = time.Second
)

// breaker keeps callers away from a Redis that does not answer: after five
// failures in a row nobody asks for a second, then one caller tries.
type breaker struct {
	now func() time.Time

	mu      sync.Mutex
	failed  int
	until   time.Time
	probing bool
}

// ask reports whether the caller may ask. Who may must call done.
func (b *breaker) ask() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed < breakAfter {
		return true
	}
	if b.probing || b.now().Before(b.until) {
		return false
	}
	b.probing = true
	return true
}

type result int

const (
	answered  result = iota
	failed           // no answer, or not a proper one
	abandoned        // the caller left: nothing learnt
)

func (b *breaker) done(r result) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
	switch r {
	case answered:
		b.failed = 0
	case failed:
		b.failed = min(b.failed+1, breakAfter)
		b.until = b.now().Add(breakFor)
	case abandoned:
	}
}

func (b *breaker) open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed >= breakAfter
}
