package economy

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// keptFor is how far back of an app's time its book reaches: its longest
	// window, 30 days, and what comes late.
	keptFor = 35 * 24 * time.Hour
	// replayLag: an app whose newest event is older than this plays old logs, and
	// its time is that event's.
	replayLag = 48 * time.Hour
	// bookWithin bounds how long a question waits for a book that is being made.
	bookWithin = 5 * time.Second
)

// Deps is what a Service stands on.
type Deps struct {
	Store Store
	// Book makes an empty book.
	Book func() Book
	// Saved reads a book that was saved; nil where none can be read.
	Saved func(io.Reader) (Book, error)
	// Expel ends the sessions that a player has at this gateway. It does not wait.
	Expel func(app engines.AppID, player engines.PlayerID)
	// Tell has the other gateways look at a player's bans. It does not wait.
	Tell func(app engines.AppID, player engines.PlayerID)
	// Changed is told of each change of a ban that was made here, once over all
	// gateways, and nil where nobody is to know. It does not wait.
	Changed func(b *Ban, state BanState)
	// Cased is told of each case that was opened, or moved, by what a book shows, once
	// over all gateways, and nil where nobody is to know. It does not wait.
	Cased func(c *AlertCase)
	// CloseCalmed closes the case of a risk that has fallen well below High, unless
	// somebody has it. Else the case says so and stays open.
	CloseCalmed bool
	// Counted is told of the entries that were stored here and are new, and nil where
	// nobody counts them. It does not wait, and keeps of them only strings.
	Counted func(app engines.AppID, news []Entry)
	// Rules are the studios' own; nil is none.
	Rules Ruler
	Log   *slog.Logger
	// Now is our clock; nil is time.Now.
	Now func() time.Time
}

// Service stores what game servers log before it counts it, answers for the risk
// of players and trades, and keeps bans. Its methods are safe for concurrent use.
type Service struct {
	deps Deps

	mu      sync.RWMutex
	shelves map[engines.AppID]*shelf
	wanted  chan *shelf

	bans  bans
	told  chan PlayerKey
	named named

	overrides overrides
	adverts   adverts
	standings *standings
}

// New makes a service. Load reads the bans and the books that were saved; the others
// are made while Serve runs, and saved at its end.
func New(deps Deps) *Service {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.Rules == nil {
		deps.Rules = noRules{}
	}
	return &Service{
		deps: deps, shelves: map[engines.AppID]*shelf{},
		// Rule when full: the next who needs the book asks again.
		wanted: make(chan *shelf, 1024),
		told:   make(chan PlayerKey, 1024), // rule when full: see Told
		bans:   bans{of: map[PlayerKey][]Ban{}},

		overrides: overrides{of: map[PlayerKey]Override{}},

		named: named{news: make(chan PlayerKey, namedQueue), young: map[uint64]struct{}{}},

		adverts:   adverts{news: make(chan advert, advertQueue)},
		standings: newStandings(),
	}
}

// Serve makes books, follows the logs and bans that other gateways store, notes
// players and adverts, keeps standings and opens cases, until ctx ends.
func (s *Service) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { s.librarian(ctx) })
	wg.Go(func() { s.followBans(ctx) })
	wg.Go(func() { s.followLogs(ctx) })
	wg.Go(func() { s.notePlayers(ctx) })
	wg.Go(func() { s.openBooks(ctx) })
	wg.Go(func() { s.writeAdverts(ctx) })
	wg.Go(func() { s.rate(ctx) })
	wg.Go(func() { s.watch(ctx) })
	wg.Wait()
	s.saveBooks(ctx)
	s.closeBooks()
}

// Submit stores entries of an app and counts those that are new; how many were,
// is returned once they are on disk.
func (s *Service) Submit(ctx context.Context, app engines.AppID, entries []Entry) (accepted int, err error) {
	if len(entries) == 0 {
		return 0, nil
	}
	sh := s.shelf(app)
	s.want(sh)
	// A new book begins between submissions: what was stored before is in its
	// replay, what is stored after is applied here.
	sh.gate.RLock()
	defer sh.gate.RUnlock()
	fresh, err := s.deps.Store.PutEntries(ctx, app, entries)
	if err != nil {
		sh.stale.Store(true) // they may be stored all the same, and are not counted
		return 0, fmt.Errorf("economy: %w", err)
	}
	news := kept(entries, fresh)
	if s.deps.Counted != nil {
		s.deps.Counted(app, news)
	}
	if book := sh.book.Load(); book != nil {
		(*book).Apply(news)
	}
	if sh.next != nil {
		sh.next.Apply(news)
	}
	return len(news), nil
}

// kept returns the entries that are new.
func kept(entries []Entry, fresh []bool) []Entry {
	n := 0
	for _, f := range fresh {
		if f {
			n++
		}
	}
	if n == len(entries) {
		return entries
	}
	news := make([]Entry, 0, n)
	for i := range entries {
		if fresh[i] {
			news = append(news, entries[i])
		}
	}
	return news
}

