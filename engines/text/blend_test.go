package text

import (
	"math"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// TestBlendFile reads the weights of the build, and has the network's word count in both.
func TestBlendFile(t *testing.T) {
	b, err := ReadBlends(blendFile)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		if b[i].Weights[SideMeaning] <= 0 {
			t.Errorf("regression %d: what the network says speaks against: %+v", i, b[i])
		}
	}
	again, err := WriteBlends(b)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ReadBlends(again); err != nil || back != b {
		t.Errorf("written and read again: %+v, %v", back, err)
	}
}

func TestReadBlendsRefuses(t *testing.T) {
	for _, data := range []string{"", "{}", `{"named": {"constant": 1}, "unnamed": {"constant": 1}}`} {
		if _, err := ReadBlends([]byte(data)); err == nil {
			t.Errorf("%q is read", data)
		}
	}
}

// TestDoubt has what is weighed read off a message.
func TestDoubt(t *testing.T) {
	e := shared(t)
	for _, c := range []struct {
		text  string
		asked bool
		named bool
		sides []Side // those that are 1
	}{
		{"my best friend is a muslim and he carries me every game", true, true, nil},
		{"are you a muslim too?", true, true, []Side{SideYou}},
		{"my muslim friend made the best fucking dinner today", true, true, []Side{SideProfanity}},
		{"we need one more healer for the raid", false, false, nil},
		{"1234", false, false, nil},
	} {
		item := engines.Item{Kind: engines.KindText, Text: c.text, Language: "en"}
		d, asked, err := e.Doubt(t.Context(), &item, &opinionated{logOdds: 2.5})
		if err != nil || asked != c.asked || d.Named != c.named {
			t.Errorf("%q: asked %v, %+v, %v", c.text, asked, d, err)
		}
		if !asked {
			continue
		}
		if d.Sides[SideMeaning] != 2.5 || math.IsNaN(d.Sides[SideHate]) || math.IsInf(d.Sides[SideAbuse], 0) {
			t.Errorf("%q: %+v", c.text, d)
		}
		var want [Sides]float64
		for _, s := range c.sides {
			want[s] = 1
		}
		for s := SideFrame; s < Sides; s++ {
			if d.Sides[s] != want[s] {
				t.Errorf("%q: %s is %v", c.text, s, d.Sides[s])
			}
		}
	}
	if _, asked, _ := e.Doubt(t.Context(), &engines.Item{Kind: engines.KindText, Text: "my best friend is a muslim", Language: "en"}, &opinionated{busy: true}); asked {
		t.Error("no answer is taken for one")
	}
}

func TestUnaddressed(t *testing.T) {
	for text, want := range map[string]string{
		"no one here":                   "no one here",
		"@USER @User2: they are  fine":  "they are fine",
		"look https://example.com/a b":  "look b",
		"URL, <user> [URL] the rest":    "the rest",
		"me @ home, 5/2 <3 [sic] USERS": "me @ home, 5/2 <3 [sic] USERS",
		"the user has a url":            "the user has a url",
		"@only":                         "",
		"":                              "",
	} {
		if got := unaddressed(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
