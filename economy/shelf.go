package economy

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// shelf holds an app's book.
type shelf struct {
	app engines.AppID
	// gate is held for reading from before a submission is stored until it is
	// counted, and taken to begin a book.
	gate sync.RWMutex
	book atomic.Pointer[Book] // nil until the first is made; written under gate
	next Book                 // being made; gate guards it
	seen atomic.Pointer[seen]

	asked atomic.Bool // it waits for the librarian, or has its turn
	// stale: something may be stored that the book does not count, or it counts much
	// that is too old.
	stale atomic.Bool
	ready chan struct{} // closed once there is a book
	open  sync.Once
}

func (s *Service) shelf(app engines.AppID) *shelf {
	s.mu.RLock()
	sh := s.shelves[app]
	s.mu.RUnlock()
	if sh != nil {
		return sh
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh = s.shelves[app]; sh == nil {
		sh = &shelf{app: app, ready: make(chan struct{})}
		s.shelves[app] = sh
	}
	return sh
}

// want has a book made where there is none or it is stale.
func (s *Service) want(sh *shelf) {
	if sh.book.Load() != nil && !sh.stale.Load() || !sh.asked.CompareAndSwap(false, true) {
		return
	}
	select {
	case s.wanted <- sh:
	default:
		sh.asked.Store(false)
	}
}

// open waits for an app's book.
func (s *Service) open(ctx context.Context, app engines.AppID) (*shelf, Book, error) {
	sh := s.shelf(app)
	s.want(sh)
	if book := sh.book.Load(); book != nil {
		return sh, *book, nil
	}
	ctx, cancel := context.WithTimeout(ctx, bookWithin)
	defer cancel()
	select {
	case <-sh.ready:
		return sh, *sh.book.Load(), nil
	case <-ctx.Done():
		return nil, nil, fmt.Errorf("economy: the book of app %s is being made: %w", app, engines.ErrUnavailable)
	}
}

// retryAfter is how long a store that failed is left alone.
const retryAfter = 2 * time.Second

// librarian makes one book after the other. A store that fails is asked again
// after a while.
func (s *Service) librarian(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case sh := <-s.wanted:
			start := s.deps.Now()
			n, err := s.makeBook(ctx, sh)
			sh.asked.Store(false)
			if err == nil {
				s.deps.Log.InfoContext(ctx, "economy: book made", "app", sh.app, "entries", n, "took", s.deps.Now().Sub(start))
				continue
			}
			if ctx.Err() != nil {
				return
			}
			s.deps.Log.WarnContext(ctx, "economy: book not made", "app", sh.app, "err", err)
			select {
			case <-ctx.Done():
				return
			case <-time.After(retryAfter):
				s.want(sh)
			}
		}
	}
}

// makeBook reads the stored entries into a new book. The store's view of them
// begins while no submission is under way, so that each entry is counted once: in
// the replay, or by who submits it.
func (s *Service) makeBook(ctx context.Context, sh *shelf) (entries int, err error) {
	next := s.deps.Book()
	sh.gate.Lock()
	pass := sync.OnceFunc(sh.gate.Unlock)
	defer pass()
	// Under the gate too: a submission of old logs that came between would be in
	// neither the replay nor the book.
	newest, err := s.deps.Store.Newest(ctx, sh.app)
	if err != nil {
		return 0, fmt.Errorf("newest day: %w", err)
	}
	from := appTime(newest, s.clock()) - keptFor.Milliseconds()
	var place Place
	err = s.deps.Store.Replay(ctx, sh.app, from, func(p Place) {
		place = p
		sh.next = next
		sh.stale.Store(false)
		pass()
	}, func(list []Entry) {
		next.Apply(list)
		entries += len(list)
	})
	pass()
	unwanted := &next
	defer func() { // it may wait, and nobody is to wait with it
		if unwanted != nil {
			(*unwanted).Close()
		}
	}()
	sh.gate.Lock()
	defer sh.gate.Unlock()
	sh.next = nil
	if err == nil && !next.Tend() {
		err = fmt.Errorf("what it keeps elsewhere: %w", engines.ErrUnavailable)
	}
	if err != nil {
		sh.stale.Store(true)
		return entries, fmt.Errorf("replay: %w", err)
	}
	if err := s.tellBans(ctx, sh.app, next); err != nil {
		sh.stale.Store(true)
		return entries, err
	}
	unwanted = sh.put(next, SavedBook{place, from, s.clock()})
	return entries, nil
}

// tellBans tells a new book of the bans; those that ended count too. Whoever bans
// from then on must find the book: bans are told under the shelf's lock.
func (s *Service) tellBans(ctx context.Context, app engines.AppID, book Book) error {
	list, err := s.deps.Store.Bans(ctx, BanQuery{App: app})
	if err != nil {
		return fmt.Errorf("bans: %w", err)
	}
	clock := s.clock()
	for i := range list {
		if list[i].Ended == 0 && list[i].endedBy(clock) { // that is to be noted
			list[i].Ended = clock
		}
		if list[i].Lifted == 0 {
			book.Ban(&list[i])
		}
	}
	return nil
}

// put opens a book and returns an earlier one, or nil; gate is held, or nobody else has
// the shelf.
func (sh *shelf) put(book Book, b SavedBook) *Book {
	sh.seen.Store(&seen{&book, b})
	was := sh.book.Swap(&book)
	sh.open.Do(func() { close(sh.ready) })
	return was
}

// tend has a book made again that can't be read any more.
func (s *Service) tend(ctx context.Context, sh *shelf) {
	if (*sh.book.Load()).Tend() {
		return
	}
	if !sh.stale.Swap(true) {
		s.deps.Log.WarnContext(ctx, "economy: what a book keeps in Redis can't be read, it is made again", "app", sh.app)
	}
	s.want(sh)
}

// closeBooks gives up what the books keep elsewhere.
func (s *Service) closeBooks() {
	for _, sh := range s.opened() {
		(*sh.book.Load()).Close()
	}
}

// openBooks has the books of all apps made, so that nobody waits for the first.
func (s *Service) openBooks(ctx context.Context) {
	apps, err := s.deps.Store.EconomyApps(ctx)
	if err != nil { // each is made when it is needed first
		s.deps.Log.WarnContext(ctx, "economy: books are made on first use", "err", err)
		return
	}
	for _, app := range apps {
		s.want(s.shelf(app))
	}
}
