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

// concerns reports whether a signal of a player is judged more strictly. A level
// that the caller gave stands.
func (e *economyRule) concerns(item *engines.Item, st *engines.Standing, s *engines.Signal) bool {
	return st.EconomyRisk >= e.risk && s.Category == engines.Spam && !callerLevel(item)
}

// matters reports whether a signal is judged otherwise at level than at before.
func (r *rule) matters(s *engines.Signal, before, level int) bool {
	from, to := cutoffs[before], cutoffs[level]
	between := func(low, high float64) bool { return s.Confidence >= low && s.Confidence < high }
	return r.enabled && (between(to.review, from.review) || r.action == ActionBlock && between(to.block, from.block))
}
