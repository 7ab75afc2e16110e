package risk

import (
	"cmp"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const (
	reviewFrom = economy.ReviewFrom
	blockFrom  = economy.BlockFrom
)

// Evaluate implements economy.Book.
func (b *Book) Evaluate(p *economy.Proposal, at int64) economy.Evaluation {
	s := b.recent()
	o := b.offered(s, p, at)
	var v opinion
	v.weigh(s, o, at)
	return v.evaluation()
}

// opinion gathers reasons against a trade.
type opinion struct {
	reasons []reason
	none    float64 // chance that none of them is right
	keep    float64 // part of the rest that speaks for the trade
	hard    bool
}

type reason struct {
	code code
	v    float64 // what it would give alone; < 0: it lowers
}

// reasonFrom is the least that a reason is worth mentioning.
const reasonFrom = .04

func (v *opinion) add(c code, x float64) {
	if !(x > 0) {
		return
	}
	x = min(.98, x)
	v.none *= 1 - x
	if x >= reasonFrom {
		v.reasons = append(v.reasons, reason{c, x})
	}
}

// certain adds a reason that is enough to block.
func (v *opinion) certain(c code, x float64) {
	v.add(c, x)
	v.hard = true
}

func (v *opinion) lower(c code, x float64) {
	if x < reasonFrom {
		return
	}
	v.keep = 1 - (1-v.keep)*(1-x)
	v.reasons = append(v.reasons, reason{c, -x})
}

// says reports whether one of the codes is among the reasons.
func (v *opinion) says(codes ...code) bool {
	return slices.ContainsFunc(v.reasons, func(r reason) bool { return slices.Contains(codes, r.code) })
}

// evaluation writes the opinion out. Without a hard reason nothing is blocked.
func (v *opinion) evaluation() economy.Evaluation {
	score := int(math.Round(100 * (1 - v.none) * (1 - v.keep)))
	if !v.hard {
		score = min(score, blockFrom-1)
	}
	e := economy.Evaluation{Score: score, Suggestion: engines.Pass}
	switch {
	case score >= blockFrom:
		e.Suggestion = engines.Block
	case score >= reviewFrom:
		e.Suggestion = engines.Review
	}
	slices.SortStableFunc(v.reasons, func(x, y reason) int {
		return cmp.Or(cmp.Compare(y.v, x.v), cmp.Compare(x.code, y.code))
	})
	for _, r := range v.reasons {
		e.Reasons = append(e.Reasons, catalogue[r.code].ID)
	}
	return e
}

// weigh judges an offer.
func (v *opinion) weigh(s *snapshot, o *offer, at int64) {
	v.none = 1
	v.holdings(s, o, at)
	v.company(s, o, at)
	v.shape(s, o, at)
	v.market(s, o, at)
	v.ways(s, o, at)
	if v.hard {
		return // nothing speaks for it
	}
	v.friends(s, o, at)
}
