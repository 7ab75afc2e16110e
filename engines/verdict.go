package engines

import "time"

// Suggestion says what to do with the content.
type Suggestion string

// The suggestions, mildest first.
const (
	Pass   Suggestion = "pass"
	Review Suggestion = "review"
	Block  Suggestion = "block"
)

// Rank orders suggestions: 0 pass, 1 review, 2 block.
func (s Suggestion) Rank() int {
	switch s {
	case Block:
		return 2
	case Review:
		return 1
	}
	return 0
}

// Action says what the gateway did, or would do, in this mode.
type Action string

// The actions.
const (
	Deliver Action = "deliver"
	Hold    Action = "hold"
	Drop    Action = "drop"
	Mask    Action = "mask"
)

// Mode is a filtering mode of the service document.
type Mode string

// The filtering modes.
const (
	RealTimeBlock  Mode = "real_time_block"
	DeferredReview Mode = "deferred_review"
	PreReview      Mode = "pre_review"
	MonitorOnly    Mode = "monitor_only"
)

// Modes lists the filtering modes.
var Modes = []Mode{RealTimeBlock, DeferredReview, PreReview, MonitorOnly}

// Label is one detected category, the strongest signal of that category and sub-label.
type Label struct {
	Category   Category
	SubLabel   string
	Severity   int
	Confidence float64
	Source     Source
	// Place is where in the media its strongest signal lies; nil for text.
	Place *Place
}

// Finding is what was found: the suggestion that it leads to and why.
type Finding struct {
	Suggestion Suggestion
	Labels     []Label
}

// Verdict is what policy makes of an item's signals.
type Verdict struct {
	Finding
	Action Action
	// Warn is set where the player is to be told.
	Warn bool
	Mode Mode
	// Hits are the places in the text that led to Labels or Observed, sorted,
	// without repeats.
	Hits []Span
	// Masked is the text to deliver when Action is Mask.
	Masked string
	// Observed is what was found where callers must not act on it (monitor only,
	// shadow policies); nil elsewhere.
	Observed *Finding
	// Shadow is what a policy in shadow would have found, nil where none is tried or
	// neither policy has anything to say. Nobody acts on it.
	Shadow *Finding
	// Combined says what the confidence of a label's category is made of, where more
	// than its surest signal had a part in it: several ways within the item, earlier
	// content of its player, the economy. In the order of categories; nil for none.
	Combined []Combined
	// Case is set where a person has to look.
	Case bool
	// Mandatory is set where a mandatory rule (the law, or the policy's global layer)
	// was broken.
	Mandatory bool
	// Degraded is set when an engine that should have answered did not.
	Degraded bool
	// Stricter says why the player was judged more strictly than others, where that made a
	// difference to what was found: StricterEconomy, StricterRecent, StricterEarlier, or "".
	Stricter string
	// Reason is what the policy has the player told of why, "" for nothing but what was
	// found. It is kept in the decision's statement of reasons.
	Reason string
	// PolicyVersion names the policy that decided.
	PolicyVersion string
}

// Found returns what was found, whether or not callers may act on it.
func (v *Verdict) Found() *Finding {
	if v.Observed != nil {
		return v.Observed
	}
	return &v.Finding
}

// Outcome is what the desk hands back for one item, after everything that must
// be on disk is on disk.
type Outcome struct {
	RequestID RequestID
	Verdict   Verdict
	CaseID    CaseID
	// Took is the time from Item.ReceivedAt to the verdict.
	Took time.Duration
	// Pending is set when the content was let through (deferred review) or taken
	// (async) and its check follows; Verdict then says what happens meanwhile.
	Pending bool
}

// Fault is an engine that did not do its part.
type Fault struct {
	Engine string
	// Reason is "late", "failed", "overloaded" or "refused".
	Reason string
	// Refusal is why the content can't be looked at, nil where that is not the cause.
	Refusal *Refusal
}

// Standing is what is known of a player when policy decides.
type Standing struct {
	Strikes int
	// Trust is "trusted", "watched" or "" (default).
	Trust string
	// EconomyRisk is the risk that the player abuses the economy, 0 to 100.
	EconomyRisk int
	// Recent counts the player's violations of the last time by category, of content
	// of every kind; nil when there are none. It is read only.
	Recent map[Category]int
	// Earlier is what was found in the player's earlier content and stands, newest first,
	// EarlierMost at most and not older than EarlierWithin. It is read only.
	Earlier []Earlier
}

// StricterEconomy is the Verdict.Stricter of a player with a high economy risk.
const StricterEconomy = "economy_risk"

// StricterEarlier is the Verdict.Stricter of a player in whose earlier content the same
// was found.
const StricterEarlier = "earlier_content"

// StricterRecent is the Verdict.Stricter of a player with recent violations of the
// same category.
const StricterRecent = "recent_violations"
