package players

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// readers read players at once.
	readers = 4
	// readWithin bounds one read.
	readWithin = time.Second
	// fadedAfter is after how many half-lives a strike weighs nothing: a thousandth.
	fadedAfter = 10

	// followEvery is how often changes are looked for that other gateways made: they
	// tell each other at once, and this is for what was not heard.
	followEvery = time.Second
	// followBack is how far apart the clocks of two gateways may be, and how long a
	// change may take to commit.
	followBack = 10 * time.Second
	followPage = 1000
)

// since is from when on strikes are read.
func (s *Service) since(at int64) int64 { return at - s.cfg.StrikesCount().Milliseconds() }

func (s *Service) fetch(ctx context.Context, k playerKey) (card, error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	stored, err := s.deps.Store.Card(ctx, k.app, k.player, s.since(s.clock()))
	if err != nil {
		return card{}, err
	}
	return s.cardOf(&stored), nil
}

// read reads the players that are wanted.
func (s *Service) read(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case k := <-s.cache.wanted:
			for again := true; again; {
				c, err := s.fetch(ctx, k)
				if err != nil {
					s.deps.Log.DebugContext(ctx, "players: not read", "app", k.app, "err", err)
				}
				again = s.cache.landed(k, c, err == nil)
			}
		}
	}
}

// keep puts a card that was just read in the place of the one at hand.
func (c *cache) keep(k playerKey, got card) {
	sh := c.shard(k)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.put(k, got)
}

// follow has cards read again that other gateways changed.
func (s *Service) follow(ctx context.Context) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	since := s.clock()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		start := s.clock()
		if s.look(ctx, since-followBack.Milliseconds()) {
			since = start
		}
	}
}

// look goes through the changes since a time; false where the store did not answer,
// and the next round looks from the same time on.
func (s *Service) look(ctx context.Context, since int64) bool {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	for after := (store.CardKey{Changed: since - 1}); ; {
		page, err := s.deps.Store.CardsChanged(ctx, after, followPage)
		if err != nil {
			s.deps.Log.DebugContext(ctx, "players: changes not read", "err", err)
			return false
		}
		for _, k := range page {
			s.cache.outdated(playerKey{k.App, k.Player}, k.Changed)
		}
		if len(page) < followPage {
			return true
		}
		after = page[len(page)-1]
	}
}
