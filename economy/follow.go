package economy

import (
	"context"
	"time"
)

// followLogsEvery is how often what other gateways stored is read: by how much the
// answers of two gateways may lag each other, besides the snapshots of the model.
const followLogsEvery = time.Second

// followLogs has the books count what other gateways store, so that each of them
// knows all of it and any of them answers alike. The stored log is what they share:
// a book is a function of it, whoever took the entries in.
func (s *Service) followLogs(ctx context.Context) {
	tick := time.NewTicker(followLogsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, sh := range s.opened() {
			s.follow(ctx, sh)
			s.renew(sh)
		}
	}
}

// opened are the shelves that have a book.
func (s *Service) opened() (list []*shelf) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, sh := range s.shelves {
		if sh.book.Load() != nil {
			list = append(list, sh)
		}
	}
	return list
}

// seen is what a book counts of the store: from a time of the app on, and up to a
// place what other gateways stored.
type seen struct {
	book  *Book
	place Place
	from  int64
	made  int64 // by our clock
}

// follow reads on from where the book of a shelf is. A book that is made meanwhile
// has a place of its own.
func (s *Service) follow(ctx context.Context, sh *shelf) {
	now := sh.seen.Load()
	if now.place == "" || sh.stale.Load() {
		return
	}
	counted := 0
	next, err := s.deps.Store.Follow(ctx, sh.app, now.place, s.at(sh)-keptFor.Milliseconds(), func(list []Entry) {
		(*now.book).Apply(list)
		counted += len(list)
	})
	if err == nil {
		sh.seen.CompareAndSwap(now, &seen{now.book, next, now.from, now.made})
		return
	}
	if ctx.Err() == nil {
		s.deps.Log.WarnContext(ctx, "economy: logs of other gateways not read", "app", sh.app, "err", err)
	}
	if counted > 0 { // what was counted would be counted again
		sh.stale.Store(true)
		s.want(sh)
	}
}

const (
	// renewAfter is by how much of the app's time a book may reach back further than
	// one that is made today.
	renewAfter = 7 * 24 * time.Hour
	// renewRest is for how long a book lasts at least, where old logs are played
	// faster than they were written.
	renewRest = 6 * time.Hour
)

// renew has a book made anew once it holds much that is out of its longest window: a
// process that runs for a year does not remember a year of players.
func (s *Service) renew(sh *shelf) {
	now := sh.seen.Load()
	if s.clock()-now.made < renewRest.Milliseconds() || s.at(sh)-keptFor.Milliseconds()-now.from < renewAfter.Milliseconds() {
		return
	}
	sh.stale.Store(true)
	s.want(sh)
}
