package text

import (
	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// offerShare is what the model weighs beside a rule that found an offer barely: a friend
// who bought an account and was robbed of it has the words of an offer, and the model, which
// has read such talk, sees none.
const offerShare = 0.2

// weighOffers lowers what rules found of trade and crime and are not sure of, by what the
// heads say of them before they are sobered. A shape that needs no words (a flood, a hidden
// link) stays, and nothing is raised: what the model finds it says itself.
func weighOffers(signals []engines.Signal, p *[classifier.Heads]float64) {
	for i := range signals {
		g := &signals[i]
		if g.Source != engines.SourceRule || g.Confidence < faint || g.Confidence >= doubtful {
			continue
		}
		var said float64
		switch {
		case g.Category == engines.Spam && g.SubLabel == "rmt":
			said = p[classifier.Spam]
		case g.Category == engines.Illegal:
			said = p[classifier.Illegal]
		default:
			continue
		}
		said = min(max(said, leastSaid), 1-leastSaid)
		g.Confidence = min(g.Confidence, expit((1-offerShare)*logit(g.Confidence)+offerShare*logit(said)))
	}
}

// leastSaid is the least that the model is taken to say: one that never saw the words knows nothing.
const leastSaid = 0.01
