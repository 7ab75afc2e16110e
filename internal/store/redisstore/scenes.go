package redisstore

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	retractMark = "r"
	// answersKept bounds a player's stored answers: 5 a second is all that the
	// stream lets through for long.
	answersKept = 128
)

// SceneHead returns the id of the newest entry of a scene's log, "0" when it has none.
func (r *Redis) SceneHead(ctx context.Context, app engines.AppID, scene engines.SceneID) (string, error) {
	newest, err := r.client.XRevRangeN(ctx, store.SceneLogKey(app, scene), "+", "-", 1).Result()
	if err != nil {
		return "", fmt.Errorf("head of scene: %w", classify(err))
	}
	if len(newest) == 0 {
		return "0", nil
	}
	return newest[0].ID, nil
}

// SceneLog returns the entries of a scene's log after the one given, oldest first.
// ok is false when entries in between were trimmed; what is left is returned all
// the same, and the caller may find by message ids that nothing of it is missing.
func (r *Redis) SceneLog(ctx context.Context, app engines.AppID, scene engines.SceneID, afterID string) (entries []session.SceneEntry, ok bool, err error) {
	key := store.SceneLogKey(app, scene)
	var length *redis.IntCmd
	var log *redis.XMessageSliceCmd
	_, err = r.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		length = p.XLen(ctx, key)
		log = p.XRange(ctx, key, afterID, "+")
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("log of scene: %w", classify(err))
	}
	// A log shorter than its cap was never trimmed.
	ok = length.Val() < session.LogLength
	for _, m := range log.Val() {
		if m.ID == afterID {
			ok = true
			continue
		}
		e := sceneEntry(m)
		entries = append(entries, e)
	}
	return entries, ok, nil
}

func sceneEntry(m redis.XMessage) session.SceneEntry {
	return session.SceneEntry{
		ID: m.ID, Node: field(m, "n"), Message: engines.RequestID(field(m, "m")), Player: engines.PlayerID(field(m, "p")),
		Retract: field(m, "r") != "", Frame: []byte(field(m, "f")),
	}
}

// encodeScene is the form on the channel: node, message, player and mark, a line
// each, then the frame.
func encodeScene(e *session.SceneEntry) string {
	mark := ""
	if e.Retract {
		mark = retractMark
	}
	return e.Node + "\n" + string(e.Message) + "\n" + string(e.Player) + "\n" + mark + "\n" + string(e.Frame)
}

func decodeScene(payload string) (session.SceneEntry, error) {
	parts := strings.SplitN(payload, "\n", 5)
	if len(parts) != 5 {
		return session.SceneEntry{}, errors.New("scene message is malformed")
	}
	return session.SceneEntry{
		Node: parts[0], Message: engines.RequestID(parts[1]), Player: engines.PlayerID(parts[2]),
		Retract: parts[3] != "", Frame: []byte(parts[4]),
	}, nil
}

// Answers returns the answers to a player's messages that are still in their
// window, oldest first.
func (r *Redis) Answers(ctx context.Context, app engines.AppID, player engines.PlayerID) ([]session.Answer, error) {
	stored, err := r.client.XRange(ctx, store.AnswersKey(app, player), "-", "+").Result()
	if err != nil {
		return nil, fmt.Errorf("answers of player: %w", classify(err))
	}
	var answers []session.Answer
	oldest := time.Now().Add(-store.AnswerTTL)
	for _, m := range stored {
		ms, err := strconv.ParseInt(field(m, "t"), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("answers of player: time: %w", err)
		}
		a := session.Answer{ID: field(m, "i"), Frame: []byte(field(m, "f")), At: time.UnixMilli(ms).UTC()}
		if n, err := hex.Decode(a.Body[:], []byte(field(m, "b"))); err != nil || n != len(a.Body) {
			return nil, fmt.Errorf("answers of player: %w", errMalformed)
		}
		if a.At.After(oldest) {
			answers = append(answers, a)
		}
	}
	return answers, nil
}
