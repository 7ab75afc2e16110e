package chat

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

const (
	// touchEvery is how often a session's life in Redis is prolonged.
	touchEvery = session.ResumeWindow / 2
	// knownFor is how long after a takeover the bus may bring what the logs brought.
	knownFor = 10 * time.Second
	// savesPerSweep bounds how many unsaved sessions are tried again each second.
	savesPerSweep = 100
)

// sweep finds what time alone decides. It is the only timer of all sessions.
func (h *Hub) sweep(now time.Time) {
	var silent []*link
	var over, unsaved []*Session
	h.mu.RLock()
	for _, s := range h.sessions {
		s.mu.Lock()
		switch {
		case s.link != nil && s.link.silentFor(now) > wire.MaxHeartbeatSkew*h.cfg.Heartbeat:
			silent = append(silent, s.link)
		case s.link == nil && !s.detached.IsZero() && now.Sub(s.detached) > session.ResumeWindow:
			over = append(over, s)
		}
		if s.unsaved && len(unsaved) < savesPerSweep {
			unsaved = append(unsaved, s)
		}
		if s.link != nil && now.Sub(s.touched) > touchEvery {
			if !s.touched.IsZero() && s.known != nil {
				s.known = nil
			}
			s.touched = now
			h.deps.Behind.Touch(s.id, s.app, s.player)
		}
		s.mu.Unlock()
	}
	for f := range h.feeds {
		if f.link.silentFor(now) > wire.MaxHeartbeatSkew*h.cfg.Heartbeat {
			silent = append(silent, f.link)
		}
	}
	h.mu.RUnlock()
	for _, l := range silent {
		l.closeLater(wire.CloseHeartbeat, "heartbeat lost")
	}
	for _, s := range over {
		s.end(wire.CloseReconnect, "resume window over")
	}
	if len(unsaved) > 0 {
		h.spawn(func() { h.save(unsaved) })
	}
}

// silentFor is how long nothing was heard on the connection.
func (l *link) silentFor(now time.Time) time.Duration {
	last := max(l.since.Unix(), l.heard.Load(), l.alive.Load())
	return now.Sub(time.Unix(last, 0))
}

// save stores sessions that Redis did not take; the first failure ends the try.
func (h *Hub) save(list []*Session) {
	for _, s := range list {
		if h.create(context.Background(), s) != nil {
			return
		}
		s.saveJoined()
	}
}

// Drain sends every session away and waits for them, at most until ctx ends:
// each is told when to come back and closed at a moment of its own within
// Config.Drain, so that they do not all come back at once. Their state stays in
// Redis for the gateway that they come back to.
func (h *Hub) Drain(ctx context.Context) error {
	h.mu.Lock()
	h.closing = true
	links := make([]*link, 0, len(h.sessions)+len(h.feeds))
	for _, s := range h.sessions {
		s.mu.Lock()
		if s.link != nil {
			links = append(links, s.link)
		}
		s.mu.Unlock()
	}
	for f := range h.feeds {
		links = append(links, f.link)
	}
	h.mu.Unlock()
	// A thousand a second at most, and no longer than need be.
	window := min(h.cfg.Drain, time.Duration(len(links))*time.Millisecond)
	for _, l := range links {
		after := time.Duration(rand.Int64N(int64(window) + 1))
		h.spawn(func() {
			_ = l.write(wire.AppendDrain(nil, after+window)) // a client that has gone needs none
			select {
			case <-time.After(after):
			case <-ctx.Done():
			}
			l.close(wire.CloseRestart, "going down")
		})
	}
	err := h.deps.Behind.Flush(ctx)
	done := make(chan struct{}) // closed, never sent to
	go func() {
		h.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		for _, l := range links {
			_ = l.ws.CloseNow() // unblocks its goroutines
		}
		<-done
	}
	return err
}
