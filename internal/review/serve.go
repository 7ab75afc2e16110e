package review

import (
	"context"
	"sync"
	"time"
)

// Serve runs what the desk does behind its answers until ctx ends, and returns
// when all of it has: deferred checks done and passes written, within
// CloseTimeout. Submitted checks that have not begun stay in the store, for the
// next start or another process. Stop those who call Check before ctx ends; later calls still work,
// with nothing put off. Serve is called once.
func (d *Desk) Serve(ctx context.Context) {
	// Work outlives ctx by CloseTimeout, so that closing drains and does not drop.
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()

	var workers, writer sync.WaitGroup
	for range d.cfg.DeferredWorkers {
		workers.Go(func() {
			for c := range d.deferred.items {
				d.late(work, c)
			}
		})
	}
	for range d.cfg.AsyncWorkers {
		workers.Go(func() { d.finishAll(ctx, work) })
	}
	writer.Go(func() { d.passes.run(work) })

	<-ctx.Done()
	timer := time.AfterFunc(d.cfg.CloseTimeout, stop)
	defer timer.Stop()
	d.deferred.close()
	d.async.queue.close()
	workers.Wait()
	d.passes.queue.close() // after the workers, who put into it
	writer.Wait()
	// What was not begun needs no waiting for: another process may have it now.
	back, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.cfg.CommitTimeout)
	defer cancel()
	if err := d.deps.Store.KeepPendings(back, d.deps.Node, time.UnixMilli(0)); err != nil {
		d.log.WarnContext(ctx, "accepted checks not given back", "err", err)
	}
}

// finishAll does submitted checks until ctx ends, finishing the one in hand.
func (d *Desk) finishAll(ctx, work context.Context) {
	for item := range d.async.queue.items {
		if ctx.Err() != nil {
			d.async.drop(item) // its row stays
			continue
		}
		d.finish(work, item)
	}
}
