package review

import (
	"hash/maphash"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
)

// What a recall keeps of each player, and of each line.
const (
	playerLines  = 5
	lineBytes    = 240
	recallShards = 32
)

// recall remembers, in memory alone, what players said last, so that engines see a
// message in its context. It is bounded: it keeps two generations of players.
// Full-rule: when the younger one is full, or older than the window, the older one
// is forgotten.
type recall struct {
	window time.Duration
	seed   maphash.Seed
	shards [recallShards]recallShard
}

type recallShard struct {
	mu         sync.Mutex
	most       int
	began      time.Time
	young, old map[speaker][]engines.Line
}

// speaker is a player of an app.
type speaker struct {
	app    engines.AppID
	player engines.PlayerID
}

func newRecall(players int, window time.Duration) *recall {
	r := &recall{window: window, seed: maphash.MakeSeed()}
	for i := range r.shards {
		r.shards[i].most = max(players/2/recallShards, 1)
		r.shards[i].young = map[speaker][]engines.Line{}
	}
	return r
}

// around returns what item's player said before, nil when nothing was, and
// remembers item for the next. The lines are never written to again.
func (r *recall) around(item *engines.Item) *engines.Context {
	if item.Text == "" || item.Kind != engines.KindText || item.Player == "" {
		return nil
	}
	before := r.swap(speaker{item.App, item.Player}, engines.Line{Player: item.Player, Text: head(item.Text), At: item.ReceivedAt})
	if len(before) == 0 {
		return nil
	}
	return &engines.Context{Player: before}
}

// swap adds a line to a player's and returns those before it that are in the window.
func (r *recall) swap(p speaker, line engines.Line) []engines.Line {
	s := &r.shards[maphash.Comparable(r.seed, p)%recallShards]
	s.mu.Lock()
	defer s.mu.Unlock()
	before, ok := s.young[p]
	if !ok {
		before = s.old[p]
		delete(s.old, p) // one owner: two would append to the same memory
		s.turn(line.At, r.window)
	}
	for len(before) > 0 && (len(before) > playerLines || line.At.Sub(before[0].At) > r.window) {
		before = before[1:]
	}
	// What is out with an engine ends before the line that is added.
	s.young[p] = append(before, line)
	return slices.Clip(before)
}

// turn begins a new generation when the young one is full or has lived for a window.
func (s *recallShard) turn(now time.Time, window time.Duration) {
	if s.began.IsZero() {
		s.began = now
	}
	if len(s.young) < s.most && now.Sub(s.began) < window {
		return
	}
	s.old, s.young, s.began = s.young, make(map[speaker][]engines.Line, len(s.young)/2), now
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
