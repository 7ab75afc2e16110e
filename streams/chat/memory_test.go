package chat

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
)

// world is what several gateways share: the rules of the Redis store without its
// delays, so that a test decides what is written when.
type world struct {
	bus    sync.Mutex // held while a scene's message goes out: all hear one order
	mu     sync.Mutex
	states map[engines.SessionID]session.State
	logs   map[engines.SessionID][]session.Entry
	owners map[playerKey]session.Owner
	scenes map[sceneKey][]session.SceneEntry
	saved  map[playerKey][]session.Answer
	nodes  map[string]*node
	ids    int
	length int // of a log
}

func newWorld() *world {
	return &world{
		states: map[engines.SessionID]session.State{}, logs: map[engines.SessionID][]session.Entry{},
		owners: map[playerKey]session.Owner{}, scenes: map[sceneKey][]session.SceneEntry{},
		saved: map[playerKey][]session.Answer{}, nodes: map[string]*node{}, length: session.LogLength,
	}
}

// node is one gateway's view of the world.
type node struct {
	*world
	name string
	hub  *Hub
	// reports are what the store says of writes; Flush waits for them.
	reports atomic.Int64
	alone   bool // an embedded store: nobody else can see it
	// signedOut ends every moderator's sign-in, or the store can't tell.
	signedOut, unknown atomic.Bool
	// Guarded by world.mu.
	dead   bool // writes nothing, hears nothing
	broken bool // Redis takes no writes of this node's log
	closed error
	heard  map[sceneKey]bool
}

func (w *world) node(name string) *node {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := &node{world: w, name: name, heard: map[sceneKey]bool{}}
	w.nodes[name] = n
	return n
}

// set changes a node between operations.
func (n *node) set(f func(*node)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f(n)
}

func (n *node) Create(_ context.Context, s session.State) (session.Owner, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed != nil {
		return session.Owner{}, n.closed
	}
	n.states[s.ID] = s
	if s.Player == "" {
		return session.Owner{}, nil
	}
	key := playerKey{s.App, s.Player}
	before := n.owners[key]
	n.owners[key] = session.Owner{Session: s.ID, Node: n.name}
	return before, nil
}

func (n *node) TakeOver(_ context.Context, c session.Claim) (s session.State, former string, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s, ok := n.states[c.ID]
	switch {
	case n.closed != nil:
		return s, "", n.closed
	case !ok:
		return s, "", session.ErrGone
	case s.Token != c.Token, c.App != "" && (s.App != c.App || s.Player != c.Player):
		return session.State{}, "", session.ErrToken
	case s.Epoch != c.Epoch:
		return session.State{}, "", session.ErrEpoch
	}
	former = s.Node
	s.Token, s.Node, s.Fence = c.Next, c.Node, s.Fence+1
	n.states[c.ID] = s
	if s.Player != "" {
		n.owners[playerKey{s.App, s.Player}] = session.Owner{Session: s.ID, Node: n.name}
	}
	return s, former, nil
}

func (n *node) Forget(_ context.Context, id engines.SessionID, app engines.AppID, p engines.PlayerID) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.states, id)
	delete(n.logs, id)
	if n.owners[playerKey{app, p}] == (session.Owner{Session: id, Node: n.name}) {
		delete(n.owners, playerKey{app, p})
	}
	return nil
}

func (n *node) Replay(_ context.Context, id engines.SessionID, after uint64) (entries []session.Entry, last uint64, ok bool, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range n.logs[id] {
		last = e.Seq
		if e.Seq > after {
			entries = append(entries, e)
		}
	}
	for i, e := range entries {
		if e.Seq != after+uint64(i)+1 {
			return nil, last, false, nil
		}
	}
	return entries, last, last >= after, nil
}

func (n *node) SceneLog(_ context.Context, app engines.AppID, scene engines.SceneID, after string) (entries []session.SceneEntry, ok bool, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	log := n.scenes[sceneKey{app, scene}]
	if i := slices.IndexFunc(log, func(e session.SceneEntry) bool { return e.ID == after }); i >= 0 {
		return slices.Clone(log[i+1:]), true, nil
	}
	return slices.Clone(log), len(log) < n.length, nil
}

func (n *node) SceneHead(_ context.Context, app engines.AppID, scene engines.SceneID) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	log := n.scenes[sceneKey{app, scene}]
	if len(log) == 0 {
		return "0", nil
	}
	return log[len(log)-1].ID, nil
}

