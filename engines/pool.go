package engines

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Reasons of a Fault.
const (
	ReasonLate       = "late"
	ReasonFailed     = "failed"
	ReasonOverloaded = "overloaded"
	// ReasonRefused: the content itself can't be looked at (Refusal).
	ReasonRefused = "refused"
)

// PoolConfig says how one engine is run.
type PoolConfig struct {
	// Name stands in metrics, logs and faults.
	Name   string
	Engine Engine
	// Slots is how many inspections run at once.
	Slots int
	// Queue is how many callers may wait for a slot. Full-rule: the next one gets
	// a Fault "overloaded" at once.
	Queue int
	// Deadline is how long one inspection may take, the wait for a slot included.
	Deadline time.Duration
	// Inline runs the engine in the caller's goroutine: right for engines that
	// take microseconds and time linear in the item, which no deadline needs to
	// cut off. Otherwise it runs in a goroutine of the pool, so that the caller
	// leaves at the deadline whatever the engine does.
	Inline bool
	// Registry receives the pool's metrics; nil keeps them to itself.
	Registry prometheus.Registerer
	// Log receives the panics and errors of the engine, without content; nil is slog.Default.
	Log *slog.Logger
}

// Pool is the one way to run an Engine. It bounds how many inspections run and
// wait, gives each its deadline, counts them, and turns whatever goes wrong into
// a Fault, which is a fact for policy and not an error. It is safe for concurrent use.
type Pool struct {
	cfg     PoolConfig
	slots   chan struct{} // a token for each running inspection
	waiting atomic.Int64
	closing chan struct{}
	once    sync.Once
	metrics poolMetrics
	// One of each, so that a fault costs no allocation. Never written to.
	late, failed, overloaded *Fault
}

// NewPool makes a pool; the caller closes it.
func NewPool(cfg PoolConfig) (*Pool, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	m, err := newPoolMetrics(cfg.Name, cfg.Registry)
	if err != nil {
		return nil, fmt.Errorf("pool %s: %w", cfg.Name, err)
	}
	return &Pool{
		cfg:        cfg,
		slots:      make(chan struct{}, cfg.Slots), // full: callers wait, as many as Queue
		closing:    make(chan struct{}),
		metrics:    m,
		late:       &Fault{Engine: cfg.Name, Reason: ReasonLate},
		failed:     &Fault{Engine: cfg.Name, Reason: ReasonFailed},
		overloaded: &Fault{Engine: cfg.Name, Reason: ReasonOverloaded},
	}, nil
}

// Load is how busy a pool is at a moment.
type Load struct {
	Busy, Slots    int // inspections that run, and the most that may
	Waiting, Queue int // callers that wait for a slot, and the most that may
}

// Load tells how busy the pool is now.
func (p *Pool) Load() Load {
	return Load{
		Busy: len(p.slots), Slots: cap(p.slots),
		Waiting: min(int(p.waiting.Load()), p.cfg.Queue), Queue: p.cfg.Queue,
	}
}

func (cfg *PoolConfig) validate() error {
	var faults []error
	if cfg.Name == "" {
		faults = append(faults, errors.New("pool: Name is empty"))
	}
	if cfg.Engine == nil {
		faults = append(faults, fmt.Errorf("pool %s: Engine is nil", cfg.Name))
	}
	if cfg.Slots <= 0 {
		faults = append(faults, fmt.Errorf("pool %s: Slots must be positive", cfg.Name))
	}
	if cfg.Queue < 0 {
		faults = append(faults, fmt.Errorf("pool %s: Queue must not be negative", cfg.Name))
	}
	if cfg.Deadline <= 0 {
		faults = append(faults, fmt.Errorf("pool %s: Deadline must be positive", cfg.Name))
	}
	return errors.Join(faults...)
}

// Inspect runs the engine on item and returns out with what it found appended.
// A fault says that the item was not, or not wholly, inspected; what was found
// until then still counts. The fault is shared: callers must not write to it.
// When it returns, nothing of the pool touches item or out any more, but an engine
// that is late may still read the strings that item had: they must not lie in a
// buffer that is used again.
func (p *Pool) Inspect(ctx context.Context, item *Item, out []Signal) ([]Signal, *Fault) {
	start := time.Now()
	var fault *Fault
	select {
	case p.slots <- struct{}{}:
	default:
		fault = p.wait(ctx, start)
	}
	switch {
	case fault != nil:
	case p.cfg.Inline:
		out, fault = p.inline(ctx, item, out)
	default:
		out, fault = p.apart(ctx, item, out, start)
	}
	p.metrics.observe(fault, time.Since(start))
	return out, fault
}

