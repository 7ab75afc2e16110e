package sqlstore

import (
	"cmp"
	"context"
	"errors"
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
	m, err := s.saidInScene(ctx, s.core.read(), app, scene, message)
	if err != nil {
		return store.SceneMessage{}, fmt.Errorf("scene message %s: %w", message, classify(err))
	}
	return m, nil
}

// saidInScene finds a message as a row, or else in a chunk.
func (s *Store) saidInScene(ctx context.Context, q querier, app engines.AppID, scene engines.SceneID, message engines.RequestID) (store.SceneMessage, error) {
	m, err := sceneMessage(ctx, q, app, scene, message)
	if errors.Is(classify(err), store.ErrNotFound) {
		return s.chunkMessage(ctx, app, scene, message)
	}
	return m, err
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
	if most <= 0 {
		return nil, nil, nil
	}
	before, err = s.sceneSide(ctx, app, scene, message, most, `message_id < $3 ORDER BY message_id DESC LIMIT $4`, s.chunksBefore, -1)
	if err == nil {
		slices.Reverse(before)
		after, err = s.sceneSide(ctx, app, scene, message, most, `message_id > $3 ORDER BY message_id LIMIT $4`, s.chunksAfter, 1)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("scene around %s: %w", message, classify(err))
	}
	return before, after, nil
}

// sceneSide merges the rows and the chunks of one side of a message, the nearest first.
// Where both have a message, the row knows what became of it.
func (s *Store) sceneSide(ctx context.Context, app engines.AppID, scene engines.SceneID, message engines.RequestID, most int, rows string,
	chunks func(context.Context, engines.AppID, engines.SceneID, engines.RequestID, int) ([]store.SceneMessage, error), order int,
) ([]store.SceneMessage, error) {
	list, err := collect(ctx, s.core.read(), scanMessage(app, scene), messageColumns+`WHERE app_id = $1 AND scene_id = $2 AND `+rows,
		string(app), string(scene), string(message), most)
	if err != nil {
		return nil, err
	}
	said, err := chunks(ctx, app, scene, message, most)
	if err != nil {
		return nil, err
	}
	list = append(list, said...)
	slices.SortStableFunc(list, func(a, b store.SceneMessage) int { return order * cmp.Compare(a.Message, b.Message) })
	return distinct(list, most), nil
}

// SetSceneMessageState notes what became of a message.
func (s *Store) SetSceneMessageState(ctx context.Context, app engines.AppID, scene engines.SceneID, message engines.RequestID, state string) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		return s.changeSceneMessage(ctx, q, app, scene, message, state)
	})
	if err != nil {
		return fmt.Errorf("set state of scene message %s: %w", message, classify(err))
	}
	return nil
}

// changeSceneMessage sets a message's state. One that is in a chunk only, which nobody
// flagged when it was said, becomes a row.
func (s *Store) changeSceneMessage(ctx context.Context, q querier, app engines.AppID, scene engines.SceneID, message engines.RequestID, state string) error {
	n, err := exec(ctx, q, `UPDATE scene_message SET state = $1 WHERE app_id = $2 AND scene_id = $3 AND message_id = $4`,
		state, string(app), string(scene), string(message))
	if err != nil || n > 0 {
		return err
	}
	m, err := s.chunkMessage(ctx, app, scene, message)
	if err != nil {
		return err
	}
	if m.State == stateErased { // there is nothing of it any more
		return nil
	}
	m.State = state
	return insertSceneMessage(ctx, q, &m)
}
