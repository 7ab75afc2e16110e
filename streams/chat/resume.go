package chat

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// errGap: pushes between last_seq and now are gone.
var errGap = errors.New("chat: pushes lost")

// resume takes a session up again on this connection. Redis decides whether the
// claim holds; where it can't be asked the client comes back later.
func (h *Hub) resume(ctx context.Context, l *link, id session.Identity, answer string, r wire.Resume) *Session {
	if id.Role == session.Moderator {
		h.watch(l, id, answer)
		return nil
	}
	token, hash := newToken()
	rctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	here := h.find(r.Session)
	if here != nil {
		here.hold()
	}
	st, before, err := h.deps.Sessions.TakeOver(rctx, session.Claim{
		ID: r.Session, App: id.App, Player: id.Player, Epoch: r.Epoch,
		Token: sha256.Sum256([]byte(r.Token)), Next: hash, Node: h.cfg.Node,
	})
	if here != nil {
		here.release(st.Fence) // 0 when the claim did not hold
	}
	switch {
	case errors.Is(err, session.ErrGone), errors.Is(err, session.ErrEpoch):
		return h.reset(ctx, l, id, answer, "state_lost")
	case errors.Is(err, session.ErrToken):
		return h.reset(ctx, l, id, answer, "token_not_accepted")
	case err != nil:
		l.close(wire.CloseOverloaded, "not available")
		return nil
	}
	s := here
	if s != nil && before != h.cfg.Node {
		s.moved() // another gateway had it since: what is here is out of date
		s = nil
	}
	var replay []session.Entry
	if s != nil {
		replay, err = s.retake(ctx, l, hash, r.LastSeq)
	} else {
		s, replay, err = h.takeOver(ctx, l, st, before, hash, r.LastSeq)
	}
	if err != nil {
		h.m.resumes.WithLabelValues("reset").Inc()
		s.abandon()
		return h.reset(ctx, l, h.identity(st, id), answer, "gap")
	}
	h.m.resumes.WithLabelValues("resumed").Inc()
	return s.attach(l, s.replay(l, answer, token, r.LastSeq, replay))
}

// abandon ends a session that can't be resumed but leaves its connection open.
func (s *Session) abandon() {
	if _, ok := s.stop(); ok {
		s.hub.spawn(func() { s.hub.forget(s) })
	}
}

// identity is who the session belongs to, when the client showed no ticket: a
// claim that held proves it.
func (h *Hub) identity(st session.State, id session.Identity) session.Identity {
	if id.Role != session.Nobody {
		return id
	}
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
func (h *Hub) reset(ctx context.Context, l *link, id session.Identity, answer, reason string) *Session {
	if l.write(wire.AppendReset(nil, answer, reason)) != nil {
		return nil
	}
	if id.Role == session.Nobody {
		return h.open(l, id)
	}
	return h.hello(ctx, l, id, "")
}

// retake attaches a session of this gateway to a new connection and returns what
// to replay. Pushes that come meanwhile queue behind it.
func (s *Session) retake(ctx context.Context, l *link, token [32]byte, last uint64) ([]session.Entry, error) {
	s.mu.Lock()
	old := s.link
	s.link, s.paused, s.queue, s.bytes = l, true, nil, 0
	s.token, s.detached = token, time.Time{}
	upto, bad := s.seq, s.ended || s.lost
	s.mu.Unlock()
	if old != nil { // a half-open socket that we have not noticed yet
		old.closeLater(wire.CloseMoved, "resumed on another connection")
	}
	if bad || last > upto {
		return nil, errGap
	}
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
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

// takeOver builds the session from Redis: another gateway had it, or this one
// before it was restarted.
func (h *Hub) takeOver(ctx context.Context, l *link, st session.State, before string, token [32]byte, last uint64) (*Session, []session.Entry, error) {
	id := h.identity(st, session.Identity{})
	s := newSession(h, id)
	s.id, s.epoch, s.token, s.fence = st.ID, st.Epoch, token, st.Fence
	s.link, s.paused, s.touched = l, true, time.Now()
	if before != h.cfg.Node {
		h.askRelease(ctx, before, st.ID)
	}
	ctx, cancel := context.WithTimeout(ctx, 2*storeWithin)
	defer cancel()
	all, newest, _, err := h.deps.Logs.Replay(ctx, st.ID, 0)
	if err != nil {
		return s, nil, err
	}
	replay, err := s.adopt(all, newest, last)
	if err != nil {
		return s, nil, err
	}
	if old := h.add(s); old != nil {
		old.end(wire.CloseReplaced, "replaced by another login")
	}
	h.recall(ctx, s)
	for _, j := range st.Joined {
		if err := s.enter(j.Scene, j.After); err != nil {
			return s, nil, err
		}
		if err := s.catchUp(ctx, j, all); err != nil {
			return s, nil, err
		}
	}
	return s, replay, nil
}

// adopt sets the sequence from the log and returns what follows last.
func (s *Session) adopt(all []session.Entry, newest, last uint64) ([]session.Entry, error) {
	s.known = make(map[engines.RequestID]struct{}, len(all))
	from := len(all)
	for i, e := range all {
		s.known[e.Message] = struct{}{}
		if e.Seq > last && i < from {
			from = i
		}
	}
	replay := all[from:]
	switch {
	case last > newest+session.LogLength: // never ours
		return nil, errGap
	case last > newest: // the owner died within the loss window of its write-behind
		newest = last
	case uint64(len(replay)) != newest-last:
		return nil, errGap
	}
	s.seq = newest
	return replay, nil
}

// catchUp pushes what the scene's log holds and the session's does not: what was
// said between the death of its last owner and now.
func (s *Session) catchUp(ctx context.Context, j session.Joined, all []session.Entry) error {
	entries, ok, err := s.hub.deps.Logs.SceneLog(ctx, s.app, j.Scene, j.After)
	if err != nil {
		return err
	}
	trimmed := len(all) > 0 && all[0].Seq > 1
	if trimmed || !ok || j.After == "" {
		// The logs do not reach back to the join: go on from the first entry that
		// both know. Where there is none nobody can tell what was missed.
		i := s.firstKnown(entries)
		if i < 0 && len(entries) > 0 {
			return errGap
		}
		entries = entries[max(i, 0):]
	}
	for _, e := range entries {
		if e.Player != s.player || e.Retract || s.player == "" {
			s.push(e.Frame, logID(e))
		}
	}
	return nil
}

func (s *Session) firstKnown(entries []session.SceneEntry) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range entries {
		if _, ok := s.known[logID(e)]; ok {
			return i
		}
	}
	return -1
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
