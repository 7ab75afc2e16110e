package chat

import (
	"context"
	"net/netip"
	"sync"
	"sync/atomic"

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
	from  netip.Addr    // the client's
	alive *atomic.Int64 // Unix seconds of the last ping frame
	heard atomic.Int64  // Unix seconds of the last message, or of the connection
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
		// The client may have gone: nothing to do. After Drain nothing is open.
		_ = l.hub.crew.start(func() { _ = l.ws.Close(code, reason) })
	})
}

// drop closes the socket, unless somebody is about to close it with a code: that
// ends with the socket too, and the client is to read the code.
func (l *link) drop() {
	l.once.Do(func() { _ = l.ws.CloseNow() })
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
	if s.ended || s.taken.keeps(body, message, s.hub.cfg.QueueCount) {
		return
	}
	s.enqueue(s.number(body, message))
}

// number gives a body its place in the session and logs it; mu is held.
func (s *Session) number(body []byte, message engines.RequestID) session.Entry {
	s.seq++
	e := session.Entry{Seq: s.seq, Message: message, Frame: body}
	s.log(e)
	if s.hub.deps.Bus.Shared() {
		s.remember(e)
	}
	return e
}

// enqueue is called with mu held. What the flusher has counts until it is written,
// so that no more is ever missing than the log can replay.
func (s *Session) enqueue(e session.Entry) {
	if s.link == nil {
		return
	}
	if s.waiting >= s.hub.cfg.QueueCount || s.bytes+len(e.Frame) > s.hub.cfg.QueueBytes {
		l := s.link
		s.attached(nil)
		l.closeLater(wire.CloseSlow, "reads too slowly")
		return
	}
	s.queue = append(s.queue, push{e.Seq, e.Frame})
	s.waiting++
	s.bytes += len(e.Frame)
	s.wake()
}

// wake starts a flusher when there is something for it; mu is held. One that is
// stuck in a connection before this one does not count.
func (s *Session) wake() {
	if l := s.link; l != nil && s.flushing != l && !s.paused && len(s.queue) > 0 {
		s.flushing = l
		s.hub.crew.start(func() { s.flush(l) })
	}
}

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

// flush writes what waits to l until nothing does or l is no longer the session's.
func (s *Session) flush(l *link) {
	buf := scratch.Get().(*[]byte) //nolint:errcheck // the pool holds nothing else
	defer scratch.Put(buf)
	for {
		batch := s.batch(l)
		if len(batch) == 0 {
			return
		}
		for _, p := range batch {
			*buf = wire.WithSeq((*buf)[:0], p.seq, p.body)
			if l.write(*buf) != nil {
				l.drop() // half a frame may be on its way: no close frame could follow
				s.detach(l)
			}
			if !s.written(l, len(p.body)) {
				return
			}
		}
	}
}

// batch takes what waits for l; nothing ends the flusher.
func (s *Session) batch(l *link) []push {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link == l && !s.paused && len(s.queue) > 0 {
		batch := s.queue
		s.queue = nil
		return batch
	}
	if s.flushing == l {
		s.flushing = nil
	}
	return nil
}

// written counts a push as on its way; false when l is no longer the session's.
func (s *Session) written(l *link, bytes int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.link != l {
		if s.flushing == l {
			s.flushing = nil
		}
		return false
	}
	s.waiting--
	s.bytes -= bytes
	return true
}
