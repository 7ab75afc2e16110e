// Package remember keeps what was found in pictures and sounds that are sent again and
// again, within so many bytes. What banks, words and policy make of it is never kept.
package remember

import (
	"container/list"
	"slices"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
)

// Findings are what was found of media, by a key that says which and what they were
// looked at with. They are safe for concurrent use.
type Findings[K comparable] struct {
	mu     sync.Mutex
	left   int // bytes
	by     map[K]*list.Element
	recent list.List // of *kept, the latest asked for first
}

type kept[K comparable] struct {
	key     K
	facts   *engines.MediaFacts
	signals []engines.Signal
	size    int
}

// New makes Findings of so many bytes; 0 or less keeps nothing. Full-rule: who was asked
// for longest ago goes.
func New[K comparable](bytes int) *Findings[K] {
	return &Findings[K]{left: bytes, by: map[K]*list.Element{}}
}

// Get returns what is known of media; it must not be changed.
func (f *Findings[K]) Get(key K) (*engines.MediaFacts, []engines.Signal, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e, ok := f.by[key]
	if !ok {
		return nil, nil, false
	}
	f.recent.MoveToFront(e)
	have, _ := e.Value.(*kept[K])
	return have.facts, have.signals, true
}

// Put keeps what was found; facts must not change after.
func (f *Findings[K]) Put(key K, facts *engines.MediaFacts, signals []engines.Signal) {
	if facts == nil {
		return
	}
	n := &kept[K]{key: key, facts: facts, signals: slices.Clone(signals), size: size(facts) + 192*len(signals)}
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.by[key]; ok {
		return
	}
	f.by[key] = f.recent.PushFront(n)
	for f.left -= n.size; f.left < 0 && f.recent.Len() > 0; {
		last, _ := f.recent.Remove(f.recent.Back()).(*kept[K])
		delete(f.by, last.key)
		f.left += last.size
	}
}

// size is about what facts take, in bytes.
func size(f *engines.MediaFacts) int {
	n := 512 + len(f.Peaks) + 96*len(f.Anomalies)
	for i := range f.Text {
		n += 96 + len(f.Text[i].Text)
	}
	for i := range f.Codes {
		n += 96 + len(f.Codes[i].Content)
	}
	for i := range f.Transcript {
		n += 56 + len(f.Transcript[i].Text)
	}
	for i := range f.Speech {
		n += 48 + 4*len(f.Speech[i].Voice)
	}
	return n
}
