package rules

import (
	"cmp"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// set is what runs of an app's rules. It does not change once it is made.
type set struct {
	players, trades  []*running
	sender, receiver bool // some rule asks about them
}

// running is a rule that runs, with where it is counted.
type running struct {
	*Program
	counts *counter
}

func newSet(list []*running) *set {
	s := &set{}
	for _, r := range list {
		if r.Rule.On == economy.OnPlayer {
			s.players = append(s.players, r)
			continue
		}
		s.trades = append(s.trades, r)
		s.sender = s.sender || r.uses[ofSender]
		s.receiver = s.receiver || r.uses[ofReceiver]
	}
	return s
}

const dayMillis = 86_400_000

func dayOf(ms int64) int64 {
	d := ms / dayMillis
	if ms%dayMillis < 0 {
		d--
	}
	return d
}

// OnPlayer implements economy.Ruler.
func (k *Keeper) OnPlayer(app engines.AppID, player engines.PlayerID, of func(engines.PlayerID) economy.Features, at int64, count bool, r *economy.Risk) {
	s := k.setOf(app)
	if s == nil || len(s.players) == 0 {
		return
	}
	f := of(player)
	base := *r
	for _, run := range s.players {
		live := run.Rule.State == economy.Live
		if !live && !count {
			continue
		}
		hit, err := run.Player(&f)
		var t economy.RuleTally
		hit = tally(&t, hit, err, hit && k.snoozes.has(snoozeKey{app, run.Rule.Name, player}, k.clock()))
		if hit && economy.LevelOf(economy.AddScore(base.Score, run.Rule.Then.Factor)) != base.Level {
			t.Raised++
		}
		if count {
			run.counts.add(dayOf(at), t)
		}
		if hit && live {
			raise(r, &run.Rule)
		}
	}
}

// tally counts one evaluation and reports whether it hits.
func tally(t *economy.RuleTally, hit bool, err error, snoozed bool) bool {
	t.Evaluations++
	switch {
	case err != nil:
		t.Errors++
	case hit && snoozed:
		t.Snoozed++
	case hit:
		t.Hits++
		return true
	}
	return false
}

// raise adds a rule's factor to a risk.
func raise(r *economy.Risk, rule *economy.Rule) {
	r.Score = economy.AddScore(r.Score, rule.Then.Factor)
	r.Level = economy.LevelOf(r.Score)
	factor := economy.Factor{Code: economy.RulePrefix + rule.Name, Score: rule.Then.Factor}
	at, _ := slices.BinarySearchFunc(r.Factors, factor, func(a, b economy.Factor) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), -1) // after its equals
	})
	r.Factors = slices.Insert(slices.Clip(r.Factors), at, factor) // the model may keep its list
}

// OnTrade implements economy.Ruler.
func (k *Keeper) OnTrade(app engines.AppID, p *economy.Proposal, of func(engines.PlayerID) economy.Features, at int64, e *economy.Evaluation) {
	s := k.setOf(app)
	if s == nil || len(s.trades) == 0 {
		return
	}
	base := *e
	c := Case{Deal: &p.Deal, Model: &base, Sender: &economy.Features{}, Receiver: &economy.Features{}}
	if s.sender {
		f := of(p.Sender)
		c.Sender = &f
	}
	if s.receiver {
		f := of(p.Receiver)
		c.Receiver = &f
	}
	var hits []*economy.Rule
	for _, run := range s.trades {
		hit, err := run.Trade(&c)
		snoozed := hit && (k.snoozes.has(snoozeKey{app, run.Rule.Name, p.Sender}, k.clock()) || k.snoozes.has(snoozeKey{app, run.Rule.Name, p.Receiver}, k.clock()))
		var t economy.RuleTally
		if tally(&t, hit, err, snoozed) {
			changes(&t, base.Suggestion, judged(base, &run.Rule).Suggestion)
			if run.Rule.State == economy.Live {
				hits = append(hits, &run.Rule)
			}
		}
		run.counts.add(dayOf(at), t)
	}
	if len(hits) > 0 {
		*e = judged(base, hits...)
	}
}

// changes counts what a rule makes of the model's suggestion.
func changes(t *economy.RuleTally, was, is engines.Suggestion) {
	switch {
	case was == is:
	case was == engines.Pass && is == engines.Review:
		t.PassReview++
	case was == engines.Pass && is == engines.Block:
		t.PassBlock++
	case is == engines.Block:
		t.ReviewBlock++
	}
}

var rank = map[engines.Suggestion]int{engines.Pass: 0, engines.Review: 1, engines.Block: 2}

// judged is an evaluation with the rules that hit. A block is a hard reason, a review
// is at least that, a score adds to the score and blocks nothing by itself. Nothing
// makes a trade look better. Rules that go beyond the model stand before its reasons.
func judged(base economy.Evaluation, hits ...*economy.Rule) economy.Evaluation {
	e := economy.Evaluation{Suggestion: base.Suggestion, Score: base.Score}
	var before, after []string
	for _, r := range hits {
		switch r.Then.Suggestion {
		case engines.Block:
			e.Suggestion, e.Score = engines.Block, max(e.Score, economy.BlockFrom)
		case engines.Review:
			if e.Suggestion == engines.Pass {
				e.Suggestion = engines.Review
			}
			e.Score = max(e.Score, economy.ReviewFrom)
		default:
			e.Score = economy.AddScore(e.Score, r.Then.Score)
		}
		reason := economy.RulePrefix + r.Name
		switch {
		case r.Then.Suggestion == engines.Block:
			before = slices.Insert(before, 0, reason)
		case rank[r.Then.Suggestion] > rank[base.Suggestion]:
			before = append(before, reason)
		default:
			after = append(after, reason)
		}
	}
	if e.Suggestion != engines.Block {
		if e.Score = min(e.Score, economy.BlockFrom-1); e.Score >= economy.ReviewFrom {
			e.Suggestion = engines.Review
		}
	}
	e.Reasons = slices.Concat(before, base.Reasons, after)
	return e
}
