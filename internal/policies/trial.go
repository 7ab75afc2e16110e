package policies

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// trial is a rollout as it runs here.
type trial struct {
	keeper      *Keeper
	rollout     store.Rollout
	share       int
	step        string
	seed        uint64
	live, draft Arm
	// The number of the layer that is changed in each side's policy, 0 for none.
	inLive, inDraft policy.LayerNumber
	tally           *tally
}

// tally is what a step of a rollout has counted here and not written yet. It outlives
// a change of the policy beside it.
type tally struct {
	cell        store.PolicyCell // app, rollout and step
	live, draft armCounts

	mu      sync.Mutex
	samples []store.PolicySample
	drawn   int // of this step, those that are written too
}

// suggestions in the order of their rank.
var suggestions = [3]engines.Suggestion{engines.Pass, engines.Review, engines.Block}

// categories are those that are counted apart.
var categories = slices.Concat(engines.TextCategories, engines.MediaCategories)

// armCounts counts pairs of suggestions, live by draft, and where categories were
// found: by live alone, by the draft alone, by both.
type armCounts struct {
	pairs      [3][3]counter
	categories [32][3]counter
}

type counter = atomic.Int64

func (c *armCounts) add(live, draft *engines.Finding) {
	c.pairs[live.Suggestion.Rank()][draft.Suggestion.Rank()].Add(1)
	if len(live.Labels) == 0 && len(draft.Labels) == 0 {
		return
	}
	for i, name := range categories {
		a, b := has(live, name), has(draft, name)
		switch {
		case a && b:
			c.categories[i][2].Add(1)
		case a:
			c.categories[i][0].Add(1)
		case b:
			c.categories[i][1].Add(1)
		}
	}
}

func has(f *engines.Finding, c engines.Category) bool {
	for i := range f.Labels {
		if f.Labels[i].Category == c {
			return true
		}
	}
	return false
}

// differs names the first category that one of two findings has alone, "" for none.
func differs(a, b *engines.Finding) engines.Category {
	for i := range a.Labels {
		if !has(b, a.Labels[i].Category) {
			return a.Labels[i].Category
		}
	}
	for i := range b.Labels {
		if !has(a, b.Labels[i].Category) {
			return b.Labels[i].Category
		}
	}
	return ""
}

// sample keeps an item of which the sides say different things. Rule when full: no
// more of this step.
func (t *trial) sample(item *engines.Item, arm string, live, draft *engines.Finding) {
	w := t.tally
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.drawn >= store.SamplesOfStep {
		return
	}
	w.drawn++
	w.samples = append(w.samples, store.PolicySample{
		App: w.cell.App, Rollout: w.cell.Rollout, Step: w.cell.Step, Request: item.RequestID, Live: live.Suggestion, Draft: draft.Suggestion,
		Arm: arm, Category: differs(live, draft), At: item.ReceivedAt.UnixMilli(),
	})
}

// stepOf names the step that counts are kept by.
func stepOf(r *store.Rollout) string {
	if r.State == store.RolloutPartial {
		return strconv.Itoa(r.Share)
	}
	return string(r.State)
}

// change is the version of its layer that a rollout is about.
func change(r *store.Rollout) store.Policy {
	return store.Policy{PolicyKey: r.PolicyKey, Body: r.Body, Removed: r.Remove}
}

// trial makes what runs of a rollout beside a live policy; nil where its draft does
// not compile with it any more, which it did when it was made.
func (k *Keeper) trial(ctx context.Context, r *store.Rollout, f, was *force) *trial {
	o, err := f.own.with(change(r))
	var set *policy.Set
	if err == nil {
		set, err = k.compile(&o)
	}
	if err != nil {
		k.broken(ctx, &r.PolicyKey, err)
		return nil
	}
	id := r.Layer + "/" + r.Name
	t := &trial{
		keeper: k, rollout: *r, inLive: f.set.Number(id), inDraft: set.Number(id), share: r.Share, step: stepOf(r), seed: seedOf(r.App, r.ID),
	}
	if was != nil && was.trial != nil && was.trial.rollout.ID == r.ID && was.trial.step == t.step {
		t.tally = was.trial.tally
	} else {
		t.tally = &tally{cell: store.PolicyCell{App: r.App, Rollout: r.ID, Step: t.step}}
		k.keep(t.tally)
	}
	t.live = Arm{trial: t, name: store.ArmLive, set: f.set, counts: &t.tally.live}
	t.draft = Arm{trial: t, name: store.ArmDraft, set: set, counts: &t.tally.draft}
	if t.share > 0 {
		t.live.version = f.set.Version() + "+" + r.ID + "/" + store.ArmLive
		t.draft.version = set.Version() + "+" + r.ID + "/" + store.ArmDraft
	}
	return t
}
