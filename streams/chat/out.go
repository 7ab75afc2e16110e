package chat

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// link is one connection. Its reader goroutine writes answers directly; pushes
// go through a flusher that lives only while something waits, so that a resting
// session has one goroutine. Every write has the socket's deadline.
type link struct {
	hub   *Hub
	ws    *websocket.Conn
	alive *atomic.Int64 // Unix seconds of the last ping frame
	heard atomic.Int64  // Unix seconds of the last message
	since time.Time
	once  sync.Once
}

// write sends one frame; it waits for the socket, at most until its deadline.
func (l *link) write(frame []byte) error {
	return l.ws.Write(context.Background(), websocket.MessageText, frame)
}

// closeLater closes the connection with a code without making the caller wait
// for the client. The first code wins.
func (l *link) closeLater(code websocket.StatusCode, reason string) {
	l.once.Do(func() {
		l.hub.m.closed(code)
		l.hub.spawn(func() { _ = l.ws.Close(code, reason) }) // the client may have gone: nothing to do
	})
}

// close closes the connection with a code from its own reader.
func (l *link) close(code websocket.StatusCode, reason string) {
	l.once.Do(func() {
		l.hub.m.closed(code)
		_ = l.ws.Close(code, reason)
	})
}

// push numbers a body, logs it, and queues it for the client. It never waits: a
// full queue (QueueCount or QueueBytes) closes the slow connection with 4008,
// whose session can resume from its log.
func (s *Session) push(body []byte, message engines.RequestID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if message != "" && s.known != nil {
		if _, ok := s.known[message]; ok {
			return
		}
		s.known[message] = struct{}{}
	}
	s.seq++
	s.log(session.Entry{Seq: s.seq, Message: message, Frame: body})
	s.enqueue(push{s.seq, body})
}

// enqueue is called with mu held.
func (s *Session) enqueue(p push) {
	if s.link == nil {
		return
	}
	if len(s.queue) >= s.hub.cfg.QueueCount || s.bytes+len(p.body) > s.hub.cfg.QueueBytes {
		s.queue, s.bytes = nil, 0
		l := s.link
		s.link, s.detached = nil, time.Now()
		l.closeLater(wire.CloseSlow, "reads too slowly")
		return
	}
	s.queue = append(s.queue, p)
	s.bytes += len(p.body)
	s.wake()
}

// wake starts the flusher when there is something for it; mu is held.
func (s *Session) wake() {
	if !s.flushing && !s.paused && len(s.queue) > 0 {
		s.flushing = true
		s.hub.spawn(s.flush)
	}
}

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

func (s *Session) flush() {
	buf := scratch.Get().(*[]byte) //nolint:errcheck // the pool holds nothing else
	defer scratch.Put(buf)
	for {
		s.mu.Lock()
		batch, l := s.queue, s.link
		if len(batch) == 0 || l == nil || s.paused {
			s.flushing = false
			s.mu.Unlock()
			return
		}
		s.queue, s.bytes = nil, 0
		s.mu.Unlock()
		for _, p := range batch {
			*buf = wire.WithSeq((*buf)[:0], p.seq, p.body)
			if l.write(*buf) != nil {
				break // the reader sees the same fault and detaches
			}
		}
	}
}
