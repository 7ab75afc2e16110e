package text

import (
	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

const (
	// offerShare is what the model weighs beside a rule that found an offer barely: a friend
	// who bought an account and was robbed of it has the words of an offer, and the model,
	// which has read such talk, sees none.
	offerShare = 0.2
	// leastSaid is the least that the model is taken to say: one that never saw the words
	// knows nothing.
	leastSaid = 0.01
)

// weighOffers lowers offers that rules found and are not sure of by what the model says of
// them. A shape that needs no words (a flood, a hidden link) stays, and so does crime, of
// which the model knows less than the rules; nothing is raised, for what the model finds it
// says itself.
func weighOffers(signals []engines.Signal, p *[classifier.Heads]float64) {
	said := logit(min(max(p[classifier.Spam], leastSaid), 1-leastSaid))
	for i := range signals {
		g := &signals[i]
		if g.Source != engines.SourceRule || g.SubLabel != "rmt" || g.Confidence < faint || g.Confidence >= doubtful {
			continue
		}
		g.Confidence = min(g.Confidence, expit((1-offerShare)*logit(g.Confidence)+offerShare*said))
	}
}
