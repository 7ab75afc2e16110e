package review

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// passes records clean passes behind the answer, as many as the policy asks for.
// What does not fit is dropped and counted, and the weight of what was dropped
// goes to the next record of the same app, so that totals stay right.
type passes struct {
	cfg      Config
	recorder Recorder
	metrics  *metrics
	log      *slog.Logger
	queue    *queue[*store.Decision] // full: dropped, counted, weight carried over

	mu   sync.Mutex
	lost map[engines.AppID]float64 // weight that no record carries yet
}

func newPasses(cfg Config, rec Recorder, m *metrics, log *slog.Logger) *passes {
	return &passes{
		cfg: cfg, recorder: rec, metrics: m, log: log,
		queue: newQueue[*store.Decision](cfg.PassQueue),
		lost:  make(map[engines.AppID]float64),
	}
}

// put takes a pass if the policy wants it recorded, or a policy in shadow would have
// found something: those are all recorded, and stand for themselves. It never blocks.
func (p *passes) put(item *engines.Item, o *engines.Outcome, ev *evidence, r *policy.Resolved) {
	rate := r.SampleRate
	if o.Verdict.Shadow != nil {
		rate = 1
	}
	if rate <= 0 || rate < 1 && rand.Float64() >= rate {
		return
	}
	d := decision(item, o, ev, 1/rate)
	if !p.queue.put(&d) {
		p.metrics.lostPasses.Inc()
		p.lose(item.App, 1/rate)
	}
}

func (p *passes) lose(app engines.AppID, weight float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost[app] += weight
}

// settle puts lost weight on the first record of its app.
func (p *passes) settle(batch []store.Decision) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range batch {
		if len(p.lost) == 0 {
			return
		}
		batch[i].Weight += p.lost[batch[i].App]
		delete(p.lost, batch[i].App)
	}
}

// run writes batches until the queue is closed and empty, or ctx ends.
func (p *passes) run(ctx context.Context) {
	batch := make([]store.Decision, 0, p.cfg.PassBatch)
	failing := false
	for first := range p.queue.items {
		batch = p.collect(append(batch[:0], *first))
		p.settle(batch)
		err := p.write(ctx, batch)
		if err != nil {
			p.metrics.lostPasses.Add(float64(len(batch)))
			for i := range batch {
				p.lose(batch[i].App, batch[i].Weight)
			}
		}
		// One line when it starts and one when it ends, not twenty a second.
		switch {
		case err != nil && !failing:
			p.log.LogAttrs(ctx, slog.LevelWarn, "passes are not recorded", slog.Any("error", err))
		case err == nil && failing:
			p.log.LogAttrs(ctx, slog.LevelInfo, "passes are recorded again")
		}
		failing = err != nil
		clear(batch)
	}
}

func (p *passes) write(ctx context.Context, batch []store.Decision) error {
	ctx, cancel := context.WithTimeout(ctx, p.cfg.CloseTimeout)
	defer cancel()
	return p.recorder.PutDecisions(ctx, batch)
}

// collect fills the batch until it is full or PassInterval has gone by.
func (p *passes) collect(batch []store.Decision) []store.Decision {
	timer := time.NewTimer(p.cfg.PassInterval)
	defer timer.Stop()
	for len(batch) < p.cfg.PassBatch {
		select {
		case d, ok := <-p.queue.items:
			if !ok {
				return batch
			}
			batch = append(batch, *d)
		case <-timer.C:
			return batch
		}
	}
	return batch
}
