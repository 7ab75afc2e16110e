package limit

import (
	"sync"
	"time"
)

// An app that asks steadily would have Redis asked for each request of it, and on a busy
// machine that is two more turns to wait for. So a gateway takes as many at once as the app
// asked for in the last leaseSpan, a tenth of the rate at most, and grants those itself.
// Redis has counted them, so that all gateways together grant no more than the rate; what
// is taken and not asked for is lost after leaseFor. An app that was quiet is asked for one
// by one.
const (
	leaseSpan = 100 * time.Millisecond
	leaseFor  = period
	leasePart = 10 // of the rate, one in so many
)

// lease is what was taken for one app and class.
type lease struct {
	left  int
	until time.Time
	said  Decision // of Redis, when it was taken

	began         time.Time // of the span
	asked, asked1 int       // in it, and in the one before
}

// leases are those of all apps.
type leases struct {
	now func() time.Time

	mu sync.Mutex
	// Rule when there are appsKept: those that are over go, and if that is none, all.
	of map[limited]*lease
}

// take grants a request out of what is left, or says how many to ask Redis for.
func (l *leases) take(key limited, rate int) (d Decision, ok bool, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	s := l.of[key]
	if s == nil {
		l.room(now)
		s = &lease{began: now}
		l.of[key] = s
	}
	if since := now.Sub(s.began); since >= leaseSpan || since < 0 {
		s.asked1, s.asked = s.asked, 0
		if since < 0 || since >= 2*leaseSpan {
			s.asked1 = 0
		}
		s.began = now
	}
	s.asked++
	if s.left > 0 && now.Before(s.until) && s.said.Limit == rate {
		s.left--
		d = s.said
		d.Remaining += s.left
		return d, true, 0
	}
	return Decision{}, false, max(1, min(s.asked1, rate/leasePart))
}

// keep keeps what Redis has granted beyond the request that asked.
func (l *leases) keep(key limited, more int, said Decision) {
	if more <= 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.of[key]
	if s == nil {
		return
	}
	now := l.now()
	if !now.Before(s.until) {
		s.left = 0
	}
	s.left, s.until, s.said = s.left+more, now.Add(leaseFor), said
}

func (l *leases) room(now time.Time) {
	if len(l.of) < appsKept {
		return
	}
	for key, s := range l.of {
		if now.Sub(s.began) > leaseFor {
			delete(l.of, key)
		}
	}
	if len(l.of) >= appsKept {
		clear(l.of)
	}
}
