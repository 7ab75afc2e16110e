package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// scanChunksAtOnce is how many chunks one query of those that look for a player reads;
// it hands on only those that have it.
const scanChunksAtOnce = 1000

type storedChunk struct {
	store.SceneChunk

	id, last int64
}

// chunksWith hands on an app's chunks in which a player's id stands, as one of their
// players or otherwise.
func (s *Store) chunksWith(ctx context.Context, app engines.AppID, player engines.PlayerID, each func(*storedChunk) error) error {
	for mark := (storedChunk{last: -1}); ; {
		list, err := collect(ctx, s.history.read(), func(row scanner) (c storedChunk, err error) {
			c.App = app
			err = row.Scan(&c.id, &c.last, &c.Scene, &c.Body)
			return c, err
		}, `SELECT chunk_id, last_ts, scene_id, CASE WHEN `+s.holds("$2")+` THEN body END FROM scene_chunk
			WHERE app_id = $1 AND (last_ts, chunk_id) > ($3, $4) ORDER BY last_ts, chunk_id LIMIT $5`,
			string(app), []byte(player), mark.last, mark.id, scanChunksAtOnce)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			if list[i].Body == nil {
				continue
			}
			if err := each(&list[i]); err != nil {
				return err
			}
		}
		mark = list[len(list)-1]
	}
}

// eraseChunks leaves the places of a player's messages in chunks, and nothing of them.
func (s *Store) eraseChunks(ctx context.Context, e *store.Erasure) error {
	err := s.chunksWith(ctx, e.App, e.Player, func(c *storedChunk) error {
		var changed int64
		err := s.history.write(ctx, 1, func(ctx context.Context, q querier) (err error) {
			// Another player's erasure may have changed it since.
			err = q.QueryRowContext(ctx, `SELECT body FROM scene_chunk WHERE chunk_id = $1`+s.locked(), c.id).Scan(&c.Body)
			if errors.Is(classify(err), store.ErrNotFound) {
				changed = 0
				return nil
			}
			var body []byte
			if err == nil {
				body, changed, err = without(&c.SceneChunk, e)
			}
			if err != nil || changed == 0 {
				return err
			}
			_, err = q.ExecContext(ctx, `UPDATE scene_chunk SET body = $1 WHERE chunk_id = $2`, body, c.id)
			return err
		})
		if err != nil {
			return err
		}
		return s.countApart(ctx, e, "messages", changed)
	})
	if err != nil || s.driver == "postgres" {
		return err
	}
	return s.syncHistory(ctx)
}

// syncHistory has what was committed to the file of the history on disk, whose commits
// are not synced, so that no loss of power undoes an erasure that is done. A reader may
// do that, and its connection syncs.
func (s *Store) syncHistory(ctx context.Context) error {
	for {
		var busy, frames, copied int
		if err := s.history.read().QueryRowContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`).Scan(&busy, &frames, &copied); err != nil {
			return err
		}
		if busy == 0 && copied >= frames {
			return nil
		}
		select { // somebody else is at it, or reads what is old
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// without is the body of a chunk once a player is erased, and how many of its messages
// were the player's.
func without(c *store.SceneChunk, e *store.Erasure) (body []byte, changed int64, err error) {
	said, err := c.Read()
	if err != nil {
		return nil, 0, err
	}
	fresh := store.SceneChunk{App: c.App, Scene: c.Scene, Body: make([]byte, 0, len(c.Body))}
	for i := range said {
		if m := &said[i]; m.Player == e.Player {
			m.Player, m.Session, m.Content, m.State = e.Pseudonym, "", "", stateErased
			changed++
		}
		fresh.Add(&said[i])
	}
	return fresh.Body, changed, nil
}

// playerChunks hands on what a player said that is in chunks and is no row.
func (s *Store) playerChunks(ctx context.Context, app engines.AppID, player engines.PlayerID, each func(store.PlayerRecord) error) error {
	return s.chunksWith(ctx, app, player, func(c *storedChunk) error {
		said, err := c.Read()
		if err != nil {
			return err
		}
		for i := range said {
			m := &said[i]
			if m.Player != player {
				continue
			}
			_, err := sceneMessage(ctx, s.core.read(), app, m.Scene, m.Message)
			if err == nil {
				continue // handed on with the rows
			}
			if !errors.Is(classify(err), store.ErrNotFound) {
				return err
			}
			m.Session = "" // as of the rows
			if err := each(store.PlayerRecord{Message: m}); err != nil {
				return err
			}
		}
		return nil
	})
}
