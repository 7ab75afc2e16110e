package text

import "github.com/portcullis-gg/portcullis/engines"

// streetEndings end the names of streets that are one word: Schillerweg, Kerkstraat,
// Storgatan. They are folded.
var streetEndings = [...]string{
	"strasse", "str", "weg", "gasse", "allee", "platz", "damm", "ufer", "straat", "laan", "gracht", "plein", "gatan", "vagen", "gade", "vej", "veien", "gata",
}

// compoundStreets finds addresses whose street is one word: a capital, an ending of
// streets and a house number, beside a postal code or where somebody tells a home.
func (s *scratch) compoundStreets(out []engines.Signal) []engines.Signal {
	units := s.norm.units
	for i := 0; i < len(units); {
		if units[i].class != classLatin {
			i++
			continue
		}
		from := i
		for i < len(units) && units[i].class == classLatin {
			i++
		}
		if i-from < 7 || !units[from].upper || i < len(units) && !isOneOf(units[i].r, " .,") || !streetEnding(units[from:i]) {
			continue
		}
		to := s.houseAfter(i)
		if to < 0 || to-i > 8 {
			continue
		}
		if s.postal(to) || s.about(topicHome, from-40, from) != nil || s.about(topicHome, to, to+20) != nil {
			return s.tell(out, finding{"address", "compound-street", 3, 0.82}, from, to)
		}
	}
	return out
}

func streetEnding(word []unit) bool {
	for _, e := range streetEndings {
		if n := len(e); len(word) >= n+3 && hasPrefix(word[len(word)-n:], e) {
			return true
		}
	}
	return false
}