func (n *node) Log(id engines.SessionID, fence int64, e session.Entry) {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.dead:
	case n.broken:
		n.report(func() { n.hub.Lost(id) })
	case n.states[id].Fence > fence:
		n.report(func() { n.hub.Moved(id) })
	default:
		n.logs[id] = append(n.logs[id], e)
		if over := len(n.logs[id]) - n.length; over > 0 {
			n.logs[id] = n.logs[id][over:]
		}
	}
}

func (n *node) Scene(app engines.AppID, scene engines.SceneID, e session.SceneEntry) {
	n.bus.Lock()
	defer n.bus.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.dead {
		return
	}
	key := sceneKey{app, scene}
	n.ids++
	e.ID = strconv.Itoa(n.ids)
	n.scenes[key] = append(n.scenes[key], e)
	if over := len(n.scenes[key]) - n.length; over > 0 {
		n.scenes[key] = n.scenes[key][over:]
	}
	for _, other := range n.nodes {
		if other != n && other.heard[key] && !other.dead {
			n.mu.Unlock() // a push is logged
			other.hub.Arrived(app, scene, e)
			n.mu.Lock()
		}
	}
}

func (n *node) Join(id engines.SessionID, scenes []session.Joined) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s, ok := n.states[id]
	switch {
	case n.dead || !ok:
	case s.Node != n.name:
		n.report(func() { n.hub.Moved(id) })
	default:
		s.Joined = scenes
		n.states[id] = s
	}
}

func (n *node) Touch(engines.SessionID, engines.AppID, engines.PlayerID) {}

func (n *node) Flush(ctx context.Context) error {
	if n.isDead() {
		<-ctx.Done()
		return ctx.Err()
	}
	for n.reports.Load() > 0 {
		time.Sleep(10 * time.Microsecond)
	}
	return nil
}

// report runs f, as the store's flusher does, outside the caller's locks.
func (n *node) report(f func()) {
	n.reports.Add(1)
	go func() {
		defer n.reports.Add(-1)
		f()
	}()
}

func (n *node) Answer(app engines.AppID, p engines.PlayerID, a session.Answer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.saved[playerKey{app, p}] = append(n.saved[playerKey{app, p}], a)
}

func (n *node) Answers(_ context.Context, app engines.AppID, p engines.PlayerID) ([]session.Answer, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.saved[playerKey{app, p}]), nil
}

func (n *node) Shared() bool { return !n.alone }

func (n *node) SubscribeScene(_ context.Context, app engines.AppID, scene engines.SceneID) error {
	n.set(func(n *node) { n.heard[sceneKey{app, scene}] = true })
	return nil
}

func (n *node) UnsubscribeScene(_ context.Context, app engines.AppID, scene engines.SceneID) {
	n.set(func(n *node) { delete(n.heard, sceneKey{app, scene}) })
}

func (n *node) Tell(_ context.Context, name string, payload []byte) error {
	n.mu.Lock()
	to := n.nodes[name]
	ok := to != nil && !to.dead && !n.dead
	n.mu.Unlock()
	if ok {
		to.hub.Told(payload) //nolint:contextcheck // what it starts is ended by Drain
	}
	return nil
}

// Identify reads a token of the tests: "player NAME SCENE...", "bare NAME SCENE..."
// without a language, "server" or "moderator".
func (n *node) Identify(_ context.Context, token string) (session.Identity, error) {
	words := strings.Fields(token)
	switch {
	case len(words) > 1 && (words[0] == "player" || words[0] == "bare"):
		id := session.Identity{Role: session.Player, App: "game", Player: engines.PlayerID(words[1]), Language: "en"}
		if words[0] == "bare" {
			id.Language = ""
		}
		for _, scene := range words[2:] {
			id.Grants = append(id.Grants, engines.SceneID(scene))
		}
		return id, nil
	case token == "server":
		return session.Identity{Role: session.Server, App: "game"}, nil
	case token == "moderator":
		return session.Identity{Role: session.Moderator, User: "mo", Valid: func(context.Context) (bool, error) {
			if n.unknown.Load() {
				return false, engines.ErrUnavailable
			}
			return !n.signedOut.Load(), nil
		}}, nil
	case token == "expired":
		return session.Identity{}, session.ErrExpired
	}
	return session.Identity{}, session.ErrUnknown
}

func (n *node) Use(context.Context, session.Identity) error { return nil }
