package history

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Store keeps messages.
type Store interface {
	// PutSceneMessages stores messages; those stored already are skipped.
	PutSceneMessages(ctx context.Context, ms []store.SceneMessage) error
	SceneApps(ctx context.Context) ([]engines.AppID, error)
	// SweepSceneMessages deletes an app's messages of before a time.
	SweepSceneMessages(ctx context.Context, app engines.AppID, before time.Time) (deleted int64, err error)
}

// Recorder writes messages behind their verdicts.
type Recorder struct {
	cfg   Config
	store Store
	log   *slog.Logger

	mu     sync.RWMutex // held for writing to close queue, for reading to put into it
	closed bool
	queue  chan store.SceneMessage // rule when full: dropped and counted

	written prometheus.Counter
	dropped prometheus.Counter
}

// New makes a recorder; Serve writes.
func New(cfg Config, s Store, reg prometheus.Registerer, log *slog.Logger) (*Recorder, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	r := &Recorder{
		cfg: cfg, store: s, log: log, queue: make(chan store.SceneMessage, cfg.Queue),
		written: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "portcullis_history_messages_total", Help: "Messages of live scenes that were stored as context for review.",
		}),
		dropped: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "portcullis_history_dropped_total", Help: "Messages of live scenes that were not stored: the queue was full, or the store failed.",
		}),
	}
	if reg != nil {
		for _, c := range []prometheus.Collector{r.written, r.dropped} {
			if err := reg.Register(c); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// Observed takes a message that was delivered in a live scene. It never blocks, and
// keeps of the item only strings.
func (r *Recorder) Observed(item *engines.Item, o engines.Outcome, _ string) {
	v := &o.Verdict
	if !item.Live || item.Scene == "" || v.Action != engines.Deliver || v.Found().Suggestion != engines.Pass || len(v.Found().Labels) > 0 || v.Case {
		return // not seen by others, or stored with its verdict
	}
	if r.cfg.days(string(item.App)) == 0 {
		return
	}
	m := store.SceneMessage{
		App: item.App, Scene: item.Scene, Message: item.RequestID, Player: item.Player, Session: item.Session,
		Content: item.Text, Language: item.Language, State: delivered, Sent: item.ReceivedAt,
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.closed {
		r.dropped.Inc()
		return
	}
	select {
	case r.queue <- m:
	default:
		r.dropped.Inc()
	}
}

// delivered is the state of a message that others have seen.
const delivered = "delivered"

const (
	// writeWithin bounds one write, sweepEvery is how often old messages are deleted.
	writeWithin = 10 * time.Second
	sweepEvery  = 10 * time.Minute
)

// Serve writes and sweeps until ctx ends, and writes what is left.
func (r *Recorder) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { r.write(context.WithoutCancel(ctx)) })
	r.sweeps(ctx)
	r.mu.Lock()
	r.closed = true
	close(r.queue)
	r.mu.Unlock()
	wg.Wait()
}

// write stores batches until the queue is closed and empty.
func (r *Recorder) write(ctx context.Context) {
	batch := make([]store.SceneMessage, 0, r.cfg.Batch)
	failing := false
	for first := range r.queue {
		batch = r.collect(append(batch[:0], first))
		within, cancel := context.WithTimeout(ctx, writeWithin)
		err := r.store.PutSceneMessages(within, batch)
		cancel()
		if err == nil {
			r.written.Add(float64(len(batch)))
		} else {
			r.dropped.Add(float64(len(batch)))
		}
		// One line when it starts and one when it ends, not five a second.
		switch {
		case err != nil && !failing:
			r.log.WarnContext(ctx, "history: messages are not stored", "err", err)
		case err == nil && failing:
			r.log.InfoContext(ctx, "history: messages are stored again")
		}
		failing = err != nil
		clear(batch)
	}
}

// collect fills the batch until it is full or the interval has gone by.
func (r *Recorder) collect(batch []store.SceneMessage) []store.SceneMessage {
	timer := time.NewTimer(r.cfg.Interval)
	defer timer.Stop()
	for len(batch) < r.cfg.Batch {
		select {
		case m, ok := <-r.queue:
			if !ok {
				return batch
			}
			batch = append(batch, m)
		case <-timer.C:
			return batch
		}
	}
	return batch
}

func (r *Recorder) sweeps(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := r.Sweep(ctx, time.Now()); err != nil && ctx.Err() == nil {
			r.log.WarnContext(ctx, "history: sweep failed", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Sweep deletes what is older than its app keeps it, as of a time.
func (r *Recorder) Sweep(ctx context.Context, now time.Time) error {
	apps, err := r.store.SceneApps(ctx)
	if err != nil {
		return err
	}
	for _, app := range apps {
		before := now.AddDate(0, 0, -r.cfg.days(string(app)))
		n, err := r.store.SweepSceneMessages(ctx, app, before)
		if err != nil {
			return err
		}
		if n > 0 {
			r.log.InfoContext(ctx, "history: deleted", "app", app, "messages", n)
		}
	}
	return nil
}
