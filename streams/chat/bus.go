package chat

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// A note is what gateways tell each other about a session. On the bus it is
// "kind session from".
type note struct {
	Kind    string
	Session engines.SessionID
	From    string
}

const (
	// noteReplaced: the player opened a session elsewhere.
	noteReplaced = "replaced"
	// noteMoved: the session was resumed elsewhere; let go of it and answer
	// released once all that was pushed is in its log.
	noteMoved = "moved"
	// noteReleased answers noteMoved.
	noteReleased = "released"
)

// releaseWithin is how long a new owner waits for the old one to let go; one that
// does not answer is taken for dead, and the scenes' logs fill in.
const releaseWithin = 300 * time.Millisecond

func (n note) String() string { return n.Kind + " " + string(n.Session) + " " + n.From }

func (h *Hub) tell(ctx context.Context, node string, n note) {
	n.From = h.cfg.Node
	if err := h.deps.Bus.Tell(ctx, node, []byte(n.String())); err != nil {
		h.log.Debug("stream: gateway not told", "node", node, "kind", n.Kind, "err", err)
	}
}

// Told takes a note from another gateway.
func (h *Hub) Told(payload []byte) {
	kind, rest, _ := strings.Cut(string(payload), " ")
	id, from, ok := strings.Cut(rest, " ")
	if !ok {
		return
	}
	n := note{kind, engines.SessionID(id), from}
	switch n.Kind {
	case noteReleased:
		h.releases.done(n.Session)
	case noteReplaced:
		if s := h.find(n.Session); s != nil {
			s.end(wire.CloseReplaced, "replaced by another login")
		}
	case noteMoved:
		h.spawn(func() { h.release(n) })
	}
}

// release lets go of a session that another gateway has taken over.
func (h *Hub) release(n note) {
	if s := h.find(n.Session); s != nil {
		s.moved()
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseWithin)
	defer cancel()
	if err := h.deps.Behind.Flush(ctx); err != nil {
		h.log.Warn("stream: session released with pushes unwritten", "session", n.Session, "err", err)
	}
	h.tell(ctx, n.From, note{Kind: noteReleased, Session: n.Session})
}

// Arrived delivers what another gateway's member said.
func (h *Hub) Arrived(app engines.AppID, scene engines.SceneID, e session.SceneEntry) {
	if e.Node != h.cfg.Node {
		h.local(sceneKey{app, scene}, e)
	}
}

// releases are the takeovers that wait for the old owner.
type releases struct {
	mu      sync.Mutex
	waiting map[engines.SessionID]chan struct{}
}

func (r *releases) done(id engines.SessionID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.waiting[id]; c != nil {
		close(c)
		delete(r.waiting, id)
	}
}

// askRelease asks the old owner to let go and waits for it, within releaseWithin.
func (h *Hub) askRelease(ctx context.Context, node string, id engines.SessionID) {
	c := make(chan struct{}) // closed, never sent to
	h.releases.mu.Lock()
	h.releases.waiting[id] = c
	h.releases.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, releaseWithin)
	defer cancel()
	h.tell(ctx, node, note{Kind: noteMoved, Session: id})
	select {
	case <-c:
	case <-ctx.Done():
		h.releases.mu.Lock()
		delete(h.releases.waiting, id)
		h.releases.mu.Unlock()
	}
}
