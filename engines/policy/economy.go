package policy

import "github.com/portcullis-gg/portcullis/engines"

const (
	defaultEconomyRisk = 75 // where the economy calls a risk high
	defaultStricter    = 1
	neverRisk          = 101 // above every score
)

// economyRule is what a high economy risk does. Who advertises for money is found
// in the logs as often as in the chat, so that either makes the other likelier.
type economyRule struct {
	risk     int
	stricter int // levels
}

func (c *EconomyConfig) rule() economyRule {
	return economyRule{risk: orElse(c.Risk, defaultEconomyRisk), stricter: orElse(c.Stricter, defaultStricter)}
}

// concerns reports whether a signal of a player is judged more strictly. A level
// that the caller gave stands.
func (e *economyRule) concerns(item *engines.Item, st engines.Standing, s *engines.Signal) bool {
	return st.EconomyRisk >= e.risk && s.Category == engines.Spam && (item.StrictLevel < 1 || item.StrictLevel > MaxStrictness)
}

// tighten makes a rule stricter and reports whether that matters to the signal.
func (e *economyRule) tighten(r *rule, s *engines.Signal) (matters bool) {
	before := cutoffs[r.level]
	r.level = min(r.level+e.stricter, MaxStrictness)
	after := cutoffs[r.level]
	between := func(low, high float64) bool { return s.Confidence >= low && s.Confidence < high }
	return r.enabled && (between(after.review, before.review) || r.action == ActionBlock && between(after.block, before.block))
}
