package chat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

const (
	sweepEvery = time.Second
	// stoodStill is how late a sweep may be until the silence of clients is our own.
	stoodStill = time.Second
	// touchEvery is how often a session's life in Redis is prolonged.
	touchEvery = session.ResumeWindow / 2
	// savesPerSweep bounds how many unsaved sessions are tried again each second.
	savesPerSweep = 100
)

// found is what a sweep has to do once it holds no lock.
type found struct {
	silent        []*link
	over, unsaved []*Session
	feeds         []*feed // to be asked whether they may go on
}

// sweep finds what time alone decides. It is the only timer of all sessions.
func (h *Hub) sweep(now time.Time) {
	var f found
	h.mu.RLock()
	for _, s := range h.sessions {
		s.look(now, &f)
	}
	for w := range h.feeds {
		if w.link.silentFor(now) > wire.MaxHeartbeatSkew*h.cfg.Heartbeat {
			f.silent = append(f.silent, w.link)
		}
		if w.valid != nil && now.Sub(time.Unix(w.checked.Load(), 0)) > h.cfg.Heartbeat {
			w.checked.Store(now.Unix())
			f.feeds = append(f.feeds, w)
		}
	}
	h.mu.RUnlock()
	for _, l := range f.silent {
		l.closeLater(wire.CloseHeartbeat, "heartbeat lost")
	}
	for _, w := range f.feeds {
		h.crew.start(w.check)
	}
	if len(f.over) > 0 {
		h.crew.start(func() { h.bury(f.over) })
	}
	if len(f.unsaved) > 0 && h.saving.CompareAndSwap(false, true) {
		if !h.crew.start(func() { defer h.saving.Store(false); h.save(f.unsaved) }) {
			h.saving.Store(false)
		}
	}
}

// look notes what is due for one session.
func (s *Session) look(now time.Time, f *found) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended:
		return
	case s.link != nil && s.link.silentFor(now) > wire.MaxHeartbeatSkew*s.hub.cfg.Heartbeat:
		f.silent = append(f.silent, s.link)
	case !s.detached.IsZero() && now.Sub(s.detached) > session.ResumeWindow:
		s.detached = time.Time{} // once is enough
		f.over = append(f.over, s)
	}
	if s.unsaved && len(f.unsaved) < savesPerSweep {
		f.unsaved = append(f.unsaved, s)
	}
	if t := s.taken; t != nil && !t.catching && now.After(t.until) {
		s.taken = nil
	}
	if s.seq == s.swept {
		s.recent = nil
	}
	s.swept = s.seq
	if s.link != nil && now.Sub(s.touched) > touchEvery {
		s.touched = now
		s.hub.deps.Behind.Touch(s.id, s.app, s.player)
	}
}

// bury ends sessions whose resume window is over. One that another gateway has
// taken over without our being told is not ours to remove from Redis: a write that
// only its owner may do brings that to light first (Moved).
func (h *Hub) bury(list []*Session) {
	for _, s := range list {
		s.saveJoined()
	}
	ctx, cancel := context.WithTimeout(context.Background(), h.cfg.StoreWait)
	defer cancel()
	if err := h.deps.Behind.Flush(ctx); err != nil {
		h.log.DebugContext(ctx, "stream: ends unwritten", "err", err)
	}
	for _, s := range list {
		s.mu.Lock()
		resumed := s.link != nil
		s.mu.Unlock()
		if !resumed {
			s.end(wire.CloseReconnect, "resume window over")
		}
	}
}

// stood compares the times of two sweeps. What clients sent while the process stood still
// (a machine that was paused, a clock that was set) is not read yet, so their silence
// counts anew: else it would close all of them at once.
func (h *Hub) stood(last, now time.Time) {
	if gap := now.Round(0).Sub(last.Round(0)); gap > sweepEvery+stoodStill { // of the wall's clock, as silence is
		h.awake.Store(now.Unix())
	}
}

// silentFor is how long nothing was heard on the connection while we listened.
func (l *link) silentFor(now time.Time) time.Duration {
	last := max(l.heard.Load(), l.alive.Load(), l.hub.awake.Load())
	return now.Sub(time.Unix(last, 0))
}

// save stores sessions that Redis did not take; the first failure ends the try.
func (h *Hub) save(list []*Session) {
	for _, s := range list {
		s.mu.Lock()
		ended := s.ended
		s.mu.Unlock()
		if ended {
			continue
		}
		if h.create(s) != nil {
			return
		}
		s.saveJoined()
	}
}

// Drain sends every connection away and waits for all that the hub has started:
// each is told when to come back and closed at a moment of its own within
// Config.Drain, so that they do not all come back at once. Their state stays in
// Redis for the gateway that they come back to. When ctx ends first, what is open
// is closed at once; a close under way still gets its ten seconds.
func (h *Hub) Drain(ctx context.Context) error {
	h.mu.Lock()
	h.closing = true
	links := make([]*link, 0, len(h.links))
	for l := range h.links {
		links = append(links, l)
	}
	h.mu.Unlock()
	// A thousand a second at most, and no longer than need be.
	window := min(h.cfg.Drain, time.Duration(len(links))*time.Millisecond)
	for _, l := range links {
		h.crew.start(func() { l.sendAway(ctx.Done(), window) }) //nolint:contextcheck // a write has the socket's deadline
	}
	gone := h.crew.close()
	select {
	case <-gone:
	case <-ctx.Done():
		for _, l := range links {
			_ = l.ws.CloseNow() // unblocks its goroutines
		}
		<-gone
	}
	// The last answers and the start of each resume window are written too.
	if err := h.deps.Behind.Flush(ctx); err != nil {
		return fmt.Errorf("drain: %w", err)
	}
	return nil
}

// sendAway closes a connection at a random moment within window, at the latest
// when stop is closed.
func (l *link) sendAway(stop <-chan struct{}, window time.Duration) {
	after := rand.N(window + 1)
	_ = l.write(wire.AppendDrain(nil, after+window)) // a client that has gone needs none
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-stop:
	}
	l.close(wire.CloseRestart, "going down")
}
