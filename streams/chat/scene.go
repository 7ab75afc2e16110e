package chat

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// maxJoined is how many scenes one session may be in.
const maxJoined = 64

// scene is one channel with its members on this gateway.
type scene struct {
	key     sceneKey
	mu      sync.Mutex
	gone    bool // empty and forgotten: look it up again
	members []*Session
	heard   *heard // what other gateways said; nil until one does

	followed atomic.Bool // heard from the other gateways
}

// membership is one session's place in a scene.
type membership struct {
	scene *scene
	// after is where the scene's log stood at the join.
	after string
}

// scene returns the scene if it has members here.
func (h *Hub) scene(key sceneKey) *scene {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.scenes[key]
}

// join puts the session into the scene; a second join changes nothing.
func (r *reader) join(msg wire.Message) bool {
	id, err := wire.ReadScene(msg.Body)
	if err != nil {
		return r.fail(msg.ID, err)
	}
	s := r.s
	if s.role == session.Player && !slices.Contains(s.grants, id) {
		return r.fail(msg.ID, wire.Fail(wire.Forbidden, "the ticket does not name this scene"))
	}
	s.mu.Lock()
	member := s.isMember(id)
	s.mu.Unlock()
	if !member {
		if err := s.enter(id, s.hub.head(s.app, id)); err != nil {
			return r.fail(msg.ID, err)
		}
		s.saveJoined()
		s.hub.settle()
	}
	return r.send(wire.AppendOK(r.out, msg.ID))
}

// head is where a scene's log stands now; only a gateway that may take over from
// another one needs to know.
func (h *Hub) head(app engines.AppID, id engines.SceneID) string {
	if !h.deps.Bus.Shared() {
		return "0"
	}
	ctx, cancel := context.WithTimeout(context.Background(), h.cfg.StoreWait)
	defer cancel()
	at, err := h.deps.Logs.SceneHead(ctx, app, id)
	if err != nil {
		return "" // unknown: a takeover will reset rather than guess
	}
	return at
}

// enter makes the session a member.
func (s *Session) enter(id engines.SceneID, after string) error {
	s.mu.Lock()
	member, full := s.isMember(id), len(s.joined) >= maxJoined
	s.mu.Unlock()
	if member {
		return nil
	}
	if full {
		return wire.Fail(wire.TooLarge, "too many scenes joined")
	}
	sc := s.hub.admit(s, sceneKey{s.app, id})
	s.mu.Lock()
	late := s.ended || s.isMember(id) // its former connection may have joined too
	if !late {
		s.joined = append(s.joined, &membership{scene: sc, after: after})
	}
	s.mu.Unlock()
	if late {
		s.hub.part(s, sc)
	}
	return nil
}

// isMember is called with mu held.
func (s *Session) isMember(id engines.SceneID) bool {
	return slices.ContainsFunc(s.joined, func(m *membership) bool { return m.scene.key.scene == id })
}

// admit adds a member to a scene, which it makes if need be.
func (h *Hub) admit(s *Session, key sceneKey) *scene {
	for {
		h.mu.Lock()
		sc := h.scenes[key]
		if sc == nil {
			sc = &scene{key: key}
			h.scenes[key] = sc
		}
		h.mu.Unlock()
		sc.mu.Lock()
		gone := sc.gone
		if !gone {
			sc.members = append(sc.members, s)
		}
		sc.mu.Unlock()
		if !gone {
			h.follow(sc)
			return sc
		}
		h.drop(sc)
	}
}

// drop forgets a scene that has gone.
func (h *Hub) drop(sc *scene) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.scenes[sc.key] == sc {
		delete(h.scenes, sc.key)
	}
}

// follow hears the scene from the other gateways, from its first member on. Those
// who come while Redis does not answer wait side by side.
func (h *Hub) follow(sc *scene) {
	if !h.deps.Bus.Shared() || sc.followed.Load() {
		return
	}
	h.following.RLock()
	defer h.following.RUnlock()
	ctx, cancel := context.WithTimeout(context.Background(), h.cfg.StoreWait)
	defer cancel()
	if err := h.deps.Bus.SubscribeScene(ctx, sc.key.app, sc.key.scene); err != nil {
		h.log.WarnContext(ctx, "stream: scene not heard from other gateways yet", "err", err)
		return
	}
	sc.followed.Store(true)
}

// unfollow stops hearing a scene that has no members here any more.
func (h *Hub) unfollow(key sceneKey) {
	if !h.deps.Bus.Shared() {
		return
	}
	h.following.Lock()
	defer h.following.Unlock()
	if h.scene(key) == nil {
		ctx, cancel := context.WithTimeout(context.Background(), h.cfg.StoreWait)
		defer cancel()
		h.deps.Bus.UnsubscribeScene(ctx, key.app, key.scene)
	}
}

