package main

import (
	"context"
	"errors"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/redisstore"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// bus carries messages between gateways: Redis speaks, the listener hears.
type bus struct {
	*redisstore.Redis
	*redisstore.Listener
}

// kept writes answers behind and reads them back.
type kept struct {
	*redisstore.Behind
	*redisstore.Redis
}

// seenStore remembers what happens once, and answers by key. The embedded Redis
// forgets with the process, so there the durable store remembers.
type seenStore interface {
	Seen(ctx context.Context, key string, ttl time.Duration) (bool, error)
	PutSeen(ctx context.Context, key string, answer []byte, ttl time.Duration) error
	SeenAnswer(ctx context.Context, key string) ([]byte, error)
	ForgetSeen(ctx context.Context, key string) error
}

func remembers(db *sqlstore.Store, r *redisstore.Redis) seenStore {
	if r.Shared() {
		return r
	}
	return db
}

// answersFor is how long the answer to an Idempotency-Key is kept.
const answersFor = time.Hour

var answerKey, claimKey = seenKey("answer"), seenKey("claim")

// answers keeps answers by Idempotency-Key.
type answers struct{ seen seenStore }

// claimFor is how long a request may be under way before its key is free again.
const claimFor = 30 * time.Second

func (a answers) Claim(ctx context.Context, app engines.AppID, key string) (bool, error) {
	return a.seen.Seen(ctx, claimKey(app, key), claimFor)
}

func (a answers) Release(ctx context.Context, app engines.AppID, key string) error {
	return a.seen.ForgetSeen(ctx, claimKey(app, key))
}

func (a answers) PutAnswer(ctx context.Context, app engines.AppID, key string, answer []byte) error {
	return a.seen.PutSeen(ctx, answerKey(app, key), answer, answersFor)
}

func (a answers) Answer(ctx context.Context, app engines.AppID, key string) ([]byte, error) {
	answer, err := a.seen.SeenAnswer(ctx, answerKey(app, key))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return answer, err
}
