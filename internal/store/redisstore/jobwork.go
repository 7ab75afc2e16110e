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
	"github.com/portcullis-gg/portcullis/internal/store"
)

// This file is the workers' side of the queues.

// TakeJobs gives this node's worker up to prompt jobs for which somebody waits and,
// where those leave room, one of the other lane if bulk is set. It waits for the first
// one up to wait; 0 does not.
func (j *Jobs) TakeJobs(ctx context.Context, kind engines.Kind, prompt int, bulk bool, wait time.Duration) ([]store.JobWork, error) {
	list, err := j.take(ctx, kind, prompt, bulk, -1)
	if len(list) > 0 || err != nil || wait <= 0 {
		return list, err
	}
	return j.take(ctx, kind, 1, bulk, wait)
}

func (j *Jobs) take(ctx context.Context, kind engines.Kind, prompt int, bulk bool, wait time.Duration) ([]store.JobWork, error) {
	if wait >= 0 {
		lanes := []store.Lane{store.Prompt}
		if bulk {
			lanes = append(lanes, store.Bulk)
		}
		return j.read(ctx, kind, lanes, 1, wait)
	}
	list, err := j.read(ctx, kind, []store.Lane{store.Prompt}, prompt, wait)
	if err != nil || len(list) >= prompt || !bulk {
		return list, err
	}
	more, err := j.read(ctx, kind, []store.Lane{store.Bulk}, 1, wait)
	return append(list, more...), err
}

func (j *Jobs) read(ctx context.Context, kind engines.Kind, lanes []store.Lane, count int, wait time.Duration) ([]store.JobWork, error) {
	args := &redis.XReadGroupArgs{Group: store.JobGroup, Consumer: j.node, Count: int64(count), Block: wait}
	of := make(map[string]store.Lane, len(lanes))
	for _, lane := range lanes {
		key := store.JobKey(kind, lane)
		of[key] = lane
		args.Streams = append(args.Streams, key)
	}
	for range lanes {
		args.Streams = append(args.Streams, ">")
	}
	reading, cancel := context.WithTimeout(ctx, max(wait, 0)+jobTimeout)
	defer cancel()
	streams, err := j.client.XReadGroup(reading, args).Result()
	if err != nil && strings.HasPrefix(err.Error(), "NOGROUP") {
		// Read again at once: a lane that seems empty would have the other's jobs come first.
		if err := j.makeGroups(ctx, kind); err != nil {
			return nil, err
		}
		streams, err = j.client.XReadGroup(reading, args).Result()
	}
	switch {
	case errors.Is(err, redis.Nil):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("take jobs: %w", classify(err))
	}
	var list []store.JobWork
	for _, s := range streams {
		got, err := j.works(ctx, kind, of[s.Stream], s.Messages)
		if err != nil {
			return list, err
		}
		list = append(list, got...)
	}
	return list, nil
}

// makeGroups lets workers read the queues from their beginning. A Redis that lost its
// data has lost them as well.
func (j *Jobs) makeGroups(ctx context.Context, kind engines.Kind) error {
	for _, lane := range []store.Lane{store.Prompt, store.Bulk} {
		err := j.client.XGroupCreateMkStream(ctx, store.JobKey(kind, lane), store.JobGroup, "0").Err()
		if err != nil && !strings.HasPrefix(err.Error(), "BUSYGROUP") {
			return fmt.Errorf("make group of workers: %w", classify(err))
		}
	}
	return nil
}

// works reads entries of a queue, with the payloads that lie beside it. What is no
// job of ours is removed.
func (j *Jobs) works(ctx context.Context, kind engines.Kind, lane store.Lane, messages []redis.XMessage) ([]store.JobWork, error) {
	now, err := j.now(ctx, kind)
	if err != nil {
		return nil, err
	}
	list := make([]store.JobWork, 0, len(messages))
	var fetch []*redis.StringCmd // by index of list; nil where nothing is to be fetched
	pipe := j.client.Pipeline()
	for _, m := range messages {
		w, ok := readJob(kind, lane, m)
		if !ok {
			pipe.XAck(ctx, store.JobKey(kind, lane), store.JobGroup, m.ID)
			pipe.XDel(ctx, store.JobKey(kind, lane), m.ID)
			continue
		}
		w.Left = w.TTL - time.Duration(now-since(m.ID))*time.Millisecond
		w.Deliveries = 1
		var get *redis.StringCmd
		if _, inline := m.Values["p"]; !inline {
			get = pipe.Get(ctx, store.JobPayloadKey(kind, w.ID))
		}
		list, fetch = append(list, w), append(fetch, get)
	}
	if pipe.Len() > 0 {
		if _, err := pipe.Exec(ctx); failed(err) {
			return nil, fmt.Errorf("fetch payloads: %w", classify(err))
		}
	}
	for i, get := range fetch {
		if get == nil {
			continue
		}
		list[i].Payload, err = get.Bytes()
		list[i].Gone = err != nil
	}
	return list, nil
}

