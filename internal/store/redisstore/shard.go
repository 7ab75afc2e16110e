package redisstore

import (
	"strings"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
)

type opKind uint8

const (
	opLog opKind = iota
	opJoin
	opTouch
	opScene
	opAnswer
	opFeed
)

// op is one queued operation; which fields it has depends on its kind.
type op struct {
	kind   opKind
	sid    engines.SessionID
	app    engines.AppID
	player engines.PlayerID
	scene  engines.SceneID
	fence  int64
	seq    uint64
	id     string
	data   []byte
	entry  *session.SceneEntry
	answer *session.Answer
}

// kept reports whether the operation's loss makes its session unresumable.
func (o *op) kept() bool { return o.kind == opLog || o.kind == opJoin }

// size is roughly what the operation holds in memory.
func (o *op) size() int { return 256 + len(o.data) + len(o.id) }

// refused tells that Redis turned a write down because the session has another
// owner by now: its log went on with a higher fence.
func refused(err error) bool {
	return strings.Contains(err.Error(), "equal or smaller than the target stream top item") ||
		strings.HasPrefix(err.Error(), "MOVED_AWAY ")
}

// shard is one queue and its flusher, which sleeps while there is nothing to do.
type shard struct {
	mu      sync.Mutex
	ops     []op
	bytes   int
	lost    map[engines.SessionID]struct{}
	closed  bool
	waiters []waiter
	in, out uint64 // operations ever queued, and done
	wake    chan struct{}
	full    chan struct{}
}

type waiter struct {
	until uint64
	done  chan struct{}
}

func newShard() *shard {
	// One token is enough: it says "look", not how often.
	return &shard{wake: make(chan struct{}, 1), full: make(chan struct{}, 1)}
}

// put queues an operation, or notes its loss when Redis is down or there is no room.
func (s *shard) put(o op, healthy bool) bool {
	s.mu.Lock()
	count, bytes := behindQueue, behindBytes
	if !o.kept() {
		count, bytes = count/4*3, bytes/4*3
	}
	ok := healthy && !s.closed && len(s.ops) < count && s.bytes+o.size() <= bytes
	switch {
	case ok:
		s.ops = append(s.ops, o)
		s.bytes += o.size()
		s.in++
	case o.kept():
		if s.lost == nil {
			s.lost = make(map[engines.SessionID]struct{})
		}
		s.lost[o.sid] = struct{}{}
	}
	batch := len(s.ops) >= behindBatch
	wake := ok && len(s.ops) == 1 || !ok && o.kept()
	s.mu.Unlock()
	if wake {
		signal(s.wake)
	}
	if batch {
		signal(s.full)
	}
	return ok
}

func signal(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default: // it is awake already
	}
}

func (s *shard) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	signal(s.wake)
	signal(s.full)
}

// settled is closed when all that is queued now has been dealt with.
func (s *shard) settled() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := waiter{until: s.in, done: make(chan struct{})}
	if s.out >= w.until && len(s.lost) == 0 {
		close(w.done)
		return w.done
	}
	s.waiters = append(s.waiters, w)
	signal(s.full) // don't make it wait for company
	return w.done
}

// run flushes until the shard is closed and empty.
func (s *shard) run(flush func([]op, map[engines.SessionID]struct{})) {
	delay := time.NewTimer(behindDelay)
	defer delay.Stop()
	var batch []op
	for {
		<-s.wake
		delay.Reset(behindDelay)
		select {
		case <-delay.C:
		case <-s.full:
		}
		for {
			lost, more := s.take(&batch)
			if len(batch) == 0 && len(lost) == 0 {
				break
			}
			flush(batch, lost)
			s.done(len(batch))
			clear(batch)
			if !more {
				break
			}
		}
		if s.finished() {
			return
		}
	}
}

// take moves up to one batch out of the queue. more says whether a whole one is
// left, which is written without waiting.
func (s *shard) take(batch *[]op) (lost map[engines.SessionID]struct{}, more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.ops), behindBatch)
	*batch = append((*batch)[:0], s.ops[:n]...)
	for i := range n {
		s.bytes -= s.ops[i].size()
	}
	rest := copy(s.ops, s.ops[n:])
	clear(s.ops[rest:])
	s.ops = s.ops[:rest]
	lost, s.lost = s.lost, nil
	if rest > 0 {
		signal(s.wake)
	}
	return lost, rest >= behindBatch || rest > 0 && s.closed
}

func (s *shard) done(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out += uint64(n)
	left := s.waiters[:0]
	for _, w := range s.waiters {
		if s.out >= w.until {
			close(w.done)
		} else {
			left = append(left, w)
		}
	}
	clear(s.waiters[len(left):])
	s.waiters = left
}

func (s *shard) finished() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed && len(s.ops) == 0 && len(s.lost) == 0
}
