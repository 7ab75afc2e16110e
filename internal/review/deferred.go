package review

import (
	"context"
	"log/slog"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// deferredCheck is a live message that was let through. It keeps the rules under
// which that happened: a new policy does not change what delivery meant.
type deferredCheck struct {
	item *engines.Item
	by   ruling
}

// putOff queues the check of a live message; false means that it has to be
// checked now.
func (d *Desk) putOff(item *engines.Item, by ruling) bool {
	mine := *item
	if d.deferred.put(deferredCheck{&mine, by}) {
		return true
	}
	d.metrics.fullLate.Inc()
	return false
}

// late checks what was delivered. A store that is down stops the worker until
// the record is there: the queue then fills, messages are checked before they
// are delivered, and those that are flagged are refused, so that nothing piles up
// unseen.
func (d *Desk) late(ctx context.Context, c deferredCheck) {
	ev := d.gather()
	defer d.release(ev)
	o := d.decide(ctx, c.item, c.by, ev)
	if !flagged(&o.Verdict) {
		d.passes.put(c.item, &o, ev, c.by.rules)
		d.tell(ctx, c.item, &o, ev, pathDeferred)
		return
	}
	err := d.insist(ctx, func(ctx context.Context) error {
		rec, err := d.fullDecision(ctx, c.item, &o, ev)
		if err == nil {
			err = d.deps.Store.PutDecision(ctx, rec, d.caseOf(c.item, &o), messageOf(c.item, &o, pathDeferred))
		}
		if err == nil {
			err = d.kept(ctx, c.item, &rec)
		}
		return err
	})
	if err != nil {
		d.log.LogAttrs(ctx, slog.LevelError, "deferred verdict lost",
			slog.String("request_id", string(c.item.RequestID)), slog.Any("error", err))
		return
	}
	o.Took = time.Since(c.item.ReceivedAt)
	d.scenes.Late(c.item, o)
	d.tell(ctx, c.item, &o, ev, pathDeferred)
}

// Pauses between attempts to record what nobody waits for.
const (
	firstPause = 50 * time.Millisecond
	maxPause   = 2 * time.Second
)

// insist repeats put until it succeeds or ctx ends.
func (d *Desk) insist(ctx context.Context, put func(context.Context) error) error {
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		attempt, cancel := context.WithTimeout(ctx, d.cfg.CommitTimeout)
		err := put(attempt)
		cancel()
		if err == nil {
			return nil
		}
		d.metrics.unrecorded.Inc()
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
	}
}
