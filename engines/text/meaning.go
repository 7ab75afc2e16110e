package text

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// The second stage are two networks that read a message as a whole. They are asked about the few
// of which nothing is sure, and what they answer is weighed with what the first stage knows. Here
// one that reads English (engines/text/meaning) is asked who is attacked: in a message that names
// a group of people, for words and their order around groups do not tell there who is meant, and
// how; and in a sentence in which the model suspects an attack without a word to hold it by. What
// both say together (blend.go) may raise a message to a finding that a person looks at, and take
// one back. The other, of any language (engines/text/gist), is asked what is dealt in (deals.go).

// Second is the second stage; what it does not have is nil.
type Second struct {
	Attacks Attacks
	Meaning Meaning
}

// Attacks reads messages for attacks on people.
type Attacks interface {
	// Read gives the log-odds that a text attacks people for what they are; ok is false where
	// there is no answer now, and the message is judged without.
	Read(ctx context.Context, text string) (logOdds float64, ok bool)
}

// Meaning reads messages for what is dealt in.
type Meaning interface {
	// Read gives log-odds of what a text is, by the place of each answer; ok is false where
	// there is no answer now, and the message is judged without.
	Read(ctx context.Context, text string) (answers [Answers]float64, ok bool)
}

// What the network answers of a text.
const (
	AnswerOffer    = iota // that it offers something for money, or advertises
	AnswerCrime           // that somebody deals in a crime
	AnswerPersonal        // that personal data is told
	AnswerAbuse           // that people are abused
	AnswerHate            // that they are attacked for what they are
	Answers               // how many there are
)

// What the rules of the second stage are called.
const (
	meaningRule    = "model/meaning"  // a finding of its own
	meaningLowered = "+meaning"       // behind the rule of one that it took back
	meaningSkipped = "+meaning(busy)" // behind one that it was to be asked about and was not
)

// blocked is where nothing is unsure any more: the second stage is not asked.
const blocked = 0.85

// What both say counts from raising on. Below lowering it takes back what the model and a
// frame said, below excusing words of the lists too: those are there, whoever is meant.
// Between them the first stage stands. unaided is the most that they give to what the first
// stage did not find: it never blocks.
const (
	raising  = 0.6
	lowering = 0.5
	excusing = 0.1
	unaided  = 0.84
)

// A sentence that names nobody is read where the model thinks an attack nearly as likely as
// not, since ordinary chat stays below, and no word of the lists is evident, which policy
// looks at anyway; fewer than sentenceWords are outbursts, which the lists know.
const (
	suspected     = 0.45
	evident       = 0.55
	sentenceWords = 5
)

// meaningPoints is how many code points a message may have: the network reads the beginning of a
// longer one, by which the rest is not to be judged.
const meaningPoints = 1000

// agreeMeaning brings the signals out[from:] to what the network said of the message, or says
// that it had no time.
func (s *scratch) agreeMeaning(p *[classifier.Heads]float64, logOdds float64, ok bool, from int, out []engines.Signal) []engines.Signal {
	if !ok {
		for i := from; i < len(out); i++ {
			if attacks(&out[i]) {
				out[i].Rule += meaningSkipped
			}
		}
		return out
	}
	d := s.doubt(p, logOdds, out[from:])
	return s.agree(d.both(), from, out)
}

// asks reports whether the second stage is asked: about English, where nothing blocks, not too
// long, and without emoji, which say what the network can't read.
func (s *scratch) asks(item *engines.Item, found []engines.Signal) bool {
	if item.Kind != engines.KindText || s.norm.points > meaningPoints || !s.facts.named && !s.suspects(found) {
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

// suspects reports whether a message that names nobody is a sentence in which an attack is
// suspected and no word of the lists found.
func (s *scratch) suspects(found []engines.Signal) bool {
	suspect := false
	for i := range found {
		g := &found[i]
		if !attacks(g) {
			continue
		}
		if !weak(g) && g.Confidence >= evident {
			return false
		}
		suspect = suspect || g.Confidence >= suspected
	}
	return suspect && s.manyWords(sentenceWords)
}

// manyWords reports whether the message has n words or more.
func (s *scratch) manyWords(n int) bool {
	words, inside := 0, false
	for i := range s.norm.units {
		letter := s.norm.units[i].class.letter() || inside && apostrophe(s.norm.units[i].r)
		if letter && !inside {
			if words++; words >= n {
				return true
			}
		}
		inside = letter
	}
	return false
}

// pictured reports whether a character is a picture or symbol.
func pictured(r rune) bool { return r >= 0x2190 && r < 0x3000 || r >= 0x1F000 && r < 0x20000 }

func attacks(g *engines.Signal) bool {
	return g.Category == engines.Hate || g.Category == engines.Harassment
}

// weak reports whether a signal rests on no word of a list: the model said it, or a frame.
func weak(g *engines.Signal) bool {
	return g.Source == engines.SourceModel || g.SubLabel == groupAttack
}

// groupAttack is the sub-label of what a frame finds about a group of people.
const groupAttack = "group_attack"

// agree brings the signals out[from:] to what both stages say. Where that is much and no hate
// as sure there is one more.
func (s *scratch) agree(both float64, from int, out []engines.Signal) []engines.Signal {
	surest := 0.0
	for i := from; i < len(out); i++ {
		g := &out[i]
		if !attacks(g) {
			continue
		}
		most := excusing
		if weak(g) {
			most = lowering
		}
		if s.facts.named && both < most && both < g.Confidence {
			g.Confidence = both
			g.Rule += meaningLowered
		}
		if g.Category == engines.Hate {
			surest = max(surest, g.Confidence)
		}
	}
	if both >= raising && both > surest {
		out = append(out, engines.Signal{
			Category: engines.Hate, Severity: 3, Confidence: min(both, unaided), Source: engines.SourceModel,
			Span: engines.Span{End: int(s.norm.points)}, Rule: meaningRule,
		})
	}
	return out
}
