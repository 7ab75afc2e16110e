package image

import (
	"container/list"
	"slices"
	"sync"

	"github.com/portcullis-gg/portcullis/engines"
)

// cache remembers what was found in pictures, by their bytes: avatars and adverts are
// sent again and again. What banks, words and policy make of it is never remembered.
type cache struct {
	mu     sync.Mutex
	left   int // bytes
	by     map[cacheKey]*list.Element
	recent list.List // of *cached, the latest asked for first
}

// cacheKey is a picture and what it was looked at with. A skin is looked at in one way
// more than others.
type cacheKey struct {
	sum     [32]byte
	skin    bool
	version string
}

type cached struct {
	key     cacheKey
	facts   *engines.MediaFacts
	signals []engines.Signal
	size    int
}

func newCache(bytes int) *cache { return &cache{left: bytes, by: map[cacheKey]*list.Element{}} }

// get returns what is known of a picture; it must not be changed.
func (c *cache) get(key cacheKey) (*engines.MediaFacts, []engines.Signal, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.by[key]
	if !ok {
		return nil, nil, false
	}
	c.recent.MoveToFront(e)
	have, _ := e.Value.(*cached)
	return have.facts, have.signals, true
}

func (c *cache) put(key cacheKey, facts *engines.MediaFacts, signals []engines.Signal) {
	if facts == nil {
		return
	}
	n := &cached{key: key, facts: facts, signals: slices.Clone(signals), size: 512 + 192*len(signals)}
	for i := range facts.Text {
		n.size += 96 + len(facts.Text[i].Text)
	}
	for i := range facts.Codes {
		n.size += 96 + len(facts.Codes[i].Content)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.by[key]; ok {
		return
	}
	c.by[key] = c.recent.PushFront(n)
	for c.left -= n.size; c.left < 0 && c.recent.Len() > 0; {
		last, _ := c.recent.Remove(c.recent.Back()).(*cached)
		delete(c.by, last.key)
		c.left += last.size
	}
}
