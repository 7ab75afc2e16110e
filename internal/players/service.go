package players

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Store keeps what is known of players; errors of one that is away are
// engines.ErrUnavailable.
type Store interface {
	Cards
	Lives
}

// Cards keeps what verdicts ask.
type Cards interface {
	// Card reads a player's, with the strikes that stand since a time.
	Card(ctx context.Context, app engines.AppID, player engines.PlayerID, since int64) (store.Card, error)
	PutProfile(ctx context.Context, app engines.AppID, player engines.PlayerID, p store.Profile, moderator string) error
	PutPin(ctx context.Context, app engines.AppID, player engines.PlayerID, p store.Pin) error
	// PutCredits leaves out those whose card has another version by now.
	PutCredits(ctx context.Context, list []store.Card) error
	// CardsChanged lists those that changed after one, in order.
	CardsChanged(ctx context.Context, after store.CardKey, most int) ([]store.CardKey, error)
}

// Lives keeps what happened with players.
type Lives interface {
	PlayerTimeline(ctx context.Context, app engines.AppID, player engines.PlayerID, before economy.Mark, most int) ([]store.PlayerEvent, error)
	CountsOf(ctx context.Context, app engines.AppID, player engines.PlayerID) (store.PlayerCounts, error)
}

// Deps is what a Service stands on.
type Deps struct {
	Store Store
	// Known is economy.ErrUnknownPlayer for a player that nothing has named.
	Known func(ctx context.Context, app engines.AppID, player engines.PlayerID) error
	// Tell has the other gateways read a player again. It does not wait.
	Tell func(app engines.AppID, player engines.PlayerID)
	Log  *slog.Logger
	// Now is our clock; nil is time.Now.
	Now func() time.Time
}

// Service has players at hand. Its methods are safe for concurrent use.
type Service struct {
	cfg     Config
	deps    Deps
	cache   *cache
	slow    atomic.Int64 // no check waits for the store until then, epoch ms
	credits chan store.Card
}

// Rule when full: the next clean message of the player asks again.
const creditQueue = 4096

// New makes a service. Serve runs it.
func New(cfg Config, deps Deps) *Service {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{cfg: cfg, deps: deps, cache: newCache(cfg.Cache), credits: make(chan store.Card, creditQueue)}
}

func (s *Service) clock() int64 { return s.deps.Now().UnixMilli() }

// Serve reads the players that are asked for, follows what other gateways change and
// writes credits, until ctx ends.
func (s *Service) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() { s.read(ctx) })
	}
	wg.Go(func() { s.follow(ctx) })
	wg.Go(func() { s.writeCredits(ctx) })
	wg.Wait()
}

// slowFor is how long nobody waits for a store that let somebody wait in vain.
const slowFor = time.Second

// card returns a player's card if it is at hand within a time.
func (s *Service) card(k playerKey, wait time.Duration) (card, bool) {
	if wait > 0 && s.slow.Load() > s.clock() {
		wait = 0
	}
	c, ok, late := s.cache.get(k, wait, false)
	if late {
		s.slow.Store(s.clock() + slowFor.Milliseconds())
	}
	return c, ok
}

// Fill fills in what is known of an item's player and its caller left out. It reads
// memory, and waits at most Config.Wait for a player who is not at hand.
func (s *Service) Fill(item *engines.Item) {
	if item.Player == "" {
		return
	}
	c, ok := s.card(playerKey{item.App, item.Player}, s.cfg.Wait)
	if !ok {
		return
	}
	if item.Region == "" {
		item.Region = c.region
	}
	if item.Language == "" {
		item.Language = c.language
	}
	if item.Segment == "" {
		item.Segment = s.segmentIn(&c, item.Region)
	}
}

// Standing is how a player stands. It reads memory alone.
func (s *Service) Standing(app engines.AppID, player engines.PlayerID) engines.Standing {
	c, ok := s.card(playerKey{app, player}, 0)
	if !ok {
		return engines.Standing{}
	}
	return s.standing(&c, s.clock())
}

// Language is a player's as the game knows it. It reads memory alone.
func (s *Service) Language(app engines.AppID, player engines.PlayerID) string {
	c, _ := s.card(playerKey{app, player}, 0)
	return c.language
}

