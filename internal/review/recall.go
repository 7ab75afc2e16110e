package review

import (
	"hash/maphash"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// What a recall keeps of each place, and of each line.
const (
	playerLines  = 5
	sceneLines   = 8
	lineBytes    = 240
	recallShards = 32
)

// recall remembers, in memory alone, what players and scenes said last, so that
// engines see a message in its context. It is bounded: it keeps two generations
// of places. Full-rule: when the younger one is full, or older than the window,
// the older one is forgotten.
type recall struct {
	window time.Duration
	seed   maphash.Seed
	shards [recallShards]recallShard
}

type recallShard struct {
	mu         sync.Mutex
	most       int
	began      time.Time
	young, old map[place][]engines.Line
}

// place is a player or a scene of an app.
type place struct {
	app    engines.AppID
	scene  bool
	player engines.PlayerID // of a player
	id     engines.SceneID  // of a scene
}

func newRecall(places int, window time.Duration) *recall {
	r := &recall{window: window, seed: maphash.MakeSeed()}
	for i := range r.shards {
		r.shards[i].most = max(places/2/recallShards, 1)
		r.shards[i].young = map[place][]engines.Line{}
	}
	return r
}

// around returns what was said before item, nil when nothing was, and remembers
// item for the next. The lines are never written to again.
func (r *recall) around(item *engines.Item) *engines.Context {
	if item.Text == "" || item.Kind != engines.KindText || r.window <= 0 {
		return nil
	}
	line := engines.Line{Player: item.Player, Text: head(item.Text), At: item.ReceivedAt}
	var c engines.Context
	if item.Player != "" {
		c.Player = r.swap(place{app: item.App, player: item.Player}, line, playerLines)
	}
	if item.Scene != "" {
		c.Scene = r.swap(place{app: item.App, scene: true, id: item.Scene}, line, sceneLines)
	}
	if len(c.Player) == 0 && len(c.Scene) == 0 {
		return nil
	}
	return &c
}

// swap adds a line to a place and returns those before it that are in the window.
func (r *recall) swap(p place, line engines.Line, most int) []engines.Line {
	s := &r.shards[maphash.Comparable(r.seed, p)%recallShards]
	s.mu.Lock()
	defer s.mu.Unlock()
	before, ok := s.young[p]
	if !ok {
		before = s.old[p]
		s.turn(line.At, r.window)
	}
	for len(before) > 0 && (len(before) > most || line.At.Sub(before[0].At) > r.window) {
		before = before[1:]
	}
	// A new slice: the former one is out with an engine.
	after := make([]engines.Line, 0, len(before)+1)
	s.young[p] = append(append(after, before...), line)
	return before
}

// turn begins a new generation when the young one is full or has lived for a window.
func (s *recallShard) turn(now time.Time, window time.Duration) {
	if s.began.IsZero() {
		s.began = now
	}
	if len(s.young) < s.most && now.Sub(s.began) < window {
		return
	}
	s.old, s.young, s.began = s.young, make(map[place][]engines.Line, len(s.young)/2), now
}

// head is the beginning of a long text.
func head(text string) string {
	if len(text) <= lineBytes {
		return text
	}
	end := lineBytes
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
