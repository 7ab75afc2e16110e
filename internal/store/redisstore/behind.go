package redisstore

import (
	"context"
	"encoding/hex"
	"fmt"
	"hash/maphash"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	behindShards = 2
	// A pipeline is at most so many operations, or what came in so long.
	behindBatch = 256
	behindDelay = 2 * time.Millisecond
	// Each shard's queue, by count and by bytes. Rule when it is three quarters
	// full: what can be done without (scenes, answers, renewals, feed) is dropped and counted.
	// Rule when it is full: session logs are dropped too, and their owner is told.
	behindQueue = 8192
	behindBytes = 16 << 20
	// A log's lifetime is set with its first entry, and again now and then in case
	// that one was lost; in between the owner's Touch renews it.
	rearmEvery = 16
)

// Lost says what became of a session's log that could not be written.
type Lost int

const (
	// LostWrites says that entries are missing, so the session can't be resumed from the log.
	LostWrites Lost = iota
	// LostOwnership says that another gateway took the session over; this one must let go.
	LostOwnership
)

// Behind writes live state to Redis without making anyone wait. Its methods never
// block, may be called concurrently, and keep the order of one session's and of
// one scene's operations. What they are given must not change afterwards.
type Behind struct {
	r      *Redis
	onLost func(engines.SessionID, Lost)
	seed   maphash.Seed
	shards [behindShards]*shard
	wg     sync.WaitGroup
	drops  atomic.Uint64
	armed  armed
}

// NewBehind starts the flushers. onLost is called from them, never from within an
// enqueueing call, and must not wait. Close the Behind before r.
func (r *Redis) NewBehind(onLost func(engines.SessionID, Lost)) *Behind {
	b := &Behind{r: r, onLost: onLost, seed: maphash.MakeSeed()}
	for i := range b.shards {
		s := newShard()
		b.shards[i] = s
		b.wg.Go(func() { s.run(b.flush) })
	}
	return b
}

// Close writes what is queued, as far as Redis answers, and ends the flushers.
// Nothing may be enqueued after it.
func (b *Behind) Close() error {
	for _, s := range b.shards {
		s.close()
	}
	b.wg.Wait()
	return nil
}

// Flush waits until everything that was enqueued before it is written or given up.
func (b *Behind) Flush(ctx context.Context) error {
	for _, s := range b.shards {
		select {
		case <-s.settled():
		case <-ctx.Done():
			return fmt.Errorf("flush: %w: %w", store.ErrUnavailable, ctx.Err())
		}
	}
	return nil
}

// Dropped counts the operations that were given up.
func (b *Behind) Dropped() uint64 { return b.drops.Load() }

// Log appends a push to its session's log. fence is that of the owner's state.
func (b *Behind) Log(sid engines.SessionID, fence int64, e session.Entry) {
	b.put(string(sid), op{kind: opLog, sid: sid, fence: fence, seq: e.Seq, id: string(e.Message), data: e.Frame})
}

// Join stores the scenes that a session is in, as long as this node owns it.
func (b *Behind) Join(sid engines.SessionID, joined []session.Joined) {
	b.put(string(sid), op{kind: opJoin, sid: sid, id: encodeJoined(joined)})
}

// Touch renews a session and its claim for store.StateTTL. Owners call it every
// store.TouchEvery.
func (b *Behind) Touch(sid engines.SessionID, app engines.AppID, player engines.PlayerID) {
	b.put(string(sid), op{kind: opTouch, sid: sid, app: app, player: player})
}

// Scene appends to a scene's log and tells the other gateways. Nothing happens
// with the embedded engine, which has no other gateways.
func (b *Behind) Scene(app engines.AppID, scene engines.SceneID, e session.SceneEntry) {
	if !b.r.Shared() {
		return
	}
	b.put(string(app)+"\n"+string(scene), op{kind: opScene, app: app, scene: scene, entry: &e, data: e.Frame})
}

// Answer stores the answer to a player's message. Nothing happens with the
// embedded engine: the process that has it has the answers in memory.
func (b *Behind) Answer(app engines.AppID, player engines.PlayerID, a session.Answer) {
	if !b.r.Shared() {
		return
	}
	b.put(string(app)+"\n"+string(player), op{kind: opAnswer, app: app, player: player, answer: &a, data: a.Frame})
}

// Feed publishes to the live feed of all gateways; only with a shared Redis.
func (b *Behind) Feed(payload []byte) {
	if !b.r.Shared() {
		return
	}
	b.put("", op{kind: opFeed, data: payload})
}

