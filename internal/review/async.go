package review

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// asyncChecks are the accepted checks of this process. Each is a row in the
// store first, so that a process that dies loses none: Resume takes them up.
type asyncChecks struct {
	room  chan struct{} // a token for each unfinished check; full: Submit refuses
	queue *queue[*engines.Item]

	mu    sync.Mutex
	taken map[checkKey]struct{} // queued or being checked here
}

type checkKey struct {
	app engines.AppID
	id  engines.RequestID
}

func newAsyncChecks(size int) *asyncChecks {
	return &asyncChecks{
		room:  make(chan struct{}, size),
		queue: newQueue[*engines.Item](size), // room is taken first, so it is never full
		taken: make(map[checkKey]struct{}),
	}
}

// take reports whether this process did not have the check yet.
func (a *asyncChecks) take(item *engines.Item) bool {
	key := checkKey{item.App, item.RequestID}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.taken[key]; ok {
		return false
	}
	a.taken[key] = struct{}{}
	return true
}

// drop forgets a check and gives its room back.
func (a *asyncChecks) drop(item *engines.Item) {
	a.mu.Lock()
	delete(a.taken, checkKey{item.App, item.RequestID})
	a.mu.Unlock()
	<-a.room
}

// Submit accepts a check whose result is fetched with Result; it fills RequestID
// and ReceivedAt where they are empty. When it returns nil, the check is on disk
// and will have a verdict, in this process or the next. An error wraps
// store.ErrUnavailable: the queue is full or the store did not take it.
func (d *Desk) Submit(ctx context.Context, item *engines.Item) error {
	d.admit(item)
	select {
	case d.async.room <- struct{}{}:
	default:
		d.metrics.fullAsync.Inc()
		return fmt.Errorf("submit %s: the queue is full: %w", item.RequestID, store.ErrUnavailable)
	}
	mine := *item
	if !d.async.take(&mine) {
		<-d.async.room
		return fmt.Errorf("submit %s: %w", item.RequestID, store.ErrExists)
	}
	stored := mine
	stored.Context = nil // what surrounds it is not kept
	ctx, cancel := context.WithTimeout(ctx, d.cfg.CommitTimeout)
	defer cancel()
	err := d.deps.Store.PutPending(ctx, store.Pending{
		App: mine.App, Request: mine.RequestID, Item: stored, Created: mine.ReceivedAt,
	})
	if err != nil {
		d.async.drop(&mine)
		return unavailable(err, "submit "+string(item.RequestID))
	}
	if !d.async.queue.put(&mine) { // closed: the next start resumes it
		d.async.drop(&mine)
	}
	return nil
}

// Resume takes up the accepted checks that no process finished. Call it once at
// the start, beside Serve: it waits while the queue is full, and returns when all
// are queued or ctx ends.
func (d *Desk) Resume(ctx context.Context) error {
	left, err := d.deps.Store.Pendings(ctx)
	if err != nil {
		return fmt.Errorf("resume pending checks: %w", err)
	}
	for i := range left {
		item := left[i].Item
		item.App, item.RequestID = left[i].App, left[i].Request
		select {
		case d.async.room <- struct{}{}:
		case <-ctx.Done():
			return fmt.Errorf("resume pending checks: %w", ctx.Err())
		}
		if !d.async.take(&item) {
			<-d.async.room
			continue
		}
		if !d.async.queue.put(&item) {
			d.async.drop(&item)
			return nil // closing: the next start resumes it
		}
	}
	return nil
}

// finish does one submitted check and stores its result, whatever it is.
func (d *Desk) finish(ctx context.Context, item *engines.Item) {
	defer d.async.drop(item)
	ev := d.gather()
	defer d.release(ev)
	o := d.decide(ctx, item, d.ruling(item), ev)
	err := d.insist(ctx, func(ctx context.Context) error {
		return d.deps.Store.FinishPending(ctx, decision(item, &o, ev, 1), caseOf(item, &o))
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
	return item, engines.Outcome{RequestID: got.Request, Verdict: got.Verdict, CaseID: got.CaseID, Took: got.Took}, nil
}
