package review_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type inspectFunc func(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault)

func (f inspectFunc) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault) {
	return f(ctx, item, out)
}

// words finds "bad" (to block), "iffy" (to review) and "rude" (medium), and nothing else.
var words = inspectFunc(func(_ context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault) {
	switch item.Text {
	case "bad":
		out = append(out, engines.Signal{Category: engines.Hate, Severity: 3, Confidence: 0.95, Source: engines.SourceLexicon, Span: engines.Span{Start: 0, End: 3}})
	case "iffy":
		out = append(out, engines.Signal{Category: engines.Hate, Severity: 2, Confidence: 0.6, Source: engines.SourceModel})
	case "rude":
		out = append(out, engines.Signal{Category: engines.Harassment, SubLabel: "insult", Severity: 2, Confidence: 0.9, Source: engines.SourceLexicon, Span: engines.Span{Start: 0, End: 4}})
	}
	return out, nil
})

// committed is one PutDecision or FinishPending.
type committed struct {
	decision store.Decision
	kase     *store.Case
	message  *store.SceneMessage
}

// disk is a store in memory; before, when set, runs first and may refuse.
type disk struct {
	before func(ctx context.Context, what string) error

	mu        sync.Mutex
	commits   []committed
	passes    []store.Decision
	pendings  []store.Pending
	decisions map[engines.RequestID]store.Decision
}

func newDisk() *disk {
	return &disk{
		decisions: map[engines.RequestID]store.Decision{},
	}
}

func (d *disk) ask(ctx context.Context, what string) error {
	if d.before != nil {
		if err := d.before(ctx, what); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (d *disk) put(c committed) {
	if _, ok := d.decisions[c.decision.Request]; ok {
		return // the first stands
	}
	d.decisions[c.decision.Request] = c.decision
	d.commits = append(d.commits, c)
}

func (d *disk) PutDecision(ctx context.Context, dec store.Decision, c *store.Case, m *store.SceneMessage) error {
	if err := d.ask(ctx, "decision"); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.put(committed{dec, c, m})
	return nil
}

func (d *disk) PutDecisions(ctx context.Context, ds []store.Decision) error {
	if err := d.ask(ctx, "passes"); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.passes = append(d.passes, ds...)
	return nil
}

func (d *disk) PutPending(ctx context.Context, p store.Pending) error {
	if err := d.ask(ctx, "pending"); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pendings = append(d.pendings, p)
	return nil
}

func (d *disk) FinishPending(ctx context.Context, dec store.Decision, c *store.Case) error {
	if err := d.ask(ctx, "finish"); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pendings = slices.DeleteFunc(d.pendings, func(p store.Pending) bool { return p.Request == dec.Request && p.App == dec.App })
	d.put(committed{decision: dec, kase: c})
	return nil
}

func (d *disk) ClaimPendings(_ context.Context, owner string, now, until time.Time, most int) (list []store.Pending, _ error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.pendings {
		if p := &d.pendings[i]; !p.Until.After(now) && len(list) < most {
			p.Owner, p.Until = owner, until
			list = append(list, *p)
		}
	}
	return list, nil
}

func (d *disk) KeepPendings(_ context.Context, owner string, until time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.pendings {
		if d.pendings[i].Owner == owner {
			d.pendings[i].Until = until
		}
	}
	return nil
}

// left are the checks that have no verdict.
func (d *disk) left() []store.Pending {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.pendings)
}

func (d *disk) PendingExists(ctx context.Context, app engines.AppID, id engines.RequestID) (bool, error) {
	if err := d.ask(ctx, "exists"); err != nil {
		return false, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.ContainsFunc(d.pendings, func(p store.Pending) bool { return p.App == app && p.Request == id }), nil
}

func (d *disk) Decision(_ context.Context, app engines.AppID, id engines.RequestID) (store.Decision, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if got, ok := d.decisions[id]; ok && got.App == app {
		return got, nil
	}
	return store.Decision{}, store.ErrNotFound
}

func (d *disk) written() []committed {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.commits)
}

func (d *disk) recorded() []store.Decision {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.passes)
}

// sceneCall is one call of a Scenes method.
type sceneCall struct {
	what string
	item engines.Item
	o    engines.Outcome
}

type scenes struct {
	mu    sync.Mutex
	calls []sceneCall
}

func (s *scenes) add(c sceneCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, c)
}

func (s *scenes) got() []sceneCall {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

func (s *scenes) Late(item *engines.Item, o engines.Outcome) {
	s.add(sceneCall{what: "late", item: *item, o: o})
}

type feed struct {
	wants bool

	mu     sync.Mutex
	events []review.Event
}

func (f *feed) Wants(engines.AppID) bool { return f.wants }

func (f *feed) Publish(e review.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, e)
}

// room is a desk with all that it works with.
type room struct {
	*review.Desk
	policies *policies
	disk     *disk
	scenes   *scenes
	feed     *feed
	log      *bytes.Buffer
}

// policies is one policy for every app, which a test may change.
type policies struct{ set atomic.Pointer[policy.Set] }

func (p *policies) Resolve(item *engines.Item) (*policy.Resolved, review.Trial) {
	return p.set.Load().Resolve(item, item.ReceivedAt), nil
}

// furnish makes a desk; change may alter what it is made of.
func furnish(tb testing.TB, p policy.Config, change ...func(*review.Config, *review.Deps)) *room {
	tb.Helper()
	set, err := policy.Compile(p, nil, policy.Words{})
	if err != nil {
		tb.Fatalf("Compile: %v", err)
	}
	r := &room{policies: &policies{}, disk: newDisk(), scenes: &scenes{}, feed: &feed{wants: true}, log: &bytes.Buffer{}}
	r.policies.set.Store(set)
	cfg := review.Default()
	deps := review.Deps{
		Inspectors: map[engines.Kind][]review.Inspector{engines.KindText: {words}},
		Policies:   r.policies, Store: r.disk, Feed: r.feed,
		Log: slog.New(slog.NewTextHandler(&lockedWriter{w: r.log}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range change {
		f(&cfg, &deps)
	}
	if r.Desk, err = review.New(cfg, deps); err != nil {
		tb.Fatalf("New: %v", err)
	}
	r.Attach(r.scenes)
	return r
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// serve runs the desk and returns what stops it and waits.
func (r *room) serve(tb testing.TB) (stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Serve(ctx)
	}()
	return func() { cancel(); <-done }
}

func said(text string) *engines.Item {
	return &engines.Item{App: "game", Player: "ann", Scene: "lobby", Session: "s1", Kind: engines.KindText, Text: text, Language: "en", Live: true}
}