// wait takes a slot when none is free; a nil fault means that the caller has one.
func (p *Pool) wait(ctx context.Context, start time.Time) *Fault {
	if p.waiting.Add(1) > int64(p.cfg.Queue) {
		p.waiting.Add(-1)
		return p.overloaded
	}
	defer p.waiting.Add(-1)
	timer := time.NewTimer(p.cfg.Deadline - time.Since(start))
	defer timer.Stop()
	select {
	case <-p.closing:
		return p.overloaded
	default:
	}
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return p.late
	case <-timer.C:
		return p.late
	case <-p.closing:
		return p.overloaded
	}
}

// inline holds a slot and gives it back.
func (p *Pool) inline(ctx context.Context, item *Item, out []Signal) (found []Signal, fault *Fault) {
	found = out //nolint:wastedassign // what a panic leaves to return
	defer func() {
		if v := recover(); v != nil {
			fault = p.panicked(ctx, v)
		}
		<-p.slots
	}()
	found, err := p.cfg.Engine.Inspect(ctx, item, out)
	return found, p.judge(ctx, err)
}

// answer is what an inspection apart from its caller brings back.
type answer struct {
	found []Signal
	fault *Fault
}

// apart holds a slot, which the inspection gives back when it really ends: an
// engine that ignores its deadline still counts as running.
func (p *Pool) apart(ctx context.Context, item *Item, out []Signal, start time.Time) ([]Signal, *Fault) {
	ctx, cancel := context.WithDeadline(ctx, start.Add(p.cfg.Deadline))
	mine := *item                // the caller may reuse its item once it has left
	done := make(chan answer, 1) // never blocks: one answer, and it may find nobody there
	go func() {
		var a answer
		// In this order: whoever has the answer finds the slot free, and the answer
		// is there before ctx ends.
		defer cancel()
		defer func() { done <- a }()
		defer func() { <-p.slots }()
		a.found, a.fault = p.guarded(ctx, &mine)
	}()
	select {
	case a := <-done:
		return append(out, a.found...), a.fault
	case <-ctx.Done():
	}
	// The goroutine cancels after it has answered, so an answer may be here too.
	select {
	case a := <-done:
		return append(out, a.found...), a.fault
	default:
		return out, p.late
	}
}

func (p *Pool) guarded(ctx context.Context, item *Item) (found []Signal, fault *Fault) {
	defer func() {
		if v := recover(); v != nil {
			fault = p.panicked(ctx, v)
		}
	}()
	found, err := p.cfg.Engine.Inspect(ctx, item, nil)
	return found, p.judge(ctx, err)
}

// judge translates an engine's error, once.
func (p *Pool) judge(ctx context.Context, err error) *Fault {
	if err == nil {
		return nil
	}
	if errors.Is(err, ErrOverloaded) {
		return p.overloaded
	}
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return p.late
	}
	if r, ok := errors.AsType[*Refusal](err); ok {
		return &Fault{Engine: p.cfg.Name, Reason: ReasonRefused, Refusal: r}
	}
	// The error's text may quote the content, so only its type is logged.
	p.cfg.Log.LogAttrs(ctx, slog.LevelError, "engine failed",
		slog.String("engine", p.cfg.Name), slog.String("error_type", fmt.Sprintf("%T", err)))
	return p.failed
}

// panicked logs a panic without its value, which may quote the content; the
// runtime's own errors (index out of range, nil map) never do.
func (p *Pool) panicked(ctx context.Context, v any) *Fault {
	what := fmt.Sprintf("%T", v)
	if re, ok := v.(runtime.Error); ok {
		what = re.Error()
	}
	p.cfg.Log.LogAttrs(ctx, slog.LevelError, "engine panicked",
		slog.String("engine", p.cfg.Name), slog.String("panic", what), slog.String("stack", string(debug.Stack())))
	return p.failed
}

// Close refuses new inspections and those that wait, and returns when all that
// ran have ended. It is safe to call more than once.
func (p *Pool) Close() {
	p.once.Do(func() {
		close(p.closing)
		// Holding every slot means that nothing runs; none is given back.
		for range cap(p.slots) {
			p.slots <- struct{}{}
		}
	})
}
