package chat

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// A note is what gateways tell each other about a session. On the bus it is
// "kind session lost from".
type note struct {
	Kind    string
	Session engines.SessionID
	// Lost, in noteReleased: pushes up to this one may be missing in the log.
	Lost uint64
	From string
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

func (n note) String() string {
	return n.Kind + " " + string(n.Session) + " " + strconv.FormatUint(n.Lost, 10) + " " + n.From
}

func (h *Hub) tell(ctx context.Context, node string, n note) {
	n.From = h.cfg.Node
	if err := h.deps.Bus.Tell(ctx, node, []byte(n.String())); err != nil {
		h.log.DebugContext(ctx, "stream: gateway not told", "node", node, "kind", n.Kind, "err", err)
	}
}

// Told takes a note from another gateway. It does not wait: whoever calls it is
// the one who hears that a subscription stands.
func (h *Hub) Told(payload []byte) {
	parts := strings.SplitN(string(payload), " ", 4)
	if len(parts) != 4 {
		return // not from a gateway of this release: it is taken for dead
	}
	lost, err := strconv.ParseUint(parts[2], 10, 64)
	if err != nil {
		return
	}
	n := note{parts[0], engines.SessionID(parts[1]), lost, parts[3]}
	switch n.Kind {
	case noteReleased:
		h.releases.done(n)
	case noteReplaced:
		if s := h.find(n.Session); s != nil {
			s.end(wire.CloseReplaced, "replaced by another login")
		}
	case noteMoved:
		h.crew.start(func() { h.release(n) }) // a drained gateway has nothing left to write
	}
}

// release lets go of a session that another gateway has taken over.
func (h *Hub) release(n note) {
	var lost uint64
	s := h.find(n.Session)
	if s != nil {
		s.halt(wire.CloseMoved, "resumed elsewhere")
		s.wait() // the answer to its last message is stored then
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseWithin)
	defer cancel()
	if err := h.deps.Behind.Flush(ctx); err != nil {
		h.log.WarnContext(ctx, "stream: session released with pushes unwritten", "session", n.Session, "err", err)
	}
	if s != nil {
		s.mu.Lock()
		lost = s.lost
		s.mu.Unlock()
	}
	h.tell(ctx, n.From, note{Kind: noteReleased, Session: n.Session, Lost: lost})
	if s != nil {
		s.leave() // after: it may wait for Redis, and so would the new owner
	}
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
	waiting map[engines.SessionID]chan uint64
}

func (r *releases) done(n note) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.waiting[n.Session]; c != nil {
		c <- n.Lost // has room
		delete(r.waiting, n.Session)
	}
}

// askRelease asks the old owner to let go and waits for it, within releaseWithin.
// It returns the last push that may be missing in the log, as far as it is known.
func (h *Hub) askRelease(ctx context.Context, node string, id engines.SessionID) (lost uint64) {
	c := make(chan uint64, 1) // one answer
	h.releases.mu.Lock()
	h.releases.waiting[id] = c
	h.releases.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, releaseWithin)
	defer cancel()
	h.tell(ctx, node, note{Kind: noteMoved, Session: id})
	select {
	case lost = <-c:
	case <-ctx.Done():
		h.releases.mu.Lock()
		if h.releases.waiting[id] == c {
			delete(h.releases.waiting, id)
		}
		h.releases.mu.Unlock()
	}
	return lost
}
