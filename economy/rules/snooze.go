package rules

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// maxSnoozes bounds the snoozes of an app that hold at once.
const maxSnoozes = 10_000

type snoozeKey struct {
	app    engines.AppID
	rule   string
	player engines.PlayerID
}

// snoozes are those that hold, in memory.
type snoozes struct {
	n  atomic.Int64 // so that nobody locks where there are none
	mu sync.RWMutex
	of map[snoozeKey]int64 // until when, epoch ms
}

func (s *snoozes) has(key snoozeKey, clock int64) bool {
	if s.n.Load() == 0 {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.of[key] > clock
}

func (s *snoozes) put(list []economy.Snooze, clock int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range list {
		z := &list[i]
		key := snoozeKey{z.App, z.Rule, z.Player}
		if z.Until > clock {
			s.of[key] = z.Until
		} else {
			delete(s.of, key)
		}
	}
	for key, until := range s.of {
		if until <= clock {
			delete(s.of, key)
		}
	}
	s.n.Store(int64(len(s.of)))
}

// count is how many snoozes of an app hold, of one rule unless rule is "".
func (s *snoozes) count(app engines.AppID, rule string, clock int64) (n int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for key, until := range s.of {
		if key.app == app && (rule == "" || key.rule == rule) && until > clock {
			n++
		}
	}
	return n
}

// Snooze leaves a player out of a rule for hours of our clock, 0 being no longer, and
// returns until when.
func (k *Keeper) Snooze(ctx context.Context, z economy.Snooze, hours int64) (economy.Snooze, error) {
	if _, err := k.Rule(ctx, z.App, z.Rule); err != nil {
		return z, err
	}
	clock := k.clock()
	if hours > 0 && k.snoozes.count(z.App, "", clock) >= maxSnoozes {
		return z, fmt.Errorf("snoozes that hold: %w, at most %d", economy.ErrRuleLimit, maxSnoozes)
	}
	z.Until = clock + hours*3_600_000
	if err := k.deps.Store.PutSnooze(ctx, z); err != nil {
		return z, fmt.Errorf("snooze: %w", err)
	}
	k.snoozes.put([]economy.Snooze{z}, clock)
	k.deps.Tell()
	return z, nil
}
