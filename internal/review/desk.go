package review

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Desk makes and records verdicts. It is safe for concurrent use. What it puts
// off (deferred checks, submitted checks, the record of passes) happens in
// Serve; until that runs, and after it ended, live messages are checked before
// they are delivered.
type Desk struct {
	cfg      Config
	deps     Deps
	scenes   Scenes
	log      *slog.Logger
	metrics  *metrics
	evidence sync.Pool // of *evidence
	live     atomic.Uint64
	deferred *queue[deferredCheck]
	async    *asyncChecks
	passes   *passes
	recall   *recall
}

// New makes a desk. Attach names who delivers, Serve runs the rest.
func New(cfg Config, deps Deps) (*Desk, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if deps.Policies == nil || deps.Store == nil {
		return nil, errors.New("review: a desk needs a policy and a store")
	}
	if deps.Log == nil {
		deps.Log = slog.Default()
	}
	m, err := newMetrics(deps.Registry)
	if err != nil {
		return nil, fmt.Errorf("review: %w", err)
	}
	d := &Desk{
		cfg: cfg, deps: deps, scenes: nowhere{}, log: deps.Log, metrics: m,
		deferred: newQueue[deferredCheck](cfg.DeferredQueue), // full: checked before delivery
		async:    newAsyncChecks(cfg.AsyncQueue),
		passes:   newPasses(cfg, deps.Store, m, deps.Log),
		recall:   newRecall(cfg.ContextPlayers, cfg.ContextWindow),
	}
	d.evidence.New = func() any { return new(evidence) }
	return d, nil
}

// Attach names where live content goes. It is apart from New because scenes ask
// the desk for verdicts; call it before the first Check and before Serve.
func (d *Desk) Attach(s Scenes) { d.scenes = s }

// Check returns the outcome of item, whose RequestID and ReceivedAt it fills
// where they are empty. Whatever was flagged is on disk when it returns. An
// error wraps store.ErrUnavailable, or an engines.Refusal where the content can't be
// looked at: there is no verdict then, and the content must not be delivered.
//
// The strings of item may be kept (a queue, a record), so they must not lie in a
// buffer that is used again.
//
// A live item in a scene of deferred review comes back at once as Pending, to be
// delivered; Scenes.Late follows when its check finds something. What is said in a
// call has been heard by the time that it is checked: there is nothing to put off.
func (d *Desk) Check(ctx context.Context, item *engines.Item) (engines.Outcome, error) {
	d.live.Add(1)
	d.admit(item)
	by := d.ruling(item)
	r := by.rules
	if item.Live && item.Kind != engines.KindAudio && r.Mode == engines.DeferredReview && d.putOff(item, by) {
		return engines.Outcome{
			RequestID: item.RequestID,
			Pending:   true,
			Took:      time.Since(item.ReceivedAt),
			Verdict: engines.Verdict{
				Finding: engines.Finding{Suggestion: engines.Pass},
				Action:  engines.Deliver, Mode: r.Mode, PolicyVersion: r.Version,
			},
		}, nil
	}
	ev := d.gather()
	defer d.release(ev)
	path := pathREST
	if item.Live {
		path = pathStream
	}
	o := d.decide(ctx, item, by, ev)
	if r := ev.refusal(); r != nil {
		return engines.Outcome{RequestID: item.RequestID}, fmt.Errorf("check %s: %w", item.RequestID, r)
	}
	switch {
	case unfinished(item) && len(o.Verdict.Found().Labels) == 0:
		d.metrics.verdict(item.Kind, path, &o.Verdict, o.Took)
		o.CaseID, o.Verdict.Case = "", false
		return o, nil
	case flagged(&o.Verdict):
		if err := d.commit(ctx, item, &o, ev, path); err != nil {
			d.metrics.unrecorded.Inc()
			return engines.Outcome{RequestID: item.RequestID}, err
		}
		o.Took = time.Since(item.ReceivedAt)
	default:
		d.passes.put(item, &o, ev, r)
	}
	d.tell(ctx, item, &o, ev, path)
	return o, nil
}

// unfinished reports whether the item is a look at speech that goes on: where nothing is
// found in it, or nobody could look, nobody needs to hear of it but whoever counts, as
// the whole of the speech is looked at once more.
func unfinished(item *engines.Item) bool {
	return item.Media != nil && item.Media.Sound != nil && item.Media.Sound.Partial
}

// admit gives item its name, its time, what is known of its player and what was
// said before it.
func (d *Desk) admit(item *engines.Item) {
	if item.ReceivedAt.IsZero() {
		item.ReceivedAt = time.Now()
	}
	if item.RequestID == "" {
		item.RequestID = engines.RequestID(newID(time.Now()))
	}
	if d.deps.Profiles != nil && item.Player != "" {
		d.deps.Profiles.Fill(item)
	}
	if item.Context == nil {
		item.Context = d.recall.around(item)
	}
}

// commit records a flagged outcome; an answer waits for it.
func (d *Desk) commit(ctx context.Context, item *engines.Item, o *engines.Outcome, ev *evidence, path path) error {
	ctx, cancel := context.WithTimeout(ctx, d.cfg.CommitTimeout)
	defer cancel()
	rec, err := d.fullDecision(ctx, item, o, ev)
	if err == nil {
		err = d.deps.Store.PutDecision(ctx, rec, d.caseOf(item, o), messageOf(item, o, path))
	}
	if err == nil {
		err = d.kept(ctx, item, &rec)
	}
	return unavailable(err, "record the verdict on "+string(item.RequestID))
}

// unavailable makes a store's error one that callers know: the store did not
// keep what was asked, for whatever reason.
func unavailable(err error, doing string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrUnavailable):
		return fmt.Errorf("%s: %w", doing, err)
	}
	return fmt.Errorf("%s: %w: %w", doing, store.ErrUnavailable, err)
}

// nowhere stands for scenes until some are attached: a desk that only answers
// checks has none.
type nowhere struct{}

func (nowhere) Late(*engines.Item, engines.Outcome) {}
