package eval

import (
	"strings"
	"testing"
)

// What is ordinary has no phrase of the list in it, and what is tuned on is never said by
// voices that are held out.
func TestOrdinary(t *testing.T) {
	list, err := (&phrasesRun{}).list()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, tuned := range []bool{true, false} {
		next := ordinary(random(1, 30, 2), tuned, true)
		likes := 0
		for range 4000 {
			s, like := next()
			if strings.ContainsAny(s, "{}|+") || s == "." {
				t.Fatalf("%q", s)
			}
			for _, p := range list {
				if strings.Contains(" "+strings.Trim(strings.ToLower(s), ".")+" ", " "+strings.ToLower(p)+" ") {
					t.Errorf("%q has %q", s, p)
				}
			}
			if like {
				likes++
			}
			if !tuned && said[s] {
				t.Errorf("%q is tuned on and held out", s)
			}
			said[s] = said[s] || tuned
		}
		if likes != 2000 {
			t.Errorf("%d of 4000 sound like a phrase", likes)
		}
	}
}
