package players

import (
	"hash/maphash"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const shards = 64

type playerKey struct {
	app    engines.AppID
	player engines.PlayerID
}

// cache has cards at hand, those that were asked for last. It is divided so that
// thousands of messages a second do not wait for one lock.
type cache struct {
	seed   maphash.Seed
	shards [shards]shard
	// wanted are the players to be read. Rule when full: the verdict does without, and
	// the next one asks again.
	wanted chan playerKey
}

// shard is one part; mu guards all of it and is never held over a wait.
type shard struct {
	mu      sync.Mutex
	most    int
	of      map[playerKey]*entry
	ring    entry // its next came last, its prev is the next to go; see find
	flights map[playerKey]*flight
}

type entry struct {
	key        playerKey
	card       card
	stale      bool // it has changed, and is not being read yet
	asked      bool // since its turn to go came last
	prev, next *entry
}

// flight is a read under way. again says that what it reads may be old by now.
type flight struct {
	done  chan struct{}
	again bool
}

const wantedQueue = 1024

func newCache(size int) *cache {
	c := &cache{seed: maphash.MakeSeed(), wanted: make(chan playerKey, wantedQueue)}
	for i := range c.shards {
		sh := &c.shards[i]
		sh.most = max(size/shards, 1)
		sh.of, sh.flights = map[playerKey]*entry{}, map[playerKey]*flight{}
		sh.ring.prev, sh.ring.next = &sh.ring, &sh.ring
	}
	return c
}

func (c *cache) shard(k playerKey) *shard { return &c.shards[maphash.Comparable(c.seed, k)%shards] }

func (e *entry) unlink() { e.prev.next, e.next.prev = e.next, e.prev }

func (sh *shard) front(e *entry) {
	e.prev, e.next = &sh.ring, sh.ring.next
	e.prev.next, e.next.prev = e, e
}

// find returns a player's entry, which counts as asked for; mu is held. Who is asked for
// stays where it is in the ring and gets another turn when its own has come: to move it
// each time wrote to two neighbours that no cache of the processor had, three times a
// message.
func (sh *shard) find(k playerKey) *entry {
	e := sh.of[k]
	if e != nil && !e.asked {
		e.asked = true
	}
	return e
}

// makeRoom drops the one that was asked for longest ago, or nearly; mu is held.
func (sh *shard) makeRoom() {
	last := sh.ring.prev
	for ; last.asked; last = sh.ring.prev { // ends: each that is passed over is asked no more
		last.asked = false
		last.unlink()
		sh.front(last)
	}
	last.unlink()
	delete(sh.of, last.key)
}

// put keeps a card; mu is held.
func (sh *shard) put(k playerKey, c card) {
	e := sh.of[k]
	if e == nil {
		if len(sh.of) >= sh.most {
			sh.makeRoom()
		}
		e = &entry{key: k}
		sh.of[k] = e
		sh.front(e)
	} else {
		c.today, c.passes = e.card.today, e.card.passes // what is counted here alone
	}
	e.card, e.stale = c, false
}

// want has a player read, and returns what tells that it was; nil when too many wait.
// mu is held.
func (c *cache) want(sh *shard, k playerKey) *flight {
	if f := sh.flights[k]; f != nil {
		return f
	}
	select {
	case c.wanted <- k:
		f := &flight{done: make(chan struct{})}
		sh.flights[k] = f
		return f
	default:
		return nil
	}
}

// get returns a player's card. One that is not at hand is read, and waited for that
// long; fresh also waits for a newer one that is being read.
func (c *cache) get(k playerKey, wait time.Duration, fresh bool) (got card, ok, late bool) {
	sh := c.shard(k)
	sh.mu.Lock()
	e := sh.find(k)
	if e != nil {
		got, ok = e.card, true
	}
	f := sh.flights[k]
	if f == nil && (e == nil || e.stale) {
		f = c.want(sh, k)
	}
	if e != nil && f != nil {
		e.stale = false
	}
	sh.mu.Unlock()
	if f == nil || wait <= 0 || ok && !fresh {
		return got, ok, false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-f.done:
	case <-timer.C:
		return got, ok, true
	}
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if e := sh.find(k); e != nil {
		return e.card, true, false
	}
	return got, ok, false
}

// outdated has a card that is at hand read again; until then the old one serves.
func (c *cache) outdated(k playerKey, changed int64) {
	sh := c.shard(k)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if f := sh.flights[k]; f != nil {
		f.again = true
		return
	}
	e := sh.of[k]
	if e == nil || changed != 0 && e.card.changed >= changed {
		return
	}
	e.stale = c.want(sh, k) == nil // then the next who asks has it read
}

// forget drops a player's card. A read under way is done again, since it may have
// begun before there was something to forget.
func (c *cache) forget(k playerKey) {
	sh := c.shard(k)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if f := sh.flights[k]; f != nil {
		f.again = true
	}
	if e := sh.of[k]; e != nil {
		e.unlink()
		delete(sh.of, k)
	}
}

// outdatedOf has the cards of an app read again, each when it is asked for next.
func (c *cache) outdatedOf(app engines.AppID) {
	for i := range c.shards {
		sh := &c.shards[i]
		sh.mu.Lock()
		for k, e := range sh.of {
			e.stale = e.stale || k.app == app
		}
		for k, f := range sh.flights {
			f.again = f.again || k.app == app
		}
		sh.mu.Unlock()
	}
}

// landed ends a read: with a card, or without where it failed, and the next who asks
// has it done. true: it has to be done again.
func (c *cache) landed(k playerKey, got card, ok bool) (again bool) {
	sh := c.shard(k)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if ok {
		sh.put(k, got)
	} else if e := sh.of[k]; e != nil {
		e.stale = true
	}
	f := sh.flights[k]
	switch {
	case f == nil:
	case f.again && ok:
		f.again = false
		return true
	default:
		delete(sh.flights, k)
		close(f.done)
	}
	return false
}
