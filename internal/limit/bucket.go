package limit

import "time"

// Bucket is a token bucket for one stream session: a value without lock or
// goroutine that its owner keeps. It starts full; the zero value refuses
// everything.
type Bucket struct {
	interval time.Duration // between two tokens
	burst    time.Duration // burst tokens' worth of time
	full     time.Time     // when it is full again
}

// NewBucket returns a full bucket of burst tokens that fills at perSecond. Less
// than one of either is one.
func NewBucket(perSecond, burst int) Bucket {
	interval := time.Second / time.Duration(max(1, perSecond))
	return Bucket{interval: interval, burst: interval * time.Duration(max(1, burst))}
}

// Take takes a token, or says how long until there is one.
func (b *Bucket) Take(now time.Time) (ok bool, retry time.Duration) {
	full := b.full
	if full.Before(now) {
		full = now
	}
	full = full.Add(b.interval)
	if over := full.Sub(now) - b.burst; over > 0 || b.interval == 0 {
		return false, max(over, 1)
	}
	b.full = full
	return true, 0
}
