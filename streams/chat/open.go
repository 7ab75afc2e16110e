package chat

import (
	"context"
	"errors"
	"time"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// open reads the first message and returns the session that it asks for, attached
// to l. It returns nil where there is none: the connection is closed, or was a
// moderator's, which open serves to its end.
func (h *Hub) open(l *link, id session.Identity) *Session {
	msg, ok := h.first(l)
	switch {
	case !ok:
		return nil
	case msg.Type == wire.TypeResume:
		return h.resume(l, id, msg)
	}
	return h.greet(l, id, msg)
}

// first reads the first message; it closes the connection when there is none in time.
func (h *Hub) first(l *link) (wire.Message, bool) {
	late := time.AfterFunc(h.cfg.HelloTimeout, func() { l.closeLater(wire.CloseForbidden, "no hello") })
	defer late.Stop()
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

// greet answers a hello; everything else closes the connection.
func (h *Hub) greet(l *link, id session.Identity, msg wire.Message) *Session {
	if msg.Type != wire.TypeHello {
		l.close(wire.CloseForbidden, "hello comes first")
		return nil
	}
	hello, err := wire.ReadHello(msg.Body)
	if err != nil {
		l.close(wire.CloseForbidden, "hello not understood")
		return nil
	}
	if hello.Token != "" {
		if id, err = h.identify(hello.Token); err != nil {
			l.refuse(err)
			return nil
		}
	}
	return h.hello(l, id, msg.ID)
}

func (h *Hub) identify(token string) (session.Identity, error) {
	ctx, cancel := context.WithTimeout(context.Background(), h.cfg.HelloTimeout)
	defer cancel()
	return h.deps.Tickets.Identify(ctx, token)
}

func (h *Hub) use(id session.Identity) error {
	ctx, cancel := context.WithTimeout(context.Background(), h.cfg.HelloTimeout)
	defer cancel()
	return h.deps.Tickets.Use(ctx, id)
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
func (h *Hub) hello(l *link, id session.Identity, answer string) *Session {
	switch id.Role {
	case session.Moderator:
		h.watch(l, id, answer)
		return nil
	case session.Nobody:
		l.close(wire.CloseAuth, "authentication failure")
		return nil
	}
	if h.deps.Bans.Excluded(id.App, id.Player) {
		if id.Language == "" {
			h.deps.Players.Arrived(id.App, id.Player) // who knows its language
		}
		l.banish(1, h.banNotice(id.App, id.Player, id.Language))
		return nil
	}
	if err := h.use(id); err != nil {
		l.refuse(err)
		return nil
	}
	h.deps.Bans.Named(id.App, id.Player)
	untold := id.Role == session.Player && h.deps.Players.Arrived(id.App, id.Player)
	s := newSession(h, id)
	token, hash := newToken()
	s.token, s.link, s.paused = hash, l, true
	// Known here first and to the others after: whoever replaces it finds it.
	if old := h.add(s); old != nil {
		old.end(wire.CloseReplaced, "replaced by another login")
	}
	if h.expelled(s) {
		return nil
	}
	if err := h.create(s); errors.Is(err, session.ErrFull) {
		s.end(wire.CloseOverloaded, "no room for new sessions")
		return nil
	}
	h.recall(s)
	h.welcome(s)
	if s.attach(l, l.write(s.ready(answer, token)) == nil) == nil {
		return nil
	}
	if untold {
		h.warnings(s)
	}
	return s
}

// attach lets pushes flow on a connection whose handshake is answered, unless the
// session has another one by now.
func (s *Session) attach(l *link, answered bool) *Session {
	if !answered {
		s.detach(l)
		return nil
	}
	s.mu.Lock()
	if s.link == l {
		s.paused = false
		s.wake()
	}
	s.mu.Unlock()
	return s
}

// create stores the session and ends the player's session on another gateway.
// Where Redis does not answer the session lives on here alone, is stored once
// Redis is back (sweep), and can't be resumed elsewhere until then.
func (h *Hub) create(s *Session) error {
	ctx, cancel := context.WithTimeout(context.Background(), h.cfg.StoreWait)
	defer cancel()
	before, err := h.deps.Sessions.Create(ctx, s.state())
	s.mu.Lock()
	s.unsaved = err != nil && !s.ended
	ended := s.ended
	s.mu.Unlock()
	switch {
	case err != nil:
		h.m.unsaved.Inc()
		return err
	case ended: // replaced meanwhile: the player is the other session's
		h.forget(s)
		h.reclaim(before.Session)
	case before.Session != "" && before.Node != h.cfg.Node && s.player != "":
		h.tell(ctx, before.Node, note{Kind: noteReplaced, Session: before.Session})
	}
	return nil
}

// reclaim has a session stored again, and with it that its player is its own.
func (h *Hub) reclaim(id engines.SessionID) {
	if s := h.find(id); s != nil {
		s.mu.Lock()
		s.unsaved = !s.ended
		s.mu.Unlock()
	}
}

// recall fetches the player's answers that another gateway gave.
func (h *Hub) recall(s *Session) {
	if !h.deps.Bus.Shared() || s.player == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), h.cfg.StoreWait)
	defer cancel()
	list, err := h.deps.Answers.Answers(ctx, s.app, s.player)
	if err != nil { // a repeat may then be checked twice, which harms nobody
		h.log.DebugContext(ctx, "stream: answers not recalled", "err", err)
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
	ctx, cancel := context.WithTimeout(context.Background(), h.cfg.StoreWait)
	defer cancel()
	err := h.deps.Behind.Flush(ctx) // a push that is written later would stay for good
	if err == nil {
		err = h.deps.Sessions.Forget(ctx, s.id, s.app, s.player)
	}
	if err != nil {
		h.log.DebugContext(ctx, "stream: session not forgotten", "err", err)
	}
}

// text is the frame kind that clients send.
const text = websocket.MessageText
