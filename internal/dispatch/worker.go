package dispatch

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// WorkerConfig says what a worker does.
type WorkerConfig struct {
	Kind   engines.Kind
	Engine engines.Engine
	// ID is the worker's own, unique for all time: a restarted worker is another one.
	ID string
	// Model names what Engine looks with, Version the program; both are for people.
	Model, Version string
	// Slots is how many jobs run at once. More are not taken: they wait in the queue,
	// where other workers find them.
	Slots int
	// Redeliver is how long a job's worker may say nothing of it before another takes
	// it over, BulkRedeliver that of jobs for which nobody waits. 0 is the default.
	Redeliver, BulkRedeliver time.Duration
	// Drain is how long jobs under way get when Serve is to end. 0 is the default.
	Drain time.Duration

	Inbox    Inbox
	Answers  Answers
	Presence Presence
	Registry prometheus.Registerer
	Log      *slog.Logger // nil is slog.Default
}

const (
	// A worker speaks of its jobs four times in redeliver: on a busy machine it may
	// miss some without losing them to another.
	redeliver     = time.Second
	bulkRedeliver = 30 * time.Second
	spoken        = 4
	drain         = 15 * time.Second
	// claimEvery is how often the jobs of the dead are looked for.
	claimEvery = 200 * time.Millisecond
	// deadly is how many workers may end with a content in hand; at that many it is
	// taken for the reason. What stood beside the reason in another slot died with it:
	// so a worker has one job of the dead in hand at a time, and a job has its last
	// chance with nothing beside it.
	deadly = 3
	// bulkShare is the part of the slots that jobs nobody waits for may have while
	// others keep coming, calm how long after the last of those there are none.
	bulkShare = 4
	calm      = time.Second
	// answerTries is how often a reply is sent until Redis takes it.
	answerTries = 3
	sweepEvery  = 30 // beats
)

// Worker takes jobs and has its engine look. Make one with NewWorker.
type Worker struct {
	cfg     WorkerConfig
	metrics *metrics
	slots   chan struct{} // a token for each job that runs

	mu      sync.Mutex
	running map[string]underWay // by entry
	bulk    int                 // of them
	suspect bool                // one of them is a job of the dead
	prompt  time.Time           // when the last prompt job came
	served  atomic.Uint64
}

// underWay is a job in hand. After until nobody waits for it: an engine that still has
// it then is stuck, and says no more that it works.
type underWay struct {
	lane  store.Lane
	until time.Time
}

// NewWorker makes a worker; it does nothing until Serve runs.
func NewWorker(cfg WorkerConfig) (*Worker, error) {
	if cfg.Engine == nil || cfg.Inbox == nil || cfg.Answers == nil || cfg.Presence == nil || cfg.Kind == "" || cfg.ID == "" {
		return nil, errors.New("dispatch: a worker needs a kind, an id, an engine and its ways to the queues")
	}
	if cfg.Slots < 1 {
		return nil, errors.New("dispatch: slots must be positive")
	}
	defaults := func(d *time.Duration, to time.Duration) {
		if *d <= 0 {
			*d = to
		}
	}
	defaults(&cfg.Redeliver, redeliver)
	defaults(&cfg.BulkRedeliver, bulkRedeliver)
	defaults(&cfg.Drain, drain)
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	m, err := newMetrics(cfg.Registry)
	if err != nil {
		return nil, err
	}
	return &Worker{cfg: cfg, metrics: m, slots: make(chan struct{}, cfg.Slots), running: make(map[string]underWay)}, nil
}

// Served is how many jobs were answered.
func (w *Worker) Served() uint64 { return w.served.Load() }

// Serve takes jobs until ctx ends, and returns when those under way have ended. What
// it can't finish in Drain another worker takes over.
func (w *Worker) Serve(ctx context.Context) {
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var jobs, speaking sync.WaitGroup
	speaking.Go(func() { w.beat(working) })
	speaking.Go(func() { w.keep(working) })
	w.take(ctx, working, &jobs)
	limit := time.AfterFunc(w.cfg.Drain, stop)
	jobs.Wait()
	limit.Stop()
	stop()
	speaking.Wait()
}

// take hands jobs to slots until ctx ends. A call to Redis is not cut off by that: what
// it had taken would be nobody's for a while.
func (w *Worker) take(ctx, working context.Context, jobs *sync.WaitGroup) {
	claimed, failing := time.Time{}, false
	for {
		select {
		case <-ctx.Done():
			return
		case w.slots <- struct{}{}:
		}
		if ctx.Err() != nil {
			<-w.slots
			return
		}
		free := 1 + w.more()
		list, err := w.next(working, free, &claimed)
		held := w.start(working, list, free, jobs)
		for range held {
			<-w.slots
		}
		if err != nil {
			if !failing {
				w.cfg.Log.WarnContext(ctx, "no jobs can be taken", "kind", w.cfg.Kind, "err", err)
			}
			pause(ctx, retry)
		}
		failing = err != nil
	}
}

