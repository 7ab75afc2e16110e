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

// lane is what the workers of a service share: while somebody waits for verdicts, only
// the worker that holds it computes or has a chunk committed, so that a batch is never on
// two processors at once, and a verdict finds another one. It has room for one; rule when
// it is taken: the next worker waits.
type lane chan struct{}

// pace gives a worker's time to what is live: while there is traffic it works its share
// of the time, in the lane, and rests for the remainder. What it worked is what its thread
// ran: on a busy machine the kernel keeps it back already, and to rest for that too would
// starve it. It is one worker's alone.
type pace struct {
	live  func() uint64
	share float64              // of the time
	spent func() time.Duration // what this thread has run so far; always 0 where that is not known
	pause func(ctx context.Context, d time.Duration) bool
	lane  lane

	seen  uint64
	until time.Time     // live traffic is taken to last until then
	began time.Time     // of this slice
	ran   time.Duration // spent then
	holds bool          // the lane
}

// begin is called where work begins that leave ends: what went by since the last was none.
func (p *pace) begin(ctx context.Context) {
	if p.besideLive(time.Now()) && !p.holds {
		select {
		case p.lane <- struct{}{}:
			p.holds = true
		case <-ctx.Done(): // there will be no work
		}
	}
	p.began, p.ran = time.Now(), p.spent()
}

// away runs what may take long and needs no processor of ours; the lane is another's
// meanwhile.
func (p *pace) away(ctx context.Context, f func()) {
	if !p.holds {
		f()
		return
	}
	p.leave()
	f()
	p.begin(ctx)
}

// leave gives the lane to the next.
func (p *pace) leave() {
	if p.holds {
		<-p.lane
		p.holds = false
	}
}

// besideLive reports whether somebody waits for verdicts.
func (p *pace) besideLive(now time.Time) bool {
	if n := p.live(); n != p.seen {
		p.seen, p.until = n, now.Add(liveWithin)
	}
	return p.share < 1 && now.Before(p.until)
}

// rest is called between two lines: it returns at once, or after a pause.
func (p *pace) rest(ctx context.Context) {
	now := time.Now()
	worked := now.Sub(p.began)
	if worked < slice {
		return
	}
	if ran := p.spent(); ran > 0 {
		if worked = min(worked, ran-p.ran); worked < slice {
			return
		}
	}
	p.leave()
	if p.besideLive(now) {
		p.pause(ctx, time.Duration(float64(worked)*(1-p.share)/p.share))
	}
	p.begin(ctx)
}
