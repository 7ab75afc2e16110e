package store

import "github.com/portcullis-gg/portcullis/engines"

// States of a policy's back-test.
const (
	PolicyBacktestQueued    = "queued"
	PolicyBacktestRunning   = "running"
	PolicyBacktestDone      = "done"
	PolicyBacktestFailed    = "failed"
	PolicyBacktestCancelled = "cancelled"
	PolicyBacktestLost      = "lost"
)

// PolicyBacktest decides stored decisions again under a draft.
type PolicyBacktest struct {
	App     engines.AppID
	ID      string
	Rollout string // "" where it was asked for by hand
	State   string
	// Drafts are the layers that were tried, JSON, as they were asked for.
	Drafts   string
	From, To int64 // epoch ms
	// Seen is how many stored decisions were decided again, Reached up to which time.
	Seen, Reached int64
	By            string
	Why           string
	Result        BacktestDiff
	Created       int64
	Changed       int64
}

// GoesOn reports whether its end is still to come.
func (b *PolicyBacktest) GoesOn() bool {
	return b.State == PolicyBacktestQueued || b.State == PolicyBacktestRunning
}

// BacktestDiff is what a draft would have changed. Weights count: a pass that stands
// for ten counts ten.
type BacktestDiff struct {
	// Decisions is how many were stored, Weight how many checks they stand for.
	Decisions int64
	Weight    float64
	// Pairs are the weights by what was decided and what the draft says.
	Pairs []PairWeight
	// Categories are the weights in which a category was found.
	Categories []CategoryWeight
	// Samples are an even draw of those that differ.
	Samples []PolicySample
	// Bare is how many have no content any more, so that they were decided by their
	// signals alone: words that the draft adds were not looked for in them.
	Bare int64
}

// PairWeight is one cell of suggestion by suggestion.
type PairWeight struct {
	Was, Is engines.Suggestion
	Weight  float64
}

// CategoryWeight says in how much a category was found then, under the draft, and both.
type CategoryWeight struct {
	Category      engines.Category
	Was, Is, Both float64
}

// Circumstances are what a decision rested on beside its signals.
type Circumstances struct {
	Segment, Region string
	StrictLevel     int
	Live            bool
	Use             engines.Use // of a picture
	Standing        engines.Standing
	Faults          []engines.Fault
}

// Plain reports whether there is nothing to say.
func (c *Circumstances) Plain() bool {
	st := &c.Standing
	known := st.Strikes != 0 || st.Trust != "" || st.EconomyRisk != 0 || len(st.Recent) > 0 || len(st.Earlier) > 0
	return c.Segment == "" && c.Region == "" && c.StrictLevel == 0 && !c.Live && c.Use == "" && !known && len(c.Faults) == 0
}

// PastDecision is a stored decision as far as it takes to decide it again.
type PastDecision struct {
	App      engines.AppID
	Request  engines.RequestID
	Player   engines.PlayerID
	Scene    engines.SceneID
	Session  engines.SessionID
	Kind     engines.Kind
	Language string
	Text     string // "" where it is no longer kept
	Mode     engines.Mode
	Signals  []engines.Signal
	Circumstances
	// Found is what was found then, whether or not callers acted on it. Labels may be
	// left out where there were no signals.
	Found   engines.Finding
	Weight  float64
	Created int64 // epoch ms
}
