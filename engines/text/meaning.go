package text

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines"
)

// The second stage: a network that reads an English message as a whole
// (engines/text/meaning) is asked about the few that name a group of people and of which
// nothing is sure, for words and their order around groups do not tell there who is meant,
// and how. What both say together may raise a message to a finding that a person looks at,
// and take a weak one back. It was tried on messages that name nobody, too: there it took
// political talk for hate.

// Meaning reads messages.
type Meaning interface {
	// Read gives the log-odds that a text attacks people for what they are; ok is false
	// where there is no answer now, and the message is judged without.
	Read(ctx context.Context, text string) (logit float64, ok bool)
}

// What the rules of the second stage are called.
const (
	meaningRule    = "model/meaning"  // a finding of its own
	meaningLowered = "+meaning"       // behind the rule of one that it took back
	meaningSkipped = "+meaning(busy)" // behind one that it was to be asked about and was not
)

// blocked is where nothing is unsure any more: the second stage is not asked.
const blocked = 0.85

// The regression of both: the log-odds of hate that the model gives, those of the second
// stage, and a constant. MODEL_CARD.md says of what they were fitted.
const (
	blendFirst    = 0.17
	blendMeaning  = 0.66
	blendConstant = -0.56
)

// What both say counts from raising on, and below lowering; between them the first stage
// stands. unaided is the most that they give to what the first stage did not find: it never
// blocks.
const (
	raising  = 0.6
	lowering = 0.3
	unaided  = 0.84
)

// second asks the second stage about a message whose signals are out[from:].
func (e *Engine) second(ctx context.Context, s *scratch, item *engines.Item, from int, hate float64, out []engines.Signal) []engines.Signal {
	if e.meaning == nil || !s.asks(item, out[from:]) {
		return out
	}
	logOdds, ok := e.meaning.Read(ctx, item.Text)
	if !ok {
		for i := from; i < len(out); i++ {
			if attacks(&out[i]) {
				out[i].Rule += meaningSkipped
			}
		}
		return out
	}
	first := logit(min(max(hate, 0.001), 0.999))
	return s.agree(min(expit(blendConstant+blendFirst*first+blendMeaning*logOdds), unaided), from, out)
}

// asks reports whether the second stage is asked: about English that names a group, where
// nothing blocks, and without emoji, which say what the network can't read.
func (s *scratch) asks(item *engines.Item, found []engines.Signal) bool {
	if !s.facts.named || item.Kind != engines.KindText {
		return false
	}
	for i := range found {
		if found[i].Category.HighRisk() && found[i].Confidence >= blocked {
			return false
		}
	}
	for i := range s.norm.units {
		if pictured(s.norm.units[i].r) {
			return false
		}
	}
	return s.hinted == "" && s.plausible(english) || english == s.hint
}

// pictured reports whether a character is a picture or symbol.
func pictured(r rune) bool { return r >= 0x2190 && r < 0x3000 || r >= 0x1F000 && r < 0x20000 }

func attacks(g *engines.Signal) bool {
	return g.Category == engines.Hate || g.Category == engines.Harassment
}

// agree brings the signals out[from:] to what both stages say: where that is little, what the
// model says and an attack on a group count no more than it; words of the lists stay, since
// an insult is one whoever is meant. Where it is much and no hate as sure there is one more.
func (s *scratch) agree(both float64, from int, out []engines.Signal) []engines.Signal {
	surest := 0.0
	for i := from; i < len(out); i++ {
		g := &out[i]
		if !attacks(g) {
			continue
		}
		weak := g.Source == engines.SourceModel || g.SubLabel == "group_attack"
		if weak && both < lowering && both < g.Confidence {
			g.Confidence = both
			g.Rule += meaningLowered
		}
		if g.Category == engines.Hate {
			surest = max(surest, g.Confidence)
		}
	}
	if both >= raising && both > surest {
		out = append(out, engines.Signal{
			Category: engines.Hate, Severity: 3, Confidence: both, Source: engines.SourceModel,
			Span: engines.Span{End: int(s.norm.points)}, Rule: meaningRule,
		})
	}
	return out
}
