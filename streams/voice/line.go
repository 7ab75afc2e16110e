package voice

import (
	"context"
	"sync"
)

// standing is where a call is on the way of its windows to the desk.
type standing int

const (
	away     standing = iota // none of its windows waits
	waiting                  // with a window of speech that goes on
	pressing                 // with one of speech that has paused or ended
	atDesk
)

// line is the queue of calls that have windows. Who has stopped speaking goes first:
// that window has the last word of a phrase, while one of speech that goes on is looked
// at again anyhow. So of those at most so many are at the desk at once, and the more
// speak, the less often each is looked at. A call stands here once at most and is in one
// pair of hands at most, so the queue is bounded by the calls.
type line struct {
	mu     sync.Mutex
	came   *sync.Cond
	first  []*Call // pressing
	others []*Call
	looks  int // of speech that goes on, at the desk
	most   int // of those
	closed bool
}

func newLine(most int) *line {
	l := &line{most: most}
	l.came = sync.NewCond(&l.mu)
	return l
}

// put has a call stand in line, since a window came. One that waits already moves ahead
// where the window presses; one that is at the desk is put back by done.
func (l *line) put(c *Call, press bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stand(c, press)
}

// stand is put with mu held.
func (l *line) stand(c *Call, press bool) {
	switch {
	case c.stands == away && press, c.stands == waiting && press:
		l.leave(c)
		c.stands, l.first = pressing, append(l.first, c)
	case c.stands == away:
		c.stands, l.others = waiting, append(l.others, c)
	default:
		return
	}
	l.came.Signal()
}

// leave takes a call out of the others.
func (l *line) leave(c *Call) {
	for i, other := range l.others {
		if other == c {
			l.others = append(l.others[:i], l.others[i+1:]...)
			return
		}
	}
}

// take waits for the next call; nil once the line is closed. look is set for one whose
// speech goes on.
func (l *line) take() (c *Call, look bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		switch {
		case l.closed:
			return nil, false
		case len(l.first) > 0:
			c = l.first[0]
			l.first = append(l.first[:0], l.first[1:]...)
		case len(l.others) > 0 && l.looks < l.most:
			c = l.others[0]
			l.others = append(l.others[:0], l.others[1:]...)
			l.looks++
			look = true
		default:
			l.came.Wait()
			continue
		}
		c.stands = atDesk
		return c, look
	}
}

// done is called by who took a call: it stands behind the others where it has more.
func (l *line) done(c *Call, look bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if look {
		l.looks--
	}
	c.stands = away
	if some, press := c.mail.waits(); some {
		l.stand(c, press)
	}
	l.came.Signal() // another look may be taken now
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
