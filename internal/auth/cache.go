package auth

import (
	"maps"
	"sync"
	"time"
)

// cache keeps values for a time. It is bounded: entries live in two
// generations, and a full young one becomes the old one, which is dropped. An
// entry that is used moves to the young one, so what is dropped is what nobody
// asked for lately. Nothing sweeps it.
type cache[K comparable, V any] struct {
	ttl  time.Duration
	size int // of a generation
	now  func() time.Time

	mu         sync.Mutex
	young, old map[K]cached[V]
	epoch      uint64 // grows when something is dropped on purpose
}

type cached[V any] struct {
	value V
	at    time.Time
}

func newCache[K comparable, V any](ttl time.Duration, size int, now func() time.Time) *cache[K, V] {
	return &cache[K, V]{ttl: ttl, size: size, now: now, young: map[K]cached[V]{}}
}

// get returns a value put less than maxAge ago.
func (c *cache[K, V]) get(key K, maxAge time.Duration) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, young := c.young[key]
	if !young {
		if e, ok = c.old[key]; !ok {
			return value, false
		}
	}
	// An age below zero is a clock that stepped back: the entry can't be dated.
	if age := c.now().Sub(e.at); age < 0 || age >= min(maxAge, c.ttl) {
		return value, false
	}
	if !young {
		c.store(key, e)
	}
	return e.value, true
}

// mark returns the moment to hand to put for a value that is about to be read.
func (c *cache[K, V]) mark() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch
}

// put keeps value, unless drop was called since mark: it may then be what was
// to be forgotten.
func (c *cache[K, V]) put(key K, value V, mark uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if mark == c.epoch {
		c.store(key, cached[V]{value, c.now()})
	}
}

// store is called with mu held.
func (c *cache[K, V]) store(key K, e cached[V]) {
	if len(c.young) >= c.size {
		c.old, c.young = c.young, make(map[K]cached[V])
	}
	c.young[key] = e
}

// remove forgets what a newer answer contradicts.
func (c *cache[K, V]) remove(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.young, key)
	delete(c.old, key)
}

// drop forgets what match names, and what is being read right now.
func (c *cache[K, V]) drop(match func(K, V) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	for _, m := range []map[K]cached[V]{c.young, c.old} {
		maps.DeleteFunc(m, func(k K, e cached[V]) bool { return match(k, e.value) })
	}
}

func (c *cache[K, V]) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.young) + len(c.old)
}
