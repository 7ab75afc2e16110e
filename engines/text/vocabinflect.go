package text

import "strings"

// Words of deals are listed as a dictionary has them, and said with the endings of
// their language: диплом, диплома; ehliyet, ehliyetini; billig, billige. In languages
// with many endings a long word of a ware stands for all words that begin with it.

// How long the part is that stays the same: of words that say something by themselves,
// and of those that only stand beside others.
const (
	shortestStem   = 6
	shortestBeside = 5
)

// inflecting are languages whose nouns and adjectives end in many ways; in those that
// are true the last vowel makes way for the ending.
var inflecting = map[string]bool{
	"tr": false, "az": false, "fi": false, "hu": false, "de": false, "nl": false, "sv": false, "da": false, "nb": false,
	"ru": true, "uk": true, "pl": true, "cs": true, "sk": true, "sr": true, "hr": true, "bg": true, "ro": true,
}

// inflects are the kinds of words that are read with endings: wares, how they are praised,
// and words of a game; no small words and nothing that personal data is told by.
var inflects = kind{
	topicCheap | topicTrusted | topicAccount | topicBoost | topicCheat | topicDrug | topicWeapon | topicFraud | topicForged | topicPaper | topicStolen | topicThings | topicPlay,
	facetPill | facetOrgan | facetSedate | facetNote | facetPerson,
}

// stem returns the term as it begins with all endings, for a prefix, or the term where
// it is read as it is written.
func stem(term, language string, about kind) string {
	cut, ok := inflecting[language]
	if !ok || !inflects.of(about.t, about.f) || strings.ContainsAny(term, " -'*.+/0123456789") {
		return term
	}
	runes := []rune(term)
	if n := len(runes); cut && strings.ContainsRune("aeiouyąęóаеёиоуыэюяйьіїє", runes[n-1]) {
		runes = runes[:n-1]
	}
	if len(runes) < shortestBeside || len(runes) < shortestStem && about.t&inflects.t&^topicPlay != 0 {
		return term
	}
	return string(runes) + "*"
}
