package review

import "sync"

// queue is a bounded channel that can be closed while others still put. The
// full-rule is the caller's, who learns that nothing was put.
type queue[T any] struct {
	mu     sync.RWMutex
	closed bool
	items  chan T
}

func newQueue[T any](size int) *queue[T] { return &queue[T]{items: make(chan T, size)} }

// put never blocks; false means that the queue is full or closed.
func (q *queue[T]) put(v T) bool {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return false
	}
	select {
	case q.items <- v:
		return true
	default:
		return false
	}
}

// close lets those who range over items end once they have taken what is left.
func (q *queue[T]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.items)
	}
}
