package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// A message's id is a UUIDv7, made when the message arrived: the order of ids is
// that of time, and a scene's history is a range of the table's only b-tree.

// idAt is the lowest id of a moment.
func idAt(t time.Time) string {
	hex := fmt.Sprintf("%012x", uint64(max(0, millis(t))))
	return hex[:8] + "-" + hex[8:] + "-7000-8000-000000000000"
}

// SceneApps lists the apps that have messages of scenes.
func (s *Store) SceneApps(ctx context.Context) ([]engines.AppID, error) {
	var apps []engines.AppID
	for app := ""; ; { // from one to the next: a DISTINCT would read every row
		var next sql.NullString
		err := s.core.read().QueryRowContext(ctx, `SELECT min(app_id) FROM scene_message WHERE app_id > $1`, app).Scan(&next)
		if err != nil {
			return nil, fmt.Errorf("apps with messages: %w", classify(err))
		}
		if !next.Valid {
			return apps, nil
		}
		app = next.String
		apps = append(apps, engines.AppID(app))
	}
}

// SweepSceneMessages deletes an app's messages of before a time, scene by scene and a
// bounded piece at a time, and says how many. One that still waits for a moderator
// stays.
func (s *Store) SweepSceneMessages(ctx context.Context, app engines.AppID, before time.Time) (deleted int64, err error) {
	mark := idAt(before)
	for scene := ""; ; {
		var next sql.NullString
		err := s.core.read().QueryRowContext(ctx, `SELECT min(scene_id) FROM scene_message WHERE app_id = $1 AND scene_id > $2`, string(app), scene).Scan(&next)
		if err != nil {
			return deleted, fmt.Errorf("sweep messages: %w", classify(err))
		}
		if !next.Valid {
			return deleted, nil
		}
		scene = next.String
		for {
			var old int // most scenes have nothing old: a look spares a write
			err := s.core.read().QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM scene_message
				WHERE app_id = $1 AND scene_id = $2 AND message_id < $3 AND state <> 'held' LIMIT 1) AS one`, string(app), scene, mark).Scan(&old)
			if err != nil {
				return deleted, fmt.Errorf("sweep messages: %w", classify(err))
			}
			if old == 0 {
				break
			}
			n, err := s.execCore(ctx, `DELETE FROM scene_message WHERE app_id = $1 AND scene_id = $2 AND message_id IN (SELECT message_id FROM scene_message
				WHERE app_id = $1 AND scene_id = $2 AND message_id < $3 AND state <> 'held' ORDER BY message_id LIMIT $4)`, string(app), scene, mark, sweepRows)
			if err != nil {
				return deleted, fmt.Errorf("sweep messages: %w", classify(err))
			}
			deleted += n
			if n < sweepRows {
				break
			}
		}
	}
}