// Arrived has a player at hand whose session opens, and reports whether there are
// warnings that it has not seen. It waits at most Config.Hello.
func (s *Service) Arrived(app engines.AppID, player engines.PlayerID) (untold bool) {
	wait := s.cfg.Hello
	if s.slow.Load() > s.clock() {
		wait = 0
	}
	c, _, late := s.cache.get(playerKey{app, player}, wait, true)
	if late {
		s.slow.Store(s.clock() + slowFor.Milliseconds())
	}
	return c.untold
}

// Changed has a player read again, whose strikes or warnings changed here or, as
// another gateway tells, there. It does not wait.
func (s *Service) Changed(app engines.AppID, player engines.PlayerID) {
	s.cache.outdated(playerKey{app, player}, 0)
}

// Forget drops what is at hand of a player whose data is erased. What is stored is
// read where the player is named again.
func (s *Service) Forget(app engines.AppID, player engines.PlayerID) {
	s.cache.forget(playerKey{app, player})
}

// Outdate has what is at hand of an app's players read again: one of them was erased,
// and it is not known which.
func (s *Service) Outdate(app engines.AppID) { s.cache.outdatedOf(app) }

// PutProfile stores what a game says of a player, who is known from then on; moderator
// is who says it where it is a person. The next check here knows it, and those at
// other gateways within two seconds.
func (s *Service) PutProfile(ctx context.Context, app engines.AppID, player engines.PlayerID, p store.Profile, moderator string) error {
	if err := s.deps.Store.PutProfile(ctx, app, player, p, moderator); err != nil {
		return fmt.Errorf("players: %w", err)
	}
	s.renew(ctx, app, player)
	return nil
}

// PutPin fixes a player's trust; a zero Trust takes the pin back. The error is
// economy.ErrUnknownPlayer or wraps engines.ErrUnavailable.
func (s *Service) PutPin(ctx context.Context, app engines.AppID, player engines.PlayerID, p store.Pin) error {
	if err := s.deps.Known(ctx, app, player); err != nil {
		return err
	}
	if err := s.deps.Store.PutPin(ctx, app, player, p); err != nil {
		return fmt.Errorf("players: %w", err)
	}
	s.renew(ctx, app, player)
	return nil
}

// renew reads a player again before its change is answered, and has others do so.
func (s *Service) renew(ctx context.Context, app engines.AppID, player engines.PlayerID) {
	k := playerKey{app, player}
	s.cache.outdated(k, 0)
	if c, err := s.fetch(ctx, k); err == nil {
		s.cache.keep(k, c)
	}
	s.deps.Tell(app, player)
}

// View is all of a player that a person asks for.
type View struct {
	Card     store.Card
	Segment  string // what holds in the player's region
	Weight   float64
	Credit   float64
	Standing engines.Standing
	Counts   store.PlayerCounts
}

// View looks at a player. The error is economy.ErrUnknownPlayer or wraps
// engines.ErrUnavailable.
func (s *Service) View(ctx context.Context, app engines.AppID, player engines.PlayerID) (View, error) {
	if err := s.deps.Known(ctx, app, player); err != nil {
		return View{}, err
	}
	at := s.clock()
	stored, err := s.deps.Store.Card(ctx, app, player, s.since(at))
	if err != nil {
		return View{}, fmt.Errorf("players: %w", err)
	}
	counts, err := s.deps.Store.CountsOf(ctx, app, player)
	if err != nil {
		return View{}, fmt.Errorf("players: %w", err)
	}
	c := s.cardOf(&stored)
	if p := &stored.Pin; p.Until != 0 && p.Until <= at {
		*p = store.Pin{}
	}
	return View{
		Card: stored, Segment: s.segmentIn(&c, c.region), Weight: s.weightNow(&c, at), Credit: s.credit(&c, at),
		Standing: s.standing(&c, at), Counts: counts,
	}, nil
}

// Timeline is a page of what happened with a player, newest first. The error is
// economy.ErrUnknownPlayer or wraps engines.ErrUnavailable.
func (s *Service) Timeline(ctx context.Context, app engines.AppID, player engines.PlayerID, before economy.Mark, most int) ([]store.PlayerEvent, error) {
	if err := s.deps.Known(ctx, app, player); err != nil {
		return nil, err
	}
	list, err := s.deps.Store.PlayerTimeline(ctx, app, player, before, most)
	if err != nil {
		return nil, fmt.Errorf("players: %w", err)
	}
	return list, nil
}
