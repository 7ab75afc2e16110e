package chat

import (
	"context"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
)

// heardLength is how many entries a heard keeps: more than a scene's log ever
// holds, which is trimmed now and then and not at each entry.
const heardLength = 2 * session.LogLength

// heard are the last entries of other gateways that a scene's members here were
// given.
type heard struct {
	ids   map[engines.RequestID]struct{}
	order []engines.RequestID // a ring, the next to go at at
	at    int
}

// add notes an entry; false when it was noted before.
func (h *heard) add(id engines.RequestID) bool {
	if _, ok := h.ids[id]; ok {
		return false
	}
	if h.ids == nil {
		h.ids = map[engines.RequestID]struct{}{}
	}
	h.ids[id] = struct{}{}
	if len(h.order) < heardLength {
		h.order = append(h.order, id)
		return true
	}
	delete(h.ids, h.order[h.at])
	h.order[h.at] = id
	h.at = (h.at + 1) % len(h.order)
	return true
}

// hear notes an entry that members here are given; false when it was noted
// before. The scene's mu is held.
func (sc *scene) hear(id engines.RequestID) bool {
	if sc.heard == nil {
		sc.heard = &heard{}
	}
	return sc.heard.add(id)
}

// Missed tells the hub that the bus was silent for a while: what other gateways
// said meanwhile is in the scenes' logs.
func (h *Hub) Missed() { h.crew.start(h.refill) }

// refill gives the members here what they have missed.
func (h *Hub) refill() {
	h.mu.RLock()
	scenes := make([]*scene, 0, len(h.scenes))
	for _, sc := range h.scenes {
		scenes = append(scenes, sc)
	}
	h.mu.RUnlock()
	for _, sc := range scenes {
		ctx, cancel := context.WithTimeout(context.Background(), h.cfg.StoreWait)
		entries, _, err := h.deps.Logs.SceneLog(ctx, sc.key.app, sc.key.scene, "0")
		cancel()
		if err != nil {
			h.log.WarnContext(ctx, "stream: scenes not refilled", "err", err)
			return // Redis is away again; its return brings us back here
		}
		sc.refill(h.cfg.Node, entries)
	}
}

// refill pushes the entries of other gateways that are new here, to those who were
// members when they were said.
func (sc *scene) refill(node string, entries []session.SceneEntry) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	for _, e := range entries {
		if e.Node == node || !sc.hear(logID(e)) {
			continue
		}
		for _, s := range sc.members {
			author := s.player == e.Player && e.Player != ""
			if (!author || e.Retract) && s.joinedBefore(sc, e.ID) {
				s.push(e.Frame, logID(e))
			}
		}
	}
}

// joinedBefore reports whether the session was in the scene when the entry of this
// id was logged. One whose place is not known was not.
func (s *Session) joinedBefore(sc *scene, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.joined {
		if m.scene == sc {
			return m.after != "" && earlier(m.after, id)
		}
	}
	return false
}

// earlier compares the ids of a log: two numbers, the second of which may lack.
func earlier(a, b string) bool {
	aMS, aN := place(a)
	bMS, bN := place(b)
	return aMS < bMS || aMS == bMS && aN < bN
}

func place(id string) (ms, n uint64) {
	first, second, _ := strings.Cut(id, "-")
	ms, _ = strconv.ParseUint(first, 10, 64) // our own store's ids: always numbers
	n, _ = strconv.ParseUint(second, 10, 64)
	return ms, n
}
