package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// What was said in scenes and not flagged is in chunks, in a database of its own whose
// writer gives way: no verdict waits for it. What was flagged is a row of
// scene_message, committed with its verdict. A message may be both, where somebody
// decided on it later: the row counts.

// PutSceneChunks stores chunks of messages.
func (s *Store) PutSceneChunks(ctx context.Context, list []store.SceneChunk) error {
	if len(list) == 0 {
		return nil
	}
	messages := 0
	for i := range list {
		messages += list[i].Messages
	}
	err := s.history.write(ctx, len(list), func(ctx context.Context, q querier) error {
		for i := range list {
			c := &list[i]
			_, err := q.ExecContext(ctx, `INSERT INTO scene_chunk (app_id, scene_id, first_id, last_ts, messages, body) VALUES ($1, $2, $3, $4, $5, $6)`,
				string(c.App), string(c.Scene), string(c.First), millis(lastOf(c)), c.Messages, c.Body)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store %d scene messages: %w", messages, classify(err))
	}
	return nil
}

// lastOf is when the last message of a chunk came in; of ids that are no times it is
// not known, and no later than now.
func lastOf(c *store.SceneChunk) time.Time {
	if at, ok := store.MessageTime(c.Last); ok {
		return at
	}
	return time.Now()
}

// from is the lowest id of a chunk that may hold a message.
func from(m engines.RequestID) string {
	at, ok := store.MessageTime(m)
	if !ok {
		return ""
	}
	return idAt(at.Add(-store.ChunkSpan))
}

const chunkColumns = `SELECT first_id, messages, body FROM scene_chunk WHERE app_id = $1 AND scene_id = $2 AND `

func scanChunk(app engines.AppID, scene engines.SceneID) func(scanner) (store.SceneChunk, error) {
	return func(row scanner) (store.SceneChunk, error) {
		c := store.SceneChunk{App: app, Scene: scene}
		return c, row.Scan(&c.First, &c.Messages, &c.Body)
	}
}

// holds is SQL for: the body holds the bytes of a parameter.
func (s *Store) holds(parameter string) string {
	if s.driver == "postgres" {
		return `position(` + parameter + `::bytea in body) > 0`
	}
	return `instr(body, ` + parameter + `) > 0`
}

// chunkMessage finds a message in the chunks of its scene.
func (s *Store) chunkMessage(ctx context.Context, app engines.AppID, scene engines.SceneID, message engines.RequestID) (store.SceneMessage, error) {
	at, _ := store.MessageTime(message) // the zero time is before all
	list, err := collect(ctx, s.history.read(), scanChunk(app, scene), chunkColumns+`first_id >= $3 AND first_id <= $4 AND last_ts >= $5 AND `+s.holds("$6"),
		string(app), string(scene), from(message), string(message), millis(at), store.ChunkNeedle(message))
	if err != nil {
		return store.SceneMessage{}, err
	}
	for i := range list {
		said, err := list[i].Read()
		if err != nil {
			return store.SceneMessage{}, err
		}
		if at := slices.IndexFunc(said, func(m store.SceneMessage) bool { return m.Message == message }); at >= 0 {
			return said[at], nil
		}
	}
	return store.SceneMessage{}, store.ErrNotFound
}

// sceneChunksAtOnce is how many chunks one query of a look around a message reads.
const sceneChunksAtOnce = 8

// chunksBefore lists up to most messages in chunks before one, newest first.
func (s *Store) chunksBefore(ctx context.Context, app engines.AppID, scene engines.SceneID, message engines.RequestID, most int) ([]store.SceneMessage, error) {
	var found []store.SceneMessage
	take := func(list []store.SceneChunk) error {
		var err error
		found, err = unpack(found, list, func(m engines.RequestID) bool { return m < message })
		slices.SortFunc(found, func(a, b store.SceneMessage) int { return cmp.Compare(b.Message, a.Message) })
		found = distinct(found, most)
		return err
	}
	lowest := string(message)
	for {
		list, err := collect(ctx, s.history.read(), scanChunk(app, scene), chunkColumns+`first_id < $3 ORDER BY first_id DESC LIMIT $4`,
			string(app), string(scene), lowest, sceneChunksAtOnce)
		if err != nil {
			return nil, err
		}
		if err := take(list); err != nil || len(list) < sceneChunksAtOnce {
			return found, err
		}
		if lowest = string(list[len(list)-1].First); len(found) >= most {
			break
		}
	}
	// A chunk that begins before those may reach in between: of another gateway, say.
	at, _ := store.MessageTime(found[len(found)-1].Message)
	list, err := collect(ctx, s.history.read(), scanChunk(app, scene), chunkColumns+`first_id >= $3 AND first_id < $4 AND last_ts >= $5`,
		string(app), string(scene), from(found[len(found)-1].Message), lowest, millis(at))
	if err != nil {
		return nil, err
	}
	return found, take(list)
}

// chunksAfter lists up to most messages in chunks after one, oldest first.
func (s *Store) chunksAfter(ctx context.Context, app engines.AppID, scene engines.SceneID, message engines.RequestID, most int) ([]store.SceneMessage, error) {
	at, _ := store.MessageTime(message)
	list, err := collect(ctx, s.history.read(), scanChunk(app, scene), chunkColumns+`first_id >= $3 AND first_id <= $4 AND last_ts >= $5`,
		string(app), string(scene), from(message), string(message), millis(at))
	var found []store.SceneMessage
	for highest := string(message); err == nil; {
		found, err = unpack(found, list, func(m engines.RequestID) bool { return m > message })
		slices.SortFunc(found, func(a, b store.SceneMessage) int { return cmp.Compare(a.Message, b.Message) })
		found = distinct(found, most)
		if err != nil || len(found) >= most && string(found[len(found)-1].Message) <= highest {
			break
		}
		list, err = collect(ctx, s.history.read(), scanChunk(app, scene), chunkColumns+`first_id > $3 ORDER BY first_id LIMIT $4`,
			string(app), string(scene), highest, sceneChunksAtOnce)
		if len(list) == 0 {
			break
		}
		highest = string(list[len(list)-1].First)
	}
	return found, err
}

// unpack adds the messages of chunks that are wanted.
func unpack(dst []store.SceneMessage, list []store.SceneChunk, wanted func(engines.RequestID) bool) ([]store.SceneMessage, error) {
	for i := range list {
		said, err := list[i].Read()
		if err != nil {
			return dst, err
		}
		for _, m := range said {
			if wanted(m.Message) {
				dst = append(dst, m)
			}
		}
	}
	return dst, nil
}

// distinct keeps the first of each message in a sorted list, and no more than most.
func distinct(list []store.SceneMessage, most int) []store.SceneMessage {
	list = slices.CompactFunc(list, func(a, b store.SceneMessage) bool { return a.Message == b.Message })
	return list[:min(len(list), most)]
}
