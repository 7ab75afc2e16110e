package dispatch

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Deps is what an Engine works with.
type Deps struct {
	Kind   engines.Kind
	Outbox Outbox
	Roster Roster
	// Node is this gateway, whose replies Outbox reads.
	Node string
	// Local looks where Run is both and no worker can; else it may be nil.
	Local    engines.Engine
	Registry prometheus.Registerer
	Log      *slog.Logger // nil is slog.Default
}

// Engine is an engine whose work is done by workers. It is safe for concurrent use.
// Replies are heard while Serve runs.
type Engine struct {
	cfg     Config
	deps    Deps
	metrics *metrics
	prefix  string
	made    atomic.Uint64
	waiting sync.Map     // of chan store.JobReply by job; each of size 1: one reply, once
	bytes   atomic.Int64 // of content that is out
	present atomic.Bool  // workers were there at the last look
}

// New makes an engine; it does nothing until Serve runs.
func New(cfg Config, deps Deps) (*Engine, error) {
	if err := cfg.Validate("dispatch"); err != nil {
		return nil, err
	}
	if deps.Outbox == nil || deps.Roster == nil || deps.Kind == "" || deps.Node == "" {
		return nil, errors.New("dispatch: an engine needs a kind, a node, an outbox and a roster")
	}
	if cfg.Run == Both && deps.Local == nil {
		return nil, errors.New("dispatch: an engine that runs in both needs a local one")
	}
	if deps.Log == nil {
		deps.Log = slog.Default()
	}
	m, err := newMetrics(deps.Registry)
	if err != nil {
		return nil, err
	}
	var run [8]byte
	_, _ = rand.Read(run[:]) // never fails
	return &Engine{cfg: cfg, deps: deps, metrics: m, prefix: deps.Node + "." + hex.EncodeToString(run[:]) + "."}, nil
}

// Inspect has a worker look at item and learns what it learned. An error is a
// *engines.Refusal of the content, or wraps engines.ErrOverloaded (no room),
// engines.ErrUnavailable (no Redis, no worker, quarantine), or is the worker's.
func (e *Engine) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if e.cfg.Run == Both && !e.present.Load() {
		return e.local(ctx, item, out)
	}
	start := time.Now()
	found, err := e.remote(ctx, item, out)
	e.metrics.sent(e.deps.Kind, outcome(err), time.Since(start))
	if e.cfg.Run == Both && ctx.Err() == nil && (errors.Is(err, engines.ErrOverloaded) || errors.Is(err, errUnreached)) {
		return e.local(ctx, item, out)
	}
	return found, err
}

func (e *Engine) local(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	e.metrics.local(e.deps.Kind)
	return e.deps.Local.Inspect(ctx, item, out)
}

// errUnreached: no worker has seen the job, nor will one.
var errUnreached = fmt.Errorf("%w: the queue of jobs does not answer", engines.ErrUnavailable)

// remote sends the item and waits.
func (e *Engine) remote(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	meta, payload, err := write(item)
	if err != nil {
		return out, err
	}
	size := int64(len(payload))
	if e.bytes.Add(size) > e.cfg.PayloadBytes && size < e.bytes.Load() { // one alone always fits
		e.bytes.Add(-size)
		return out, fmt.Errorf("content at workers: %w", engines.ErrOverloaded)
	}
	defer e.bytes.Add(-size)

	j := &store.Job{
		ID: e.prefix + strconv.FormatUint(e.made.Add(1), 36), Kind: e.deps.Kind, Node: e.deps.Node, Version: version,
		Content: contentOf(item), Meta: meta, Payload: payload, TTL: withoutDeadline,
	}
	most := e.cfg.Queue
	if item.Behind {
		j.Lane, most = store.Bulk, most/2
	}
	if end, ok := ctx.Deadline(); ok {
		j.TTL = time.Until(end)
	} else {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, withoutDeadline)
		defer cancel()
	}
	if j.TTL < time.Millisecond {
		return out, context.DeadlineExceeded
	}
	reply := make(chan store.JobReply, 1) // never blocks: who delivers has removed it from waiting
	e.waiting.Store(j.ID, reply)
	defer e.waiting.Delete(j.ID)
	entry, err := e.deps.Outbox.SendJob(ctx, j, most)
	if err != nil {
		return out, e.unsent(ctx, err)
	}
	select {
	case r := <-reply:
		return e.read(item, r, out)
	case <-ctx.Done():
	}
	e.withdraw(ctx, j, entry)
	select { // it may have come meanwhile, and says more than a deadline
	case r := <-reply:
		return e.read(item, r, out)
	default:
		return out, ctx.Err()
	}
}

