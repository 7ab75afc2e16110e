package batch

import (
	"context"
	"time"
)

const (
	// slice is how long a worker goes on before it rests: some lines. A verdict that
	// becomes due on its processor waits for no more than that, whatever the kernel makes
	// of priorities: it lets a thread finish the turn that it has begun.
	slice = 200 * time.Microsecond
	// liveWithin is for how long after a verdict that somebody waited for there is
	// taken to be live traffic.
	liveWithin = 500 * time.Millisecond
)

// pace gives a worker's time to what is live: while there is traffic it works its share
// of the time and rests for the remainder. It is one worker's alone.
type pace struct {
	live  func() uint64
	share float64 // of the time
	pause func(ctx context.Context, d time.Duration) bool

	seen  uint64
	until time.Time // live traffic is taken to last until then
	began time.Time // of this slice
}

// begin is called before a chunk: what went by since the last was no work.
func (p *pace) begin() { p.began = time.Now() }

// rest is called between two lines: it returns at once, or after a pause.
func (p *pace) rest(ctx context.Context) {
	now := time.Now()
	worked := now.Sub(p.began)
	if worked < slice {
		return
	}
	if n := p.live(); n != p.seen {
		p.seen, p.until = n, now.Add(liveWithin)
	}
	if now.Before(p.until) && p.share < 1 {
		p.pause(ctx, time.Duration(float64(worked)*(1-p.share)/p.share))
	}
	p.began = time.Now()
}
