package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestDisguisedOrdinaryWords: what is an ordinary word in disguise is not taken for an
// insult that is a part of it; the insult itself is.
func TestDisguisedOrdinaryWords(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		language, text string
		found          bool
	}{
		{"ru", "п0езд уже едет", false},
		{"ru", "ты п0здабол", true},
		{"ru", "ты му0дак", true},
		{"hi", "potion kiske paas h*a*i", false},
		{"hi", "tu h*a*rami hai", true},
		{"en", "you f*ck", true},
		{"th", "ใ-ค-ร-ม-ี-ย-า-บ-้-า-ง", false},
		{"th", "ใครมียาบ้าง", false},
		{"th", "ข-า-ย-ย-า-บ-้-า-พ-ร-้-อ-ม-ส-่-ง", true},
		{"tr", "ç-o-m-a-r herif", true},
	} {
		found, err := e.Inspect(t.Context(), &engines.Item{Text: tt.text, Language: tt.language}, nil)
		if err != nil {
			t.Fatal(err)
		}
		best := engines.Signal{}
		for _, f := range found {
			if f.Source != engines.SourceModel && f.Confidence > best.Confidence {
				best = f
			}
		}
		if (best.Confidence >= 0.6) != tt.found {
			t.Errorf("%s %q: %+v, want found %v", tt.language, tt.text, best, tt.found)
		}
	}
}
