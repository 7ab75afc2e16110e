package chat

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Session is one client's conversation. It is kept small: ten thousand of them
// are ordinary.
type Session struct {
	hub    *Hub
	id     engines.SessionID
	app    engines.AppID
	player engines.PlayerID // "" for a game server
	role   session.Role
	grants []engines.SceneID
	tags   *tags // nil when the ticket has none
	key    playerKey
	mine   *player // the player's part that outlives the session

	// turn is held from the check of a message to its delivery.
	turn sync.Mutex

	mu       sync.Mutex
	link     *link // nil while detached
	epoch    string
	token    [32]byte // SHA-256 of the live resume token
	seq      uint64
	fence    int64           // grows with each owner; Redis refuses writes of an older one
	held     []session.Entry // not yet logged: an ownership change is under way
	holding  bool
	queue    []push
	bytes    int
	flushing bool // a flusher runs
	paused   bool // resuming: pushes queue, nobody writes them yet
	ended    bool
	lost     bool // the log has a hole: no resume
	unsaved  bool // Redis did not take it yet
	joined   []*membership
	// known are the messages that a takeover has delivered, while the same may
	// still come over the bus; nil otherwise.
	known    map[engines.RequestID]struct{}
	detached time.Time // when the connection went; zero while attached
	touched  time.Time // when its life in Redis was last prolonged
}

// tags are what a ticket says of its player for policy.
type tags struct{ segment, region, language string }

// push is one numbered message on its way to the client, without its seq.
type push struct {
	seq  uint64
	body []byte
}

func newSession(h *Hub, id session.Identity) *Session {
	s := &Session{hub: h, id: engines.SessionID(random(16)), app: id.App, player: id.Player, role: id.Role, grants: id.Grants, epoch: random(6), fence: 1}
	s.setTags(id.Segment, id.Region, id.Language)
	return s
}

func (s *Session) setTags(segment, region, language string) {
	if segment != "" || region != "" || language != "" {
		s.tags = &tags{segment, region, language}
	}
}

// state is the session as Redis keeps it. The caller holds no lock.
func (s *Session) state() session.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := session.State{
		ID: s.id, App: s.app, Player: s.player, Epoch: s.epoch, Token: s.token,
		Node: s.hub.cfg.Node, Fence: s.fence, Grants: s.grants, Joined: s.memberships(),
	}
	if s.tags != nil {
		st.Segment, st.Region, st.Language = s.tags.segment, s.tags.region, s.tags.language
	}
	return st
}

func (s *Session) memberships() []session.Joined {
	if len(s.joined) == 0 {
		return nil
	}
	list := make([]session.Joined, len(s.joined))
	for i, m := range s.joined {
		list[i] = session.Joined{Scene: m.scene.key.scene, After: m.after}
	}
	return list
}

// newToken makes the next resume token; only its hash is kept.
func newToken() (token string, hash [32]byte) {
	token = random(16)
	return token, sha256.Sum256([]byte(token))
}

// random is n random bytes as text.
func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails (crypto/rand since Go 1.24)
	return base64.RawURLEncoding.EncodeToString(b)
}

// detach ends a connection's hold of the session, which waits for a resume.
func (s *Session) detach(l *link) {
	s.mu.Lock()
	if s.link != l || s.ended {
		s.mu.Unlock()
		return
	}
	s.link, s.queue, s.bytes, s.detached = nil, nil, 0, time.Now()
	s.mu.Unlock()
	s.hub.deps.Behind.Touch(s.id, s.app, s.player) // the window starts now
}

// end closes the session for good: its connection gets code, and nothing of it
// can be resumed.
func (s *Session) end(code websocket.StatusCode, reason string) {
	l, ok := s.stop()
	if !ok {
		return
	}
	if l != nil {
		l.closeLater(code, reason)
	}
	s.hub.spawn(func() { s.hub.forget(s) })
}

// stop takes the session off this gateway and returns its connection.
func (s *Session) stop() (*link, bool) {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return nil, false
	}
	s.ended = true
	l, joined := s.link, s.joined
	s.link, s.queue, s.bytes, s.joined = nil, nil, 0, nil
	s.mu.Unlock()
	for _, m := range joined {
		s.hub.part(s, m.scene)
	}
	s.hub.remove(s)
	return l, true
}

// moved hands the session to another gateway or another connection of this one.
func (s *Session) moved() {
	if l, ok := s.stop(); ok && l != nil {
		l.closeLater(wire.CloseMoved, "resumed elsewhere")
	}
}

// markLost notes that the log in Redis has a hole, so that the next resume is a
// reset and not a silent gap.
func (s *Session) markLost() {
	s.mu.Lock()
	s.lost = true
	s.mu.Unlock()
}

// Lost tells the hub that a write of the session's log did not reach Redis.
func (h *Hub) Lost(id engines.SessionID) {
	if s := h.find(id); s != nil {
		s.markLost()
	}
}

// Moved tells the hub that another gateway owns the session now.
func (h *Hub) Moved(id engines.SessionID) {
	if s := h.find(id); s != nil {
		s.moved()
	}
}

// log writes a push behind, or holds it while the session changes hands; mu is
// held. Full-rule of the held ones: past QueueCount the log counts as lost.
func (s *Session) log(e session.Entry) {
	switch {
	case !s.holding:
		s.hub.deps.Behind.Log(s.id, s.fence, e)
	case len(s.held) < s.hub.cfg.QueueCount:
		s.held = append(s.held, e)
	default:
		s.lost = true
	}
}

// hold keeps pushes out of the log until release: between the moment when Redis
// changes the owner and the moment when we know our new fence, they would be
// refused as a stranger's.
func (s *Session) hold() {
	s.mu.Lock()
	s.holding = true
	s.mu.Unlock()
}

// release logs what was held. A fence of 0 leaves the session its own.
func (s *Session) release(fence int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if fence > 0 {
		s.fence = fence
	}
	for _, e := range s.held {
		s.hub.deps.Behind.Log(s.id, s.fence, e)
	}
	s.held, s.holding = nil, false
}
