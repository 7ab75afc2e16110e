package economy

import (
	"context"
	"io"
	"time"
)

// saveWithin bounds how long the end of a gateway waits for its books.
const saveWithin = 20 * time.Second

// loadBooks opens the books that were saved. One that can't be read is made from the
// log, like any other.
func (s *Service) loadBooks(ctx context.Context) {
	if s.deps.Saved == nil {
		return
	}
	apps, err := s.deps.Store.EconomyApps(ctx)
	if err != nil { // openBooks will say so too
		return
	}
	for _, app := range apps {
		var book Book
		var saved SavedBook
		found, err := s.deps.Store.LoadBook(ctx, app, func(b SavedBook, r io.Reader) (err error) {
			saved = b
			book, err = s.deps.Saved(r)
			return err
		})
		if err == nil && found {
			err = s.tellBans(ctx, app, book)
		}
		switch {
		case err != nil:
			s.deps.Log.WarnContext(ctx, "economy: saved book not read", "app", app, "err", err)
		case found:
			s.shelf(app).put(book, saved)
		}
	}
}

// saveBooks saves the books, so that the next start need not read their logs again.
// What is not saved is made again.
func (s *Service) saveBooks(ctx context.Context) {
	if s.deps.Saved == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveWithin)
	defer cancel()
	for _, sh := range s.opened() {
		start := s.deps.Now()
		// Once it has followed, its place sees what was stored here as well.
		if !s.follow(ctx, sh) {
			continue
		}
		now := sh.seen.Load()
		if err := s.deps.Store.SaveBook(ctx, sh.app, now.SavedBook, (*now.book).Save); err != nil {
			s.deps.Log.WarnContext(ctx, "economy: book not saved", "app", sh.app, "err", err)
			continue
		}
		s.deps.Log.InfoContext(ctx, "economy: book saved", "app", sh.app, "took", s.deps.Now().Sub(start))
	}
}
