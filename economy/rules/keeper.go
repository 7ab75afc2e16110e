package rules

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/follow"
	"github.com/portcullis-gg/portcullis/internal/turns"
)

const (
	// storeWithin bounds one look at the store, or one write behind.
	storeWithin = 5 * time.Second
)

type ruleKey struct {
	app  engines.AppID
	name string
}

// Keeper has the rules of all apps ready to run. Its methods are safe for concurrent
// use. It implements economy.Ruler.
type Keeper struct {
	deps Deps
	sets atomic.Pointer[map[engines.AppID]*set]

	mu       sync.Mutex // guards what follows, and that sets are made one by one
	rules    map[ruleKey]economy.Rule
	programs map[ruleKey]*running // those that run
	counters map[counterKey]*counter

	follower *follow.Follower
	snoozes  snoozes
	tests    *turns.Queue[*job]
}

var _ economy.Ruler = (*Keeper)(nil)

// New makes a keeper. Load reads the rules; Serve follows them.
func New(deps Deps) *Keeper {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	k := &Keeper{
		deps: deps, rules: map[ruleKey]economy.Rule{}, programs: map[ruleKey]*running{}, counters: map[counterKey]*counter{},
		snoozes: snoozes{of: map[snoozeKey]int64{}},
	}
	k.tests = turns.New(backtestQueue, k.writeBacktest)
	k.follower = follow.New(deps.Now, k.read, func(ctx context.Context, err error) {
		deps.Log.DebugContext(ctx, "economy: rules not read", "err", err)
	})
	k.sets.Store(&map[engines.AppID]*set{})
	return k
}

func (k *Keeper) clock() int64 { return k.deps.Now().UnixMilli() }

func (k *Keeper) setOf(app engines.AppID) *set { return (*k.sets.Load())[app] }

// Load reads all rules. Call it before anybody is answered.
func (k *Keeper) Load(ctx context.Context) error { return k.follower.Load(ctx) }

// Serve follows what other gateways change, writes counts and runs back-tests until
// ctx ends.
func (k *Keeper) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { k.follower.Serve(ctx) })
	wg.Go(func() { k.writeCounts(ctx) })
	wg.Go(func() { k.tests.Run(ctx, k.runBacktest) })
	wg.Go(func() { k.tests.Beat(ctx, beatEvery) })
	wg.Wait()
}

// Told has the rules looked at, since another gateway changed one. It does not wait.
func (k *Keeper) Told() { k.follower.Told() }

// read learns what changed at or after a time, all at 0.
func (k *Keeper) read(ctx context.Context, since int64) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	list, err := k.deps.Store.RulesChanged(ctx, since)
	if err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	k.learn(ctx, list)
	clock := k.clock()
	zs, err := k.deps.Store.SnoozesChanged(ctx, since, clock)
	if err != nil {
		return fmt.Errorf("snoozes: %w", err)
	}
	k.snoozes.put(zs, clock)
	return nil
}

// learn takes newest versions of rules in, and makes the sets of their apps anew.
func (k *Keeper) learn(ctx context.Context, list []economy.Rule) {
	k.mu.Lock()
	defer k.mu.Unlock()
	changed := map[engines.AppID]bool{}
	for i := range list {
		r := &list[i]
		key := ruleKey{r.App, r.Name}
		if k.rules[key].Version >= r.Version {
			continue
		}
		k.rules[key], changed[r.App] = *r, true
		delete(k.programs, key)
		if !r.State.Runs() {
			continue
		}
		p, err := Compile(r, k.deps.Known)
		if err != nil { // it was checked when it was stored: by another release
			k.deps.Log.ErrorContext(ctx, "economy: a rule does not compile and does not run", "app", r.App, "rule", r.Name, "version", r.Version, "err", err)
			continue
		}
		k.programs[key] = &running{p, k.counter(counterKey{r.App, r.Name, r.Version})}
	}
	if len(changed) > 0 {
		k.remake(changed)
	}
}

// remake makes the sets of some apps; k.mu is held.
func (k *Keeper) remake(apps map[engines.AppID]bool) {
	sets := maps.Clone(*k.sets.Load())
	lists := map[engines.AppID][]*running{}
	for key, r := range k.programs {
		if apps[key.app] {
			lists[key.app] = append(lists[key.app], r)
		}
	}
	for app := range apps {
		slices.SortFunc(lists[app], func(a, b *running) int { return strings.Compare(a.Rule.Name, b.Rule.Name) })
		sets[app] = newSet(lists[app])
	}
	k.sets.Store(&sets)
}