func readJob(kind engines.Kind, lane store.Lane, m redis.XMessage) (w store.JobWork, ok bool) {
	version, err1 := strconv.Atoi(field(m, "v"))
	ttl, err2 := strconv.ParseInt(field(m, "ttl"), 10, 64)
	content, err3 := hex.DecodeString(field(m, "sha"))
	if err1 != nil || err2 != nil || err3 != nil || len(content) != len(w.Content) || field(m, "id") == "" {
		return w, false
	}
	w = store.JobWork{Entry: m.ID, Job: store.Job{
		ID: field(m, "id"), Kind: kind, Lane: lane, Node: field(m, "rp"), Version: version, Content: [32]byte(content),
		Meta: []byte(field(m, "m")), Payload: []byte(field(m, "p")), TTL: time.Duration(ttl) * time.Millisecond,
	}}
	return w, true
}

// keepScript says that jobs are still worked on, those that are still the caller's:
// another may have claimed one meanwhile. KEYS queue; ARGV group, consumer, entries.
var keepScript = redis.NewScript(`
local kept = 0
for i = 3, #ARGV do
  local held = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[i], ARGV[i], 1)
  if held[1] and held[1][2] == ARGV[2] then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[i], 'JUSTID')
    kept = kept + 1
  end
end
return kept
`)

// KeepJobs says that this node still works on these of one lane, so that no other
// claims them.
func (j *Jobs) KeepJobs(ctx context.Context, kind engines.Kind, lane store.Lane, entries []string) error {
	args := make([]any, 0, len(entries)+2)
	args = append(args, store.JobGroup, j.node)
	for _, e := range entries {
		args = append(args, e)
	}
	if err := keepScript.Run(ctx, j.client, []string{store.JobKey(kind, lane)}, args...).Err(); err != nil {
		return fmt.Errorf("keep jobs: %w", classify(err))
	}
	return nil
}

// ClaimJobs takes over up to most jobs of one lane whose worker has said nothing of
// them for idle: it has ended, and its death is noted with their content. Entries that
// mine names are this node's own.
func (j *Jobs) ClaimJobs(ctx context.Context, kind engines.Kind, lane store.Lane, idle time.Duration, most int, mine func(entry string) bool) ([]store.JobWork, error) {
	key := store.JobKey(kind, lane)
	left, err := j.client.XPendingExt(ctx, &redis.XPendingExtArgs{
		Stream: key, Group: store.JobGroup, Idle: idle, Start: "-", End: "+", Count: int64(most + 16), // some are its own
	}).Result()
	if err != nil && strings.HasPrefix(err.Error(), "NOGROUP") {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for jobs of the dead: %w", classify(err))
	}
	before := make(map[string]redis.XPendingExt, len(left))
	claim := &redis.XClaimArgs{Stream: key, Group: store.JobGroup, Consumer: j.node, MinIdle: idle}
	for _, p := range left {
		if !mine(p.ID) && len(claim.Messages) < most {
			before[p.ID] = p
			claim.Messages = append(claim.Messages, p.ID)
		}
	}
	if len(claim.Messages) == 0 {
		return nil, nil
	}
	messages, err := j.client.XClaim(ctx, claim).Result()
	if err != nil {
		return nil, fmt.Errorf("claim jobs: %w", classify(err))
	}
	list, err := j.works(ctx, kind, lane, messages)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return list, j.mourn(ctx, kind, list, before)
}

// mourn notes who ended with what in hand.
func (j *Jobs) mourn(ctx context.Context, kind engines.Kind, list []store.JobWork, before map[string]redis.XPendingExt) error {
	pipe := j.client.Pipeline()
	counts := make([]*redis.IntCmd, len(list))
	for i := range list {
		w := &list[i]
		was := before[w.Entry]
		w.Deliveries = int(was.RetryCount) + 1
		key := store.JobDeathsKey(kind, hex.EncodeToString(w.Content[:]))
		if was.Consumer != j.node {
			pipe.SAdd(ctx, key, was.Consumer)
			pipe.PExpire(ctx, key, store.QuarantineTTL)
		}
		counts[i] = pipe.SCard(ctx, key)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("note deaths: %w", classify(err))
	}
	for i := range list {
		list[i].Deaths = int(counts[i].Val())
	}
	return nil
}

