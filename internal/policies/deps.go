package policies

import (
	"context"
	"log/slog"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Store keeps policies and what their rollouts did. A nil error means that what was
// given is on disk; errors are those of internal/store.
type Store interface {
	Documents
	Rollouts
	Backtests
}

// Documents keeps the versions of layers, lists and settings.
type Documents interface {
	// PutPolicy commits a version and returns it with its number, was+1, and its time.
	// store.ErrConflict: was is not the newest one; store.ErrRollout: a rollout of it runs.
	PutPolicy(ctx context.Context, p store.Policy, was int) (store.Policy, error)
	// Policies lists the newest versions of an app, removed ones too.
	Policies(ctx context.Context, app engines.AppID) ([]store.Policy, error)
	// PolicyHistory lists versions below before, newest first; at 0 from the newest on.
	PolicyHistory(ctx context.Context, key store.PolicyKey, before, most int) ([]store.Policy, error)
	// PoliciesChanged lists the newest versions of all apps that were stored at or after
	// a time of our clock, epoch ms; at 0 all.
	PoliciesChanged(ctx context.Context, since int64) ([]store.Policy, error)
}

// Rollouts keeps changes on their way and their counts.
type Rollouts interface {
	// PutRollout stores one that was at a version, 0 for a new one, and with it the
	// version of its layer that it becomes. by "" is ourselves, when bounds stop it.
	PutRollout(ctx context.Context, r store.Rollout, was int, by string, publish *store.Policy) (store.Rollout, error)
	Rollout(ctx context.Context, app engines.AppID, id string) (store.Rollout, error)
	Rollouts(ctx context.Context, q store.RolloutQuery) ([]store.Rollout, error)
	// RolloutsChanged is PoliciesChanged for rollouts; at 0 those that hold.
	RolloutsChanged(ctx context.Context, since int64) ([]store.Rollout, error)
	// AddPolicyCounts adds counts to those that are stored, all of it or nothing.
	AddPolicyCounts(ctx context.Context, counts []store.PolicyCount, samples []store.PolicySample) error
	PolicyCounts(ctx context.Context, app engines.AppID, rollout string) ([]store.PolicyCount, error)
	PolicySamples(ctx context.Context, app engines.AppID, rollout string) ([]store.PolicySample, error)
}

// Backtests keeps back-tests and what they read.
type Backtests interface {
	// StartPolicyBacktest stores a new one. store.ErrRunning: another one of the app
	// goes on, and was heard of since lost.
	StartPolicyBacktest(ctx context.Context, b store.PolicyBacktest, lost int64) error
	PutPolicyBacktest(ctx context.Context, b store.PolicyBacktest) error
	PolicyBacktest(ctx context.Context, app engines.AppID, id string) (store.PolicyBacktest, error)
	PolicyBacktests(ctx context.Context, app engines.AppID, most int) ([]store.PolicyBacktest, error)
	// PastDecisions hands on stored decisions in the order of their time, some at once.
	PastDecisions(ctx context.Context, app engines.AppID, from, to int64, each func([]store.PastDecision) error) error
}

// Deps is what a Keeper stands on.
type Deps struct {
	Store Store
	// Base is the policy of the configuration file, BaseBody the same as JSON. Built are
	// the layers that come with the program or with the file, which an app's own of the
	// same name replace (BuiltSource says which); Words has their lists, and makes matchers.
	Base     policy.Config
	BaseBody string
	Built    []policy.Layer

	BuiltSource string
	Words       policy.Words
	// Inspect has the engines look at an item, as the desk would.
	Inspect func(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, []engines.Fault)
	// Reword makes of signals that engines found in a text those of item.Words; it may
	// write to them.
	Reword func(ctx context.Context, item *engines.Item, signals []engines.Signal) ([]engines.Signal, error)
	// Tell has the other gateways look for changes. It does not wait.
	Tell func()
	// Stopped hears of a rollout that stopped by its bounds. It does not wait.
	Stopped func(r *store.Rollout)
	Log     *slog.Logger
	// Now is our clock; nil is time.Now.
	Now func() time.Time
}
