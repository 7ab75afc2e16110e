package text

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestLettersOfLongerWords is of letters pulled apart of words that begin or end like an
// insult, or hold a letter that is a word: nobody said it.
func TestLettersOfLongerWords(t *testing.T) {
	e := listed(t)
	for _, text := range []string{
		"Jesi li ti k*a*t*o*l*i*k*?", "L·a P·l·a·y·o·n·a", "A~b~b~o~t~t k~i~l~l~e~d M~a~r~y~.", "Comuna N.e.g.r.e.n.i", "p a k i s a b y á n",
		"A r c h i g n y", "T.u.l.c.i.n.g.o", "a talent a-g-e-n-c-y represents actors", "k_y_s_c_h_t_y", "B💀a💀i💀c💀h💀e💀n💀g",
	} {
		for _, g := range signalsOf(t, e, text) {
			if g.Confidence >= 0.5 {
				t.Errorf("%q: %s at %.2f", text, g.Rule, g.Confidence)
			}
		}
	}
}

// TestJoinedWordsBesideOthers is of the same letters where they are words.
func TestJoinedWordsBesideOthers(t *testing.T) {
	e := listed(t)
	for text, want := range map[string]engines.Category{
		"s t u p i d b i t c h g o a w a y": engines.Harassment,
		"you are such a r\ne\nt\na\nr\nd":   engines.Harassment,
		"c|h|i|n|g|a t|u m|a|d|r|e":         engines.Harassment,
		"v@ t€ f@!r€ €n¢µ|€r":               engines.Harassment,
		"и-д-и-н-а-х-у-й":                   engines.Harassment,
		"k y s":                             engines.Illegal,
	} {
		found := false
		for _, g := range signalsOf(t, e, text) {
			found = found || g.Category == want && g.Confidence >= 0.5
		}
		if !found {
			t.Errorf("%q: no %s", text, want)
		}
	}
}

// TestDisguiseIsNoAbuse is of names in disguise that the classifier alone takes for abuse,
// and not so undisguised.
func TestDisguiseIsNoAbuse(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"S r i b n e", "S.r-i.b-n.e", "J i a n j i a n g", "J✨i✨a✨n✨j✨i✨a✨n✨g"} {
		for _, g := range signalsOf(t, e, text) {
			if g.Confidence >= 0.5 {
				t.Errorf("%q: %s at %.2f", text, g.Rule, g.Confidence)
			}
		}
	}
}

// signalsOf is what an engine finds in a text.
func signalsOf(t *testing.T, e *Engine, text string) []engines.Signal {
	t.Helper()
	out, err := e.Inspect(t.Context(), &engines.Item{Kind: engines.KindText, Text: text}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
