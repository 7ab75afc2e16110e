package redisstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// Redis is an open connection pool, or the embedded engine and one to it. All
// methods are safe for concurrent use. Close it after every Behind and Listen.
type Redis struct {
	client   redis.UniversalClient
	options  redis.UniversalOptions
	embedded *engine // nil when Redis is shared
	breaker  *breaker
	wait     time.Duration // for an answer, see Config.Wait
	node     string
	stop     context.CancelFunc
	wg       sync.WaitGroup
	// starting counts sessions made since the engine's keys were last counted.
	starting atomic.Int64
}

// Open opens the Redis that cfg names. A server that can't be reached now is no
// error: calls fail with store.ErrUnavailable until it can, and Healthy says so.
func Open(ctx context.Context, cfg Config) (*Redis, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	r := &Redis{node: cfg.Node, wait: max(cfg.Wait, ioTimeout)}
	r.breaker = newBreaker(r.wait)
	o := baseOptions()
	if cfg.URL == "" {
		var err error
		if r.embedded, err = startEngine(); err != nil {
			return nil, err
		}
		o.Addrs, o.Password = []string{r.embedded.addr()}, r.embedded.password
	} else {
		var err error
		if o, err = options(cfg.URL); err != nil {
			return nil, err
		}
	}
	quiet()
	if cfg.Wait > 0 {
		o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = cfg.Wait, cfg.Wait, cfg.Wait, cfg.Wait
	}
	r.options = *o
	r.client = redis.NewUniversalClient(o)
	r.client.AddHook(r.breaker)
	probeCtx, cancel := context.WithTimeout(ctx, 2*r.wait) // connecting included
	defer cancel()
	if err := r.ping(probeCtx); failed(err) {
		r.breaker.trip(ctx, err)
	}
	runCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	r.stop = stop
	r.wg.Go(func() { r.breaker.run(runCtx, r.ping) })
	if r.embedded != nil {
		r.wg.Go(func() { r.embedded.run(runCtx, r.countKeys) })
	}
	return r, nil
}

// Close ends the goroutines of r and waits for them. The embedded engine and all
// that it holds go with it.
func (r *Redis) Close() error {
	r.stop()
	r.wg.Wait()
	err := r.client.Close()
	if r.embedded != nil {
		r.embedded.close()
	}
	if err != nil {
		return fmt.Errorf("close redis: %w", err)
	}
	return nil
}

// Shared reports whether other gateways may see this state too: false for the
// embedded engine.
func (r *Redis) Shared() bool { return r.embedded == nil }

// Healthy reports whether Redis answers. It costs nothing.
func (r *Redis) Healthy() bool { return r.breaker.closed() }

// Node is the name of this gateway.
func (r *Redis) Node() string { return r.node }

// Client is the client itself, for rate limits. Its calls pass the breaker too.
func (r *Redis) Client() redis.UniversalClient { return r.client }

// Ping asks Redis for an answer, whatever the breaker thinks.
func (r *Redis) Ping(ctx context.Context) error {
	if err := r.ping(ctx); err != nil {
		return fmt.Errorf("ping redis: %w", classify(err))
	}
	return nil
}

func (r *Redis) ping(ctx context.Context) error {
	return r.client.Ping(withoutBreaker(ctx)).Err()
}

func (r *Redis) countKeys(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, r.wait)
	defer cancel()
	r.starting.Store(0)
	return r.client.DBSize(ctx).Result()
}

// Seen notes key for ttl and reports whether this call was the first to do so.
func (r *Redis) Seen(ctx context.Context, key string, ttl time.Duration) (first bool, err error) {
	err = r.client.SetArgs(ctx, store.SeenKey(key), "", redis.SetArgs{Mode: "NX", TTL: ttl}).Err()
	if errors.Is(err, redis.Nil) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("note key: %w", classify(err))
	}
	return true, nil
}

// answered marks a kept answer, which may be empty, apart from a key that was
// only noted.
const answered = "="

// PutSeen keeps the answer that a repeat of key gets, for ttl from now.
func (r *Redis) PutSeen(ctx context.Context, key string, answer []byte, ttl time.Duration) error {
	if err := r.client.Set(ctx, store.SeenKey(key), answered+string(answer), ttl).Err(); err != nil {
		return fmt.Errorf("keep answer: %w", classify(err))
	}
	return nil
}

// PutSeenOf is PutSeen of a key that ForgetSeenOf finds by its owner.
func (r *Redis) PutSeenOf(ctx context.Context, owner, key string, answer []byte, ttl time.Duration) error {
	// The index first: an answer that is not in it would be there for its whole time.
	_, err := r.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.SAdd(ctx, store.SeenOfKey(owner), key)
		p.Expire(ctx, store.SeenOfKey(owner), ttl)
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep answer: %w", classify(err))
	}
	return r.PutSeen(ctx, key, answer, ttl)
}

// ForgetSeenOf forgets what was kept with PutSeenOf of an owner.
func (r *Redis) ForgetSeenOf(ctx context.Context, owner string) error {
	keys, err := r.client.SMembers(ctx, store.SeenOfKey(owner)).Result()
	if err != nil {
		return fmt.Errorf("forget keys: %w", classify(err))
	}
	_, err = r.client.Pipelined(ctx, func(p redis.Pipeliner) error { // each has a tag of its own
		for _, key := range keys {
			p.Del(ctx, store.SeenKey(key))
		}
		p.Del(ctx, store.SeenOfKey(owner))
		return nil
	})
	if err != nil {
		return fmt.Errorf("forget keys: %w", classify(err))
	}
	return nil
}

// SeenAnswer returns the answer kept for key. store.ErrNotFound: the key was not
// seen, ran out, or its first request has no answer yet.
func (r *Redis) SeenAnswer(ctx context.Context, key string) ([]byte, error) {
	value, err := r.client.Get(ctx, store.SeenKey(key)).Result()
	if err == nil && value == "" {
		err = redis.Nil
	}
	if err != nil {
		return nil, fmt.Errorf("kept answer: %w", classify(err))
	}
	return []byte(value[len(answered):]), nil
}

// ForgetSeen lets key be first again, for a request that failed before it did anything.
func (r *Redis) ForgetSeen(ctx context.Context, key string) error {
	if err := r.client.Del(ctx, store.SeenKey(key)).Err(); err != nil {
		return fmt.Errorf("forget key: %w", classify(err))
	}
	return nil
}
