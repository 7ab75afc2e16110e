package policies_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// failing is a store whose counts fail while it is told so.
type failing struct {
	*sqlstore.Store
	mu   sync.Mutex
	down bool
	n    int
}

func (f *failing) set(down bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = down
}

func (f *failing) tried() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

func (f *failing) AddPolicyCounts(ctx context.Context, counts []store.PolicyCount, samples []store.PolicySample) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	if f.down {
		return store.ErrUnavailable
	}
	return f.Store.AddPolicyCounts(ctx, counts, samples)
}

// Counts wait while the store is away, also those of a step that is over, and are those
// of all gateways.
func TestCountsWaitForTheStore(t *testing.T) {
	db := &failing{Store: openStore(t)}
	one, two := newKeeper(t, db), newKeeper(t, db)
	serve(t, one)
	serve(t, two)
	r := begin(t, one, change("channel", "arena", strict), wide, store.RolloutShadow, 0)
	eventually(t, "the rollout at the other gateway", func() bool {
		item := engines.Item{App: "game", ReceivedAt: time.Now()}
		_, arm := two.Resolve(&item)
		return arm != nil
	})
	db.set(true)
	for range 5 {
		decide(one, "arena", "p")
		decide(two, "arena", "p")
	}
	was := db.tried()
	eventually(t, "two attempts in vain", func() bool { return db.tried() >= was+4 })
	r = advance(t, one, r)
	decide(one, "arena", "")
	db.set(false)
	eventually(t, "all counts", func() bool {
		s := statsOf(t, one, &r)
		return len(s.Steps) == 2 && s.Steps[0].Pairs[1][2] == 10 && s.Steps[1].Pairs[1][2] == 1
	})
}

// Of two gateways that see that bounds are left one stops the rollout, once.
func TestBoundsStopARollout(t *testing.T) {
	db := openStore(t)
	var mu sync.Mutex
	var told []string
	two := [2]*policies.Keeper{}
	for i := range two {
		deps := depsOf(db)
		deps.Stopped = func(r *store.Rollout) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, r.Why)
		}
		two[i] = keeperOf(t, deps)
		serve(t, two[i])
	}
	bounds := store.RolloutBounds{Block: store.Bound{Absolute: .2}, Least: 20}
	r := begin(t, two[0], change("channel", "arena", strict), bounds, store.RolloutPartial, 10)
	for i := range 60 {
		decide(two[0], "arena", engines.PlayerID(fmt.Sprint("p", i)))
	}
	eventually(t, "the stop", func() bool {
		var err error
		if r, err = two[1].Rollout(t.Context(), r.PolicyKey, r.ID); err != nil {
			t.Fatal(err)
		}
		return r.State == store.RolloutStopped
	})
	if r.Step != store.RolloutPartial || r.Share != 10 || !strings.Contains(r.Why, "blocks") {
		t.Errorf("it stopped as %+v", r)
	}
	eventually(t, "the live policy for all", func() bool { return drafted(two[0]) == 0 && drafted(two[1]) == 0 })
	mu.Lock()
	defer mu.Unlock()
	if len(told) != 1 {
		t.Errorf("it was told of %d times, want once: %v", len(told), told)
	}
}

// A rollout whose layer can't be compiled any more beside what has changed stops.
func TestDraftThatNoLongerCompiles(t *testing.T) {
	db := openStore(t)
	k := newKeeper(t, db)
	serve(t, k)
	put(t, k, change(store.ListLayer, "studio", `{"prohibited":["zorgon"]}`), 0)
	r := begin(t, k, change("channel", "arena", `{"lists":["studio"]}`), wide, store.RolloutShadow, 0)
	gone := change(store.ListLayer, "studio", "")
	gone.Remove = true
	put(t, k, gone, 1)
	eventually(t, "the stop", func() bool {
		got, err := k.Rollout(t.Context(), r.PolicyKey, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		return got.State == store.RolloutStopped && got.Why != ""
	})
}

// deaf is a store that shows no change of a rollout that has ended, as one whose clock
// is far from ours.
type deaf struct{ *sqlstore.Store }

func (d deaf) RolloutsChanged(ctx context.Context, _ int64) ([]store.Rollout, error) {
	return d.Store.RolloutsChanged(ctx, 0)
}

// The end of a rollout that was not heard of is found when all is read.
func TestEndThatWasNotHeard(t *testing.T) {
	db := openStore(t)
	one, two := newKeeper(t, db), newKeeper(t, deaf{db})
	serve(t, one)
	r := begin(t, one, change("channel", "arena", strict), wide, store.RolloutPartial, 1)
	r = advance(t, one, r)
	r = advance(t, one, r)
	if err := two.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if drafted(two) == 0 {
		t.Fatal("the second gateway does not know of the rollout")
	}
	if _, err := one.Stop(t.Context(), order(&r)); err != nil {
		t.Fatal(err)
	}
	if err := two.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := drafted(two); n != 0 {
		t.Errorf("%d players are still decided by the draft", n)
	}
}