// part takes a member out of a scene and forgets an empty one.
func (h *Hub) part(s *Session, sc *scene) {
	if sc.takeOut(s) {
		h.drop(sc)
		h.unfollow(sc.key)
	}
}

// takeOut removes a member; empty means that the scene is to be forgotten. The hub
// is not locked: a large scene that gets a message would hold up all others.
func (sc *scene) takeOut(s *Session) (empty bool) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if i := slices.Index(sc.members, s); i >= 0 {
		last := len(sc.members) - 1
		sc.members[i], sc.members[last] = sc.members[last], nil
		sc.members = sc.members[:last]
	}
	if len(sc.members) > 0 || sc.gone {
		return false
	}
	sc.gone = true
	return true
}

func (r *reader) leave(msg wire.Message) bool {
	id, err := wire.ReadScene(msg.Body)
	if err != nil {
		return r.fail(msg.ID, err)
	}
	s := r.s
	s.mu.Lock()
	var sc *scene
	s.joined = slices.DeleteFunc(s.joined, func(m *membership) bool {
		if m.scene.key.scene == id {
			sc = m.scene
			return true
		}
		return false
	})
	s.mu.Unlock()
	if sc != nil {
		s.hub.part(s, sc)
		s.saveJoined()
		s.hub.settle()
	}
	return r.send(wire.AppendOK(r.out, msg.ID))
}

func (s *Session) saveJoined() {
	s.mu.Lock()
	list := s.memberships()
	s.mu.Unlock()
	s.hub.deps.Behind.Join(s.id, list)
}

// settle waits until what was given to the write-behind is stored, so that a scene
// that was answered with ok is not forgotten when this gateway dies. Where Redis
// does not answer the session goes on all the same.
func (h *Hub) settle() {
	if !h.deps.Bus.Shared() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), h.cfg.StoreWait)
	defer cancel()
	if err := h.deps.Behind.Flush(ctx); err != nil {
		h.log.DebugContext(ctx, "stream: scenes not stored yet", "err", err)
	}
}

// mayChat reports whether the session may speak in the scene: a player only
// where it is a member, a server anywhere in its app.
func (s *Session) mayChat(sc *scene) bool {
	if s.role == session.Server {
		return true
	}
	if sc == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.joined, func(m *membership) bool { return m.scene == sc })
}

// deliver gives a message to the members here, and to the other gateways.
func (h *Hub) deliver(app engines.AppID, from engines.SessionID, m *wire.Chat) {
	if !h.deps.Bus.Shared() && h.alone(sceneKey{app, m.Scene}, m.Player) {
		return
	}
	h.broadcast(app, m.Scene, from, session.SceneEntry{
		Node: h.cfg.Node, Message: m.Message, Player: m.Player, Frame: wire.AppendChat(nil, m),
	})
}

// retract takes a delivered message back.
func (h *Hub) retract(app engines.AppID, id engines.SceneID, message engines.RequestID, reason string) {
	h.broadcast(app, id, "", session.SceneEntry{
		Node: h.cfg.Node, Message: message, Retract: true, Frame: wire.AppendRetract(nil, id, message, reason),
	})
}

// alone reports whether nobody but the author would get a message.
func (h *Hub) alone(key sceneKey, author engines.PlayerID) bool {
	sc := h.scene(key)
	if sc == nil {
		return true
	}
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return len(sc.members) == 1 && sc.members[0].player == author
}

// broadcast gives an entry to the scene's log first: a session that is taken over
// and joins after its members here got it finds it there (catchUp).
func (h *Hub) broadcast(app engines.AppID, id engines.SceneID, from engines.SessionID, e session.SceneEntry) {
	if h.deps.Bus.Shared() {
		h.deps.Behind.Scene(app, id, e)
	}
	h.local(sceneKey{app, id}, from, e)
}

// local pushes an entry to the members here. The scene is locked all the while,
// so that every member gets its messages in the same order; a push never waits.
// from is the session that sent it, "" when it is not here: a game server speaks
// for others and gets no copy either.
func (h *Hub) local(key sceneKey, from engines.SessionID, e session.SceneEntry) {
	sc := h.scene(key)
	if sc == nil {
		return
	}
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if h.deps.Bus.Shared() && e.Node != h.cfg.Node && !sc.hear(logID(e)) {
		return // the scene's log was faster, see Missed
	}
	for _, s := range sc.members {
		author := s.player == e.Player && e.Player != "" || s.id == from
		if author && !e.Retract {
			continue // it has the verdict
		}
		s.push(e.Frame, logID(e))
	}
	h.m.pushed.Add(float64(len(sc.members)))
}

// logID names an entry in a session's log: a retraction is not the message that
// it takes back.
func logID(e session.SceneEntry) engines.RequestID {
	if e.Retract {
		return "-" + e.Message
	}
	return e.Message
}
