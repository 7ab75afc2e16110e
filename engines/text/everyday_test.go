package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestEverydayElsewhere: a word of one language's list does not count in a message of
// another where it is an everyday word, and counts in its own.
func TestEverydayElsewhere(t *testing.T) {
	e := shared(t)
	for _, c := range []struct {
		language, text string
		category       engines.Category
		found          bool
	}{
		{"hi", "aaj ka match hum log jeet gaye bhai, mazaa aa gaya", engines.Hate, false},
		{"en", "shut up you dirty jeet", engines.Hate, true},
		{"sv", "nu är det slut för i kväll, vi ses i morgon allihopa", engines.Sexual, false},
		{"th", "พ่อขับ Pajero มารับที่โรงเรียนทุกวันเลย", engines.Harassment, false},
		{"hi", "sale me game sirf 199 ka mil raha hai bhai log", engines.Harassment, false},
	} {
		best := 0.0
		for _, g := range look(t, e, c.text, c.language) {
			if g.Category == c.category && g.Source == engines.SourceLexicon {
				best = max(best, g.Confidence)
			}
		}
		if (best >= 0.55) != c.found {
			t.Errorf("%s %q: %s %.2f, want found %v", c.language, c.text, c.category, best, c.found)
		}
	}
}