func (b *Behind) put(key string, o op) {
	s := b.shards[maphash.String(b.seed, key)%behindShards]
	if !s.put(o, b.r.Healthy()) {
		b.drops.Add(1)
	}
}

// flush writes one batch and reports the sessions whose writes were lost.
func (b *Behind) flush(ops []op, lost map[engines.SessionID]struct{}) {
	for sid := range lost {
		b.onLost(sid, LostWrites)
	}
	if len(ops) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), b.r.wait) // later it counts as lost
	defer cancel()
	pipe := b.r.client.Pipeline()
	first := make([]redis.Cmder, len(ops)) // the command that decides what became of each operation
	for i := range ops {
		first[i] = b.add(ctx, pipe, &ops[i])
	}
	_, _ = pipe.Exec(ctx) // every command has its own error
	for i := range ops {
		err := first[i].Err()
		if err == nil {
			continue
		}
		b.drops.Add(1)
		b.armed.forget()
		switch {
		case !ops[i].kept():
		case refused(err):
			b.onLost(ops[i].sid, LostOwnership)
		default:
			b.onLost(ops[i].sid, LostWrites)
		}
	}
}

// joinScript replaces the last line of the state while the node in it is still
// the caller's. KEYS state; ARGV node, joined, ttl in ms.
const joinScript = `
local v = redis.call('GET', KEYS[1])
if not v then return redis.error_reply('GONE session state is lost') end
local rest, parts, from = string.sub(v, 33), {}, 1
for i = 1, 6 do
  local at = string.find(rest, '\n', from, true)
  if not at then return redis.error_reply('GONE session state is malformed') end
  parts[i] = string.sub(rest, from, at - 1)
  from = at + 1
end
if parts[3] ~= ARGV[1] then return redis.error_reply('MOVED_AWAY session has another owner') end
parts[7] = ARGV[2]
redis.call('SET', KEYS[1], string.sub(v, 1, 32) .. table.concat(parts, '\n'), 'PX', ARGV[3])
return 'OK'
`

func (b *Behind) add(ctx context.Context, p redis.Pipeliner, o *op) redis.Cmder {
	switch o.kind {
	case opLog:
		key := store.SessionLogKey(o.sid)
		values := []string{"f", string(o.data)}
		if o.id != "" {
			values = append(values, "m", o.id)
		}
		cmd := p.XAdd(ctx, &redis.XAddArgs{
			Stream: key, MaxLen: session.LogLength, Approx: true,
			ID: strconv.FormatInt(o.fence, 10) + "-" + strconv.FormatUint(o.seq, 10), Values: values,
		})
		if o.seq%rearmEvery == 1 {
			p.PExpire(ctx, key, store.StateTTL)
		}
		return cmd
	case opJoin:
		return p.Eval(ctx, joinScript, []string{store.SessionKey(o.sid)}, b.r.node, o.id, store.StateTTL.Milliseconds())
	case opTouch:
		p.PExpire(ctx, store.SessionLogKey(o.sid), store.StateTTL)
		if b.r.claims(o.player) {
			p.PExpire(ctx, store.PlayerKey(o.app, o.player), store.StateTTL)
		}
		return p.PExpire(ctx, store.SessionKey(o.sid), store.StateTTL)
	case opScene:
		return b.addScene(ctx, p, o)
	case opAnswer:
		key := store.AnswersKey(o.app, o.player)
		cmd := p.XAdd(ctx, &redis.XAddArgs{
			Stream: key, MaxLen: answersKept, Approx: true,
			Values: []string{
				"i", o.answer.ID, "b", hex.EncodeToString(o.answer.Body[:]), "f", string(o.data),
				"t", strconv.FormatInt(o.answer.At.UnixMilli(), 10),
			},
		})
		if b.armed.due(key, time.Now()) {
			p.PExpire(ctx, key, store.AnswerTTL)
		}
		return cmd
	default:
		return p.Publish(ctx, store.FeedChannel(), o.data)
	}
}

func (b *Behind) addScene(ctx context.Context, p redis.Pipeliner, o *op) redis.Cmder {
	key := store.SceneLogKey(o.app, o.scene)
	values := []string{"n", o.entry.Node, "m", string(o.entry.Message), "p", string(o.entry.Player), "f", string(o.data)}
	if o.entry.Retract {
		values = append(values, "r", retractMark)
	}
	p.XAdd(ctx, &redis.XAddArgs{Stream: key, MaxLen: session.LogLength, Approx: true, Values: values})
	if b.armed.due(key, time.Now()) {
		p.PExpire(ctx, key, store.SceneTTL)
	}
	return p.Publish(ctx, store.SceneChannel(o.app, o.scene), encodeScene(o.entry))
}
