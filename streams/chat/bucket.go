package chat

import (
	"sync"
	"time"
)

// bucket is the rate of one player: rate messages a second and burst at once,
// over all its connections here. It counts time alone (the generic cell rate
// algorithm), so its state is one instant.
type bucket struct {
	mu          sync.Mutex
	rate, burst int
	full        time.Time // when the bucket is full again
}

// take takes one message, or says how long until one may be taken.
func (b *bucket) take(now time.Time) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	each := time.Second / time.Duration(b.rate)
	at := b.full
	if at.Before(now) {
		at = now
	}
	if ahead := at.Sub(now) + each - each*time.Duration(b.burst); ahead > 0 {
		return ahead
	}
	b.full = at.Add(each)
	return 0
}
