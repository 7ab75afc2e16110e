package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// PutPlayers notes that players were named; known ones change nothing.
func (s *Store) PutPlayers(ctx context.Context, players []economy.PlayerKey) error {
	now := millis(time.Now())
	err := s.core.write(ctx, len(players), func(ctx context.Context, q querier) error {
		for _, p := range players {
			_, err := q.ExecContext(ctx, `INSERT INTO player (app_id, player_id, first_ts) VALUES ($1, $2, $3)
				ON CONFLICT (app_id, player_id) DO NOTHING`, string(p.App), string(p.Player), now)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note %d players: %w", len(players), classify(err))
	}
	return nil
}

// PlayerKnown reports whether a player was noted or an entry is its.
func (s *Store) PlayerKnown(ctx context.Context, app engines.AppID, player engines.PlayerID) (bool, error) {
	var n int
	err := s.core.read().QueryRowContext(ctx, `SELECT count(*) FROM player WHERE app_id = $1 AND player_id = $2`, string(app), string(player)).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("player: %w", classify(err))
	}
	for before := (economy.Mark{}); n == 0; {
		page, next, err := s.Timeline(ctx, app, player, before, 1)
		switch {
		case err != nil:
			return false, fmt.Errorf("player: %w", classify(err))
		case len(page) > 0:
			return true, nil
		case next == economy.Mark{}:
			return false, nil
		}
		before = next
	}
	return true, nil
}
