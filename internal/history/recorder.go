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
	PutSceneChunks(ctx context.Context, list []store.SceneChunk) error
	SceneApps(ctx context.Context) ([]engines.AppID, error)
	// SweepSceneMessages deletes an app's messages of before a time.
	SweepSceneMessages(ctx context.Context, app engines.AppID, before time.Time) (deleted int64, err error)
}

// Recorder writes messages behind their verdicts. Its methods are safe for concurrent
// use.
type Recorder struct {
	cfg   Config
	store Store
	log   *slog.Logger

	mu      sync.Mutex
	closed  bool
	wait    *gathering
	writing []store.SceneChunk
	// waiting are closed when what was ready as they came has been written, or failed to.
	waiting []chan struct{}

	written prometheus.Counter
	dropped prometheus.Counter
}

// New makes a recorder; Serve writes.
func New(cfg Config, s Store, reg prometheus.Registerer, log *slog.Logger) (*Recorder, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	r := &Recorder{
		cfg: cfg, store: s, log: log,
		written: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "portcullis_history_messages_total", Help: "Messages of live scenes that were stored as context for review.",
		}),
		dropped: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "portcullis_history_dropped_total", Help: "Messages of live scenes that were not stored: too many waited, or the store failed.",
		}),
	}
	r.wait = newGathering(&r.cfg)
	if reg != nil {
		for _, c := range []prometheus.Collector{r.written, r.dropped} {
			if err := reg.Register(c); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// Observed takes a message that was delivered in a live scene, and has its scene
// written where it was flagged. It never waits for the store, and keeps nothing of the
// item.
func (r *Recorder) Observed(item *engines.Item, o engines.Outcome, _ string) {
	if !item.Live || item.Scene == "" || r.cfg.days(string(item.App)) == 0 {
		return
	}
	now := time.Now()
	v := &o.Verdict
	if v.Action != engines.Deliver || v.Found().Suggestion != engines.Pass || len(v.Found().Labels) > 0 || v.Case {
		r.mu.Lock() // not seen by others, or stored with its verdict
		r.wait.flag(place{item.App, item.Scene}, now)
		r.mu.Unlock()
		return
	}
	if item.Media != nil {
		return // what was said in a call is no message
	}
	m := store.SceneMessage{
		App: item.App, Scene: item.Scene, Message: item.RequestID, Player: item.Player, Session: item.Session,
		Content: item.Text, Language: item.Language, State: delivered, Sent: item.ReceivedAt,
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.wait.gone) > 0 {
		if _, gone := r.wait.gone[player{m.App, m.Player}]; gone {
			return
		}
	}
	if r.closed || !r.wait.put(&m, now) {
		r.dropped.Inc()
	}
}

// Forget has what waits of a player written at once, and takes nothing more of the
// player for a while: somebody is about to erase the player from the store.
func (r *Recorder) Forget(app engines.AppID, id engines.PlayerID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wait.forget(player{app, id}, time.Now())
}

// Gather has what waits of a player written at once: somebody asks for all of it. The
// channel closes when it has been, or could not be.
func (r *Recorder) Gather(app engines.AppID, id engines.PlayerID) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	done := make(chan struct{})
	if r.wait.gather(player{app, id}); r.closed || len(r.wait.ready) == 0 && len(r.writing) == 0 {
		close(done)
	} else {
		r.waiting = append(r.waiting, done)
	}
	return done
}

// Said finds a message that is not stored yet, and has its scene written: somebody asks
// for it. Only this process's messages are known.
func (r *Recorder) Said(app engines.AppID, scene engines.SceneID, id engines.RequestID) (store.SceneMessage, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := place{app, scene}
	m, ok := r.wait.find(at, id, r.writing)
	r.wait.want(at)
	r.wait.urgent = true
	return m, ok
}

// Want has what waits of a scene written at once.
func (r *Recorder) Want(app engines.AppID, scene engines.SceneID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.wait.want(place{app, scene})
	r.wait.urgent = true
}

// delivered is the state of a message that others have seen.
const delivered = "delivered"

const (
	// writeWithin bounds one write, sweepEvery is how often old messages are deleted.
	writeWithin = 10 * time.Second
	sweepEvery  = 10 * time.Minute
	// lookEvery is how long what somebody waits for waits at the most; all else, flagged
	// scenes too, is committed at every lookRest-th look, since half of what a small
	// chunk costs is its commit. writeAtOnce is how many chunks one commit takes.
	lookEvery   = 250 * time.Millisecond
	lookRest    = 4
	writeAtOnce = 256
)

// Serve writes and sweeps until ctx ends, and writes what is left.
func (r *Recorder) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { r.write(ctx) })
	r.sweeps(ctx)
	wg.Wait()
}

// write stores what is due until ctx ends, and then all.
func (r *Recorder) write(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	running := context.WithoutCancel(ctx)
	failing := false
	for look := 1; ; look++ {
		select {
		case <-ctx.Done():
			r.mu.Lock()
			r.closed = true
			for _, s := range r.wait.scenes {
				r.wait.release(s)
			}
			r.mu.Unlock()
			for r.writeSome(running, &failing) && !failing {
			}
			r.drop()
			return
		case <-tick.C:
		}
		r.mu.Lock()
		r.wait.due(time.Now())
		now := r.wait.urgent || look%lookRest == 0 || len(r.wait.ready) >= writeAtOnce
		r.mu.Unlock()
		for now && r.writeSome(running, &failing) && ctx.Err() == nil {
		}
	}
}

// writeSome stores some of what is ready. false: there is nothing.
func (r *Recorder) writeSome(ctx context.Context, failing *bool) bool {
	r.mu.Lock()
	list := r.wait.take(writeAtOnce)
	r.writing = list
	r.mu.Unlock()
	if len(list) == 0 {
		return false
	}
	within, cancel := context.WithTimeout(ctx, writeWithin)
	err := r.store.PutSceneChunks(within, list)
	cancel()
	if err == nil {
		r.written.Add(messages(list))
	} else {
		r.dropped.Add(messages(list))
	}
	r.mu.Lock()
	r.writing = nil
	r.wait.written(list)
	if len(r.wait.ready) == 0 {
		r.answer()
	}
	r.mu.Unlock()
	// One line when it starts and one when it ends, not five a second.
	switch {
	case err != nil && !*failing:
		r.log.WarnContext(ctx, "history: messages are not stored", "err", err)
	case err == nil && *failing:
		r.log.InfoContext(ctx, "history: messages are stored again")
	}
	*failing = err != nil
	return true
}

// drop counts what a store that fails leaves over at the end: nobody waits minutes for
// it to go down.
func (r *Recorder) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropped.Add(messages(r.wait.ready))
	r.wait.ready = nil
	r.answer()
}

// answer tells who waits; r.mu is held.
func (r *Recorder) answer() {
	for _, done := range r.waiting {
		close(done)
	}
	r.waiting = nil
}

func messages(list []store.SceneChunk) float64 {
	n := 0
	for i := range list {
		n += list[i].Messages
	}
	return float64(n)
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
