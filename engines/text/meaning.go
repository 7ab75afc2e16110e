package text

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// The second stage: a network that reads an English message as a whole
// (engines/text/meaning) is asked about the few of which the model, which knows words and
// their order around groups of people, is unsure. What both say together may raise a message
// to a finding that a person looks at, and take a weak one back.

// Meaning reads messages.
type Meaning interface {
	// Read gives the log-odds that a text attacks people for what they are; ok is false
	// where there is no answer now, and the message is judged without.
	Read(ctx context.Context, text string) (logit float64, ok bool)
}

// What the rules of the second stage are called.
const (
	meaningRule    = "model/meaning"  // a finding of its own
	meaningLowered = "+meaning"       // behind the rule of one that it took back in part
	meaningSkipped = "+meaning(busy)" // behind one that it was to be asked about and was not
)

// unsure are the probabilities of abuse between which the second stage is asked; where a
// group of people is named it is asked below it too. At blocked nothing is unsure any more.
const (
	unsure  = 0.25
	blocked = 0.85
)

// The regression of both: the log-odds of the highest confidence of hate or abuse, those of
// the second stage, and a constant. Fitted on every second row of split=dev of English sets
// of hate that the gate asks about, see MODEL_CARD.md.
const (
	blendFast     = 0.35
	blendMeaning  = 0.75
	blendConstant = -0.2
)

// unaided is the highest confidence that the second stage gives by itself: it never blocks.
const unaided = 0.84

// second asks the second stage about a message whose signals are out[from:].
func (e *Engine) second(ctx context.Context, s *scratch, item *engines.Item, from int, p *[classifier.Heads]float64, out []engines.Signal) []engines.Signal {
	if e.meaning == nil || !s.asks(item, out[from:], p) {
		return out
	}
	fast := max(p[classifier.Abuse], p[classifier.Hate], surest(out[from:]))
	logOdds, ok := e.meaning.Read(ctx, item.Text)
	if !ok {
		for i := from; i < len(out); i++ {
			if attacks(&out[i]) {
				out[i].Rule += meaningSkipped
			}
		}
		return out
	}
	both := min(expit(blendConstant+blendFast*logit(fast)+blendMeaning*logOdds), unaided)
	return s.agree(both, from, out)
}

// asks reports whether the second stage is asked: about English, where nothing is sure, and
// a group of people is named or abuse is likely enough.
func (s *scratch) asks(item *engines.Item, found []engines.Signal, p *[classifier.Heads]float64) bool {
	if item.Kind != engines.KindText || !s.facts.named && max(p[classifier.Abuse], p[classifier.Hate]) < unsure {
		return false
	}
	for i := range found {
		if found[i].Category.HighRisk() && found[i].Confidence >= blocked {
			return false
		}
	}
	return s.hinted == "" && s.plausible(english) || english == s.hint
}

// surest is the highest confidence of an attack on somebody.
func surest(found []engines.Signal) (c float64) {
	for i := range found {
		if attacks(&found[i]) {
			c = max(c, found[i].Confidence)
		}
	}
	return c
}

func attacks(g *engines.Signal) bool {
	return g.Category == engines.Hate || g.Category == engines.Harassment
}

// agree brings the signals out[from:] to what both stages say: those of the model and of an
// attack on a group that are weaker than sure are no surer than that, and where nothing is as
// sure there is a signal of its own.
func (s *scratch) agree(both float64, from int, out []engines.Signal) []engines.Signal {
	strongest := 0.0
	for i := from; i < len(out); i++ {
		g := &out[i]
		if !attacks(g) {
			continue
		}
		if s.facts.named && (g.Source == engines.SourceModel || g.SubLabel == "group_attack") && g.Confidence < blocked && both < g.Confidence {
			g.Confidence = both
			g.Rule += meaningLowered
		}
		if g.Category == engines.Hate {
			strongest = max(strongest, g.Confidence)
		}
	}
	if both > strongest && both >= telling {
		out = append(out, engines.Signal{
			Category: engines.Hate, Severity: 3, Confidence: both, Source: engines.SourceModel,
			Span: engines.Span{End: int(s.norm.points)}, Rule: meaningRule,
		})
	}
	return out
}
