package chat

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	mathrand "math/rand/v2"
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

	// turn is held while a message is answered, from its look-up among the answers
	// to its delivery: what waits for that is in later.
	turn sync.Mutex

	mu       sync.Mutex
	link     *link // nil while detached
	epoch    string
	token    [32]byte // SHA-256 of the live resume token
	seq      uint64
	fence    int64           // grows with each owner; Redis refuses writes of an older one
	held     []session.Entry // not yet logged: an ownership change is under way
	holding  int             // resumes that are asking Redis
	queue    []push
	waiting  int   // pushes not yet on the socket: those queued and those the flusher has
	bytes    int   // their size
	flushing *link // the connection that a flusher writes to
	paused   bool  // resuming: pushes queue, nobody writes them yet
	ended    bool
	inTurn   bool            // a message is being answered
	unsaved  bool            // Redis did not take it yet
	lost     uint64          // no push after this one is missing in the log
	recent   []session.Entry // the last pushes, see remember
	swept    uint64          // seq at the last sweep
	joined   []*membership
	later    []func()   // run once the turn is over, see after
	taken    *takenOver // nil but for a while after a takeover
	detached time.Time  // when the connection went; zero while attached
	touched  time.Time  // when its life in Redis was last prolonged
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
	// Ten thousand that come at once are not to be renewed at once.
	s.touched = time.Now().Add(-mathrand.N(touchEvery))
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
	s.attached(nil)
	s.mu.Unlock()
	s.hub.deps.Behind.Touch(s.id, s.app, s.player) // the window starts now
}

// attached gives the session its connection, nil when that has gone; mu is held.
// What waited for the one before is in the log.
func (s *Session) attached(l *link) {
	s.link, s.queue, s.waiting, s.bytes, s.detached = l, nil, 0, 0, time.Time{}
	if l == nil {
		s.detached = time.Now()
	}
}

// holds reports whether l is the session's connection.
func (s *Session) holds(l *link) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.link == l
}

// end closes the session for good: its connection gets code, and nothing of it
// can be resumed.
func (s *Session) end(code websocket.StatusCode, reason string) {
	if s.halt(code, reason) {
		s.retire(true)
	}
}

// moved hands the session to another gateway.
func (s *Session) moved() {
	if s.halt(wire.CloseMoved, "resumed elsewhere") {
		s.retire(false)
	}
}

// halt ends the session: no push and no connection any more. It is still found,
// since a message may be in its turn, until leave. It does not wait. false: it was
// ended before.
func (s *Session) halt(code websocket.StatusCode, reason string) bool {
	s.mu.Lock()
	if s.ended {
		s.mu.Unlock()
		return false
	}
	s.ended = true
	l := s.link
	s.attached(nil)
	s.detached = time.Time{}
	s.mu.Unlock()
	if l != nil {
		l.closeLater(code, reason)
	}
	return true
}

// retire takes a halted session off this gateway once its turn is over, and out
// of Redis if forget says so.
func (s *Session) retire(forget bool) {
	started := s.hub.crew.start(func() {
		s.leave()
		if forget {
			s.hub.remove(s)
			s.hub.forget(s)
			return
		}
		time.Sleep(releaseWithin) // the new owner may be about to ask for what it pushed last
		s.hub.remove(s)
	})
	if !started { // drained: Redis keeps it no longer than its lifetime
		s.hub.remove(s)
	}
}

// leave takes a halted session out of its scenes, once its turn is over.
func (s *Session) leave() {
	s.hub.silence(s.id)
	s.wait()
	s.mu.Lock()
	joined := s.joined
	s.joined = nil
	s.mu.Unlock()
	for _, m := range joined {
		s.hub.part(s, m.scene)
	}
}

// older reports whether the session's owner is one before fence.
func (s *Session) older(fence int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fence < fence
}

// recentPushes is how many pushes a session remembers: more than its members get
// while a takeover and the write-behind's batch are under way.
const recentPushes = 64

// remember keeps the last pushes for the next owner, since Redis may refuse what
// is on its way to the log when the owner changes. The sweep forgets them after a
// second without a push. mu is held. Full-rule: the older half goes.
func (s *Session) remember(e session.Entry) {
	if len(s.recent) == recentPushes {
		s.recent = append(make([]session.Entry, 0, recentPushes), s.recent[recentPushes/2:]...)
	}
	s.recent = append(s.recent, e)
}

// begin waits for the session's turn; finish ends it.
func (s *Session) begin() {
	s.turn.Lock()
	s.mu.Lock()
	s.inTurn = true
	s.mu.Unlock()
}

func (s *Session) finish() {
	s.mu.Lock()
	later := s.later
	s.later, s.inTurn = nil, false
	s.mu.Unlock()
	s.turn.Unlock()
	for _, f := range later {
		f()
	}
}

// wait returns when the message in its turn, if any, is delivered.
func (s *Session) wait() {
	s.turn.Lock()
	s.turn.Unlock() //nolint:staticcheck // waiting is all that is wanted
}

// after runs f once the message in its turn, if any, is delivered; the caller does
// not wait for a client that does not read its verdict. Full-rule: past QueueCount
// it does wait.
func (s *Session) after(f func()) {
	s.mu.Lock()
	busy := s.inTurn
	if busy && len(s.later) < s.hub.cfg.QueueCount {
		s.later = append(s.later, f)
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	if busy {
		s.wait()
	}
	f()
}

// Lost tells the hub that a write of the session's log did not reach Redis: who
// takes the session over can't see a hole at the log's end, and asks.
func (h *Hub) Lost(id engines.SessionID) {
	if s := h.find(id); s != nil {
		s.mu.Lock()
		s.lost = s.seq
		s.mu.Unlock()
	}
}

// Moved tells the hub that another gateway owns the session now. It does not wait.
func (h *Hub) Moved(id engines.SessionID) {
	if s := h.find(id); s != nil {
		s.moved()
	}
}

// log writes a push behind, or holds it while the session changes hands; mu is
// held. Full-rule of the held ones: past QueueCount the log counts as lost.
func (s *Session) log(e session.Entry) {
	switch {
	case s.holding == 0:
		s.hub.deps.Behind.Log(s.id, s.fence, e)
	case len(s.held) < s.hub.cfg.QueueCount:
		s.held = append(s.held, e)
	default:
		s.lost = e.Seq
	}
}

// hold keeps pushes out of the log until release: between the moment when Redis
// changes the owner and the moment when we know our new fence, they would be
// refused as a stranger's.
func (s *Session) hold() {
	s.mu.Lock()
	s.holding++
	s.mu.Unlock()
}

// release logs what was held, once nobody holds any more. A fence of 0 leaves the
// session its own.
func (s *Session) release(fence int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fence = max(s.fence, fence)
	if s.holding--; s.holding > 0 {
		return
	}
	if !s.ended { // else the log is another owner's
		for _, e := range s.held {
			s.hub.deps.Behind.Log(s.id, s.fence, e)
		}
	}
	s.held = nil
}
