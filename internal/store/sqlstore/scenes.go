package sqlstore

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// PutSceneMessages stores messages of scenes; those stored already are skipped.
func (s *Store) PutSceneMessages(ctx context.Context, ms []store.SceneMessage) error {
	if len(ms) == 0 {
		return nil
	}
	err := s.core.write(ctx, len(ms), func(ctx context.Context, q querier) error {
		for i := range ms {
			if err := insertSceneMessage(ctx, q, &ms[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store %d scene messages: %w", len(ms), classify(err))
	}
	return nil
}

func insertSceneMessage(ctx context.Context, q querier, m *store.SceneMessage) error {
	_, err := q.ExecContext(ctx, `INSERT INTO scene_message (app_id, scene_id, message_id, player_id, session_id, content, language, state, sent_ts)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (app_id, scene_id, message_id) DO NOTHING`,
		m.App, m.Scene, m.Message, m.Player, m.Session, []byte(m.Content), m.Language, m.State, millis(m.Sent))
	return err
}

// SceneMessage returns one message of a scene.
func (s *Store) SceneMessage(ctx context.Context, app engines.AppID, scene engines.SceneID, message engines.RequestID) (store.SceneMessage, error) {
	var content []byte
	var sent int64
	m := store.SceneMessage{App: app, Scene: scene, Message: message}
	err := s.core.read().QueryRowContext(ctx, `SELECT player_id, session_id, content, language, state, sent_ts FROM scene_message
		WHERE app_id = $1 AND scene_id = $2 AND message_id = $3`, app, scene, message).Scan(
		&m.Player, &m.Session, &content, &m.Language, &m.State, &sent)
	if err != nil {
		return store.SceneMessage{}, fmt.Errorf("scene message %s: %w", message, classify(err))
	}
	m.Content, m.Sent = string(content), fromMillis(sent)
	return m, nil
}

// SetSceneMessageState notes what became of a message.
func (s *Store) SetSceneMessageState(ctx context.Context, app engines.AppID, scene engines.SceneID, message engines.RequestID, state string) error {
	n, err := s.execCore(ctx, `UPDATE scene_message SET state = $1 WHERE app_id = $2 AND scene_id = $3 AND message_id = $4`,
		state, app, scene, message)
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("set state of scene message %s: %w", message, classify(err))
	}
	return nil
}
