package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
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
	rows, err := appsOf(ctx, s.core.read(), "scene_message")
	if err != nil {
		return nil, fmt.Errorf("apps with messages: %w", classify(err))
	}
	chunks, err := appsOf(ctx, s.history.read(), "scene_chunk")
	if err != nil {
		return nil, fmt.Errorf("apps with messages: %w", classify(err))
	}
	apps := append(rows, chunks...)
	slices.Sort(apps)
	return slices.Compact(apps), nil
}

// appsOf goes from one app of a table to the next: a DISTINCT would read every row.
func appsOf(ctx context.Context, q querier, table string) (apps []engines.AppID, err error) {
	for app := ""; ; {
		var next sql.NullString
		err := q.QueryRowContext(ctx, `SELECT min(app_id) FROM `+table+` WHERE app_id > $1`, app).Scan(&next)
		if err != nil || !next.Valid {
			return apps, err
		}
		app = next.String
		apps = append(apps, engines.AppID(app))
	}
}

// sweepChunks deletes an app's chunks whose last message is from before a time, and
// says how many messages were in them.
func (s *Store) sweepChunks(ctx context.Context, app engines.AppID, before time.Time) (deleted int64, err error) {
	for {
		var gone []int64
		err := s.history.write(ctx, sweepChunksAtOnce, func(ctx context.Context, q querier) (err error) {
			gone, err = collect(ctx, q, func(row scanner) (n int64, err error) {
				err = row.Scan(&n)
				return n, err
			}, `DELETE FROM scene_chunk WHERE chunk_id IN (SELECT chunk_id FROM scene_chunk WHERE app_id = $1 AND last_ts < $2 ORDER BY last_ts LIMIT $3)
				RETURNING messages`, string(app), millis(before), sweepChunksAtOnce)
			return err
		})
		for _, n := range gone {
			deleted += n
		}
		if err != nil || len(gone) < sweepChunksAtOnce {
			return deleted, err
		}
	}
}

// sweepChunksAtOnce is less than sweepRows: chunks are larger.
const sweepChunksAtOnce = 200

// SweepSceneMessages deletes an app's messages of before a time, a bounded piece at a
// time, and says how many. One that still waits for a moderator stays; so does one
// whose chunk has later ones, for as long as store.ChunkSpan.
func (s *Store) SweepSceneMessages(ctx context.Context, app engines.AppID, before time.Time) (deleted int64, err error) {
	if deleted, err = s.sweepChunks(ctx, app, before); err != nil {
		return deleted, fmt.Errorf("sweep messages: %w", classify(err))
	}
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
