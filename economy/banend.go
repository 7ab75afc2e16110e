package economy

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// BanState is what became of a ban.
type BanState string

// The states.
const (
	BanCreated BanState = "created"
	BanLifted  BanState = "lifted"
	BanExpired BanState = "expired" // it ended by itself
)

func (s *Service) changed(b *Ban, state BanState) {
	if s.deps.Changed != nil {
		s.deps.Changed(b, state)
	}
}

// Until is when a player that is Excluded may come back; the zero time is never.
func (s *Service) Until(app engines.AppID, player engines.PlayerID) time.Time {
	var last int64
	for _, b := range s.bans.holding(PlayerKey{app, player}, s.ending(s.shelf(app)), s.clock()) {
		switch {
		case !b.Excludes():
		case b.Ends == 0:
			return time.Time{}
		default:
			last = max(last, b.Ends)
		}
	}
	if last == 0 {
		return time.Time{}
	}
	return time.UnixMilli(last)
}

// endRounds bounds how many pieces of bans that ended are noted in one tick.
const endRounds = 64

// endBans notes the bans that ended by themselves. What the store does not take now
// is noted in the next round: only the store says that it was.
func (s *Service) endBans(ctx context.Context, clock int64) {
	named := s.endedByEvents(clock)
	for range endRounds {
		ended, err := s.deps.Store.EndBans(ctx, clock, named)
		if err != nil {
			s.deps.Log.DebugContext(ctx, "economy: ends of bans not noted", "err", err)
			return
		}
		for i := range ended {
			b := &ended[i]
			s.learn(b)
			s.deps.Tell(b.App, b.Player)
			s.changed(b, BanExpired)
		}
		if len(ended) == 0 {
			return
		}
		named = nil
	}
}

// endedByEvents are the bans that ended by the time of their app, which plays old
// logs, before our clock says so.
func (s *Service) endedByEvents(clock int64) (list []BanKey) {
	s.bans.mu.RLock()
	defer s.bans.mu.RUnlock()
	times := map[engines.AppID]int64{}
	for key, all := range s.bans.of {
		for i := range all {
			b := &all[i]
			if b.Expires == 0 || b.Ends <= clock {
				continue
			}
			at, ok := times[key.App]
			if !ok {
				at = s.ending(s.shelf(key.App))
				times[key.App] = at
			}
			if b.Expires <= at {
				list = append(list, BanKey{b.App, b.ID})
			}
		}
	}
	return list
}
