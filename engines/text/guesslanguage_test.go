package text

import (
	"fmt"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestPlainWordsOfOneLanguage are ordinary words and names that a letter, or two in
// another order, part from an insult in another language.
func TestPlainWordsOfOneLanguage(t *testing.T) {
	for place, words := range map[string][]string{
		"%s":                           {"hullo", "Flut", "Flöte", "flote", "trola", "trole", "jive", "papal", "vallon", "chinai", "kaput", "frets", "illus", "buoy", "randy", "Bitola", "Debel", "Janick"},
		"the %s number 3":              {"hullo", "anion", "conrad", "dogie", "jive", "lully", "papal", "randy"},
		"heute war die %s im Garten":   {"Flut", "Flöte", "Tuba"},
		"hoy vimos a la %s en la casa": {"flote", "trola", "papal"},
	} {
		for _, w := range words {
			text := fmt.Sprintf(place, w)
			for _, s := range look(t, listed(t), text, "") {
				if s.Confidence >= 0.5 {
					t.Errorf("Inspect(%q) = %+v, want nothing", text, s)
				}
			}
		}
	}
}

// TestHiddenWordsOfAnotherLanguage are the same readings where the message is of the
// language, or the word shows that something is hidden in it.
func TestHiddenWordsOfAnotherLanguage(t *testing.T) {
	for _, c := range []struct{ text, language string }{
		{"hullo", "ru"},
		{"huil0", ""},
		{"hu1lo", ""},
		{"huiiilo", ""},
		{"h.u.i.l.o", ""},
		{"you rnoron", ""},
		{"what a bltch", "de"},
		{"you bsatard go", "en"},
		{"du bist so eine schlarnpe", ""},
		{"ты реdик дебил", ""},
	} {
		if got := look(t, listed(t), c.text, c.language); len(found(got, engines.Harassment)) == 0 {
			t.Errorf("Inspect(%q) in %q = %+v, want harassment", c.text, c.language, got)
		}
	}
}
