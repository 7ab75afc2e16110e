package text

import (
	"math"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// The network that reads a message as a whole (meaning.go) says of any language what is offered,
// asked for and told in it: words and rules know the deals that somebody wrote down for them,
// and the linear model the words, but not what a sentence of ordinary words comes to. It is
// asked where the first stage has a suspicion and nothing is settled (dealsweigh.go), which
// ordinary chat hardly gives it. What both say may raise a message to a finding that a person
// looks at, and take back what the model and rules that are not sure said of parcels, trade
// inside a game, news and comfort, and, where no deal is to be seen at all, what words and rules
// said of trade in a complaint or a tale.

// What the rules of this stage are called.
const (
	dealsRule    = "model/deals"  // a finding of its own
	dealsLowered = "+deals"       // behind the rule of one that it took back
	dealsSkipped = "+deals(busy)" // behind one that it was to be asked about and was not
)

// longest is how many words a message may have, and mostPoints how many code points, where words
// have no end. The network reads 64 pieces: whatever it says of a longer one, an offer may stand
// behind them.
const (
	longest    = 40
	mostPoints = 10 * longest
)

// asks reports whether the network is to be asked about a message with these findings: where
// what it might take back is all that would be acted on, and where the first stage suspects a
// deal. Where something blocks, or a crime that is no trade or personal data is evident, there
// is nothing to learn: the message is looked at anyway.
func (w *Weighing) asks(item *engines.Item, found []engines.Signal, d *Deal) bool {
	if item.Kind != engines.KindText || d.Sides[DealLength] > math.Log1p(longest) || d.points > mostPoints {
		return false
	}
	doubted, firm := false, false
	for i := range found {
		g := &found[i]
		switch {
		case d.traded(g):
			doubted = true
		case g.Category.HighRisk() && g.Confidence >= blocked:
			return false
		case loose(g):
			doubted = doubted || g.Confidence >= evident
		case g.Confidence < evident:
		case kindOf(g.Category) >= 0:
			return false
		default:
			firm = true
		}
	}
	return !firm && (doubted || w.Suspicion(d) >= w.From)
}

// loose reports whether the network may take a finding back: one that the linear model made,
// or a rule about offers and crime that is not sure. Words of the lists are there whatever
// is meant, and numbers with the shape or the check digit of an account stay what they are.
func loose(g *engines.Signal) bool {
	switch g.Source {
	case engines.SourceModel:
		return kindOf(g.Category) >= 0 || g.Category == engines.Harassment || g.Category == engines.Violence
	case engines.SourceRule:
		return g.Confidence < blocked && (g.Category == engines.Spam && g.SubLabel == "rmt" || g.Category == engines.Illegal && tradeOf(g.SubLabel))
	}
	return false
}

// traded reports whether a finding is an evident trade by words or rules, which the network may
// still take for a complaint, a warning or a tale. What came out of a disguise it cannot read.
func (d *Deal) traded(g *engines.Signal) bool {
	if d.veiled || g.Confidence < evident || loose(g) || strings.Contains(g.Rule, "+") {
		return false
	}
	switch g.Source {
	case engines.SourceRule, engines.SourceLexicon:
		return g.Category == engines.Spam && g.SubLabel == "rmt" || g.Category == engines.Illegal && tradeOf(g.SubLabel)
	}
	return false
}

// tradeOf reports whether a sub-label of crime is about what is traded. Who is told to die,
// a child that is met and a cause that is fought for are not weighed against tone.
func tradeOf(sub string) bool {
	switch sub {
	case "", "drugs", "weapons", "fraud":
		return true
	}
	return false
}

// readDeals brings the signals out[from:] to what both stages say, where the network answered;
// where it had no time those that it might have taken back say so.
func (e *Engine) readDeals(s *scratch, d *Deal, ok bool, from int, out []engines.Signal) []engines.Signal {
	if !ok {
		for i := from; i < len(out); i++ {
			if loose(&out[i]) && !strings.HasSuffix(out[i].Rule, meaningSkipped) {
				out[i].Rule += dealsSkipped
			}
		}
		return out
	}
	w := e.weighing
	j := w.judge(d)
	var surest [Kinds]float64
	for i := from; i < len(out); i++ {
		g := &out[i]
		if p, back := j.takesBack(w, d, g); back {
			g.Confidence = p
			g.Rule += dealsLowered
		}
		if k := kindOf(g.Category); k >= 0 {
			surest[k] = max(surest[k], g.Confidence)
		}
	}
	for k := range Kinds {
		p := j.kinds[k]
		if p < w.Raise || p <= surest[k] || d.serial && kinds[k] == engines.Privacy {
			continue
		}
		h, _ := HeadOf(kinds[k])
		out = append(out, engines.Signal{
			Category: kinds[k], Severity: heads[h].severity, Confidence: min(p, unaided), Source: engines.SourceModel,
			Span: engines.Span{End: int(s.norm.points)}, Rule: dealsRule,
		})
	}
	return out
}

// judged is what both stages make of a message: the probability of each kind, of the likeliest,
// and of anything else that is wrong.
type judged struct {
	kinds            [Kinds]float64
	likeliest, wrong float64
}

func (w *Weighing) judge(d *Deal) (j judged) {
	for k := range Kinds {
		j.kinds[k] = expit(w.Kinds[k].LogOdds(d))
		j.likeliest = max(j.likeliest, j.kinds[k])
	}
	j.wrong = expit(w.Wrong.LogOdds(d))
	return j
}

// takesBack reports whether a finding counts no more than p. What the linear model took for abuse
// needs the message to be no deal either: of one that it took for the other, something was right.
// And it stays where the lists know a word of abuse: two of three see it then.
func (j *judged) takesBack(w *Weighing, d *Deal, g *engines.Signal) (p float64, back bool) {
	most := 0.0
	switch p = j.likeliest; {
	case d.traded(g):
		most = w.Deny
	case !loose(g):
	case kindOf(g.Category) >= 0:
		most = w.Lower
	case j.likeliest < w.Lower && d.Sides[DealInsult] == 0:
		p, most = j.wrong, w.Calm
	}
	return p, p < most && p < g.Confidence
}

// OfNetwork reports whether a rule is a finding that the network made, whatever was done to it since.
func OfNetwork(rule string) bool {
	own, _, _ := strings.Cut(rule, "+")
	return own == dealsRule || own == meaningRule
}
