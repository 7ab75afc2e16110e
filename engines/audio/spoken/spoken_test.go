package spoken_test

import (
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/audio/spoken"
)

func words(s string) []spoken.Word {
	var out []spoken.Word
	for _, f := range strings.Fields(s) {
		out = append(out, spoken.Word{Text: f})
	}
	return out
}

func TestAsWritten(t *testing.T) {
	for in, want := range map[string]string{
		"nice shot, well played": "nice shot, well played",
		"f u c k you":            "fuck you",
		"F-U-C-K you.":           "fuck you.",
		"well-known re-do":       "well-known re-do",
		"the U.S. team":          "the U.S. team",
		"a double s hole":        "ass hole",
		"go to double u double u double u dot x y z":      "go to www dot xyz",
		"buy gold at cheap gold dot com slash vip":        "buy gold at cheap gold.com/vip",
		"visit my site cheap dot com now":                 "visit my site cheap.com now",
		"the dot on the map":                              "the dot on the map",
		"mail john at gmail dot com":                      "mail john@gmail.com",
		"meet me at the gate":                             "meet me at the gate",
		"my name is john underscore smith at sign server": "my name is john_smith@server",
		"call five five five oh one two three":            "call 5550123",
		"call double five seven":                          "call 557",
		"I am twelve years old":                           "I am 12 years old",
		"I am twenty three um years old":                  "I am 23 years old",
		"two hundred and five gold":                       "205 gold",
		"twenty three thousand four hundred":              "23400",
		"you are the one":                                 "you are the one",
		"one of two":                                      "one of two",
		"uh um":                                           "",
		"you and i c":                                     "you and i c",
	} {
		if got := spoken.AsWritten(words(in)).String(); got != want {
			t.Errorf("AsWritten(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWordsOfAPlace(t *testing.T) {
	said := words("um mail john at gmail dot com or f u c k off")
	text := spoken.AsWritten(said)
	for part, want := range map[string]string{
		"john@gmail.com": "john at gmail dot com", "fuck": "f u c k", "mail": "mail", "or fuck off": "or f u c k off",
	} {
		at := strings.Index(text.String(), part) // all of it is ASCII
		first, after := text.Words(at, at+len(part))
		var got []string
		for _, w := range said[first:after] {
			got = append(got, w.Text)
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("Words of %q in %q = %q, want %q", part, text, g, want)
		}
	}
	if first, after := text.Words(0, 0); first != 1 || after != len(said) {
		t.Errorf("Words of the whole = %d, %d", first, after)
	}
	glued := spoken.AsHeard([]spoken.Word{{Text: "死"}, {Text: "ね", Glued: true}, {Text: "now"}})
	if glued.String() != "死ね now" {
		t.Errorf("AsHeard = %q", glued)
	}
	if first, after := glued.Words(1, 2); first != 1 || after != 2 {
		t.Errorf("Words(1, 2) = %d, %d", first, after)
	}
}
