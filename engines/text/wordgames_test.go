package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

func TestWordGames(t *testing.T) {
	e := listed(t)
	for _, text := range []string{
		"yyoouu wwhhoorree", "ouyay orewhay", "itchbay", "bee eye tee see aitch", "(w)(h)(o)(r)(e)", "c.nt", "id**t", "wツhツoツrツe",
		"you b<b></b>itch", "b[i]tch", "mo7ron", "bbaassttaarrdd", "biiittttchh", "you mor?n", "assh[b][/b]ole",
	} {
		if len(found(look(t, e, text, ""), engines.Harassment)) == 0 {
			t.Errorf("Inspect(%q) found no harassment", text)
		}
	}
	for _, text := range []string{
		"today monday okay", "see you there", "aabb ccdd", "bookkeeper", "x.com", "t-shirt", "alpha bravo charlie", "foxtrot uniform november", "pのvのp", "aあbいcうd",
		"k = y * s", "model FCK-200", "boo[k](s)", "t~~he door", "what is th*s l*ttle th*t", "<b>bold</b> words", "chunks unloaded", "mp3 and b2b",
	} {
		for _, s := range look(t, e, text, "") {
			if s.Confidence >= 0.5 {
				t.Errorf("Inspect(%q) = %+v, want nothing", text, s)
			}
		}
	}
}
