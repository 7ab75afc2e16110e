package chat

import (
	"context"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// releaseWithin is how long a new owner waits for the old one to let go; one that
// does not answer is taken for dead, and the scenes' logs fill in.
const releaseWithin = 300 * time.Millisecond

func (h *Hub) tell(ctx context.Context, node string, n note) {
	n.From = h.cfg.Node
	if err := h.deps.Bus.Tell(ctx, node, n.encode()); err != nil {
		h.log.DebugContext(ctx, "stream: gateway not told", "node", node, "kind", n.Kind, "err", err)
	}
}

// Told takes a note from another gateway. It does not wait: whoever calls it is
// the one who hears that a subscription stands.
func (h *Hub) Told(payload []byte) {
	n, err := readNote(payload)
	if err != nil { // not from a gateway of this release: it is taken for dead
		h.log.Debug("stream: note not understood", "err", err)
		return
	}
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

// release lets go of a session that another gateway has taken over, and hands over
// what its log may lack: Redis refuses writes from the moment of the takeover on.
func (h *Hub) release(n note) {
	s := h.find(n.Session)
	if s != nil && !s.older(n.Fence) {
		return // the note is late: the session has come back since
	}
	answer := note{Kind: noteReleased, Session: n.Session}
	if s != nil {
		s.halt(wire.CloseMoved, "resumed elsewhere")
		s.wait() // the answer to its last message is stored then
		s.mu.Lock()
		answer.Lost, answer.Tail = s.lost, s.recent
		s.mu.Unlock()
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseWithin)
	defer cancel()
	if err := h.deps.Behind.Flush(ctx); err != nil {
		h.log.WarnContext(ctx, "stream: session released with pushes unwritten", "session", n.Session, "err", err)
	}
	h.tell(ctx, n.From, answer)
	if s != nil {
		s.leave() // after: it may wait for Redis, and so would the new owner
		h.remove(s)
	}
}

// Arrived delivers what another gateway's member said.
func (h *Hub) Arrived(app engines.AppID, scene engines.SceneID, e session.SceneEntry) {
	if e.Node != h.cfg.Node {
		h.local(sceneKey{app, scene}, "", e)
	}
}

// releases are the takeovers that wait for the old owner.
type releases struct {
	mu      sync.Mutex
	waiting map[engines.SessionID]chan note
}

func (r *releases) done(n note) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.waiting[n.Session]; c != nil {
		c <- n // has room
		delete(r.waiting, n.Session)
	}
}

// askRelease asks the old owner to let go and waits for its answer, within
// releaseWithin; the zero note is that of a dead one.
func (h *Hub) askRelease(ctx context.Context, node string, id engines.SessionID, fence int64) (answer note) {
	c := make(chan note, 1) // one answer
	h.releases.mu.Lock()
	h.releases.waiting[id] = c
	h.releases.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, releaseWithin)
	defer cancel()
	h.tell(ctx, node, note{Kind: noteMoved, Session: id, Fence: fence})
	select {
	case answer = <-c:
	case <-ctx.Done():
		h.releases.mu.Lock()
		if h.releases.waiting[id] == c {
			delete(h.releases.waiting, id)
		}
		h.releases.mu.Unlock()
	}
	return answer
}
