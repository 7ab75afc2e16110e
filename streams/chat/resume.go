package chat

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// resume takes a session up again on this connection. Redis decides whether the
// claim holds; where it can't be asked the client comes back later.
func (h *Hub) resume(l *link, id session.Identity, msg wire.Message) *Session {
	r, err := wire.ReadResume(msg.Body)
	if err != nil {
		l.close(wire.CloseForbidden, "resume not understood")
		return nil
	}
	if id.Role == session.Moderator {
		h.watch(l, id, msg.ID)
		return nil
	}
	token, hash := newToken()
	s, st, former, err := h.claim(id, r, hash)
	switch {
	case errors.Is(err, session.ErrGone), errors.Is(err, session.ErrEpoch):
		return h.reset(l, id, msg.ID, "state_lost")
	case errors.Is(err, session.ErrToken):
		return h.reset(l, id, msg.ID, "token_not_accepted")
	case err != nil:
		l.close(wire.CloseOverloaded, "not available")
		return nil
	}
	var replay []session.Entry
	taken := s == nil
	if !taken {
		replay, err = s.retake(l, hash, r.LastSeq)
	} else {
		s, replay, err = h.takeOver(l, st, former, hash, r.LastSeq)
	}
	if err != nil {
		s.abandon(l)
		return h.reset(l, identity(st), msg.ID, "gap")
	}
	if h.expelled(s) {
		return nil
	}
	if taken {
		h.welcome(s)
	}
	h.m.resumes.WithLabelValues("resumed").Inc()
	if s.attach(l, s.replay(l, msg.ID, token, r.LastSeq, replay)) == nil {
		return nil
	}
	h.warnings(s)
	return s
}

// claim asks Redis for the session. It returns the one that is here, nil if that
// is out of date or none is, with the state and the node that had it.
func (h *Hub) claim(id session.Identity, r wire.Resume, next [32]byte) (here *Session, st session.State, former string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), h.cfg.StoreWait)
	defer cancel()
	if here = h.find(r.Session); here != nil {
		here.hold()
		// What is on its way to the log has the fence of now.
		if err := h.deps.Behind.Flush(ctx); err != nil {
			here.release(0)
			return here, st, "", err
		}
	}
	st, former, err = h.deps.Sessions.TakeOver(ctx, session.Claim{
		ID: r.Session, App: id.App, Player: id.Player, Epoch: r.Epoch,
		Token: sha256.Sum256([]byte(r.Token)), Next: next, Node: h.cfg.Node,
	})
	switch {
	case here == nil:
	case err != nil:
		here.release(0)
	case former != h.cfg.Node: // another gateway had it since
		here.moved()
		here.release(0)
		here = nil
	default:
		here.release(st.Fence)
	}
	return here, st, former, err
}

// abandon gives up a session that can't be resumed, but not its connection. A
// player's stays until the next one takes its place: that inherits its answers.
func (s *Session) abandon(l *link) {
	if s.player != "" && s.hub.find(s.id) == s {
		s.detach(l)
		return
	}
	s.mu.Lock()
	s.attached(nil)
	s.mu.Unlock()
	s.end(wire.CloseReconnect, "")
}

// identity is who a session belongs to: a claim that held proves it, and no ticket
// is used up.
func identity(st session.State) session.Identity {
	out := session.Identity{
		Role: session.Player, App: st.App, Player: st.Player, Grants: st.Grants,
		Segment: st.Segment, Region: st.Region, Language: st.Language,
	}
	if st.Player == "" {
		out.Role = session.Server
	}
	return out
}

// reset tells the client that its session is gone and opens a new one; without
// any proof of who it is, a hello has to follow.
func (h *Hub) reset(l *link, id session.Identity, answer, reason string) *Session {
	h.m.resumes.WithLabelValues("reset").Inc()
	if l.write(wire.AppendReset(nil, answer, reason)) != nil {
		return nil
	}
	if id.Role != session.Nobody {
		return h.hello(l, id, "")
	}
	msg, ok := h.first(l)
	if !ok {
		return nil
	}
	return h.greet(l, id, msg) // no second resume: nobody may try tokens
}

// retake attaches a session of this gateway to a new connection and returns what
// to replay. Pushes that come meanwhile queue behind it.
func (s *Session) retake(l *link, token [32]byte, last uint64) ([]session.Entry, error) {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return nil, errGap
	}
	old := s.link
	s.attached(l)
	s.paused, s.token = true, token
	upto := s.seq
	s.mu.Unlock()
	if old != nil { // a half-open socket that we have not noticed yet
		old.closeLater(wire.CloseMoved, "resumed on another connection")
	}
	switch {
	case last > upto:
		return nil, errGap
	case last == upto:
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.hub.cfg.StoreWait)
	defer cancel()
	if err := s.hub.deps.Behind.Flush(ctx); err != nil {
		return nil, err
	}
	entries, _, ok, err := s.hub.deps.Logs.Replay(ctx, s.id, last)
	if err != nil {
		return nil, err
	}
	for len(entries) > 0 && entries[len(entries)-1].Seq > upto { // queued as well
		entries = entries[:len(entries)-1]
	}
	if !ok || uint64(len(entries)) != upto-last {
		return nil, errGap
	}
	return entries, nil
}

// replay answers resume and sends what the client missed.
func (s *Session) replay(l *link, answer, token string, last uint64, entries []session.Entry) bool {
	buf := wire.AppendResumed(nil, answer, token, last+1, len(entries))
	if l.write(buf) != nil {
		return false
	}
	for _, e := range entries {
		buf = wire.WithSeq(buf[:0], e.Seq, e.Frame)
		if l.write(buf) != nil {
			return false
		}
	}
	return true
}