// start runs jobs in slots of which free are taken, and returns how many of those it
// left over.
func (w *Worker) start(ctx context.Context, list []store.JobWork, free int, jobs *sync.WaitGroup) (left int) {
	for i := range list {
		j, slots := &list[i], 1
		w.note(j)
		if j.Deaths == deadly-1 {
			slots = w.cfg.Slots
		}
		for ; free < slots; free++ { // also where two lanes answered at once
			w.slots <- struct{}{}
		}
		free -= slots
		jobs.Go(func() {
			defer func() {
				w.forget(j)
				for range slots {
					<-w.slots
				}
			}()
			w.run(ctx, j)
		})
	}
	return free
}

// more takes the other free slots.
func (w *Worker) more() (n int) {
	for {
		select {
		case w.slots <- struct{}{}:
			n++
		default:
			return n
		}
	}
}

// next returns what the dead have left, else new jobs.
func (w *Worker) next(ctx context.Context, free int, claimed *time.Time) ([]store.JobWork, error) {
	if time.Since(*claimed) >= claimEvery && !w.suspects() {
		for _, lane := range []store.Lane{store.Prompt, store.Bulk} {
			list, err := w.cfg.Inbox.ClaimJobs(ctx, w.cfg.Kind, lane, w.patience(lane), 1, w.mine)
			if len(list) > 0 || err != nil {
				w.metrics.redeliver.WithLabelValues(string(w.cfg.Kind), lane.String()).Add(float64(len(list)))
				return list, err
			}
		}
		*claimed = time.Now() // there were none
	}
	return w.cfg.Inbox.TakeJobs(ctx, w.cfg.Kind, free, w.mayBulk(), claimEvery)
}

func (w *Worker) patience(lane store.Lane) time.Duration {
	if lane == store.Bulk {
		return w.cfg.BulkRedeliver
	}
	return w.cfg.Redeliver
}

func (w *Worker) suspects() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.suspect
}

func (w *Worker) mine(entry string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.running[entry]
	return ok
}

// mayBulk reports whether one more job may be taken for which nobody waits.
func (w *Worker) mayBulk() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	most := w.cfg.Slots
	if len(w.running) > w.bulk || time.Since(w.prompt) < calm {
		most = max(1, most/bulkShare)
	}
	return w.bulk < most
}

func (w *Worker) note(j *store.JobWork) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running[j.Entry] = underWay{j.Lane, time.Now().Add(max(j.Left, 0) + w.cfg.Redeliver)}
	w.suspect = w.suspect || j.Deaths > 0
	if j.Lane == store.Bulk {
		w.bulk++
	} else {
		w.prompt = time.Now()
	}
}

func (w *Worker) forget(j *store.JobWork) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.running, j.Entry)
	w.suspect = w.suspect && j.Deaths == 0
	if j.Lane == store.Bulk {
		w.bulk--
	}
}

// run sees one job to its end.
func (w *Worker) run(ctx context.Context, j *store.JobWork) {
	if j.Deaths >= deadly {
		w.bury(ctx, j)
		return
	}
	if j.Left <= 0 || j.Gone {
		w.end(ctx, j, "expired")
		return
	}
	item, err := read(j)
	if err != nil {
		w.cfg.Log.ErrorContext(ctx, "job refused", "kind", j.Kind, "job", j.ID, "err", err)
		w.answer(ctx, j, store.JobReply{Job: j.ID, Status: store.JobRefused, Body: []byte(err.Error())}, "refused")
		return
	}
	start := time.Now()
	res := w.inspect(ctx, item, j.Left)
	w.metrics.workTook.WithLabelValues(string(j.Kind)).Observe(time.Since(start).Seconds())
	if ctx.Err() != nil {
		return // out of time to drain: another takes it over
	}
	body, err := json.Marshal(&res)
	reply := store.JobReply{Job: j.ID, Status: store.JobDone, Body: body}
	if err != nil { // a confidence that is no number
		reply = store.JobReply{Job: j.ID, Status: store.JobFailed, Body: []byte("what was found can't be written")}
	}
	w.answer(ctx, j, reply, "done")
}

