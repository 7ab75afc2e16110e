package economy

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// followEvery is how often bans are read that other gateways made: they tell
	// each other at once, and this is for what was not heard.
	followEvery = 2 * time.Second
	// followBack is how far apart the clocks of two gateways may be.
	followBack = time.Minute
)

// bans are those that are not lifted and not ended, in memory: who opens a
// connection or trades is looked up here alone.
type bans struct {
	mu sync.RWMutex
	of map[PlayerKey][]Ban
}

// holds reports whether a ban stands, by the app's time and by our clock.
func (b *Ban) holds(at, clock int64) bool {
	return b.Active(at) && (b.Ends == 0 || clock < b.Ends)
}

// put notes a ban as it is now and reports whether that was not known.
func (l *bans) put(b *Ban) (changed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := PlayerKey{b.App, b.Player}
	list := l.of[key]
	i := slices.IndexFunc(list, func(have Ban) bool { return have.ID == b.ID })
	over := b.Lifted != 0 || b.Ended != 0
	switch {
	case !over && i < 0:
		l.of[key] = append(slices.Clip(list), *b) // readers may have the old list
		return true
	case over && i >= 0:
		l.set(key, slices.Delete(slices.Clone(list), i, i+1))
		return true
	}
	return false
}

func (l *bans) set(key PlayerKey, list []Ban) {
	if len(list) == 0 {
		delete(l.of, key)
		return
	}
	l.of[key] = list
}

// holding returns the bans of a player that stand.
func (l *bans) holding(key PlayerKey, at, clock int64) (list []Ban) {
	l.mu.RLock()
	all := l.of[key]
	l.mu.RUnlock()
	for i := range all {
		if all[i].holds(at, clock) {
			list = append(list, all[i])
		}
	}
	return list
}

// endedBy reports whether our clock has ended a ban.
func (b *Ban) endedBy(clock int64) bool { return b.Ends != 0 && b.Ends <= clock }

// sweep forgets the bans that ended by our clock, and returns them.
func (l *bans) sweep(clock int64) (gone []Ban) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, list := range l.of {
		ended := func(b Ban) bool { return b.endedBy(clock) }
		if !slices.ContainsFunc(list, ended) {
			continue
		}
		for _, b := range list {
			if ended(b) {
				gone = append(gone, b)
			}
		}
		l.set(key, slices.DeleteFunc(slices.Clone(list), ended))
	}
	return gone
}

// Load reads the bans and overrides that stand, and the books that were saved. Call it before
// anybody is let in.
func (s *Service) Load(ctx context.Context) error {
	list, err := s.deps.Store.BansChanged(ctx, 0, s.clock())
	if err != nil {
		return fmt.Errorf("economy: bans: %w", err)
	}
	for i := range list {
		s.bans.put(&list[i])
	}
	if err := s.followOverrides(ctx, 0, s.clock()); err != nil {
		return err
	}
	s.loadBooks(ctx)
	return nil
}

// Excluded is KeptOut for a player who is at the door.
func (s *Service) Excluded(app engines.AppID, player engines.PlayerID) bool {
	s.Standing(app, player) // who comes in will speak: have its score at hand by then
	return s.KeptOut(app, player)
}

// KeptOut reports whether a ban keeps the player out. It reads memory alone.
func (s *Service) KeptOut(app engines.AppID, player engines.PlayerID) bool {
	key := PlayerKey{app, player}
	s.bans.mu.RLock()
	list := s.bans.of[key]
	s.bans.mu.RUnlock()
	if len(list) == 0 {
		return false
	}
	at, clock := s.ending(s.shelf(app)), s.clock()
	return slices.ContainsFunc(list, func(b Ban) bool { return b.Excludes() && b.holds(at, clock) })
}

// ending is the time of an app by which its bans end where it plays old logs, else
// 0: our clock alone ends them. A ban that was made while no log had come for days
// would else be over with the next one, when the app's time jumps to ours. And while
// the book is not made nobody knows the time.
func (s *Service) ending(sh *shelf) int64 {
	book := sh.book.Load()
	if book == nil {
		return 0
	}
	if at := (*book).Newest(); replays(at, s.clock()) {
		return at
	}
	return 0
}

// about waits for the app's book, which knows its time and its players, and then
// reports whether the player, unless "", is known.
func (s *Service) about(ctx context.Context, app engines.AppID, player engines.PlayerID) (*shelf, error) {
	sh, _, err := s.open(ctx, app)
	if err == nil && player != "" {
		err = s.known(ctx, app, player)
	}
	return sh, err
}

