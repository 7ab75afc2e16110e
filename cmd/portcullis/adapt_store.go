package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	// PutSeenOf is PutSeen of a key that begins with owner; ForgetSeenOf forgets all that
	// was kept so of one owner.
	PutSeenOf(ctx context.Context, owner, key string, answer []byte, ttl time.Duration) error
	ForgetSeenOf(ctx context.Context, owner string) error
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

func (a *app) answers() answers { return answers{remembers(a.db, a.redis)} }

// claimFor is how long a request may be under way before its key is free again.
const claimFor = 30 * time.Second

func (a answers) Claim(ctx context.Context, app engines.AppID, key string) (bool, error) {
	return a.seen.Seen(ctx, claimKey(app, key), claimFor)
}

func (a answers) Release(ctx context.Context, app engines.AppID, key string) error {
	return a.seen.ForgetSeen(ctx, claimKey(app, key))
}

func (a answers) PutAnswer(ctx context.Context, app engines.AppID, player engines.PlayerID, key string, answer []byte) error {
	owner := ownerOf(app, player)
	if player == "" {
		return a.seen.PutSeen(ctx, owner+key, answer, answersFor)
	}
	return a.seen.PutSeenOf(ctx, owner, owner+key, answer, answersFor)
}

// Unanswer forgets the answers of a player's requests.
func (a answers) Unanswer(ctx context.Context, app engines.AppID, player engines.PlayerID) error {
	return a.seen.ForgetSeenOf(ctx, ownerOf(app, player))
}

// ownerOf is what the keys of a player's answers begin with. It is as long for all, so
// that none is the beginning of another's.
func ownerOf(app engines.AppID, player engines.PlayerID) string {
	name := sha256.Sum256([]byte(string(app) + "\x00" + string(player)))
	return answerKey(app, hex.EncodeToString(name[:16])) + ":"
}

func (a answers) Answer(ctx context.Context, app engines.AppID, player engines.PlayerID, key string) ([]byte, error) {
	answer, err := a.seen.SeenAnswer(ctx, ownerOf(app, player)+key)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return answer, err
}
