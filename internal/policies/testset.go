package policies

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// runTests decides the lines of a test set under the draft. An error is policy.Faults,
// one for each line that is not as expected.
func (k *Keeper) runTests(ctx context.Context, r *store.Rollout) error {
	have, err := k.now(ctx, r.PolicyKey)
	if err != nil {
		return err
	}
	set, err := k.draftSet(&have.own, change(r))
	if err != nil {
		return err
	}
	if faults := k.failing(ctx, &have.own, r, set); len(faults) > 0 {
		return faults
	}
	return nil
}

// TestsNow decides the test set of a rollout under what is in force: how many lines it
// has, and a fault for each that is not as expected.
func (k *Keeper) TestsNow(ctx context.Context, key store.PolicyKey, id string) (of int, wrong policy.Faults, err error) {
	r, err := k.Rollout(ctx, key, id)
	if err != nil {
		return 0, nil, err
	}
	have, err := k.now(ctx, key)
	if err != nil {
		return 0, nil, err
	}
	set, err := k.draftSet(&have.own)
	if err != nil {
		return 0, nil, err
	}
	return len(r.Tests), k.failing(ctx, &have.own, &r, set), nil
}

// failing decides the lines of a test set and returns a fault for each that is not as
// expected.
func (k *Keeper) failing(ctx context.Context, o *own, r *store.Rollout, set *policy.Set) (faults policy.Faults) {
	place := &r.PolicyKey
	if layer, name, ok := strings.Cut(o.users(r.PolicyKey), "/"); ok { // a list holds where a layer names it
		place = &store.PolicyKey{App: r.App, Layer: layer, Name: name}
	}
	for i := range r.Tests {
		t := &r.Tests[i]
		item := engines.Item{
			App: r.App, Kind: t.Kind, Text: t.Content, Language: t.Language, Scene: t.Scene, Region: t.Region, Segment: t.Segment, ReceivedAt: k.deps.Now(),
		}
		whereItHolds(place, &item)
		v := k.decide(ctx, &item, set)
		if why := unexpected(t, v.Found()); why != "" {
			faults = append(faults, policy.Fault{Pointer: fmt.Sprintf("/tests/%d", i), Reason: why})
		}
	}
	return faults
}

// whereItHolds has a test be of what its layer holds for where it says nothing of that
// itself: under another layer's rules it would say nothing of the draft.
func whereItHolds(key *store.PolicyKey, item *engines.Item) {
	language, ofLanguage := strings.CutPrefix(key.Name, "lang:")
	switch policy.LayerKind(key.Layer) {
	case policy.KindChannel:
		item.Scene = cmp.Or(item.Scene, engines.SceneID(strings.TrimSuffix(key.Name, "*")))
	case policy.KindMode:
		if item.Kind == "" && item.Scene == "" && key.Name == "name" {
			item.Kind = engines.KindName
		}
		item.Scene = cmp.Or(item.Scene, engines.SceneID(key.Name))
	case policy.KindSegment:
		item.Segment = cmp.Or(item.Segment, key.Name)
	case policy.KindRegion:
		if ofLanguage {
			item.Language = cmp.Or(item.Language, language)
		} else {
			item.Region = cmp.Or(item.Region, key.Name)
		}
	}
}

// unexpected says how a finding differs from what a test wants, "" where it does not.
func unexpected(t *store.PolicyTest, f *engines.Finding) string {
	switch {
	case t.Suggestion != "" && f.Suggestion != t.Suggestion:
		return fmt.Sprintf("is %s, not %s", f.Suggestion, t.Suggestion)
	case t.Category != "" && !has(f, t.Category):
		return fmt.Sprintf("is not found to be %s", t.Category)
	}
	return ""
}

// draftSet compiles what an app has with changes. An error is policy.Faults.
func (k *Keeper) draftSet(o *own, changes ...store.Policy) (*policy.Set, error) {
	after, err := o.with(changes...)
	if err != nil {
		return nil, err
	}
	return k.compile(&after)
}

// decide has the engines look at an item and a policy decide it, as the desk would.
func (k *Keeper) decide(ctx context.Context, item *engines.Item, set *policy.Set) engines.Verdict {
	if item.Kind == "" {
		item.Kind = engines.KindText
	}
	r := set.Resolve(item, item.ReceivedAt)
	item.Words = r.Words()
	signals, faults := k.deps.Inspect(ctx, item, nil)
	return policy.Decide(item, signals, faults, engines.Standing{}, r)
}
