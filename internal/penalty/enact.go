package penalty

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// enactWithin bounds how long who gives a penalty waits for its ban. What is not
	// made by then is made by the next round, at whichever gateway.
	enactWithin = 2 * time.Second
	enactEvery  = 2 * time.Second
	// enactAfter leaves the one who gave it the first try.
	enactAfter = 3 * time.Second
)

// enact has the economy do what is owed about a penalty. Both are done under the
// penalty's id, so that to do them again changes nothing.
func (s *Service) enact(ctx context.Context, p *store.Penalty) {
	if p.Owed == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, enactWithin)
	defer cancel()
	if err := s.settle(ctx, p); err != nil {
		s.deps.Log.WarnContext(ctx, "penalty: the economy is asked again later", "app", p.App, "player", p.Player, "penalty_id", p.ID, "owed", p.Owed, "err", err)
	}
}

func (s *Service) settle(ctx context.Context, p *store.Penalty) error {
	if p.Owed == store.OwedLift {
		bans, err := s.deps.Economy.Lift(ctx, economy.Lift{
			App: p.App, Player: p.Player, ID: p.ID, Reason: p.LiftReason, By: p.LiftedBy, Key: liftKey(p.ID), Request: engines.RequestID(p.ID),
		})
		if err == nil && len(bans) == 0 { // it has ended by itself
			err = s.deps.Store.SettlePenalty(ctx, p.App, p.ID, p.Owed)
		}
		return err
	}
	var hours int64
	if p.Expires != 0 {
		if p.Expires <= s.clock() {
			return s.deps.Store.SettlePenalty(ctx, p.App, p.ID, p.Owed)
		}
		hours = (p.Expires - p.Created) / time.Hour.Milliseconds()
	}
	_, err := s.deps.Economy.Ban(ctx, economy.Ban{
		App: p.App, ID: p.ID, Player: p.Player, Type: p.Kind.BanType(), Reason: p.Reason, By: p.By, Request: engines.RequestID(p.ID),
	}, hours)
	return err
}

// enactOwed does what was left undone: by a crash, or by a store that was away.
func (s *Service) enactOwed(ctx context.Context) {
	tick := time.NewTicker(enactEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		list, err := s.deps.Store.OwedPenalties(ctx, s.clock()-enactAfter.Milliseconds())
		if err != nil {
			s.deps.Log.DebugContext(ctx, "penalty: owed ones not read", "err", err)
			continue
		}
		for i := range list {
			s.enact(ctx, &list[i])
		}
	}
}
