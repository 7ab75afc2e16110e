package economy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// OperatorOverride is the factor of a risk that an operator has set: by how much it
// differs from what the model and the rules say.
const OperatorOverride = "operator_override"

// overridesAtMost bounds the overrides of an app that hold at once; ErrOverrides says
// that there are as many.
const overridesAtMost = 10_000

// ErrOverrides says that an app has as many overrides as it may have.
var ErrOverrides = errors.New("economy: too many overrides")

// Override is an operator's word for a player's risk, in the place of the model's and the
// rules', until it ends by our clock. Bans are not touched by it.
type Override struct {
	App     engines.AppID
	Player  engines.PlayerID
	Score   int   // 0 to 100
	Until   int64 // epoch ms; one that has come takes the override back
	By      string
	Reason  string
	Changed int64 // epoch ms
}

// on puts an override in the place of a risk's score.
func (o *Override) on(r *Risk) {
	factors := make([]Factor, 0, 1+len(r.Factors))
	factors = append(factors, Factor{Code: OperatorOverride, Score: o.Score - r.Score})
	r.Factors = append(factors, r.Factors...)
	r.Score, r.Level, r.Override = o.Score, LevelOf(o.Score), o
}

// overrides are those that hold, in memory.
type overrides struct {
	n  atomic.Int64 // so that nobody locks where there are none
	mu sync.RWMutex
	of map[PlayerKey]Override

	// writing is held for reading from before an override is stored until it is known
	// here, and taken while all are read anew.
	writing sync.RWMutex
	stale   atomic.Bool // some may hold here that are stored no more
}

// forget is for a player that was erased.
func (l *overrides) forget(k PlayerKey) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.of, k)
	l.n.Store(int64(len(l.of)))
}

// begin leaves nothing but list.
func (l *overrides) begin(list []Override) {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.of)
	for i := range list {
		l.of[PlayerKey{list[i].App, list[i].Player}] = list[i]
	}
	l.n.Store(int64(len(l.of)))
}

// get is the override that holds for a player, nil where none does.
func (l *overrides) get(k PlayerKey, clock int64) *Override {
	if l.n.Load() == 0 {
		return nil
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if o, ok := l.of[k]; ok && o.Until > clock {
		return &o
	}
	return nil
}

// put makes changes known, and forgets what has ended. One that was taken back stays
// until another gateway's older word for it can't come any more.
func (l *overrides) put(list []Override, clock int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range list {
		k := PlayerKey{list[i].App, list[i].Player}
		if have, ok := l.of[k]; !ok || have.Changed <= list[i].Changed {
			l.of[k] = list[i]
		}
	}
	for k, o := range l.of {
		if o.Until <= clock && o.Changed < clock-2*followBack.Milliseconds() {
			delete(l.of, k)
		}
	}
	l.n.Store(int64(len(l.of)))
}

// holding counts those of an app.
func (l *overrides) holding(app engines.AppID, clock int64) (n int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for k, o := range l.of {
		if k.App == app && o.Until > clock {
			n++
		}
	}
	return n
}

// Override commits an operator's word for a player's risk for so many hours, 0 taking
// back what holds. Other gateways go by it within about two seconds. Errors are those of
// Risk, and ErrOverrides.
func (s *Service) Override(ctx context.Context, o Override, hours int64) (Override, error) {
	if _, err := s.about(ctx, o.App, o.Player); err != nil {
		return Override{}, err
	}
	o.Changed = s.clock()
	o.Until = o.Changed + hours*time.Hour.Milliseconds()
	k := PlayerKey{o.App, o.Player}
	if hours > 0 && s.overrides.get(k, o.Changed) == nil && s.overrides.holding(o.App, o.Changed) >= overridesAtMost {
		return Override{}, ErrOverrides
	}
	s.overrides.writing.RLock()
	defer s.overrides.writing.RUnlock()
	if err := s.deps.Store.PutOverride(ctx, o); err != nil {
		return Override{}, fmt.Errorf("economy: override: %w", err)
	}
	s.overrides.put([]Override{o}, o.Changed)
	return o, nil
}

// followOverrides reads what changed at other gateways since a time, all that holds where
// it is 0 or some may be stored no more.
func (s *Service) followOverrides(ctx context.Context, since, clock int64) error {
	if s.overrides.stale.Swap(false) {
		if err := s.readOverrides(ctx, clock); err != nil {
			s.overrides.stale.Store(true)
			return err
		}
		return nil
	}
	list, err := s.deps.Store.OverridesChanged(ctx, since, clock)
	if err != nil {
		return fmt.Errorf("economy: overrides: %w", err)
	}
	s.overrides.put(list, clock)
	return nil
}

// readOverrides has nothing hold but what is stored.
func (s *Service) readOverrides(ctx context.Context, clock int64) error {
	s.overrides.writing.Lock()
	defer s.overrides.writing.Unlock()
	list, err := s.deps.Store.OverridesChanged(ctx, 0, clock)
	if err != nil {
		return fmt.Errorf("economy: overrides: %w", err)
	}
	s.overrides.begin(list)
	return nil
}

// said puts the override of a player, if one holds, in the place of its risk's score.
func (s *Service) said(app engines.AppID, player engines.PlayerID, r *Risk) {
	if o := s.overrides.get(PlayerKey{app, player}, s.clock()); o != nil {
		o.on(r)
	}
}

// saidOf is the score that an operator has set for a player, nil where none has.
func (s *Service) saidOf(app engines.AppID, player engines.PlayerID) *int {
	if o := s.overrides.get(PlayerKey{app, player}, s.clock()); o != nil {
		return &o.Score
	}
	return nil
}
