package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// jobTimeout bounds a call that may carry a payload of some MiB.
const jobTimeout = 2 * time.Second

// Jobs are the queues between gateways and workers. It has connections of its own: a
// payload that is slow to pass must not make the sessions' Redis look dead. All methods
// are safe for concurrent use. Close it before its Redis.
type Jobs struct {
	client  redis.UniversalClient
	breaker *breaker
	node    string
	stop    context.CancelFunc
	wg      sync.WaitGroup

	mu     sync.Mutex
	clocks map[engines.Kind]clock
}

// clock is what Redis's clock showed when ours, which no step moves, was at a time. A
// cluster has several: the one that counts is that of the server which has the queue.
type clock struct {
	server int64 // ms
	at     time.Time
}

// clockFor is how long a reading is good: quartz drifts by less than 1 ms in it.
const clockFor = 10 * time.Second

// OpenJobs opens the queues of jobs. A server that can't be reached is no error.
func (r *Redis) OpenJobs(ctx context.Context) *Jobs {
	o := r.options
	o.ReadTimeout, o.WriteTimeout = max(jobTimeout, r.wait), max(jobTimeout, r.wait)
	j := &Jobs{client: redis.NewUniversalClient(&o), breaker: newBreaker(r.wait), node: r.node, clocks: make(map[engines.Kind]clock)}
	j.client.AddHook(j.breaker)
	ctx, j.stop = context.WithCancel(context.WithoutCancel(ctx))
	ping := func(ctx context.Context) error { return j.client.Ping(withoutBreaker(ctx)).Err() }
	j.wg.Go(func() { j.breaker.run(ctx, ping) })
	return j
}

// Close closes the connections.
func (j *Jobs) Close() error {
	j.stop()
	j.wg.Wait()
	if err := j.client.Close(); err != nil {
		return fmt.Errorf("close jobs: %w", err)
	}
	return nil
}

// Healthy reports whether Redis answers. It costs nothing.
func (j *Jobs) Healthy() bool { return j.breaker.closed() }

// sendScript puts a job into its queue unless that is full or the content is in
// quarantine. KEYS queue, quarantine; ARGV the most that may be unfinished, then the fields.
var sendScript = redis.NewScript(`
if redis.call('EXISTS', KEYS[2]) == 1 then return redis.error_reply('QUARANTINED content') end
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[1]) then return redis.error_reply('QUEUEFULL no room') end
return redis.call('XADD', KEYS[1], '*', unpack(ARGV, 2))
`)

// SendJob puts a job into its queue, which has at most most unfinished ones, and
// returns its place there. store.ErrQueueFull, store.ErrQuarantined and
// store.ErrUnavailable say why it did not.
func (j *Jobs) SendJob(ctx context.Context, job *store.Job, most int) (entry string, err error) {
	content := fmt.Sprintf("%x", job.Content)
	queue, quarantine := store.JobKey(job.Kind, job.Lane), store.JobQuarantineKey(job.Kind, content)
	args := []any{
		most, "v", job.Version, "id", job.ID, "rp", job.Node, "sha", content, "ttl", job.TTL.Milliseconds(), "m", job.Meta,
	}
	apart := len(job.Payload) > store.InlinePayload
	if !apart {
		args = append(args, "p", job.Payload)
	} else if err := j.putPayload(ctx, job, most, queue, quarantine); err != nil {
		return "", err
	}
	entry, err = sendScript.Run(ctx, j.client, []string{queue, quarantine}, args...).Text()
	if err != nil {
		err = sendFault(err)
		if apart {
			j.client.Del(context.WithoutCancel(ctx), store.JobPayloadKey(job.Kind, job.ID)) // it would end by itself
		}
		return "", fmt.Errorf("send job: %w", err)
	}
	return entry, nil
}

// putPayload keeps a payload beside the queue, unless the queue is full already: then
// nothing is sent for nothing.
func (j *Jobs) putPayload(ctx context.Context, job *store.Job, most int, queue, quarantine string) error {
	pipe := j.client.Pipeline()
	length, held := pipe.XLen(ctx, queue), pipe.Exists(ctx, quarantine)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("send job: %w", classify(err))
	}
	switch {
	case held.Val() > 0:
		return fmt.Errorf("send job: %w", store.ErrQuarantined)
	case length.Val() >= int64(most):
		return fmt.Errorf("send job: %w", store.ErrQueueFull)
	}
	// Twice the time that anybody waits: a worker may take it at the last moment.
	if err := j.client.Set(ctx, store.JobPayloadKey(job.Kind, job.ID), job.Payload, 2*max(job.TTL, time.Second)).Err(); err != nil {
		return fmt.Errorf("send payload: %w", classify(err))
	}
	return nil
}

func sendFault(err error) error {
	switch {
	case strings.HasPrefix(err.Error(), "QUARANTINED"):
		return store.ErrQuarantined
	case strings.HasPrefix(err.Error(), "QUEUEFULL"):
		return store.ErrQueueFull
	}
	return classify(err)
}

// withdrawScript removes a job that no worker has taken. KEYS queue, payload; ARGV
// group, entry. One that was taken stays, so that a worker which dies of it is noticed.
var withdrawScript = redis.NewScript(`
redis.call('DEL', KEYS[2])
local ok, held = pcall(redis.call, 'XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)
if ok and #held > 0 then return 0 end
return redis.call('XDEL', KEYS[1], ARGV[2])
`)

