package rules

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const (
	countsEvery = 5 * time.Second
	// countsAtOnce is how many counts one write has.
	countsAtOnce = 256
	// countDays is how many days of a rule's version wait to be written. Rule when
	// full, as where the store is away for long: the oldest day is dropped.
	countDays = 8
	lastWrite = 2 * time.Second
)

// counterKey is a version of a rule.
type counterKey struct {
	app     engines.AppID
	rule    string
	version int
}

// counter counts what a version did and is not written yet, by day.
type counter struct {
	mu   sync.Mutex
	days map[int64]economy.RuleTally
}

func (c *counter) add(day int64, t economy.RuleTally) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.days == nil {
		c.days = map[int64]economy.RuleTally{}
	}
	sum, ok := c.days[day]
	if !ok && len(c.days) == countDays {
		delete(c.days, slices.Min(slices.Collect(maps.Keys(c.days))))
	}
	sum.Add(t)
	c.days[day] = sum
}

// take takes what waits.
func (c *counter) take() map[int64]economy.RuleTally {
	c.mu.Lock()
	defer c.mu.Unlock()
	days := c.days
	c.days = nil
	return days
}

// counter is where a version is counted; k.mu is held.
func (k *Keeper) counter(key counterKey) *counter {
	c := k.counters[key]
	if c == nil {
		c = &counter{}
		k.counters[key] = c
	}
	return c
}

// writeCounts writes counts behind, again and again while the store is away.
func (k *Keeper) writeCounts(ctx context.Context) {
	tick := time.NewTicker(countsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
			defer cancel()
			k.flush(ctx)
			return
		case <-tick.C:
			k.flush(ctx)
		}
	}
}

// flush writes what was counted. What is not written stays; a write whose fate is not
// known, as past its time, may count twice.
func (k *Keeper) flush(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	k.mu.Lock()
	all := maps.Clone(k.counters)
	k.mu.Unlock()
	var list []economy.RuleCount
	for key, c := range all {
		for day, t := range c.take() {
			list = append(list, economy.RuleCount{App: key.app, Rule: key.rule, Version: key.version, Day: day, RuleTally: t})
		}
	}
	for chunk := range slices.Chunk(list, countsAtOnce) {
		if err := k.deps.Store.AddRuleCounts(ctx, chunk); err != nil {
			k.deps.Log.DebugContext(ctx, "economy: rule counts not written", "err", err)
			for _, one := range chunk {
				all[counterKey{one.App, one.Rule, one.Version}].add(one.Day, one.RuleTally)
			}
		}
	}
	k.forgetCounters()
}

// forgetCounters drops the counters of versions that no longer run.
func (k *Keeper) forgetCounters() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for key, c := range k.counters {
		r, ok := k.rules[ruleKey{key.app, key.rule}]
		c.mu.Lock()
		waits := len(c.days) > 0
		c.mu.Unlock()
		if !waits && (!ok || r.Version != key.version || !r.State.Runs()) {
			delete(k.counters, key)
		}
	}
}
