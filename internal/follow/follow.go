// Package follow keeps what a process has in memory in step with a store that other
// gateways write to. They tell each other of a change at once, by a note that may be
// lost; so the store is looked at every second for what changed since the last look,
// and every minute for all of it.
package follow

import (
	"context"
	"time"
)

const (
	// every is how often changes are looked for that no note told of.
	every = time.Second
	// back is how far apart the clocks of two gateways may be, and how long a change
	// may take to commit.
	back = time.Minute
	// allEvery is how often everything is read: for clocks that are further apart.
	allEvery = time.Minute
)

// Follower has a reader look at the store. Told is safe for concurrent use; Load comes
// before Serve, which runs once.
type Follower struct {
	now    func() time.Time
	read   func(ctx context.Context, since int64) error
	missed func(ctx context.Context, err error)

	since int64         // what was stored before this is known, epoch ms of our clock
	told  chan struct{} // 1: a look is due already
}

// New makes a follower. read learns what changed at or after a time (epoch ms), all of
// it at 0, and is never called twice at once; missed hears of the looks that failed.
func New(now func() time.Time, read func(ctx context.Context, since int64) error, missed func(ctx context.Context, err error)) *Follower {
	return &Follower{now: now, read: read, missed: missed, told: make(chan struct{}, 1)}
}

// Load reads everything.
func (f *Follower) Load(ctx context.Context) error {
	f.since = f.now().UnixMilli()
	return f.read(ctx, 0)
}

// Told has the store looked at now. It does not wait.
func (f *Follower) Told() {
	select {
	case f.told <- struct{}{}:
	default:
	}
}

// Serve looks until ctx ends.
func (f *Follower) Serve(ctx context.Context) {
	tick, all := time.NewTicker(every), time.NewTicker(allEvery)
	defer tick.Stop()
	defer all.Stop()
	for {
		from := f.since - back.Milliseconds()
		select {
		case <-ctx.Done():
			return
		case <-f.told:
		case <-tick.C:
		case <-all.C:
			from = 0
		}
		start := f.now().UnixMilli()
		if err := f.read(ctx, from); err != nil {
			f.missed(ctx, err) // the next round reads from the same time on
			continue
		}
		f.since = start
	}
}
