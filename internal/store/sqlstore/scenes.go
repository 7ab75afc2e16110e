package sqlstore

import (
	"context"
	"fmt"
	"slices"

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
	m, err := sceneMessage(ctx, s.core.read(), app, scene, message)
	if err != nil {
		return store.SceneMessage{}, fmt.Errorf("scene message %s: %w", message, classify(err))
	}
	return m, nil
}

const messageColumns = `SELECT message_id, player_id, session_id, content, language, state, sent_ts FROM scene_message `

func sceneMessage(ctx context.Context, q querier, app engines.AppID, scene engines.SceneID, message engines.RequestID) (store.SceneMessage, error) {
	return scanMessage(app, scene)(q.QueryRowContext(ctx, messageColumns+`WHERE app_id = $1 AND scene_id = $2 AND message_id = $3`, app, scene, message))
}

func scanMessage(app engines.AppID, scene engines.SceneID) func(scanner) (store.SceneMessage, error) {
	return func(row scanner) (store.SceneMessage, error) {
		var content []byte
		var sent int64
		m := store.SceneMessage{App: app, Scene: scene}
		err := row.Scan(&m.Message, &m.Player, &m.Session, &content, &m.Language, &m.State, &sent)
		m.Content, m.Sent = string(content), fromMillis(sent)
		return m, err
	}
}

// SceneAround lists what is stored of a scene around one of its messages, up to most
// before it and most after, oldest first, without the message itself. Ids of messages
// are UUIDv7: their order is that of time.
func (s *Store) SceneAround(ctx context.Context, app engines.AppID, scene engines.SceneID, message engines.RequestID, most int) (before, after []store.SceneMessage, err error) {
	const of = messageColumns + `WHERE app_id = $1 AND scene_id = $2 AND `
	before, err = collect(ctx, s.core.read(), scanMessage(app, scene), of+`message_id < $3 ORDER BY message_id DESC LIMIT $4`,
		string(app), string(scene), string(message), most)
	if err == nil {
		slices.Reverse(before)
		after, err = collect(ctx, s.core.read(), scanMessage(app, scene), of+`message_id > $3 ORDER BY message_id LIMIT $4`,
			string(app), string(scene), string(message), most)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("scene around %s: %w", message, classify(err))
	}
	return before, after, nil
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
