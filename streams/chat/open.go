package chat

import (
	"context"
	"errors"
	"time"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// storeWithin bounds a wait for Redis at hello and resume; a chat message never waits.
const storeWithin = 250 * time.Millisecond

// open reads the first message and returns the session that it asks for, attached
// to l. It returns nil where there is none: the connection is closed, or was a
// moderator's, which open serves to its end.
func (h *Hub) open(l *link, id session.Identity) *Session {
	late := time.AfterFunc(h.cfg.HelloTimeout, func() { l.closeLater(wire.CloseForbidden, "no hello") })
	msg, ok := l.first()
	late.Stop()
	if !ok {
		return nil
	}
	ctx := context.Background()
	switch msg.Type {
	case wire.TypeHello:
		hello, err := wire.ReadHello(msg.Body)
		if err != nil {
			l.close(wire.CloseForbidden, "hello not understood")
			return nil
		}
		if hello.Token != "" {
			if id, err = h.deps.Tickets.Identify(ctx, hello.Token); err != nil {
				l.refuse(err)
				return nil
			}
		}
		return h.hello(ctx, l, id, msg.ID)
	case wire.TypeResume:
		r, err := wire.ReadResume(msg.Body)
		if err != nil {
			l.close(wire.CloseForbidden, "resume not understood")
			return nil
		}
		return h.resume(ctx, l, id, msg.ID, r)
	}
	l.close(wire.CloseForbidden, "hello comes first")
	return nil
}

// first reads the first message; it closes the connection when there is none.
func (l *link) first() (wire.Message, bool) {
	buf, err := l.read(nil)
	if err != nil {
		return wire.Message{}, false
	}
	msg, err := wire.ReadMessage(buf)
	if err != nil {
		l.close(wire.CloseForbidden, "hello comes first")
		return wire.Message{}, false
	}
	return msg, true
}

// refuse closes a connection whose token opens nothing.
func (l *link) refuse(err error) {
	switch {
	case errors.Is(err, session.ErrExpired):
		l.close(wire.CloseTicket, "ticket expired or used")
	case errors.Is(err, session.ErrUnknown):
		l.close(wire.CloseAuth, "authentication failure")
	default: // a store is away: the client may try again
		l.close(wire.CloseOverloaded, "not available")
	}
}

// hello opens a new session for id.
func (h *Hub) hello(ctx context.Context, l *link, id session.Identity, answer string) *Session {
	if id.Role == session.Moderator {
		h.watch(l, id, answer)
		return nil
	}
	if id.Role == session.Nobody {
		l.close(wire.CloseAuth, "authentication failure")
		return nil
	}
	if err := h.deps.Tickets.Use(ctx, id); err != nil {
		l.refuse(err)
		return nil
	}
	s := newSession(h, id)
	token, hash := newToken()
	s.token, s.link, s.paused, s.touched = hash, l, true, time.Now()
	if err := h.create(ctx, s); errors.Is(err, session.ErrFull) {
		l.close(wire.CloseOverloaded, "no room for new sessions")
		return nil
	}
	if old := h.add(s); old != nil {
		old.end(wire.CloseReplaced, "replaced by another login")
	}
	h.recall(ctx, s)
	return s.attach(l, l.write(s.ready(answer, token)) == nil)
}

// attach lets pushes flow on a connection whose handshake is answered.
func (s *Session) attach(l *link, answered bool) *Session {
	if !answered {
		s.detach(l)
		return nil
	}
	s.mu.Lock()
	s.paused = false
	s.wake()
	s.mu.Unlock()
	return s
}

// create stores the session and ends the player's session on another gateway.
// Where Redis does not answer the session lives on here alone, is stored once
// Redis is back (sweep), and can't be resumed elsewhere until then.
func (h *Hub) create(ctx context.Context, s *Session) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	before, err := h.deps.Sessions.Create(ctx, s.state())
	s.mu.Lock()
	s.unsaved = err != nil
	s.mu.Unlock()
	if err != nil {
		h.m.unsaved.Inc()
		return err
	}
	if before.Session != "" && before.Node != h.cfg.Node {
		h.tell(ctx, before.Node, note{Kind: noteReplaced, Session: before.Session})
	}
	return nil
}

// recall fetches the player's answers that another gateway gave.
func (h *Hub) recall(ctx context.Context, s *Session) {
	if !h.deps.Bus.Shared() || s.player == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	list, err := h.deps.Answers.Answers(ctx, s.app, s.player)
	if err != nil { // a repeat may then be checked twice, which harms nobody
		h.log.Debug("stream: answers not recalled", "err", err)
		return
	}
	for _, a := range list {
		s.mine.answers.put(a.ID, hashOf(a.Body), a.Frame, a.At)
	}
}

func (s *Session) ready(id, token string) []byte {
	c := &s.hub.cfg
	r := wire.Ready{
		ID: id, Session: s.id, ResumeToken: token, Epoch: s.epoch, Heartbeat: c.Heartbeat,
		ResumeWindow: session.ResumeWindow, Rate: c.PlayerRate, Burst: c.PlayerBurst,
		InFlight: playerInFlight, Limits: c.Limits, Scenes: s.grants,
	}
	if s.role == session.Server {
		r.Rate, r.Burst, r.InFlight = c.ServerRate, c.ServerRate, serverInFlight
	}
	return wire.AppendReady(nil, &r)
}

// forget removes the session's state from Redis; what can't be removed ends with
// its lifetime.
func (h *Hub) forget(s *Session) {
	ctx, cancel := context.WithTimeout(context.Background(), storeWithin)
	defer cancel()
	if err := h.deps.Sessions.Forget(ctx, s.id, s.app, s.player); err != nil {
		h.log.Debug("stream: session not forgotten", "err", err)
	}
}

// text is the frame kind that clients send.
const text = websocket.MessageText
