package review

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// asyncChecks are the accepted checks of this process. Each is a row in the
// store first, so that a process that dies loses none: Resume takes them up.
type asyncChecks struct {
	room  chan struct{} // a token for each unfinished check; full: Submit refuses
	queue *queue[*engines.Item]

	resumed atomic.Bool // Resume was called

	mu    sync.Mutex
	taken map[checkKey]struct{} // queued or being checked here
	apps  map[engines.AppID]int // how many of them are whose
}

type checkKey struct {
	app engines.AppID
	id  engines.RequestID
}

func newAsyncChecks(size int) *asyncChecks {
	return &asyncChecks{
		room:  make(chan struct{}, size),
		queue: newQueue[*engines.Item](size), // room is taken first, so it is never full
		taken: make(map[checkKey]struct{}), apps: make(map[engines.AppID]int),
	}
}

// errAppFull: the app has as many checks unfinished as one may.
var errAppFull = errors.New("the app's share of the queue is full")

// take notes a check; store.ErrExists where this process has it already, errAppFull
// where its app has most of them.
func (a *asyncChecks) take(item *engines.Item, most int) error {
	key := checkKey{item.App, item.RequestID}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.taken[key]; ok {
		return store.ErrExists
	}
	if a.apps[item.App] >= most {
		return errAppFull
	}
	a.taken[key] = struct{}{}
	a.apps[item.App]++
	return nil
}

// drop forgets a check and gives its room back.
func (a *asyncChecks) drop(item *engines.Item) {
	a.mu.Lock()
	delete(a.taken, checkKey{item.App, item.RequestID})
	if a.apps[item.App]--; a.apps[item.App] <= 0 {
		delete(a.apps, item.App)
	}
	a.mu.Unlock()
	<-a.room
}

// Submit accepts a check whose result is fetched with Result; it fills RequestID
// and ReceivedAt where they are empty. When it returns nil, the check is on disk
// and will have a verdict, in this process or another. An error wraps
// store.ErrUnavailable: the queue, or the app's share of it, is full, or the store did
// not take it.
func (d *Desk) Submit(ctx context.Context, item *engines.Item) error {
	d.admit(item)
	select {
	case d.async.room <- struct{}{}:
	default:
		d.metrics.fullAsync.Inc()
		return fmt.Errorf("submit %s: the queue is full: %w", item.RequestID, store.ErrUnavailable)
	}
	mine := *item
	if err := d.async.take(&mine, d.cfg.AsyncPerApp); err != nil {
		<-d.async.room
		if errors.Is(err, errAppFull) {
			d.metrics.fullAsync.Inc()
			err = fmt.Errorf("%w: %w", err, store.ErrUnavailable)
		}
		return fmt.Errorf("submit %s: %w", item.RequestID, err)
	}
	stored := mine
	stored.Context = nil // what surrounds it is not kept
	ctx, cancel := context.WithTimeout(ctx, d.cfg.CommitTimeout)
	defer cancel()
	p := store.Pending{
		App: mine.App, Request: mine.RequestID, Item: stored, Created: mine.ReceivedAt,
		Owner: d.deps.Node, Until: time.Now().Add(asyncLease),
	}
	err := d.putPending(ctx, &p)
	mine.Media = p.Item.Media
	if err != nil {
		d.async.drop(&mine)
		return unavailable(err, "submit "+string(item.RequestID))
	}
	if !d.async.queue.put(&mine) { // closed: the next start resumes it
		d.async.drop(&mine)
	}
	return nil
}

const (
	// asyncLease is how long an accepted check is left alone by other processes; its
	// own says every asyncLook that it is still there, and looks for what others left.
	asyncLease = 15 * time.Second
	asyncLook  = 5 * time.Second
	// asyncClaim is how many are claimed at once, where the queue has room for them.
	asyncClaim = 256
)

// Follow keeps the accepted checks of this process its own, and takes up those that
// another left, until ctx ends. Call it once, beside Serve.
func (d *Desk) Follow(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { d.every(ctx, d.Resume) })
	wg.Go(func() { // beside it, since Resume waits while the queue is full
		d.every(ctx, func(ctx context.Context) error {
			return d.deps.Store.KeepPendings(ctx, d.deps.Node, time.Now().Add(asyncLease))
		})
	})
	wg.Wait()
}

