package batch

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/internal/giveway"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// lease is how long a chunk is kept from other gateways; its worker renews it.
	lease = 20 * time.Second
	// lookEvery is how often the store is asked for work beside Wake: batches that other
	// gateways took in, and chunks whose worker died.
	lookEvery = time.Second
	// finishWithin is how long a chunk may take to be stored before it is tried again.
	finishWithin = 5 * time.Second
	// sweepEvery is how often what is past its time goes, sweepMost at a time.
	sweepEvery = time.Minute
	sweepMost  = 100
)

// Service takes batches and checks them. Its methods are safe for concurrent use.
type Service struct {
	cfg     Config
	deps    Deps
	m       *metrics
	uploads *slots
	// renewEvery is how often the claim of a chunk in hand is renewed.
	renewEvery time.Duration
	wake       chan struct{} // a token for each worker that is told of work; full: all are
	lane       lane
}

// New makes a service. Serve checks while it runs.
func New(cfg Config, deps Deps) *Service {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{
		cfg: cfg, deps: deps, m: newMetrics(deps.Registry),
		uploads: newSlots(cfg.Uploads), renewEvery: lease / 3, wake: make(chan struct{}, cfg.Workers),
		lane: make(lane, 1),
	}
}

// Config is what the operator said.
func (s *Service) Config() Config { return s.cfg }

// Wake has the workers look for work now. It does not wait.
func (s *Service) Wake() {
	for range s.cfg.Workers {
		select {
		case s.wake <- struct{}{}:
		default:
			return
		}
	}
}

// Serve checks until ctx ends, and returns when no worker is left. A chunk in hand is
// given back then.
func (s *Service) Serve(ctx context.Context) {
	if s.deps.Alone { // whoever had them is gone
		if err := s.deps.Store.FreeChunks(ctx, ""); err != nil {
			s.deps.Log.WarnContext(ctx, "batches wait for the leases of the last start", "err", err)
		}
	}
	var wg sync.WaitGroup
	for range s.cfg.Workers {
		wg.Go(func() { s.work(ctx) })
	}
	s.sweep(ctx)
	wg.Wait()
	back, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
	defer cancel()
	if err := s.deps.Store.FreeChunks(back, s.deps.Node); err != nil {
		s.deps.Log.WarnContext(ctx, "batches wait for the leases of this process", "err", err)
	}
}

// work does chunk after chunk, behind what is live.
func (s *Service) work(ctx context.Context) {
	giveway.Now()
	w := &worker{pace: pace{live: s.deps.Desk.Live, share: s.cfg.LiveShare / float64(s.cfg.Workers), spent: giveway.Spent, pause: pause, lane: s.lane}}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		did, err := s.one(ctx, w)
		if err != nil && ctx.Err() == nil {
			s.deps.Log.WarnContext(ctx, "batch: chunk not done, it is tried again", "err", err)
		}
		if did && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-s.wake:
		}
	}
}

// one does one chunk; false where there is none.
func (s *Service) one(ctx context.Context, w *worker) (did bool, err error) {
	w.begin(ctx)
	defer w.leave()
	now := s.deps.Now()
	c, err := s.deps.Store.ClaimChunk(ctx, s.deps.Node, now, now.Add(lease))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	out, err := s.check(ctx, c, w)
	if err == nil {
		err = s.finish(ctx, out)
		w.clear(out)
		w.rest(ctx) // to tell of them took time too
	}
	if errors.Is(err, store.ErrConflict) { // cancelled, or another's by now
		s.m.lost.Inc()
		return true, nil
	}
	if err != nil {
		s.m.lost.Inc()
	}
	return true, err
}

// finish stores what came of a chunk and tells of it. What was committed though the
// answer was lost is found out by the next attempt's conflict.
func (s *Service) finish(ctx context.Context, out *checked) error {
	attempt, cancel := context.WithTimeout(ctx, finishWithin)
	defer cancel()
	b, err := s.deps.Store.FinishChunk(attempt, out.BatchResult, s.deps.Now())
	if err != nil {
		return err
	}
	s.m.counted(&out.Counts)
	s.deps.Desk.Stand(ctx, out.judged)
	if b.State == store.BatchDone {
		s.m.batches.WithLabelValues(store.BatchDone).Inc()
		s.deps.Log.InfoContext(ctx, "batch done", "batch", b.ID, "app", b.App, "lines", b.Lines, "errors", b.Errors, "took", b.Ended.Sub(b.Started))
		if s.deps.Ended != nil {
			s.deps.Ended()
		}
	}
	return nil
}

// sweep removes what is past its time until ctx ends.
func (s *Service) sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		now := s.deps.Now()
		n, err := s.deps.Store.SweepBatches(ctx, now.Add(-s.cfg.Keep), now.Add(-2*s.cfg.UploadTimeout), sweepMost)
		if err != nil && ctx.Err() == nil {
			s.deps.Log.WarnContext(ctx, "batches not swept", "err", err)
		}
		if n == sweepMost && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
