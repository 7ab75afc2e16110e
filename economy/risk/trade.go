package risk

import (
	"math"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Evaluate implements economy.Book.
func (b *Book) Evaluate(p *economy.Proposal, at int64) economy.Evaluation {
	s := b.recent()
	b.mu.RLock()
	from, _ := b.ids.find(string(p.Sender))
	to, _ := b.ids.find(string(p.Receiver))
	cur, _ := b.coins.find(p.Deal.Money.Type)
	back, _ := b.coins.find(p.Deal.ReturnMoney.Type)
	give, ret := b.stacks(p.Deal.Items), b.stacks(p.Deal.ReturnItems)
	b.mu.RUnlock()
	vg, _ := s.worth(give)
	vb, _ := s.worth(ret)
	vg += s.coins(&side{gives: p.Deal.Money.Amount, cur: cur})
	vb += s.coins(&side{gives: p.Deal.ReturnMoney.Amount, cur: back})
	var e economy.Evaluation
	none := 1.0
	add := func(c code, v float64) {
		if v < .05 {
			return
		}
		none *= 1 - v
		e.Reasons = append(e.Reasons, catalogue[c].ID)
	}
	free := ramp(math.Abs(vg-vb), .2, 1.5)
	if vg < fairHigh*vb && vb < fairHigh*vg {
		free = 0
	}
	add(riskySender, .8*free*float64(s.riskOf(from, at).Score)/100)
	add(riskyRecipient, .8*free*float64(s.riskOf(to, at).Score)/100)
	add(unusualTradeValue, .3*ramp(max(vg, vb), 5, 50))
	e.Score = int(math.Round(100 * (1 - none)))
	e.Suggestion = engines.Pass
	if e.Score >= 50 {
		e.Suggestion = engines.Review
		e.Score = min(e.Score, 79)
	}
	return e
}

// stacks are legs of a proposal; b.mu is held.
func (b *Book) stacks(stacks []economy.Stack) []leg {
	legs := make([]leg, 0, len(stacks))
	for i := range stacks {
		item, _ := b.items.find(stacks[i].Item)
		legs = append(legs, leg{item: item, count: stacks[i].Count, uid: hash(0, stacks[i].UID)})
	}
	return legs
}
