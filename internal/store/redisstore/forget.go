package redisstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// ForgetPlayer removes what Redis holds of a player by name: the session's state and
// log, whose it is, and the answers to its last messages. What it said in scenes goes
// with their logs, some minutes after it was said.
func (r *Redis) ForgetPlayer(ctx context.Context, app engines.AppID, player engines.PlayerID) error {
	if !r.Shared() { // nothing is kept by name, and a session that ended is gone
		return nil
	}
	owner, err := r.client.Get(ctx, store.PlayerKey(app, player)).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return fmt.Errorf("forget player: %w", classify(err))
	}
	_, err = r.client.Pipelined(ctx, func(p redis.Pipeliner) error { // keys of two tags: no one command takes them
		p.Del(ctx, store.PlayerKey(app, player), store.AnswersKey(app, player))
		if sid := decodeOwner(owner).Session; sid != "" {
			p.Del(ctx, store.SessionKey(sid), store.SessionLogKey(sid))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("forget player: %w", classify(err))
	}
	return nil
}