// WithdrawJob takes back a job for whose reply nobody waits any more.
func (j *Jobs) WithdrawJob(ctx context.Context, job *store.Job, entry string) error {
	keys := []string{store.JobKey(job.Kind, job.Lane), store.JobPayloadKey(job.Kind, job.ID)}
	if err := withdrawScript.Run(ctx, j.client, keys, store.JobGroup, entry).Err(); err != nil {
		return fmt.Errorf("withdraw job: %w", classify(err))
	}
	return nil
}

// Replies waits up to wait for replies to this node's jobs of a kind that came after
// one, "" for all, and returns them with the last one's place. What came before that
// one is removed: a kind has one reader.
func (j *Jobs) Replies(ctx context.Context, kind engines.Kind, after string, wait time.Duration) (list []store.JobReply, last string, err error) {
	key := store.RepliesKey(j.node, kind)
	if after == "" {
		after = "0-0"
	} else if err := j.client.XTrimMinID(ctx, key, after).Err(); err != nil {
		return nil, after, fmt.Errorf("drop read replies: %w", classify(err))
	}
	ctx, cancel := context.WithTimeout(ctx, wait+jobTimeout)
	defer cancel()
	streams, err := j.client.XRead(ctx, &redis.XReadArgs{Streams: []string{key, after}, Count: 256, Block: wait}).Result()
	if errors.Is(err, redis.Nil) {
		return nil, after, nil
	}
	if err != nil {
		return nil, after, fmt.Errorf("read replies: %w", classify(err))
	}
	for _, s := range streams {
		for _, m := range s.Messages {
			after = m.ID
			list = append(list, store.JobReply{
				Job: field(m, "id"), Status: store.JobStatus(field(m, "st")), Worker: field(m, "w"), Body: []byte(field(m, "b")),
			})
		}
	}
	return list, after, nil
}

// Workers lists the workers of a kind that were seen lately.
func (j *Jobs) Workers(ctx context.Context, kind engines.Kind) ([]store.Worker, error) {
	seen, err := j.client.ZRangeWithScores(ctx, store.WorkersKey(kind), 0, -1).Result()
	if err != nil || len(seen) == 0 {
		return nil, classify(err)
	}
	now, err := j.now(ctx, kind)
	if err != nil {
		return nil, err
	}
	pipe := j.client.Pipeline()
	said := make([]*redis.MapStringStringCmd, len(seen))
	for i, z := range seen {
		said[i] = pipe.HGetAll(ctx, store.WorkerKey(kind, member(z)))
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("list workers: %w", classify(err))
	}
	var list []store.Worker
	for i, z := range seen {
		h := said[i].Val()
		if len(h) == 0 {
			continue // gone
		}
		slots, _ := strconv.Atoi(h["slots"])
		running, _ := strconv.Atoi(h["inflight"])
		list = append(list, store.Worker{
			ID: member(z), Kind: kind, Model: h["model"], Version: h["version"], Slots: slots, InFlight: running,
			Seen: max(0, time.Duration(now-int64(z.Score))*time.Millisecond),
		})
	}
	return list, nil
}

func member(z redis.Z) string {
	s, _ := z.Member.(string)
	return s
}

// JobQueues says how long the queues of a kind are.
func (j *Jobs) JobQueues(ctx context.Context, kind engines.Kind) ([]store.JobQueue, error) {
	now, err := j.now(ctx, kind)
	if err != nil {
		return nil, err
	}
	var list []store.JobQueue
	for _, lane := range []store.Lane{store.Prompt, store.Bulk} {
		key := store.JobKey(kind, lane)
		pipe := j.client.Pipeline()
		length, buried, first := pipe.XLen(ctx, key), pipe.XLen(ctx, store.JobGraveKey(kind)), pipe.XRangeN(ctx, key, "-", "+", 1)
		pending := pipe.XPending(ctx, key, store.JobGroup) // an error where no worker has been
		_, _ = pipe.Exec(ctx)                              // every command has its own error
		if err := errors.Join(length.Err(), buried.Err(), first.Err()); err != nil {
			return nil, fmt.Errorf("length of queues: %w", classify(err))
		}
		q := store.JobQueue{Lane: lane, Buried: buried.Val()}
		if pending.Err() == nil {
			q.Running = min(pending.Val().Count, length.Val())
		}
		q.Waiting = length.Val() - q.Running
		for _, m := range first.Val() {
			q.Oldest = max(0, time.Duration(now-since(m.ID))*time.Millisecond)
		}
		list = append(list, q)
	}
	return list, nil
}

// since is when, in ms of Redis's clock, an entry of a stream was made.
func since(entry string) int64 {
	ms, _, _ := strings.Cut(entry, "-")
	n, _ := strconv.ParseInt(ms, 10, 64)
	return n
}

// nowScript runs where the key is. KEYS any of the kind.
var nowScript = redis.NewScript(`
redis.call('EXISTS', KEYS[1])
local t = redis.call('TIME')
return t[1] * 1000 + math.floor(t[2] / 1000)
`)

// now is what the clock of the server shows that has the queues of a kind, in ms.
func (j *Jobs) now(ctx context.Context, kind engines.Kind) (int64, error) {
	j.mu.Lock()
	c, ok := j.clocks[kind]
	j.mu.Unlock()
	if passed := time.Since(c.at); ok && passed < clockFor {
		return c.server + passed.Milliseconds(), nil
	}
	ms, err := nowScript.Run(ctx, j.client, []string{store.WorkersKey(kind)}).Int64()
	if err != nil {
		return 0, fmt.Errorf("redis's clock: %w", classify(err))
	}
	j.mu.Lock()
	j.clocks[kind] = clock{ms, time.Now()}
	j.mu.Unlock()
	return ms, nil
}
