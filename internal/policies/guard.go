package policies

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// defaultBounds are those of a rollout that names none.
var defaultBounds = store.RolloutBounds{
	Block:  store.Bound{Absolute: .05, Relative: 3},
	Review: store.Bound{Absolute: .10, Relative: 3},
	Least:  200,
}

// certainty is how many standard errors a share's interval reaches: 99 % of the time
// the share lies in it, so that chance alone seldom stops a rollout.
const certainty = 2.576

// share is what of n is k.
type share struct{ k, n float64 }

func (s share) value() float64 {
	if s.n == 0 {
		return 0
	}
	return s.k / s.n
}

// interval is Wilson's score interval, which also holds where k is 0 or n is small
// (E. B. Wilson, Journal of the American Statistical Association 22, 1927).
func (s share) interval() (low, high float64) {
	if s.n == 0 {
		return 0, 1
	}
	const z2 = certainty * certainty
	p := s.value()
	center := p + z2/(2*s.n)
	width := certainty * math.Sqrt(p*(1-p)/s.n+z2/(4*s.n*s.n))
	over := 1 + z2/s.n
	return max((center-width)/over, 0), min((center+width)/over, 1)
}

// left says how the draft's share has left a bound around the live one, "" while it
// has not. Where it may be chance, it has not.
func left(what string, b store.Bound, least int64, live, draft share) string {
	if live.n < float64(least) || draft.n < float64(least) {
		return ""
	}
	liveLow, liveHigh := live.interval()
	draftLow, draftHigh := draft.interval()
	said := fmt.Sprintf("the share of %s is %.2f %% under the draft and %.2f %% under the live policy (of %.0f and %.0f)",
		what, 100*draft.value(), 100*live.value(), draft.n, live.n)
	switch {
	case b.Absolute > 0 && (draftLow-liveHigh > b.Absolute || liveLow-draftHigh > b.Absolute):
		return fmt.Sprintf("%s: more than %.2f points apart", said, 100*b.Absolute)
	case b.Relative > 0 && (draftLow > liveHigh*b.Relative || liveLow > draftHigh*b.Relative):
		return fmt.Sprintf("%s: more than a factor of %.4g apart", said, b.Relative)
	}
	return ""
}

// outside says which bound is left, "" for none.
func outside(b *store.RolloutBounds, live, draft [3]float64) string {
	n := func(a [3]float64) float64 { return a[0] + a[1] + a[2] }
	for _, one := range []struct {
		bound store.Bound
		what  engines.Suggestion
		name  string
	}{{b.Block, engines.Block, "blocks"}, {b.Review, engines.Review, "reviews"}} {
		i := one.what.Rank()
		if why := left(one.name, one.bound, b.Least, share{live[i], n(live)}, share{draft[i], n(draft)}); why != "" {
			return why
		}
	}
	return ""
}

// sides adds up what a step's counts say: what each side decided (arms), and what
// both policies say of the same items (pairs).
func sides(counts []store.PolicyCount, step string) (arms, pairs struct{ Live, Draft [3]float64 }) {
	for _, c := range counts {
		if c.Step != step || c.Category != "" {
			continue
		}
		i, j := engines.Suggestion(c.Live).Rank(), engines.Suggestion(c.Draft).Rank()
		pairs.Live[i] += float64(c.N)
		pairs.Draft[j] += float64(c.N)
		if c.Arm == store.ArmLive {
			arms.Live[i] += float64(c.N)
		} else {
			arms.Draft[j] += float64(c.N)
		}
	}
	return arms, pairs
}

// watch stops rollouts whose counts, those of all gateways, have left their bounds.
func (k *Keeper) watch(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	for app, f := range *k.apps.Load() {
		r, running := k.running(app)
		if !running {
			continue
		}
		why := "its draft does not compile any more beside what has changed since"
		if f.trial != nil {
			counts, err := k.deps.Store.PolicyCounts(ctx, app, r.ID)
			if err != nil {
				k.deps.Log.DebugContext(ctx, "policy counts not read", "err", err)
				continue
			}
			arms, pairs := sides(counts, stepOf(&r))
			if why = outside(&r.Bounds, pairs.Live, pairs.Draft); why == "" {
				why = outside(&r.Bounds, arms.Live, arms.Draft)
			}
		}
		if why != "" {
			k.stopByBounds(ctx, r, why)
		}
	}
}

func (k *Keeper) running(app engines.AppID) (store.Rollout, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r, ok := k.rollouts[app]
	return r, ok
}

// ourselves is who stops a rollout that has left its bounds.
const ourselves = "portcullis"

// stopByBounds stops a rollout; of several gateways that want to, one does.
func (k *Keeper) stopByBounds(ctx context.Context, r store.Rollout, why string) {
	next := r
	next.Why = why
	enter(&next, store.RolloutStopped, 0, ourselves, why)
	stored, err := k.deps.Store.PutRollout(ctx, next, r.Version, "", nil)
	if errors.Is(err, store.ErrConflict) {
		k.Told() // another gateway was faster, or somebody changed it
		return
	}
	if err != nil {
		k.deps.Log.WarnContext(ctx, "a rollout has left its bounds and is not stopped yet", "app", r.App, "rollout_id", r.ID, "err", err)
		return
	}
	k.deps.Log.WarnContext(ctx, "a rollout has left its bounds and is stopped", "app", r.App, "layer", r.Layer, "name", r.Name, "rollout_id", r.ID, "why", why)
	k.learn(ctx, nil, []store.Rollout{stored})
	k.deps.Tell()
	if k.deps.Stopped != nil {
		k.deps.Stopped(&stored)
	}
}