// inspect has the engine look, under the job's deadline.
func (w *Worker) inspect(ctx context.Context, item *engines.Item, left time.Duration) (res result) {
	ctx, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			// The value of a panic may quote the content; the runtime's own never do.
			what := fmt.Sprintf("%T", v)
			if re, ok := v.(runtime.Error); ok {
				what = re.Error()
			}
			w.cfg.Log.ErrorContext(ctx, "engine panicked", "kind", item.Kind, "panic", what, "stack", string(debug.Stack()))
			res = result{Failed: "the engine panicked"}
		}
	}()
	found, err := w.cfg.Engine.Inspect(ctx, item, nil)
	res.Signals = found
	if item.Media != nil {
		res.Facts = item.Media.Facts()
	}
	refusal, refused := errors.AsType[*engines.Refusal](err)
	switch {
	case err == nil:
	case refused:
		res.Refusal = refusal
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		res.Late = true
	default:
		res.Failed = fmt.Sprintf("the engine failed (%T)", err)
		w.cfg.Log.ErrorContext(ctx, "engine failed", "kind", item.Kind, "error_type", fmt.Sprintf("%T", err))
	}
	return res
}

// answer replies, then ends the job: in this order, so that a worker that dies in
// between leaves a second reply, never none.
func (w *Worker) answer(ctx context.Context, j *store.JobWork, r store.JobReply, outcome string) {
	var err error
	for try := range answerTries {
		if try > 0 {
			pause(ctx, retry)
		}
		if err = w.cfg.Answers.AnswerJob(ctx, j, r); err == nil {
			break
		}
	}
	if err != nil {
		// It stays in the queue, and is run again by whoever takes it over.
		w.cfg.Log.WarnContext(ctx, "job not answered", "kind", j.Kind, "job", j.ID, "err", err)
		w.metrics.worked(j, "unanswered")
		return
	}
	w.served.Add(1)
	w.end(ctx, j, outcome)
}

// end removes a job.
func (w *Worker) end(ctx context.Context, j *store.JobWork, outcome string) {
	w.metrics.worked(j, outcome)
	if err := w.cfg.Answers.FinishJob(ctx, j); err != nil {
		w.cfg.Log.WarnContext(ctx, "job not removed", "kind", j.Kind, "job", j.ID, "err", err)
	}
}

// bury puts a job away that workers ended with. Its content is in quarantine before
// anybody is told: who asks again at once must not have it looked at.
func (w *Worker) bury(ctx context.Context, j *store.JobWork) {
	w.cfg.Log.ErrorContext(ctx, "workers ended with a content in hand: it is quarantined", "kind", j.Kind, "job", j.ID,
		"deaths", j.Deaths, "deliveries", j.Deliveries, "sha256", hex.EncodeToString(j.Content[:]), "quarantine", store.QuarantineTTL)
	if err := w.cfg.Answers.BuryJob(ctx, j, "workers ended with it in hand"); err != nil {
		// It stays in the queue: whoever takes it over buries it.
		w.cfg.Log.WarnContext(ctx, "job not buried", "kind", j.Kind, "job", j.ID, "err", err)
		w.metrics.worked(j, "unanswered")
		return
	}
	w.answer(ctx, j, store.JobReply{Job: j.ID, Status: store.JobPoison}, "poison")
}

// keep says of the jobs under way that they are.
func (w *Worker) keep(ctx context.Context) {
	for {
		pause(ctx, w.cfg.Redeliver/spoken)
		if ctx.Err() != nil {
			return
		}
		for lane, entries := range w.entries() {
			if err := w.cfg.Inbox.KeepJobs(ctx, w.cfg.Kind, lane, entries); err != nil && ctx.Err() == nil {
				w.cfg.Log.WarnContext(ctx, "jobs not kept", "kind", w.cfg.Kind, "err", err)
			}
		}
	}
}

func (w *Worker) entries() map[store.Lane][]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	by := make(map[store.Lane][]string, 2)
	for entry, u := range w.running {
		if time.Now().Before(u.until) {
			by[u.lane] = append(by[u.lane], entry)
		}
	}
	return by
}

// beat says that the worker is there, and at the end that it is not.
func (w *Worker) beat(ctx context.Context) {
	failing := false
	for n := 1; ctx.Err() == nil; n++ {
		w.mu.Lock()
		running := len(w.running)
		w.mu.Unlock()
		err := w.cfg.Presence.Beat(ctx, &store.Worker{
			ID: w.cfg.ID, Kind: w.cfg.Kind, Model: w.cfg.Model, Version: w.cfg.Version, Slots: w.cfg.Slots, InFlight: running,
		})
		if err == nil && n%sweepEvery == 0 {
			err = w.cfg.Presence.SweepWorkers(ctx, w.cfg.Kind)
		}
		if err != nil && !failing && ctx.Err() == nil {
			w.cfg.Log.WarnContext(ctx, "no heartbeat", "kind", w.cfg.Kind, "err", err)
		}
		failing = err != nil
		pause(ctx, store.WorkerBeat)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), withdrawWithin)
	defer cancel()
	if err := w.cfg.Presence.Leave(ctx, w.cfg.Kind, w.cfg.ID); err != nil {
		w.cfg.Log.DebugContext(ctx, "leave not said", "kind", w.cfg.Kind, "err", err)
	}
}
