package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestWordGames(t *testing.T) {
	e := listed(t)
	for _, text := range []string{
		"yyoouu wwhhoorree", "ouyay orewhay", "itchbay", "bee eye tee see aitch", "(w)(h)(o)(r)(e)", "c.nt", "id**t", "wツhツoツrツe",
	} {
		if len(found(look(t, e, text, ""), engines.Harassment)) == 0 {
			t.Errorf("Inspect(%q) found no harassment", text)
		}
	}
	for _, text := range []string{
		"today monday okay", "see you there", "aabb ccdd", "bookkeeper", "x.com", "t-shirt", "alpha bravo charlie", "foxtrot uniform november", "pのvのp", "aあbいcうd",
	} {
		for _, s := range look(t, e, text, "") {
			if s.Confidence >= 0.5 {
				t.Errorf("Inspect(%q) = %+v, want nothing", text, s)
			}
		}
	}
}
