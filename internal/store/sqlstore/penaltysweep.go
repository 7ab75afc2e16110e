package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
)

// PenaltyApps lists the apps that have strikes or penalties.
func (s *Store) PenaltyApps(ctx context.Context) ([]engines.AppID, error) {
	var apps []engines.AppID
	for app := ""; ; { // from one to the next: a DISTINCT would read every row
		var next sql.NullString
		err := s.core.read().QueryRowContext(ctx, `SELECT min(app_id) FROM (SELECT min(app_id) AS app_id FROM strike WHERE app_id > $1
			UNION ALL SELECT min(app_id) FROM penalty WHERE app_id > $1) AS both_tables`, app).Scan(&next)
		if err != nil {
			return nil, fmt.Errorf("apps with penalties: %w", classify(err))
		}
		if !next.Valid {
			return apps, nil
		}
		app = next.String
		apps = append(apps, engines.AppID(app))
	}
}

// SweepPenalties deletes an app's strikes that were given before a time, epoch ms, and
// its penalties that were over by then, a bounded piece at a time, and says how many of
// both. A penalty that holds stays, and all strikes of its player with it, since it
// rests on them.
func (s *Store) SweepPenalties(ctx context.Context, app engines.AppID, before int64) (deleted int64, err error) {
	for _, query := range []string{
		`DELETE FROM penalty WHERE app_id = $1 AND penalty_id IN (SELECT penalty_id FROM penalty WHERE app_id = $1 AND created_ts < $2 AND changed_ts < $2
			AND expires_ts < $2 AND (lifted_ts > 0 OR ended_ts > 0) AND owed = '' LIMIT $3)`,
		`DELETE FROM strike WHERE app_id = $1 AND strike_id IN (SELECT strike_id FROM strike WHERE app_id = $1 AND created_ts < $2 AND undone_ts < $2
			AND NOT EXISTS (SELECT 1 FROM penalty AS p WHERE p.app_id = strike.app_id AND p.player_id = strike.player_id AND p.strike_id <> ''
				AND p.kind <> 'warn' AND p.lifted_ts = 0 AND p.ended_ts = 0) LIMIT $3)`,
	} {
		for {
			n, err := s.execCore(ctx, query, string(app), before, sweepRows)
			if err != nil {
				return deleted, fmt.Errorf("sweep penalties: %w", classify(err))
			}
			deleted += n
			if n < sweepRows {
				break
			}
		}
	}
	return deleted, nil
}