func (d *Desk) every(ctx context.Context, do func(context.Context) error) {
	tick := time.NewTicker(asyncLook)
	defer tick.Stop()
	for {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			d.log.WarnContext(ctx, "accepted checks wait in the store", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Resume takes up the accepted checks that nobody works on: those of a process that
// died, and at the first call of one that is alone all there are. It waits while the
// queue is full, and returns when all are queued or ctx ends.
func (d *Desk) Resume(ctx context.Context) error {
	now := time.Now()
	if d.deps.Alone && !d.async.resumed.Swap(true) {
		now = now.Add(asyncLease) // whoever had them is gone
	}
	for {
		left, err := d.deps.Store.ClaimPendings(ctx, d.deps.Node, now, time.Now().Add(asyncLease), asyncClaim)
		if err != nil {
			return fmt.Errorf("resume pending checks: %w", err)
		}
		for i := range left {
			if err := d.takeUp(ctx, &left[i]); err != nil {
				return fmt.Errorf("resume pending checks: %w", err)
			}
		}
		if len(left) < asyncClaim {
			return nil
		}
		now = time.Now()
	}
}

// takeUp queues a check that was claimed; one that is here already stays as it is. What
// can't be queued any more, since the process goes down, is claimed by another later.
func (d *Desk) takeUp(ctx context.Context, p *store.Pending) error {
	item := p.Item
	item.App, item.RequestID = p.App, p.Request
	if p.Media != nil {
		item.Media = waiting(p.Media)
	}
	select {
	case d.async.room <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	if errors.Is(d.async.take(&item, math.MaxInt), store.ErrExists) {
		<-d.async.room
		return nil
	}
	if !d.async.queue.put(&item) {
		d.async.drop(&item)
	}
	return nil
}

// finish does one submitted check and stores its result, whatever it is.
func (d *Desk) finish(ctx context.Context, item *engines.Item) {
	defer d.async.drop(item)
	if err := d.fetch(ctx, item); err != nil {
		d.log.LogAttrs(ctx, slog.LevelWarn, "submitted check left for the next start",
			slog.String("request_id", string(item.RequestID)), slog.Any("error", err))
		return
	}
	ev := d.gather()
	defer d.release(ev)
	item.Behind = true
	o := d.decide(ctx, item, d.ruling(item), ev)
	err := d.insist(ctx, func(ctx context.Context) error {
		rec, err := d.fullDecision(ctx, item, &o, ev)
		if err == nil {
			err = d.deps.Store.FinishPending(ctx, rec, d.caseOf(item, &o))
		}
		if err == nil {
			err = d.kept(ctx, item, &rec)
		}
		return err
	})
	if err != nil {
		d.log.LogAttrs(ctx, slog.LevelWarn, "submitted check left for the next start",
			slog.String("request_id", string(item.RequestID)), slog.Any("error", err))
		return
	}
	o.Took = time.Since(item.ReceivedAt)
	d.tell(ctx, item, &o, ev, pathAsync)
}

// Result returns a submitted or recorded check of app: what was checked and what
// came of it. While there is no verdict, Pending is set and the item has nothing but its ids. The
// error wraps store.ErrNotFound when the app has no such check, or one that was
// not recorded.
func (d *Desk) Result(ctx context.Context, app engines.AppID, id engines.RequestID) (engines.Item, engines.Outcome, error) {
	// Pending first: a check goes from there to the decisions in one commit, so
	// that it can't be missed in between.
	pending, err := d.deps.Store.PendingExists(ctx, app, id)
	if err != nil {
		return engines.Item{}, engines.Outcome{}, fmt.Errorf("look for check %s: %w", id, err)
	}
	if pending {
		return engines.Item{RequestID: id, App: app}, engines.Outcome{RequestID: id, Pending: true}, nil
	}
	got, err := d.deps.Store.Decision(ctx, app, id)
	if err != nil {
		return engines.Item{}, engines.Outcome{}, fmt.Errorf("look for check %s: %w", id, err)
	}
	item := engines.Item{
		RequestID: got.Request, App: got.App, Player: got.Player, Scene: got.Scene, Session: got.Session,
		Kind: got.Kind, Text: got.Content, Language: got.Language, ReceivedAt: got.Created,
	}
	if got.Circumstances.Use != "" {
		item.Text, item.Media = "", &engines.Media{Use: got.Circumstances.Use}
		item.Media.Learn(got.Media)
	}
	return item, engines.Outcome{RequestID: got.Request, Verdict: got.Verdict, CaseID: got.CaseID, Took: got.Took}, nil
}