// contentOf names what the engine is to look at.
func contentOf(item *engines.Item) [32]byte {
	h := sha256.New()
	_, _ = io.WriteString(h, item.Text) // never fails
	if item.Media != nil {
		_, _ = h.Write(item.Media.Bytes)
	}
	return [32]byte(h.Sum(nil))
}

// unsent translates why a job was not taken.
func (e *Engine) unsent(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, store.ErrQueueFull):
		return fmt.Errorf("queue of jobs: %w", engines.ErrOverloaded)
	case errors.Is(err, store.ErrQuarantined):
		e.deps.Log.WarnContext(ctx, "content in quarantine not inspected", "kind", e.deps.Kind)
		return fmt.Errorf("%w: workers ended with this content in hand", engines.ErrUnavailable)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	// The connection has the same deadline, and may come to it first.
	if end, ok := ctx.Deadline(); ok && !time.Now().Before(end) {
		return context.DeadlineExceeded
	}
	return fmt.Errorf("%w: %w", errUnreached, err)
}

// withdraw takes back a job for which nobody waits, so that no worker begins it.
func (e *Engine) withdraw(ctx context.Context, j *store.Job, entry string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), withdrawWithin)
	defer cancel()
	if err := e.deps.Outbox.WithdrawJob(ctx, j, entry); err != nil {
		// A worker drops it as expired.
		e.deps.Log.DebugContext(ctx, "job not withdrawn", "job", j.ID, "err", err)
	}
}

// read makes of a reply what the engine itself would have returned.
func (e *Engine) read(item *engines.Item, r store.JobReply, out []engines.Signal) ([]engines.Signal, error) {
	switch r.Status {
	case store.JobPoison:
		return out, fmt.Errorf("%w: workers ended with this content in hand", engines.ErrUnavailable)
	case store.JobRefused:
		return out, fmt.Errorf("%w: %w", engines.ErrUnavailable, &failure{r.Worker, string(r.Body)})
	case store.JobFailed:
		return out, &failure{r.Worker, string(r.Body)}
	}
	var res result
	if err := json.Unmarshal(r.Body, &res); err != nil {
		return out, &failure{r.Worker, "its reply can't be read"}
	}
	if res.Facts != nil && item.Media != nil {
		item.Media.Learn(res.Facts)
	}
	out = append(out, res.Signals...)
	switch {
	case res.Refusal != nil:
		return out, res.Refusal
	case res.Late:
		return out, context.DeadlineExceeded
	case res.Failed != "":
		return out, &failure{r.Worker, res.Failed}
	}
	return out, nil
}

// Serve hears replies and counts workers until ctx ends.
func (e *Engine) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { e.hear(ctx) })
	wg.Go(func() { e.count(ctx) })
	wg.Wait()
}

func (e *Engine) hear(ctx context.Context) {
	after, failing := "", false
	for ctx.Err() == nil {
		list, last, err := e.deps.Outbox.Replies(ctx, e.deps.Kind, after, replyWait)
		after = last
		for _, r := range list {
			// Once: whoever takes it out delivers it, a repeat finds nobody.
			to, _ := e.waiting.LoadAndDelete(r.Job)
			if to, ok := to.(chan store.JobReply); ok {
				to <- r
			} else {
				e.metrics.unclaimed(e.deps.Kind)
			}
		}
		if err != nil && ctx.Err() == nil {
			if !failing {
				e.deps.Log.WarnContext(ctx, "replies of workers can't be heard", "kind", e.deps.Kind, "err", err)
			}
			pause(ctx, retry)
		}
		failing = err != nil
	}
}

func (e *Engine) count(ctx context.Context) {
	for ctx.Err() == nil {
		looking, cancel := context.WithTimeout(ctx, look)
		list, err := e.deps.Roster.Workers(looking, e.deps.Kind)
		cancel()
		n := fresh(list)
		if err == nil {
			e.metrics.workers(e.deps.Kind, n)
		}
		// Where Redis does not answer, no worker can be reached.
		e.present.Store(err == nil && n > 0)
		pause(ctx, look)
	}
}

func fresh(list []store.Worker) (n int) {
	for i := range list {
		if list[i].Fresh() {
			n++
		}
	}
	return n
}

// pause waits unless ctx ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
