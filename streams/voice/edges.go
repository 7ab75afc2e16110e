package voice

import (
	"sync"
	"sync/atomic"
)

// edges are on the way from who finds speech to the call. They are few: two a stretch of
// speech and one a pause.
type edges struct {
	mu     sync.Mutex
	list   []Edge
	closed bool
	some   atomic.Bool // list is not empty: take is asked with every packet
}

// put adds one, and reports whether the call is to be woken for it.
func (e *edges) put(edge Edge) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	e.list = append(e.list, edge)
	e.some.Store(true)
	return true
}

// take is what was put since, in order.
func (e *edges) take() []Edge {
	if !e.some.Load() {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.list
	e.list = nil
	e.some.Store(false)
	return list
}

// close has no more taken. It works on nil.
func (e *edges) close() {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
}
