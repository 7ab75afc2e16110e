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
	rate, burst int32
	full        time.Duration // when the bucket is full again, since begun
}

// set sets the rate of a bucket that nobody takes from yet.
func (b *bucket) set(rate, burst int) { b.rate, b.burst = int32(rate), int32(burst) }

// begun is when buckets begin to count, by the monotonic clock.
var begun = time.Now()

// take takes one message, or says how long until one may be taken.
func (b *bucket) take(now time.Time) (wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	each := time.Second / time.Duration(b.rate)
	at := now.Sub(begun)
	full := max(b.full, at)
	if ahead := full - at + each - each*time.Duration(b.burst); ahead > 0 {
		return ahead
	}
	b.full = full + each
	return 0
}
