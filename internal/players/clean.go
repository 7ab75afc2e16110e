package players

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Observed hears of every verdict. What was found is remembered for what the player
// says next; those in which nothing was found are counted: enough of them on a day
// without a strike are a credit. It does not wait.
func (s *Service) Observed(item *engines.Item, o engines.Outcome, _ string) {
	found := o.Verdict.Found()
	if item.Player != "" {
		s.remember(item, &o.Verdict)
	}
	if item.Player == "" || found.Suggestion != engines.Pass || len(found.Labels) > 0 || o.Verdict.Degraded || o.Pending {
		return
	}
	k := playerKey{item.App, item.Player}
	at := s.clock()
	day := at / dayMS
	sh := s.cache.shard(k)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	e := sh.of[k]
	if e == nil || e.card.day >= day || e.card.struck/dayMS == day {
		return
	}
	c := &e.card
	if c.today != day {
		c.today, c.passes = day, 0
	}
	if c.passes++; c.passes < s.cfg.CleanMessages {
		return
	}
	credit := store.Card{App: k.app, Player: k.player, Clean: s.credit(c, at) + 1, CleanAt: at, Day: day, Version: c.version}
	select {
	case s.credits <- credit:
		c.clean, c.cleanAt, c.day, c.version = credit.Clean, at, day, c.version+1
	default:
	}
}

const (
	creditsEvery   = time.Second
	creditsAtATime = 256
)

// writeCredits writes credits behind, the last ones at the end.
func (s *Service) writeCredits(ctx context.Context) {
	tick := time.NewTicker(creditsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readWithin)
			defer cancel()
			s.writeSome(ctx)
			return
		case <-tick.C:
			s.writeSome(ctx)
		}
	}
}

func (s *Service) writeSome(ctx context.Context) {
	for {
		var list []store.Card
		for len(list) < creditsAtATime && len(s.credits) > 0 {
			list = append(list, <-s.credits)
		}
		if len(list) == 0 {
			return
		}
		if err := s.deps.Store.PutCredits(ctx, list); err != nil {
			s.deps.Log.DebugContext(ctx, "players: credits not stored", "credits", len(list), "err", err)
			for i := range list { // what is at hand is ahead of the store now
				s.cache.outdated(playerKey{list[i].App, list[i].Player}, 0)
			}
		}
	}
}
