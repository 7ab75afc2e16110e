package voice

import (
	"context"
	"slices"
	"sync"
)

// urgency is how much a window is waited for.
type urgency int

const (
	// look: speech goes on, and is looked at again anyhow.
	look urgency = iota
	// last: it has ended. What was said was looked at when it paused; this is the look of the
	// model that hears better and takes its time.
	last
	// press: nobody speaks just now, and the last word of a phrase has not been looked at.
	press
	nothing urgency = -1
)

// standing is where a call is on the way of its windows to the desk.
type standing int

const (
	away    standing = iota // none of its windows waits
	waiting                 // in the queue of its next window's urgency
	atDesk
)

// line is the queue of calls that have windows. Who has paused goes first, whatever else is
// at the desk: that window has the last word of a phrase. As many of those are there as
// there are processors, since two that share one both end late. Of those that have stopped
// and of those that speak on, in this order, so many are there at once that they leave
// processors to who pauses meanwhile: the more speak, the less often each is looked at. A call stands here once at most and is in one pair of hands at most, so the queue is
// bounded by the calls.
type line struct {
	mu     sync.Mutex
	came   *sync.Cond
	queues [press + 1][]*Call // by urgency
	here   [2]int             // at the desk: that do not press, and that do
	most   [2]int             // of those
	closed bool
}

// newLine makes a line for so many at the desk that do not press, and that do.
func newLine(others, pressing int) *line {
	l := &line{most: [2]int{others, pressing}}
	l.came = sync.NewCond(&l.mu)
	return l
}

// put has a call stand in line, since a window came. One that waits already moves ahead
// where the window is more urgent; one that is at the desk is put back by done.
func (l *line) put(c *Call, u urgency) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stand(c, u)
}

// stand is put with mu held.
func (l *line) stand(c *Call, u urgency) {
	switch {
	case c.stands == atDesk, c.stands == waiting && u <= c.urgent:
		return
	case c.stands == waiting:
		q := &l.queues[c.urgent]
		*q = slices.DeleteFunc(*q, func(other *Call) bool { return other == c })
	}
	c.stands, c.urgent = waiting, u
	l.queues[u] = append(l.queues[u], c)
	l.came.Signal()
}

// take waits for the next call, and says how urgent it is; nil once the line is closed.
func (l *line) take() (*Call, urgency) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.closed {
		for u := press; u >= look; u-- {
			if len(l.queues[u]) == 0 || l.here[u/press] >= l.most[u/press] {
				continue
			}
			c := l.queues[u][0]
			l.queues[u] = slices.Delete(l.queues[u], 0, 1)
			l.here[u/press]++
			c.stands = atDesk
			return c, u
		}
		l.came.Wait()
	}
	return nil, nothing
}

// done is called by who took a call: it stands behind the others where it has more.
func (l *line) done(c *Call, u urgency) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.here[u/press]--
	c.stands = away
	if next := c.mail.waits(); next != nothing {
		l.stand(c, next)
	}
	l.came.Signal() // another may be taken now
}

// closeWith ends all waiting once ctx does.
func (l *line) closeWith(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.closed = true
		l.came.Broadcast()
	})
}
