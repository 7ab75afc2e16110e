package text

import "github.com/portcullis-gg/portcullis/engines"

// inPlay is what is left of a phrase of trade or crime among words of a game: chests
// of the day give diamonds away.
const inPlay = 0.56

// calm doubts the lists' phrases of trade and crime where words of a game or of
// talk about offers stand beside them and nothing leads out of it: "buy gold ore from the npc".
func (s *scratch) calm(signals []engines.Signal) {
	if s.topics&(topicPlay|topicScene) == 0 && s.facets&facetTalk == 0 || s.money > 0 || len(s.links) > 0 {
		return
	}
	if s.topics&topicMoney == 0 && len(s.private) == 0 && (s.topics&topicPlay != 0 || s.facets&facetTalk != 0 && s.topics&topicContact == 0) {
		calmTrade(signals)
	}
	for i := range signals {
		if g := &signals[i]; s.topics&topicScene != 0 && g.Category == engines.Privacy && (g.SubLabel == "address" || g.Source == engines.SourceLexicon) {
			g.Confidence *= inPlay // somebody lives on an island of the map
		}
	}
}

func calmTrade(signals []engines.Signal) {
	for i := range signals {
		g := &signals[i]
		trade := g.Category == engines.Spam && (g.Source == engines.SourceLexicon || g.Rule == "rule/gift")
		crime := g.Category == engines.Illegal && g.Source == engines.SourceLexicon && g.SubLabel != "child_safety"
		if trade || crime {
			g.Confidence *= inPlay
		}
	}
}
