package history

import (
	"bytes"
	"container/list"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// place names a scene.
type place struct {
	app   engines.AppID
	scene engines.SceneID
}

// gathered are messages of a scene that wait for more.
type gathered struct {
	chunk store.SceneChunk
	since time.Time
	at    *list.Element // in gathering.byAge
}

// wanted is a scene that is to be written again.
type wanted struct {
	place

	due   time.Time
	again bool // something was flagged since
}

// gathering is what waits in memory: scenes that gather, and chunks that are ready to
// be written. Messages are held packed, so that the collector of garbage has nothing to
// look at in them. It is not safe for concurrent use.
type gathering struct {
	cfg    *Config
	scenes map[place]*gathered
	byAge  *list.List // of *gathered, the oldest first
	held   int        // bytes of scenes
	ready  []store.SceneChunk
	bytes  int  // of scenes, of what is ready and of what is being written: bounded by Config.Memory
	urgent bool // somebody waits for what is ready

	// Scenes of which something was flagged: one entry each, in the order of due. Rule
	// when full (maxWanted): written now, and not again before their time.
	wanted map[place]*wanted
	queue  []*wanted

	// gone are players who are being erased, and until when nothing of them is taken.
	// Rule when full (maxGone): not noted.
	gone map[player]time.Time
}

type player struct {
	app engines.AppID
	id  engines.PlayerID
}

const (
	// perChunk is about what a chunk takes besides its body.
	perChunk  = 300
	maxWanted = 1 << 16
	maxGone   = 1 << 12
	// goneFor is how long verdicts on what a player said may still come in after the
	// player's sessions have ended.
	goneFor = 30 * time.Second
)

func newGathering(cfg *Config) *gathering {
	return &gathering{
		cfg: cfg, scenes: map[place]*gathered{}, byAge: list.New(), wanted: map[place]*wanted{}, gone: map[player]time.Time{},
	}
}

// put takes a message; false: there is no room for it.
func (g *gathering) put(m *store.SceneMessage, now time.Time) bool {
	if g.bytes+len(m.Content)+perChunk > g.cfg.Memory {
		return false
	}
	at := place{m.App, m.Scene}
	s := g.scenes[at]
	if s != nil && !s.chunk.Takes(m.Message) {
		g.release(s)
		s = nil
	}
	if s == nil {
		s = &gathered{chunk: store.SceneChunk{App: m.App, Scene: m.Scene}, since: now}
		s.at = g.byAge.PushBack(s)
		g.scenes[at] = s
		g.bytes += perChunk
		g.held += perChunk
	}
	before := len(s.chunk.Body)
	s.chunk.Add(m)
	g.bytes += len(s.chunk.Body) - before
	g.held += len(s.chunk.Body) - before
	if s.chunk.Messages >= g.cfg.Chunk {
		g.release(s)
	}
	return true
}

// release makes what a scene has gathered ready to be written.
func (g *gathering) release(s *gathered) {
	g.ready = append(g.ready, s.chunk)
	g.held -= perChunk + len(s.chunk.Body)
	g.byAge.Remove(s.at)
	delete(g.scenes, place{s.chunk.App, s.chunk.Scene})
}

// flag has a scene written with what is next, and again later. A scene that is to be written again
// anyway waits for that: however much is flagged in it, it is written once in After.
func (g *gathering) flag(at place, now time.Time) {
	if w := g.wanted[at]; w != nil {
		w.again = true
		return
	}
	g.want(at)
	if len(g.queue) >= maxWanted {
		return
	}
	w := &wanted{place: at, due: now.Add(g.cfg.After)}
	g.wanted[at] = w
	g.queue = append(g.queue, w)
}

// want has a scene written with what is next.
func (g *gathering) want(at place) {
	if s := g.scenes[at]; s != nil {
		g.release(s)
	}
}

// forget has everything written now in which a player may stand, so that who erases the
// player finds it, and takes nothing of the player for a while.
func (g *gathering) forget(p player, now time.Time) {
	if len(g.gone) < maxGone {
		g.gone[p] = now.Add(goneFor)
	}
	g.gather(p)
}

// gather has everything written now in which a player may stand.
func (g *gathering) gather(p player) {
	for at, s := range g.scenes {
		if at.app == p.app && bytes.Contains(s.chunk.Body, []byte(p.id)) {
			g.release(s)
		}
	}
	g.urgent = true
}

// due makes ready what is: what has waited for long enough, the oldest where scenes hold
// more than half of what may wait, and scenes that are to be written again.
func (g *gathering) due(now time.Time) {
	for len(g.queue) > 0 && !g.queue[0].due.After(now) {
		w := g.queue[0]
		g.queue[0] = nil
		g.queue = g.queue[1:]
		delete(g.wanted, w.place)
		if w.again {
			g.flag(w.place, now)
		} else {
			g.want(w.place)
		}
	}
	for e := g.byAge.Front(); e != nil; e = g.byAge.Front() {
		s := e.Value.(*gathered) //nolint:forcetypeassert,errcheck // we put it there
		if now.Sub(s.since) < g.cfg.Interval && g.held <= g.cfg.Memory/2 {
			break
		}
		g.release(s)
	}
	for p, until := range g.gone {
		if now.After(until) {
			delete(g.gone, p)
		}
	}
}

// take hands out up to most chunks to be written; written gives their room back.
func (g *gathering) take(most int) []store.SceneChunk {
	n := min(most, len(g.ready))
	out := g.ready[:n:n]
	if g.ready = g.ready[n:]; len(g.ready) == 0 {
		g.ready, g.urgent = nil, false
	}
	return out
}

func (g *gathering) written(list []store.SceneChunk) {
	for i := range list {
		g.bytes -= perChunk + len(list[i].Body)
	}
}

// find looks for a message in what waits and in what is being written.
func (g *gathering) find(at place, id engines.RequestID, writing []store.SceneChunk) (store.SceneMessage, bool) {
	in := func(c *store.SceneChunk) (store.SceneMessage, bool) {
		if c.App != at.app || c.Scene != at.scene || id < c.First || id > c.Last {
			return store.SceneMessage{}, false
		}
		said, err := c.Read()
		i := slices.IndexFunc(said, func(m store.SceneMessage) bool { return m.Message == id })
		if err != nil || i < 0 {
			return store.SceneMessage{}, false
		}
		return said[i], true
	}
	if s := g.scenes[at]; s != nil {
		if m, ok := in(&s.chunk); ok {
			return m, true
		}
	}
	for _, list := range [][]store.SceneChunk{g.ready, writing} {
		for i := range list {
			if m, ok := in(&list[i]); ok {
				return m, true
			}
		}
	}
	return store.SceneMessage{}, false
}
