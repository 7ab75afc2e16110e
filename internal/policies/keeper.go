package policies

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/follow"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/turns"
)

const (
	// storeWithin bounds one look at the store, or one write behind.
	storeWithin = 5 * time.Second
)

// Keeper has the policies of all apps ready to decide. Its methods are safe for
// concurrent use.
type Keeper struct {
	deps   Deps
	built  []View
	shared *force // of apps with nothing of their own
	apps   atomic.Pointer[map[engines.AppID]*force]

	mu       sync.Mutex // guards what follows, and that forces are made one by one
	docs     map[store.PolicyKey]store.Policy
	rollouts map[engines.AppID]store.Rollout // those that run
	seen     map[string]int                  // versions of rollouts, by app and id
	tallies  []*tally                        // those with something to write, and those that run

	follower *follow.Follower
	tests    *turns.Queue[*job]
}

// New makes a keeper. Load reads what is stored; Serve follows it.
func New(deps Deps) (*Keeper, error) {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	k := &Keeper{
		deps: deps, docs: map[store.PolicyKey]store.Policy{}, rollouts: map[engines.AppID]store.Rollout{}, seen: map[string]int{},
	}
	k.tests = turns.New(backtestQueue, k.writeBacktest)
	k.follower = follow.New(deps.Now, k.read, func(ctx context.Context, err error) { deps.Log.DebugContext(ctx, "policies not read", "err", err) })
	set, err := k.compile(&own{})
	if err != nil {
		return nil, fmt.Errorf("policies: %w", err)
	}
	if k.built, err = builtIn(&deps); err != nil {
		return nil, fmt.Errorf("policies: %w", err)
	}
	k.shared = &force{set: set}
	k.apps.Store(&map[engines.AppID]*force{})
	return k, nil
}

func (k *Keeper) clock() int64 { return k.deps.Now().UnixMilli() }

// force is what is in force for an app. It does not change once it is made.
type force struct {
	set   *policy.Set
	own   own
	trial *trial // nil where no rollout runs
}

func (k *Keeper) of(app engines.AppID) *force {
	if f := (*k.apps.Load())[app]; f != nil {
		return f
	}
	return k.shared
}

// Load reads all policies. Call it before anybody is answered.
func (k *Keeper) Load(ctx context.Context) error { return k.follower.Load(ctx) }

// Serve follows what other gateways change, writes counts, watches bounds and runs
// back-tests until ctx ends.
func (k *Keeper) Serve(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { k.follower.Serve(ctx) })
	wg.Go(func() { k.writeCounts(ctx) })
	wg.Go(func() { k.tests.Run(ctx, k.runBacktest) })
	wg.Go(func() { k.tests.Beat(ctx, beatEvery) })
	wg.Wait()
}

// Told has policies looked at, since another gateway changed one. It does not wait.
func (k *Keeper) Told() { k.follower.Told() }

// read learns what changed at or after a time, all at 0.
func (k *Keeper) read(ctx context.Context, since int64) error {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	// Rollouts first: one that published is over before its layer is the new one, so
	// that nobody is decided by an old layer in between.
	list, err := k.deps.Store.RolloutsChanged(ctx, since)
	if err != nil {
		return err
	}
	docs, err := k.deps.Store.PoliciesChanged(ctx, since)
	if err != nil {
		return err
	}
	if since == 0 {
		if list, err = k.withEnded(ctx, list); err != nil {
			return err
		}
	}
	k.learn(ctx, docs, list)
	return nil
}

// withEnded adds to the rollouts that hold those that run here and hold no more, whose
// end was not heard of.
func (k *Keeper) withEnded(ctx context.Context, list []store.Rollout) ([]store.Rollout, error) {
	k.mu.Lock()
	known := maps.Clone(k.rollouts)
	k.mu.Unlock()
	for _, r := range list {
		if known[r.App].ID == r.ID {
			delete(known, r.App)
		}
	}
	for app, r := range known {
		now, err := k.deps.Store.Rollout(ctx, app, r.ID)
		if err != nil {
			return nil, err
		}
		list = append(list, now)
	}
	return list, nil
}

// learn takes newest versions in, and makes what is in force for their apps anew.
func (k *Keeper) learn(ctx context.Context, docs []store.Policy, rollouts []store.Rollout) {
	k.mu.Lock()
	defer k.mu.Unlock()
	changed := map[engines.AppID]bool{}
	for i := range docs {
		d := &docs[i]
		if k.docs[d.PolicyKey].Version < d.Version {
			k.docs[d.PolicyKey], changed[d.App] = *d, true
		}
	}
	for i := range rollouts {
		if k.learnRollout(&rollouts[i]) {
			changed[rollouts[i].App] = true
		}
	}
	if len(changed) == 0 {
		return
	}
	apps := maps.Clone(*k.apps.Load())
	for app := range changed {
		apps[app] = k.make(ctx, app, apps[app])
	}
	k.apps.Store(&apps)
}

// learnRollout reports whether a rollout changes what is in force; k.mu is held.
func (k *Keeper) learnRollout(r *store.Rollout) bool {
	id := string(r.App) + "\n" + r.ID
	if k.seen[id] >= r.Version {
		return false
	}
	have, running := k.rollouts[r.App]
	if r.State.Runs() {
		k.seen[id] = r.Version
		k.rollouts[r.App] = *r
		return true
	}
	if running && have.ID == r.ID {
		k.seen[id] = r.Version
		delete(k.rollouts, r.App)
		return true
	}
	return false
}
