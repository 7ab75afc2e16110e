package redisstore

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Blobs keeps what books of the economy have no room for. Its methods are safe for
// concurrent use, and wait no longer than ioTimeout for an answer of Redis.
type Blobs struct{ r *Redis }

// Blobs are those in this Redis.
func (r *Redis) Blobs() Blobs { return Blobs{r} }

// Put keeps a blob for a time.
func (b Blobs) Put(name string, blob []byte, last time.Duration) error {
	ctx := context.Background() // the client itself has a bound
	if err := b.r.client.Set(ctx, store.BlobKey(name), blob, last).Err(); err != nil {
		return fmt.Errorf("put blob: %w", classify(err))
	}
	return nil
}

// Read is parts of blobs, in their order: shorter where a blob ends before, and empty
// where there is none of the name.
func (b Blobs) Read(parts []economy.BlobPart) ([][]byte, error) {
	ctx := context.Background()
	read := make([]*redis.StringCmd, len(parts))
	_, err := b.r.client.Pipelined(ctx, func(p redis.Pipeliner) error { // keys of many tags: no one command takes them
		for i, part := range parts {
			read[i] = p.GetRange(ctx, store.BlobKey(part.Name), int64(part.From), int64(part.From+part.Len-1))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read blobs: %w", classify(err))
	}
	list := make([][]byte, len(parts))
	for i, cmd := range read {
		if list[i], err = cmd.Bytes(); err != nil {
			return nil, fmt.Errorf("read blob: %w", classify(err))
		}
	}
	return list, nil
}

// blobsAtOnce is how many blobs are told to last in one pipeline.
const blobsAtOnce = 512

// Keep has blobs last so long from now on; 0 drops them.
func (b Blobs) Keep(names []string, last time.Duration) error {
	ctx := context.Background()
	for len(names) > 0 {
		n := min(len(names), blobsAtOnce)
		_, err := b.r.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			for _, name := range names[:n] {
				if last == 0 {
					p.Unlink(ctx, store.BlobKey(name))
				} else {
					p.PExpire(ctx, store.BlobKey(name), last)
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("keep blobs: %w", classify(err))
		}
		names = names[n:]
	}
	return nil
}