// Ban bans b.Player for hours, 0 being for good; b has App, ID, Player, Type,
// Reason, By and Request. The same ID again returns the ban that was made before.
func (s *Service) Ban(ctx context.Context, b Ban, hours int64) (Ban, error) {
	sh, err := s.about(ctx, b.App, b.Player)
	if err != nil {
		return Ban{}, err
	}
	b.Created = s.at(sh)
	if hours > 0 {
		long := hours * time.Hour.Milliseconds()
		b.Expires, b.Ends = b.Created+long, s.clock()+long
	}
	stored, err := s.deps.Store.PutBan(ctx, b)
	if err != nil {
		return Ban{}, fmt.Errorf("economy: ban: %w", err)
	}
	s.learn(&stored)
	s.deps.Tell(b.App, b.Player)
	if stored.Request == b.Request { // else it was made before
		s.changed(&stored, BanCreated)
	}
	return stored, nil
}

// Lift ends bans of a player and returns them, none where no ban matches.
func (s *Service) Lift(ctx context.Context, l Lift) ([]Ban, error) {
	sh, err := s.about(ctx, l.App, l.Player)
	if err != nil {
		return nil, err
	}
	l.At, l.Ending, l.Now = s.at(sh), s.ending(sh), s.clock()
	lifted, err := s.deps.Store.LiftBans(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("economy: lift: %w", err)
	}
	for i := range lifted {
		s.learn(&lifted[i])
		if lifted[i].LiftRequest == l.Request { // else it was lifted before
			s.changed(&lifted[i], BanLifted)
		}
	}
	if len(lifted) > 0 {
		s.deps.Tell(l.App, l.Player)
	}
	return lifted, nil
}

// Bans lists bans; At and Now of the query are ours to set.
func (s *Service) Bans(ctx context.Context, q BanQuery) ([]Ban, error) {
	sh, err := s.about(ctx, q.App, q.Player)
	if err != nil {
		return nil, err
	}
	q.At, q.Now = s.ending(sh), s.clock()
	list, err := s.deps.Store.Bans(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("economy: bans: %w", err)
	}
	return list, nil
}

// Status is active, expired or lifted.
func (s *Service) Status(b *Ban) string {
	switch {
	case b.Lifted != 0:
		return "lifted"
	case b.holds(s.ending(s.shelf(b.App)), s.clock()):
		return "active"
	}
	return "expired"
}

// learn makes a ban, or its end, known here: to the set, to the book, and to the
// sessions of its player. A ban that is known already changes nothing.
func (s *Service) learn(b *Ban) {
	if !s.bans.put(b) {
		return
	}
	s.shelf(b.App).tell(b)
	if s.Excluded(b.App, b.Player) {
		s.deps.Expel(b.App, b.Player)
	}
}

// tell tells the book, and the one that is being made, of a ban.
func (sh *shelf) tell(b *Ban) {
	sh.gate.RLock()
	defer sh.gate.RUnlock()
	if book := sh.book.Load(); book != nil {
		(*book).Ban(b)
	}
	if sh.next != nil {
		sh.next.Ban(b)
	}
}

// Told has the bans of a player read again, since another gateway changed them. It
// does not wait.
func (s *Service) Told(app engines.AppID, player engines.PlayerID) {
	select {
	case s.told <- PlayerKey{app, player}:
	default: // followBans reads them a little later
	}
}

func (s *Service) readAgain(ctx context.Context, k PlayerKey) {
	list, err := s.deps.Store.Bans(ctx, BanQuery{App: k.App, Player: k.Player})
	if err != nil { // the next round reads them
		s.deps.Log.DebugContext(ctx, "economy: bans not read", "err", err)
		return
	}
	s.learnAll(list)
}

// learnAll leaves out what ended by our clock.
func (s *Service) learnAll(list []Ban) {
	clock := s.clock()
	for i := range list {
		if b := &list[i]; b.Lifted != 0 || !b.endedBy(clock) {
			s.learn(b)
		}
	}
}

// followBans reads what changed at other gateways, overrides too, and notes and forgets what ended.
func (s *Service) followBans(ctx context.Context) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	since := s.clock()
	for {
		select {
		case <-ctx.Done():
			return
		case k := <-s.told:
			s.readAgain(ctx, k)
			continue
		case <-tick.C:
		}
		start := s.clock()
		list, err := s.deps.Store.BansChanged(ctx, since-followBack.Milliseconds(), start)
		if err != nil {
			continue // the next round reads from the same time on
		}
		if err := s.followOverrides(ctx, since-followBack.Milliseconds(), start); err != nil {
			continue
		}
		since = start
		s.learnAll(list)
		s.endBans(ctx, start)
		for _, b := range s.bans.sweep(start) { // another gateway may have noted it
			b.Ended = start
			s.shelf(b.App).tell(&b)
		}
	}
}
