package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// A message's id is a UUIDv7, made when the message arrived: the order of ids is
// that of time, and a scene's history is a range of the table's only b-tree.

// idAt is the lowest id of a moment.
func idAt(t time.Time) string {
	hex := fmt.Sprintf("%012x", uint64(max(0, millis(t))))
	return hex[:8] + "-" + hex[8:] + "-7000-8000-000000000000"
}

const messageFields = `message_id, player_id, session_id, content, language, state, sent_ts`

// SceneHistory returns the messages of a scene around one of them, or around a time
// where message is "": at most so many before it, and after it; the message itself is
// between them. Oldest first.
func (s *Store) SceneHistory(ctx context.Context, app engines.AppID, scene engines.SceneID, message engines.RequestID, at time.Time, before, after int) ([]store.SceneMessage, error) {
	mark := string(message)
	if mark == "" {
		mark = idAt(at)
	}
	scan := func(row scanner) (m store.SceneMessage, err error) {
		var content []byte
		var sent int64
		m.App, m.Scene = app, scene
		err = row.Scan(&m.Message, &m.Player, &m.Session, &content, &m.Language, &m.State, &sent)
		m.Content, m.Sent = string(content), fromMillis(sent)
		return m, err
	}
	earlier, err := collect(ctx, s.core.read(), scan, `SELECT `+messageFields+` FROM scene_message
		WHERE app_id = $1 AND scene_id = $2 AND message_id < $3 ORDER BY message_id DESC LIMIT $4`, string(app), string(scene), mark, before)
	if err != nil {
		return nil, fmt.Errorf("history of scene %s: %w", scene, classify(err))
	}
	later, err := collect(ctx, s.core.read(), scan, `SELECT `+messageFields+` FROM scene_message
		WHERE app_id = $1 AND scene_id = $2 AND message_id >= $3 ORDER BY message_id LIMIT $4`, string(app), string(scene), mark, after+1)
	if err != nil {
		return nil, fmt.Errorf("history of scene %s: %w", scene, classify(err))
	}
	if len(later) > after && later[0].Message != message { // the message itself is not stored
		later = later[:after]
	}
	slices.Reverse(earlier)
	return append(earlier, later...), nil
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
