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
			s.tend(ctx, sh)
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
	book *Book
	SavedBook
}

// follow reads on from where the book of a shelf is, and reports whether the book then
// counts all that was stored before. A book that is made meanwhile has a place of its
// own.
func (s *Service) follow(ctx context.Context, sh *shelf) bool {
	now := sh.seen.Load()
	if now.Place == "" || sh.stale.Load() {
		return !sh.stale.Load()
	}
	counted := 0
	next, err := s.deps.Store.Follow(ctx, sh.app, now.Place, s.at(sh)-keptFor.Milliseconds(), func(list []Entry) {
		(*now.book).Apply(list)
		counted += len(list)
	})
	if err == nil {
		return sh.seen.CompareAndSwap(now, &seen{now.book, SavedBook{next, now.From, now.Made}})
	}
	if ctx.Err() == nil {
		s.deps.Log.WarnContext(ctx, "economy: logs of other gateways not read", "app", sh.app, "err", err)
	}
	if counted > 0 { // what was counted would be counted again
		sh.stale.Store(true)
		s.want(sh)
	}
	return false
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
	if s.clock()-now.Made < renewRest.Milliseconds() || s.at(sh)-keptFor.Milliseconds()-now.From < renewAfter.Milliseconds() {
		return
	}
	sh.stale.Store(true)
	s.want(sh)
}
