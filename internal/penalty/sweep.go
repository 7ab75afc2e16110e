package penalty

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// sweepEvery is how often what nobody needs any more is looked for, by each gateway.
const sweepEvery = time.Hour

// Sweeping removes what is past its time.
type Sweeping interface {
	// PenaltyApps lists the apps that have strikes or penalties.
	PenaltyApps(ctx context.Context) ([]engines.AppID, error)
	// SweepPenalties leaves what holds, and what that rests on.
	SweepPenalties(ctx context.Context, app engines.AppID, before int64) (int64, error)
}

// sweep removes strikes and penalties that are past their time, until ctx ends.
func (s *Service) sweep(ctx context.Context) {
	if s.cfg.Keep == 0 {
		return
	}
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := s.sweepOnce(ctx); err != nil && ctx.Err() == nil {
			s.deps.Log.WarnContext(ctx, "penalty: what is past its time is not all swept", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Service) sweepOnce(ctx context.Context) error {
	apps, err := s.deps.Store.PenaltyApps(ctx)
	if err != nil {
		return err
	}
	for _, app := range apps {
		rules := s.Ladder(app).Rules
		n, err := s.deps.Store.SweepPenalties(ctx, app, s.clock()-s.needed(&rules))
		if err != nil {
			return err
		}
		if n > 0 {
			s.deps.Log.InfoContext(ctx, "penalty: strikes and penalties past their time removed", "app", app, "rows", n)
		}
	}
	return nil
}

// needed is how long strikes and penalties of an app stay, in ms: as configured, but no
// shorter than its ladder or a player's standing looks back.
func (s *Service) needed(rules *store.LadderRules) int64 {
	return max(s.cfg.Keep.Milliseconds(), reach(rules), s.deps.Counts.Milliseconds())
}