// AnswerJob sends a reply to the gateway that waits for it.
func (j *Jobs) AnswerJob(ctx context.Context, w *store.JobWork, r store.JobReply) error {
	key := store.RepliesKey(w.Node, w.Kind)
	pipe := j.client.Pipeline()
	pipe.XAdd(ctx, &redis.XAddArgs{
		Stream: key, MaxLen: store.RepliesLength, Approx: true,
		Values: []any{"id", w.ID, "st", string(r.Status), "w", j.node, "b", r.Body},
	})
	pipe.PExpire(ctx, key, store.RepliesTTL)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("answer job: %w", classify(err))
	}
	return nil
}

// FinishJob removes a job that is answered, or for whose answer nobody waits.
func (j *Jobs) FinishJob(ctx context.Context, w *store.JobWork) error {
	pipe := j.client.TxPipeline()
	j.remove(ctx, pipe, w)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("finish job: %w", classify(err))
	}
	return nil
}

func (j *Jobs) remove(ctx context.Context, pipe redis.Pipeliner, w *store.JobWork) {
	key := store.JobKey(w.Kind, w.Lane)
	pipe.XAck(ctx, key, store.JobGroup, w.Entry)
	pipe.XDel(ctx, key, w.Entry)
	pipe.Del(ctx, store.JobPayloadKey(w.Kind, w.ID))
}

// buryScript notes a poison, once for as long as its quarantine lasts. KEYS quarantine,
// grave; ARGV lifetime in ms, about how long the grave is kept, id, then the fields.
var buryScript = redis.NewScript(`
if not redis.call('SET', KEYS[1], ARGV[3], 'NX', 'PX', ARGV[1]) then return 0 end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[2], '*', 'id', unpack(ARGV, 3))
return 1
`)

// BuryJob puts the content of a job into quarantine and notes the job as poison. The
// job itself stays, for FinishJob, and the deaths stay noted: whoever takes it over, or
// another job of that content, learns of them.
func (j *Jobs) BuryJob(ctx context.Context, w *store.JobWork, reason string) error {
	content := hex.EncodeToString(w.Content[:])
	keys := []string{store.JobQuarantineKey(w.Kind, content), store.JobGraveKey(w.Kind)}
	err := buryScript.Run(ctx, j.client, keys, store.QuarantineTTL.Milliseconds(), store.GraveLength,
		w.ID, "reason", reason, "deliveries", w.Deliveries, "sha256", content).Err()
	if err != nil {
		return fmt.Errorf("bury job: %w", classify(err))
	}
	return nil
}

// beatScript notes that a worker is there. KEYS its hash, the set of workers; ARGV id,
// lifetime in ms, then the fields of the hash.
var beatScript = redis.NewScript(`
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - 6 * ARGV[2])
return now
`)

// Beat says that a worker is there.
func (j *Jobs) Beat(ctx context.Context, w *store.Worker) error {
	keys := []string{store.WorkerKey(w.Kind, w.ID), store.WorkersKey(w.Kind)}
	err := beatScript.Run(ctx, j.client, keys, w.ID, store.WorkerTTL.Milliseconds(),
		"model", w.Model, "version", w.Version, "slots", w.Slots, "inflight", w.InFlight).Err()
	if err != nil {
		return fmt.Errorf("heartbeat: %w", classify(err))
	}
	return nil
}

// Leave says that a worker is gone. Whatever it still has is claimed by another.
func (j *Jobs) Leave(ctx context.Context, kind engines.Kind, id string) error {
	pipe := j.client.Pipeline()
	pipe.Del(ctx, store.WorkerKey(kind, id))
	pipe.ZRem(ctx, store.WorkersKey(kind), id)
	_, err := pipe.Exec(ctx)
	return errors.Join(classify(err), j.sweep(ctx, kind, func(c redis.XInfoConsumer) bool { return c.Name == id }))
}

// consumersKept is how long the group remembers a worker that left nothing behind.
const consumersKept = time.Hour

// SweepWorkers has the group forget workers that are long gone and left no job.
func (j *Jobs) SweepWorkers(ctx context.Context, kind engines.Kind) error {
	return j.sweep(ctx, kind, func(c redis.XInfoConsumer) bool { return c.Idle > consumersKept })
}

func (j *Jobs) sweep(ctx context.Context, kind engines.Kind, which func(redis.XInfoConsumer) bool) error {
	for _, lane := range []store.Lane{store.Prompt, store.Bulk} {
		key := store.JobKey(kind, lane)
		all, err := j.client.XInfoConsumers(ctx, key, store.JobGroup).Result()
		if err != nil {
			if failed(err) {
				return fmt.Errorf("sweep workers: %w", classify(err))
			}
			continue // no queue or no group yet
		}
		for _, c := range all {
			if c.Pending > 0 || !which(c) { // its jobs would go with it
				continue
			}
			if err := j.client.XGroupDelConsumer(ctx, key, store.JobGroup, c.Name).Err(); failed(err) {
				return fmt.Errorf("sweep workers: %w", classify(err))
			}
		}
	}
	return nil
}
