package store

import (
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
)

// RolloutState is how far a change of a policy is.
type RolloutState string

// The states of a rollout, in their order; the last three are other ends than Live.
const (
	RolloutProposed RolloutState = "proposed" // waits for another person, then is published as a whole
	RolloutDraft    RolloutState = "draft"
	RolloutTested   RolloutState = "tested"   // its test set passed
	RolloutBacktest RolloutState = "backtest" // its back-test runs, or is done
	RolloutShadow   RolloutState = "shadow"   // decides beside the live policy and does nothing
	RolloutPartial  RolloutState = "partial"  // decides for Share percent of the players
	RolloutLive     RolloutState = "live"
	RolloutPaused   RolloutState = "paused"   // decides for nobody; goes on at Step and Share
	RolloutStopped  RolloutState = "stopped"  // by hand or by its bounds
	RolloutReturned RolloutState = "returned" // taken back, after it was live too
)

// Shares are the percentages of players that a rollout goes through.
var Shares = []int{1, 10, 50, 100}

// Runs reports whether a gateway has to know of a rollout in this state.
func (s RolloutState) Runs() bool { return s == RolloutShadow || s == RolloutPartial }

// Ended reports whether a rollout goes on no more.
func (s RolloutState) Ended() bool {
	return s == RolloutLive || s == RolloutStopped || s == RolloutReturned
}

// Holds reports whether a rollout in this state keeps others of its app from running.
func (s RolloutState) Holds() bool { return s.Runs() || s == RolloutPaused }

// Rollout is a change of a policy on its way.
type Rollout struct {
	PolicyKey
	ID string
	// Version is its optimistic lock.
	Version int
	State   RolloutState
	// Step is the state in which a paused one goes on, or in which it ended.
	Step  RolloutState
	Share int // percent of the players in RolloutPartial, else 0
	// Base is the version of the layer that it began from and would follow; 0 is none.
	Base int
	// Body is the layer as it is to be, "" where Remove.
	Body     string
	Remove   bool
	Tests    []PolicyTest
	Bounds   RolloutBounds
	Backtest string // id of its last back-test
	By       string
	// Approved is who approved it, under the two-person rule; "" nobody yet.
	Approved string
	Comment  string
	Why      string // why it stopped
	// Published is the version that it became; 0 none.
	Published int
	Created   int64 // epoch ms of our clock
	Changed   int64
	Steps     []RolloutStep // what happened to it, oldest first
}

// RolloutStep is one change of a rollout's state.
type RolloutStep struct {
	State RolloutState
	Share int
	By    string
	Why   string
	At    int64
}

// PolicyTest is one line of a test set.
type PolicyTest struct {
	Content  string
	Language string
	Scene    engines.SceneID
	Kind     engines.Kind
	Region   string
	Segment  string
	// Suggestion and Category are what is expected, "" where it does not matter.
	Suggestion engines.Suggestion
	Category   engines.Category
}

// RolloutBounds are how far the draft's shares of blocks and reviews may lie from
// those of the live policy before a rollout stops by itself.
type RolloutBounds struct {
	Block, Review Bound
	// Least is from how many decisions of each side on a bound may stop it.
	Least int64
}

// Bound is left where the shares differ by more than Absolute, or by more than the
// factor Relative either way, whatever chance may have to do with it; 0 is no bound.
type Bound struct{ Absolute, Relative float64 }

// PolicyCell names a count of a rollout. Pairs are what both policies said of the
// same item; Arm says whose word stood.
type PolicyCell struct {
	App     engines.AppID
	Rollout string
	Step    string // shadow, or the share: 1, 10, 50, 100
	Arm     string // live or draft
	// Category is "" for the suggestions of the items; else Live and Draft say found
	// or "" for it.
	Category    engines.Category
	Live, Draft string
}

// The arms of a rollout.
const (
	ArmLive  = "live"
	ArmDraft = "draft"
)

// PolicyCount is how often a cell was met.
type PolicyCount struct {
	PolicyCell
	N int64
}

// PolicySample is an item of which the policies said different things.
type PolicySample struct {
	App     engines.AppID
	Rollout string
	Step    string
	Request engines.RequestID
	// Live and Draft are the suggestions; Arm whose word stood.
	Live, Draft engines.Suggestion
	Arm         string
	Category    engines.Category // the first that differs, "" for none
	At          int64
}

// SamplesOfStep is how many samples of one step of a rollout are kept.
const SamplesOfStep = 100

// ShareAfter is the share that follows one; 0 where none does.
func ShareAfter(share int) int {
	at := slices.IndexFunc(Shares, func(s int) bool { return s > share })
	if at < 0 {
		return 0
	}
	return Shares[at]
}

// RolloutQuery asks for rollouts of an app, newest first.
type RolloutQuery struct {
	App         engines.AppID
	Layer, Name string // "" is any
	State       RolloutState
	Before      int64 // created before, epoch ms; 0 is now
	BeforeID    string
	Most        int
}
