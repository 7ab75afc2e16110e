package banks

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	countsEvery  = 10 * time.Second
	countsWithin = 5 * time.Second
	day          = 24 * time.Hour
	// An import that takes longer than this to arrive is given up.
	importsWithin = day
)

// count is what a bank found and nobody has written yet.
type count struct{ live, test atomic.Int64 }

func (c *count) add(state string) {
	if state == store.ImageBankLive {
		c.live.Add(1)
	} else {
		c.test.Add(1)
	}
}

// keepCounts writes counts behind until ctx ends, and once after; now and then it
// removes imports that were given up. What is not written is kept for the next time,
// and lost with the process: they are figures to go by.
func (k *Keeper) keepCounts(ctx context.Context) {
	tick := time.NewTicker(countsEvery)
	defer tick.Stop()
	for rounds := 0; ; rounds++ {
		select {
		case <-ctx.Done():
			k.writeCounts(context.WithoutCancel(ctx))
			return
		case <-tick.C:
		}
		k.writeCounts(ctx)
		if rounds%360 == 0 {
			if err := k.deps.Store.SweepImageImports(ctx, k.now().Add(-importsWithin)); err != nil {
				k.deps.Log.WarnContext(ctx, "imports into image banks not swept", "err", err)
			}
		}
	}
}

func (k *Keeper) writeCounts(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, countsWithin)
	defer cancel()
	today := k.now().UTC().Truncate(day).UnixMilli()
	var list []store.ImageMatches
	var back []func()
	take := func(id, state string, n *atomic.Int64) {
		if taken := n.Swap(0); taken > 0 {
			list = append(list, store.ImageMatches{Bank: id, Day: today, State: state, N: taken})
			back = append(back, func() { n.Add(taken) })
		}
	}
	k.mu.Lock()
	for id, h := range k.banks {
		take(id, store.ImageBankLive, &h.count.live)
		take(id, store.ImageBankTest, &h.count.test)
	}
	k.mu.Unlock()
	if len(list) == 0 {
		return
	}
	if err := k.deps.Store.AddImageMatches(ctx, list); err != nil {
		for _, put := range back {
			put()
		}
		k.deps.Log.WarnContext(ctx, "matches of image banks not counted", "err", err)
	}
}
