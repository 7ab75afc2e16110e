package text

import (
	"slices"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// readFor is what the classifier is asked about a message.
func readFor(t *testing.T, e *Engine, text string) Reading {
	t.Helper()
	r, err := e.Features(t.Context(), &engines.Item{Kind: engines.KindText, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is said of one group is learnt of all: messages that differ in the group alone
// share what stands around it.
func TestGroupsShareFeatures(t *testing.T) {
	e := custom(t, frameList)
	count := func(text string) int {
		r, other := readFor(t, e, text), readFor(t, e, "nobody likes muslims here")
		n := 0
		for _, f := range r.Features {
			if slices.Contains(other.Features, f) {
				n++
			}
		}
		return n
	}
	if same, none := count("nobody likes refugees here"), count("nobody likes biscuits here"); same < none+8 {
		t.Errorf("%d features shared by messages about two groups, %d by one about none", same, none)
	}
}

func TestNamed(t *testing.T) {
	e := custom(t, frameList)
	for text, want := range map[string]bool{"women play this game": true, "people play this game": false, "i will kill you": false, "w0men play": true} {
		if got := readFor(t, e, text).Named; got != want {
			t.Errorf("%q: named %v, want %v", text, got, want)
		}
	}
}

// The order of the parts is read alike in every language; a negation changes it.
func TestSkeletonsDiffer(t *testing.T) {
	e := custom(t, frameList)
	plain, negated := readFor(t, e, "women are vermin"), readFor(t, e, "women are not vermin")
	if slices.Equal(plain.Features, negated.Features) {
		t.Error("a negation changes nothing")
	}
	ja := custom(t, frameListJa)
	for _, text := range []string{"移民は害虫だ", "移民は害虫ではない", "「移民は害虫」と言う人"} {
		if r := readFor(t, ja, text); !r.Named || len(r.Features) == 0 {
			t.Errorf("%q: named %v with %d features", text, r.Named, len(r.Features))
		}
	}
}
