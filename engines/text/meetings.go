package text

import "github.com/portcullis-gg/portcullis/engines"

// A meeting is a crime or a trick that no single word names: words of two or three
// kinds tell it when they stand within reach of each other. "Fake", "passport" and a
// price are an offer; each alone is a word of a game.
type meeting struct {
	anchor   topic    // the word that the others are looked for around
	with     [2]topic // one word of each must stand there
	any      topic    // and one of these, or a price or a way to be reached
	category engines.Category
	sub      string
	rule     string
	severity int
	surely   float64
}

var meetingsKnown = [...]meeting{
	{topicForged, [2]topic{topicPaper}, topicMake | topicTrade | topicDeliver | topicMoney, engines.Illegal, "fraud", "forged-papers", 4, 0.9},
	{topicWeapon, [2]topic{topicUnlicensed}, topicTrade | topicDeliver | topicMoney, engines.Illegal, "weapons", "unlicensed-weapon", 4, 0.9},
	{topicKiller, [2]topic{topicAdvance}, 0, engines.Illegal, "violence", "killer-for-hire", 4, 0.9},
	{topicKiller, [2]topic{topicMoney}, 0, engines.Illegal, "violence", "killer-for-hire", 4, 0.62},
	{topicDrug, [2]topic{topicSeek}, 0, engines.Illegal, "drugs", "drugs-sought", 3, 0.6},
	{topicPaper, [2]topic{topicMake, topicContact}, 0, engines.Illegal, "fraud", "forged-papers", 4, 0.62},
	{topicRent, [2]topic{topicBank}, 0, engines.Illegal, "fraud", "mule-account", 3, 0.8},
	{topicMinor, [2]topic{topicMedia, topicSwap}, 0, engines.Illegal, "child_safety", "minors-media", 4, 0.93},
	{topicMinor, [2]topic{topicMedia, topicContact}, 0, engines.Illegal, "child_safety", "minors-media", 4, 0.82},
	{topicPhoto, [2]topic{topicHush}, 0, engines.Illegal, "child_safety", "grooming", 4, 0.93},
	{topicPhoto, [2]topic{topicAge, topicHush}, 0, engines.Illegal, "child_safety", "grooming", 4, 0.95},
	{topicAge, [2]topic{topicHush}, 0, engines.Illegal, "child_safety", "grooming", 4, 0.88},
	{topicMinor, [2]topic{topicPhoto}, 0, engines.Illegal, "child_safety", "grooming", 4, 0.8},
	{topicLeap, [2]topic{topicOver}, 0, engines.Illegal, "self_harm", "told-to-die", 4, 0.86},
	{topicYoung, [2]topic{topicAlone}, 0, engines.Illegal, "child_safety", "grooming", 4, 0.9},
	{topicYoung, [2]topic{topicPhoto}, 0, engines.Illegal, "child_safety", "grooming", 4, 0.86},
	{topicAge, [2]topic{topicAlone}, 0, engines.Illegal, "child_safety", "grooming", 4, 0.72},
	{topicAge, [2]topic{topicPhoto}, 0, engines.Illegal, "child_safety", "grooming", 4, 0.7},
	{topicCause, [2]topic{topicEnlist}, 0, engines.Illegal, "extremism", "recruiting", 4, 0.88},
	{topicCause, [2]topic{topicBomb}, 0, engines.Illegal, "extremism", "recruiting", 4, 0.88},
	{topicBomb, [2]topic{topicMake}, 0, engines.Illegal, "weapons", "bomb-making", 4, 0.86},
	{topicBomb, [2]topic{topicEnlist}, 0, engines.Illegal, "extremism", "recruiting", 4, 0.86},
	{topicStolen, [2]topic{topicThings}, topicTrade | topicCheap | topicMoney, engines.Illegal, "fraud", "stolen-goods", 3, 0.82},
	{topicDouble, [2]topic{topicReturn, topicHand}, 0, engines.Spam, "scam", "doubling", 3, 0.82},
	{topicDouble, [2]topic{topicReturn, topicGoods}, 0, engines.Spam, "scam", "doubling", 3, 0.72},
}

// topicMeets are the words that meetings are looked for around.
const topicMeets = topicForged | topicUnlicensed | topicKiller | topicMinor | topicPhoto | topicAge | topicLeap | topicDouble |
	topicSeek | topicPaper | topicRent | topicYoung | topicCause | topicBomb | topicStolen

// meetings appends the surest meeting of each category.
func (s *scratch) meetings(out []engines.Signal) []engines.Signal {
	var best [2]engines.Signal
	var near anchored
	s.looks.begin(len(s.words))
	for i := range s.words {
		w := &s.words[i]
		if w.topics&(topicMeets|topicWeapon|topicDrug) == 0 || near.by(w, kind{t: topicMeets | topicWeapon | topicDrug}) || s.looks.enough(w) {
			continue
		}
		e := s.look(i)
		for k := range meetingsKnown {
			m := &meetingsKnown[k]
			if w.topics&m.anchor == 0 || !e.meets(m) {
				continue
			}
			at := 0
			if m.category == engines.Spam {
				at = 1
			}
			if c := m.surely * e.meant(m); c > best[at].Confidence {
				best[at] = s.shape(m.category, m.sub, m.rule, m.severity, c, e.from, e.to)
			}
		}
	}
	for _, sig := range best {
		if sig.Confidence > 0 {
			out = append(out, sig)
		}
	}
	return out
}

// meant is what denials leave of a meeting, and words of a game; of those about children
// and of recruiting these take nothing.
func (e *evidence) meant(m *meeting) float64 {
	switch {
	case m.sub == "child_safety" && e.has(topicScene) && !e.has(topicHush):
		return 0.5 // how old is this game? send a picture of the map
	case m.sub == "child_safety" && e.facets&facetGuard != 0, m.sub == "extremism" && e.facets&facetRealm != 0:
		return 0.5 // never send pictures to strangers; brothers of a guild
	case m.sub == "child_safety", m.sub == "extremism":
		return max(e.doubt(), 0.7) // a "no" in another language denies little
	}
	return e.doubt() * e.played()
}

// meets reports whether all that a meeting asks for stands there.
func (e *evidence) meets(m *meeting) bool {
	for _, t := range m.with {
		if t != 0 && !e.has(t) {
			return false
		}
	}
	return m.any == 0 || e.has(m.any) || e.price || e.contact || e.soft
}
