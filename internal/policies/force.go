package policies

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Resolve returns the rules that hold for an item and, while a rollout of its app
// runs, who compares what they decide with what the other side would have: call its
// Decided once. It is nil otherwise. Nothing is allocated.
func (k *Keeper) Resolve(item *engines.Item) (*policy.Resolved, *Arm) {
	f := k.of(item.App)
	if f.trial == nil {
		return f.set.Resolve(item, item.ReceivedAt), nil
	}
	arm := f.trial.armOf(item)
	return arm.set.Resolve(item, item.ReceivedAt), arm
}

// Set is the policy in force for an app, rollouts aside.
func (k *Keeper) Set(app engines.AppID) *policy.Set { return k.of(app).set }

// Arm is one side of a rollout: those whom the live policy decides, or the draft.
type Arm struct {
	trial   *trial
	name    string // store.ArmLive or store.ArmDraft
	set     *policy.Set
	version string // what verdicts name, "" for the set's own
	counts  *armCounts
}

// armOf finds the side of an item. A player is on one side for as long as the share
// does not grow past it: the same at every gateway and after every start. What names
// no player is decided by the draft only once that decides for all.
func (t *trial) armOf(item *engines.Item) *Arm {
	switch {
	case t.share == 0:
		return &t.live
	case t.share >= 100, item.Player != "" && t.bucket(item.Player) < uint64(t.share):
		return &t.draft
	}
	return &t.live
}

// buckets is how finely players are told apart: a percent each.
const buckets = 100

// bucket is where a player falls, by hash of app, rollout and player: FNV-1a, whose
// last bits are spread by a finalizer since players' names often differ in one sign.
func (t *trial) bucket(player engines.PlayerID) uint64 {
	h := t.seed
	for i := range len(player) {
		h = (h ^ uint64(player[i])) * fnvPrime
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return h % buckets
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func seedOf(app engines.AppID, rollout string) uint64 {
	h := uint64(fnvOffset)
	for _, part := range []string{string(app), "\x00", rollout, "\x00"} {
		for i := range len(part) {
			h = (h ^ uint64(part[i])) * fnvPrime
		}
	}
	return h
}

// other is the opposite side's policy.
func (a *Arm) other() *policy.Set {
	if a.name == store.ArmLive {
		return a.trial.draft.set
	}
	return a.trial.live.set
}

// Decided counts what this side decided of an item beside what the other would have,
// and returns what the verdict names as its policy, "" for the set that decided, and, of
// a draft in shadow, what that would have found where either has something to say. It
// changes nothing else.
func (a *Arm) Decided(ctx context.Context, item *engines.Item, signals []engines.Signal, faults []engines.Fault, st engines.Standing, v engines.Verdict) (version string, shadow *engines.Finding) {
	t := a.trial
	if !t.concerns(item) {
		return a.version, nil
	}
	rules := a.other().Resolve(item, item.ReceivedAt)
	words := item.Words
	item.Words = rules.Words()
	signals, faults = t.keeper.under(ctx, item, signals, faults)
	theirs := policy.Decide(item, signals, faults, st, rules)
	item.Words = words
	live, draft := v.Found(), theirs.Found()
	if a.name == store.ArmDraft {
		live, draft = draft, live
	}
	a.counts.add(live, draft)
	if live.Suggestion != draft.Suggestion || differs(live, draft) != "" {
		t.sample(item, a.name, live, draft)
	}
	if t.rollout.State == store.RolloutShadow && (says(live) || says(draft)) {
		shadow = &engines.Finding{Suggestion: draft.Suggestion, Labels: draft.Labels}
	}
	return a.version, shadow
}

// says reports whether a finding is more than a clean pass.
func says(f *engines.Finding) bool {
	return f.Suggestion != engines.Pass || len(f.Labels) > 0
}

// concerns reports whether the layer that a rollout changes holds for an item. A list
// may be used by any layer.
func (t *trial) concerns(item *engines.Item) bool {
	if t.rollout.Layer == store.ListLayer {
		return true
	}
	return t.draft.set.Holds(item, t.inDraft) || t.live.set.Holds(item, t.inLive)
}
