package erasure

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Store keeps erasures and does them.
type Store interface {
	StartErasure(ctx context.Context, id string, app engines.AppID, player engines.PlayerID, by string) (store.Erasure, error)
	Erasure(ctx context.Context, app engines.AppID, id string) (store.Erasure, error)
	// LeaseErasure takes one that runs and that nobody works on; store.ErrNotFound: none.
	LeaseErasure(ctx context.Context, now time.Time, lasts time.Duration) (store.Erasure, error)
	ExtendErasure(ctx context.Context, id string, until time.Time) error
	Erase(ctx context.Context, e store.Erasure, extend func(context.Context, store.Erasure) error) (store.Erasure, error)
	ErasuresDone(ctx context.Context, since time.Time) ([]store.Erasure, error)
}

// Memory is what gateways hold of players outside of the store.
type Memory interface {
	// Dismiss ends the player's sessions, removes their state and forgets the player's
	// name, at all gateways.
	Dismiss(ctx context.Context, app engines.AppID, player engines.PlayerID) error
	// Unanswer forgets the answers that are kept for repeats of requests about the player.
	Unanswer(ctx context.Context, app engines.AppID, player engines.PlayerID) error
	// Erased forgets, at all gateways, what they have read of the player while its data
	// went. It does not wait, and may be lost; Forget comes after it.
	Erased(app engines.AppID, player engines.PlayerID)
	// Forget makes this gateway read anew what it holds of the app's players, and count
	// their economy from what is stored.
	Forget(app engines.AppID)
}

const (
	// lease is how long a gateway is believed to work on an erasure without a sign.
	lease = time.Minute
	// lookEvery is how often the store is asked for what others left or have done.
	lookEvery = 5 * time.Second
	// Settle is how long what was said just before gets to come to the store: names
	// are noted, and passes written, behind the answers, and messages that have gathered
	// are written when the player is dismissed.
	Settle = 1500 * time.Millisecond
	// clocks is by how much the clocks of two gateways may differ.
	clocks = time.Minute
	// forgetEvery is how often one app's economy is counted anew at most: that reads
	// all its entries of the last weeks.
	forgetEvery = 15 * time.Minute
)

// Service erases. Its methods are safe for concurrent use.
type Service struct {
	store  Store
	memory Memory
	log    *slog.Logger
	now    func() time.Time
	settle time.Duration
	wake   chan struct{} // rule when full: it is awake already

	mu   sync.Mutex
	done map[string]chan struct{} // closed when the erasure of this id has ended here

	// Of the goroutine that serves:
	since  time.Time            // what was done before is known
	known  map[string]time.Time // erasures that were heard of, by id, and when they were done
	forgot map[engines.AppID]time.Time
	due    map[engines.AppID]bool
}

// New makes a service; Serve does the work.
func New(s Store, m Memory, log *slog.Logger) *Service {
	return &Service{
		store: s, memory: m, log: log, now: time.Now, settle: Settle, wake: make(chan struct{}, 1), done: map[string]chan struct{}{},
		since: time.Now(), known: map[string]time.Time{}, forgot: map[engines.AppID]time.Time{}, due: map[engines.AppID]bool{},
	}
}

// Erase begins to erase a player and waits a while for its end. The record says
// whether it has come to it; in any case it will.
func (s *Service) Erase(ctx context.Context, app engines.AppID, player engines.PlayerID, by string, within time.Duration) (store.Erasure, error) {
	e, err := s.store.StartErasure(ctx, uuid.Must(uuid.NewV7()).String(), app, player, by) // fails only without random numbers
	if err != nil {
		return e, err
	}
	s.mu.Lock()
	ended := s.done[e.ID]
	if ended == nil {
		ended = make(chan struct{})
		s.done[e.ID] = ended
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	case <-ctx.Done():
	}
	return s.store.Erasure(context.WithoutCancel(ctx), app, e.ID)
}

// Erasure is how far one of an app has come.
func (s *Service) Erasure(ctx context.Context, app engines.AppID, id string) (store.Erasure, error) {
	return s.store.Erasure(ctx, app, id)
}

// Serve erases until ctx ends; what it leaves, the next gateway goes on with.
func (s *Service) Serve(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		s.work(ctx)
		s.follow(ctx)
		select {
		case <-ctx.Done():
			for app := range s.due { // or a book that knows the player would be saved
				s.memory.Forget(app)
			}
			return
		case <-s.wake:
		case <-tick.C:
		}
	}
}

// work does what waits, one after the other.
func (s *Service) work(ctx context.Context) {
	for ctx.Err() == nil {
		e, err := s.store.LeaseErasure(ctx, s.now(), lease)
		if errors.Is(err, store.ErrNotFound) {
			return
		}
		if err == nil {
			e, err = s.erase(ctx, e)
		}
		if err != nil {
			if ctx.Err() == nil {
				s.log.WarnContext(ctx, "erasure: goes on later", "erasure_id", e.ID, "step", e.Step, "err", err)
			}
			return
		}
		s.log.InfoContext(ctx, "erasure: done", "erasure_id", e.ID, "app", e.App, "counts", e.Counts)
		s.ended(&e)
	}
}

func (s *Service) erase(ctx context.Context, e store.Erasure) (store.Erasure, error) {
	// Who is still in a scene would leave new traces behind.
	if err := s.memory.Dismiss(ctx, e.App, e.Player); err != nil {
		return e, err
	}
	timer := time.NewTimer(s.settle)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return e, ctx.Err()
	}
	if err := s.memory.Unanswer(ctx, e.App, e.Player); err != nil {
		return e, err
	}
	done, err := s.store.Erase(ctx, e, func(ctx context.Context, e store.Erasure) error {
		return s.store.ExtendErasure(ctx, e.ID, s.now().Add(lease))
	})
	if err == nil {
		s.memory.Erased(e.App, e.Player) // the record has its name no more
	}
	return done, err
}

// ended has memory follow, and tells who waits.
func (s *Service) ended(e *store.Erasure) {
	s.known[e.ID] = e.Done
	s.due[e.App] = true
	s.forget()
	s.mu.Lock()
	defer s.mu.Unlock()
	if ended := s.done[e.ID]; ended != nil {
		close(ended)
		delete(s.done, e.ID)
	}
}

// follow hears of what other gateways have done.
func (s *Service) follow(ctx context.Context) {
	list, err := s.store.ErasuresDone(ctx, s.since.Add(-clocks))
	if err != nil {
		if ctx.Err() == nil {
			s.log.WarnContext(ctx, "erasure: what others did is not known", "err", err)
		}
		return
	}
	for i := range list {
		e := &list[i]
		if !s.known[e.ID].Equal(e.Done) && e.Done.After(s.since.Add(-clocks)) {
			s.ended(e)
		}
		if e.Done.After(s.since) {
			s.since = e.Done
		}
	}
	for id, at := range s.known {
		if at.Before(s.since.Add(-2 * clocks)) {
			delete(s.known, id)
		}
	}
	s.forget()
}

// forget has the economy counted anew where that is due.
func (s *Service) forget() {
	for app := range s.due {
		if s.now().Sub(s.forgot[app]) >= forgetEvery {
			delete(s.due, app)
			s.forgot[app] = s.now()
			s.memory.Forget(app)
		}
	}
}
