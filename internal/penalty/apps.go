package penalty

import (
	"context"
	"fmt"
	"maps"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Ladder is the ladder that holds for an app: its own, or the configuration's, whose
// version is 0. Its maps and slices are shared: read only.
func (s *Service) Ladder(app engines.AppID) store.Ladder {
	if l, ok := (*s.ladders.Load())[app]; ok {
		return l
	}
	return store.Ladder{App: app, Rules: s.cfg.rules()}
}

// PutLadder stores a ladder that has no Faults as the version after was. The error
// wraps store.ErrConflict where was is not the newest, or engines.ErrUnavailable.
func (s *Service) PutLadder(ctx context.Context, l store.Ladder, was int) (store.Ladder, error) {
	stored, err := s.deps.Store.PutLadder(ctx, l, was)
	if err != nil {
		return store.Ladder{}, fmt.Errorf("penalty: %w", err)
	}
	s.learnLadders([]store.Ladder{stored})
	s.deps.TellLadders()
	return stored, nil
}

// ToldLadders has the ladders read again, since another gateway changed one. It does
// not wait.
func (s *Service) ToldLadders() {
	select {
	case s.laddersNew <- struct{}{}:
	default:
	}
}

func (s *Service) readLadders(ctx context.Context, since int64) error {
	list, err := s.deps.Store.LaddersChanged(ctx, since)
	if err != nil {
		return fmt.Errorf("penalty: %w", err)
	}
	s.learnLadders(list)
	return nil
}

func (s *Service) learnLadders(list []store.Ladder) {
	s.ladderTurn.Lock()
	defer s.ladderTurn.Unlock()
	have := *s.ladders.Load()
	next := maps.Clone(have)
	changed := false
	for i := range list {
		if next[list[i].App].Version < list[i].Version {
			next[list[i].App], changed = list[i], true
		}
	}
	if changed {
		s.ladders.Store(&next)
	}
}
