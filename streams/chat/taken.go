package chat

import (
	"context"
	"errors"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// errGap: pushes between last_seq and now are gone.
var errGap = errors.New("chat: pushes lost")

// knownFor is how long after a takeover the bus may bring what the logs brought.
const knownFor = 10 * time.Second

// takenOver is what a session knows for a while after it came from another
// gateway: what it has pushed already, so that nothing is pushed twice.
type takenOver struct {
	known map[engines.RequestID]struct{}
	// catching is set while the scenes' logs are read; what comes live meanwhile
	// is set aside, since it was said after what the logs hold. Full-rule: past
	// QueueCount the takeover fails, and the client gets a reset.
	catching bool
	aside    []session.Entry
	full     bool
	until    time.Time // when nothing of the logs can come over the bus any more
}

// keeps reports whether a push must not go out now: it has before, or it is set
// aside. t may be nil. The session's mu is held.
func (t *takenOver) keeps(body []byte, message engines.RequestID, most int) bool {
	switch {
	case t == nil:
		return false
	case !t.catching:
		return t.pushed(message)
	case len(t.aside) >= most:
		t.full = true
	default:
		t.aside = append(t.aside, session.Entry{Message: message, Frame: body})
	}
	return true
}

func (t *takenOver) pushed(message engines.RequestID) bool {
	_, ok := t.known[message]
	return ok && message != ""
}

// takeOver builds the session from Redis: another gateway had it, or this one
// before it was restarted.
func (h *Hub) takeOver(l *link, st session.State, before string, token [32]byte, last uint64) (*Session, []session.Entry, error) {
	ctx, cancel := context.WithTimeout(context.Background(), releaseWithin+2*h.cfg.StoreWait)
	defer cancel()
	s := newSession(h, identity(st))
	s.id, s.epoch, s.token, s.fence = st.ID, st.Epoch, token, st.Fence
	s.link, s.paused = l, true
	var left note
	if before != h.cfg.Node {
		left = h.askRelease(ctx, before, st.ID, st.Fence)
	}
	// What this gateway itself wrote as an earlier owner is refused by now; it must
	// not be held against the new session.
	if err := h.deps.Behind.Flush(ctx); err != nil {
		return s, nil, err
	}
	all, newest, err := h.history(ctx, st.ID)
	if err != nil {
		return s, nil, err
	}
	all, newest = s.heir(all, newest, left.Tail)
	replay, err := s.adopt(all, newest, last)
	if err != nil || max(last, newest) < left.Lost {
		return s, nil, errors.Join(errGap, err)
	}
	if old := h.add(s); old != nil {
		old.end(wire.CloseReplaced, "replaced by another login")
	}
	h.recall(s)
	caught, err := s.catchUp(ctx, st.Joined, len(all) > 0 && all[0].Seq > 1)
	if err != nil {
		return s, nil, err
	}
	if last > newest && len(caught) > 0 {
		// The owner died before it had logged all that it pushed. What is missing in
		// the log may be what the client has.
		return s, nil, errGap
	}
	return s, append(replay, caught...), nil
}

// heir adds to the log what the old owner pushed and Redis refused.
func (s *Session) heir(all []session.Entry, newest uint64, tail []session.Entry) ([]session.Entry, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range tail {
		if e.Seq == newest+1 {
			s.log(e)
			all, newest = append(all, e), e.Seq
		}
	}
	return all, newest
}

// history reads what is left of a session's log: Replay wants to know from where,
// which nobody does once the log was trimmed.
func (h *Hub) history(ctx context.Context, id engines.SessionID) (all []session.Entry, newest uint64, err error) {
	all, newest, whole, err := h.deps.Logs.Replay(ctx, id, 0)
	if err != nil || whole {
		return all, newest, err
	}
	const step = 16 // each change of owner has an entry of its own in the log
	for left := session.LogLength; left > 0; left -= step {
		all, last, ok, err := h.deps.Logs.Replay(ctx, id, newest-min(newest, uint64(left)))
		if err != nil || ok {
			return all, last, err
		}
	}
	return nil, newest, nil
}

// adopt sets the sequence from the log and returns what follows last.
func (s *Session) adopt(all []session.Entry, newest, last uint64) ([]session.Entry, error) {
	s.taken = &takenOver{known: make(map[engines.RequestID]struct{}, len(all)), catching: true}
	from := len(all)
	for i, e := range all {
		s.taken.known[e.Message] = struct{}{}
		if e.Seq > last && i < from {
			from = i
		}
	}
	replay := all[from:len(all):len(all)]
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

// catchUp joins the scenes again and returns what their logs hold and the
// session's does not: what was said between the death of its last owner and now.
func (s *Session) catchUp(ctx context.Context, joined []session.Joined, trimmed bool) ([]session.Entry, error) {
	for _, j := range joined {
		if err := s.enter(j.Scene, j.After); err != nil { //nolint:contextcheck // a subscription outlives the takeover
			return nil, err
		}
	}
	// What members here were told before it joined is on its way to the logs.
	if err := s.hub.deps.Behind.Flush(ctx); err != nil {
		return nil, err
	}
	var missed []session.SceneEntry
	for _, j := range joined {
		list, err := s.missed(ctx, j, trimmed)
		if err != nil {
			return nil, err
		}
		missed = append(missed, list...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.taken
	if t.full {
		return nil, errGap
	}
	var caught []session.Entry
	for _, e := range missed {
		caught = append(caught, s.number(e.Frame, logID(e)))
		t.known[logID(e)] = struct{}{}
	}
	for _, e := range t.aside {
		if !t.pushed(e.Message) {
			caught = append(caught, s.number(e.Frame, e.Message))
			t.known[e.Message] = struct{}{}
		}
	}
	t.aside, t.catching, t.until = nil, false, time.Now().Add(knownFor)
	return caught, nil
}

// missed returns what a scene's log holds for the session and its own log does
// not, which has lost its beginning if trimmed is set.
func (s *Session) missed(ctx context.Context, j session.Joined, trimmed bool) ([]session.SceneEntry, error) {
	after := j.After
	if after == "" {
		after = "0" // nobody knew where the log stood
	}
	entries, whole, err := s.hub.deps.Logs.SceneLog(ctx, s.app, j.Scene, after)
	if err != nil {
		return nil, err
	}
	// How much was missed before each entry that both logs have. People who speak at
	// once can be pushed in another order than they are logged in, so that near the
	// trimmed end of the session's log "not in it" does not mean "not pushed".
	var before []int
	var missed []session.SceneEntry
	for _, e := range entries {
		switch {
		case e.Player == s.player && s.player != "" && !e.Retract: // its own
		case s.taken.pushed(logID(e)):
			before = append(before, len(missed))
		default:
			missed = append(missed, e)
		}
	}
	switch {
	case whole && !trimmed && j.After != "", len(missed) == 0:
		return missed, nil // all since the join
	case len(before) == 0:
		return nil, errGap // nobody can tell where the session had got to
	case trimmed, j.After == "":
		// Those before were pushed, and fell out of its log, or were said before it joined.
		return missed[before[len(before)/2]:], nil
	}
	return missed, nil
}
