package policies

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Trial is what policies say of one item: the one in force, and a draft.
type Trial struct {
	Live, Draft     engines.Verdict
	LiveBy, DraftBy policy.Explanation
}

// Try has the policy in force and a draft of it decide an item. Nothing is recorded or
// counted. Errors are policy.Faults, those of a draft with its place in the list before
// them, and the store's.
func (k *Keeper) Try(ctx context.Context, drafts []Change, item *engines.Item) (Trial, error) {
	have, after, err := k.drafted(ctx, item.App, drafts)
	if err != nil {
		return Trial{}, err
	}
	set, err := k.compile(&after)
	if err != nil {
		return Trial{}, err
	}
	live, err := k.compile(&have.own)
	if err != nil {
		live = k.of(item.App).set
	}
	var t Trial
	mine := *item // whose words each policy sets
	t.Live = k.decide(ctx, &mine, live)
	t.Draft = k.decide(ctx, &mine, set)
	t.LiveBy, t.DraftBy = live.Explain(item, item.ReceivedAt), set.Explain(item, item.ReceivedAt)
	return t, nil
}

// drafted is what an app has, and what it would have with drafts, all of which are
// judged beside each other.
func (k *Keeper) drafted(ctx context.Context, app engines.AppID, drafts []Change) (have current, after own, err error) {
	have, err = k.now(ctx, store.PolicyKey{App: app})
	if err != nil {
		return have, after, err
	}
	var faults policy.Faults
	changes := make([]store.Policy, len(drafts))
	for i := range drafts {
		c := &drafts[i]
		changes[i] = store.Policy{PolicyKey: c.PolicyKey, Removed: c.Remove}
		if c.Remove {
			continue
		}
		if changes[i].Body, err = canonical(c); err != nil {
			faults = append(faults, ofDraft(i, err)...)
		}
	}
	if len(faults) > 0 {
		return have, after, faults
	}
	if after, err = have.own.with(changes...); err != nil {
		return have, after, err
	}
	if _, err := k.compile(&after); err != nil {
		return have, after, ofDrafts(drafts, err)
	}
	return have, after, nil
}