// Risk is a player's risk now, with the bans that hold: what an operator has set, else
// what the model and the studio's rules say. A player that was named
// by no entry has none. The error is ErrUnknownPlayer or wraps engines.ErrUnavailable.
func (s *Service) Risk(ctx context.Context, app engines.AppID, player engines.PlayerID) (Risk, []Ban, error) {
	sh, book, err := s.open(ctx, app)
	if err != nil {
		return Risk{}, nil, err
	}
	now := s.at(sh)
	r, ok := book.Risk(player, now)
	if !ok {
		if err := s.known(ctx, app, player); err != nil {
			return Risk{}, nil, err
		}
		r = Risk{Level: LevelOf(0), Updated: now}
	}
	s.deps.Rules.OnPlayer(app, player, featuresIn(book, now), now, true, &r)
	s.said(app, player, &r)
	return r, s.bans.holding(PlayerKey{app, player}, s.ending(sh), s.clock()), nil
}

// featuresIn asks a book for the features of players.
func featuresIn(book Book, at int64) func(engines.PlayerID) Features {
	return func(player engines.PlayerID) Features { return FeaturesOf(book, player, at) }
}

// Evaluate judges a trade about to happen: the model first, then the studio's rules,
// which only add to it, and a banned side decides it. Errors are those of Risk.
func (s *Service) Evaluate(ctx context.Context, app engines.AppID, p *Proposal) (Evaluation, error) {
	book, now, err := s.tradeBook(ctx, app, p)
	if err != nil {
		return Evaluation{}, err
	}
	p.SenderRisk, p.ReceiverRisk = s.saidOf(app, p.Sender), s.saidOf(app, p.Receiver)
	e := book.Evaluate(p, p.At)
	s.deps.Rules.OnTrade(app, p, featuresIn(book, now), now, &e)
	if s.mayNotTrade(app, p, s.ending(s.shelf(app))) {
		e = banned(e)
	}
	return e, nil
}

// tradeBook is the book that judges a trade, with the app's time. Both sides are
// known, and the trade has a time from then on.
func (s *Service) tradeBook(ctx context.Context, app engines.AppID, p *Proposal) (book Book, now int64, err error) {
	sh, book, err := s.open(ctx, app)
	if err != nil {
		return nil, 0, err
	}
	for _, player := range []engines.PlayerID{p.Sender, p.Receiver} {
		if book.Knows(player) {
			continue
		}
		if err := s.known(ctx, app, player); err != nil {
			return nil, 0, err
		}
	}
	now = s.at(sh)
	if p.At == 0 {
		p.At = now
	}
	return book, now, nil
}

// BannedParty is the reason of a trade that a ban decides.
const BannedParty = "banned_party"

func banned(e Evaluation) Evaluation {
	reasons := []string{BannedParty}
	for _, r := range e.Reasons {
		if r != BannedParty {
			reasons = append(reasons, r)
		}
	}
	return Evaluation{Suggestion: engines.Block, Score: 100, Reasons: reasons}
}

// mayNotTrade reports whether a ban stands in the way of a trade; at is what ending gives.
func (s *Service) mayNotTrade(app engines.AppID, p *Proposal, at int64) bool {
	clock := s.clock()
	for _, b := range s.bans.holding(PlayerKey{app, p.Sender}, at, clock) {
		if b.Excludes() || b.Type == TradeBan || b.Type == Withdrawal {
			return true
		}
	}
	for _, b := range s.bans.holding(PlayerKey{app, p.Receiver}, at, clock) {
		if b.Excludes() || b.Type == TradeBan {
			return true
		}
	}
	return false
}

// Timeline is a page of a player's entries, newest first.
func (s *Service) Timeline(ctx context.Context, app engines.AppID, player engines.PlayerID, before Mark, most int) (page []Entry, next Mark, err error) {
	if err := s.known(ctx, app, player); err != nil {
		return nil, Mark{}, err
	}
	page, next, err = s.deps.Store.Timeline(ctx, app, player, before, most)
	if err != nil {
		return nil, Mark{}, fmt.Errorf("economy: timeline: %w", err)
	}
	return page, next, nil
}

func (s *Service) clock() int64 { return s.deps.Now().UnixMilli() }

// at is the time of an app: its newest event's where it plays old logs, else ours.
func (s *Service) at(sh *shelf) int64 {
	newest := int64(0)
	if book := sh.book.Load(); book != nil {
		newest = (*book).Newest()
	}
	return appTime(newest, s.clock())
}

func appTime(newest, clock int64) int64 {
	if replays(newest, clock) {
		return newest
	}
	return clock
}

// replays reports whether an app whose newest event is that plays old logs.
func replays(newest, clock int64) bool { return newest != 0 && clock-newest > replayLag.Milliseconds() }
