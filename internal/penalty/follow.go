package penalty

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// followEvery is how often penalties and ladders are read that other gateways
	// changed: they tell each other at once, and this is for what was not heard.
	followEvery = time.Second
	// followBack is how far apart the clocks of two gateways may be, and how long a
	// change may take to commit.
	followBack = time.Minute
	// storeWithin bounds one look at the store.
	storeWithin = 5 * time.Second
	// ofOne is how many of a player's newest penalties are read again at once.
	ofOne = 100
)

// Load reads the mutes that hold and the ladders. Call it before anybody is let in.
func (s *Service) Load(ctx context.Context) error {
	s.since = s.clock()
	if err := s.readLadders(ctx, 0); err != nil {
		return err
	}
	list, err := s.deps.Store.PenaltiesChanged(ctx, 0, s.since)
	if err != nil {
		return fmt.Errorf("penalty: %w", err)
	}
	for i := range list {
		s.mutes.put(&list[i], s.since)
	}
	s.mutes.mu.Lock()
	defer s.mutes.mu.Unlock()
	for _, m := range s.mutes.of { // nobody is here yet: a hello tells
		for _, voice := range []bool{false, true} {
			m.told[side(voice)], _ = m.until(kindOf(voice), s.since)
		}
	}
	return nil
}

// Serve follows what other gateways change, ends mutes, strikes for blocks and has
// the economy do what is owed, until ctx ends.
func (s *Service) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { s.follow(ctx) })
	wg.Go(func() { s.strikeBlocks(ctx) })
	wg.Go(func() { s.enactOwed(ctx) })
	wg.Go(func() { s.sweep(ctx) })
	wg.Wait()
}

// Told has a player's penalties read again, since another gateway changed them. It
// does not wait.
func (s *Service) Told(app engines.AppID, player engines.PlayerID) {
	select {
	case s.told <- playerKey{app, player}:
	default:
	}
}

func (s *Service) follow(ctx context.Context) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case k := <-s.told:
			s.readAgain(ctx, k)
			continue
		case <-s.laddersNew:
			if err := s.readLadders(ctx, s.since-followBack.Milliseconds()); err != nil {
				s.deps.Log.DebugContext(ctx, "penalty: ladders not read", "err", err)
			}
			continue
		case <-tick.C:
		}
		s.look(ctx)
	}
}

// look reads what changed, and ends what has ended.
func (s *Service) look(ctx context.Context) {
	within, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	start := s.clock()
	for _, key := range s.mutes.ending(start) {
		s.announce(key)
	}
	from := s.since - followBack.Milliseconds()
	list, err := s.deps.Store.PenaltiesChanged(within, from, start)
	if err == nil {
		err = s.readLadders(within, from)
	}
	if err != nil { // the next round reads from the same time on
		s.deps.Log.DebugContext(ctx, "penalty: changes not read", "err", err)
		return
	}
	s.since = start
	s.learn(ctx, list)
	ended, err := s.deps.Store.EndPenalties(within, start)
	if err != nil {
		s.deps.Log.DebugContext(ctx, "penalty: ends not noted", "err", err)
	}
	for i := range ended {
		s.deps.Changed(&ended[i], Expired)
	}
	s.learn(ctx, ended)
}

func (s *Service) readAgain(ctx context.Context, k playerKey) {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	list, err := s.deps.Store.Penalties(ctx, store.PenaltyQuery{App: k.app, Player: k.player, Now: s.clock(), Limit: ofOne})
	if err != nil { // the next round reads them
		s.deps.Log.DebugContext(ctx, "penalty: not read", "err", err)
		return
	}
	slices.Reverse(list) // in the order in which they were given
	s.learn(ctx, list)
}

// learn takes penalties in as they are now. What is known already changes nothing.
func (s *Service) learn(ctx context.Context, list []store.Penalty) {
	var changed []playerKey
	for i := range list {
		p := &list[i]
		switch key := (playerKey{p.App, p.Player}); {
		case isMute(p.Kind):
			if s.mutes.put(p, s.clock()) && !slices.Contains(changed, key) {
				changed = append(changed, key)
			}
		case p.Kind == store.PenaltyWarn && p.Told == 0 && p.Lifted == 0 && s.deps.Sessions.Here(p.App, p.Player):
			s.warn(ctx, p)
		}
	}
	for _, key := range changed {
		s.announce(key)
	}
}

// warn tells a warning unless another gateway does.
func (s *Service) warn(ctx context.Context, p *store.Penalty) {
	mine, err := s.deps.Store.TellWarning(ctx, p.App, p.ID, s.clock())
	switch {
	case err != nil: // it is told at the next look, or when the player comes again
		s.deps.Log.DebugContext(ctx, "penalty: warning not told", "err", err)
	case mine:
		s.deps.Sessions.Warn(p.App, p.Player, p.Category)
	}
}

// Arrived tells the warnings that a player has not seen, once its session is here.
func (s *Service) Arrived(ctx context.Context, app engines.AppID, player engines.PlayerID) {
	list, err := s.deps.Store.UntoldWarnings(ctx, app, player)
	if err != nil {
		s.deps.Log.DebugContext(ctx, "penalty: warnings not read", "err", err)
		return
	}
	for i := range list {
		s.warn(ctx, &list[i])
	}
}
