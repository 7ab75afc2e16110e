package phrases

import (
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

func TestNear(t *testing.T) {
	l := New([]string{"stupid noob", "kill yourself", "you are trash", "go die", "uninstall the game", "f4ck", "x y", "死ね", "ok"}, Unlike)
	if l.Len() != 5 {
		t.Errorf("%d phrases are looked for, want 5", l.Len())
	}
	for _, c := range []struct{ heard, guess, instead string }{
		{"you stupid new that was", "stupid noob", "stupid new"},
		{"now kill your cell please", "kill yourself", "kill your cell"},
		{"go on and kill yourself please", "kill yourself", "kill yourself"},
		{"you ate rash fish", "you are trash", "you ate rash"},
		{"on install the gain", "uninstall the game", "on install the gain"},
		{"meet me at the bridge", "", ""},
		{"", "", ""},
		{"T", "", ""},
		{"a go", "", ""},
		{"7 12", "", ""},
	} {
		words := strings.Fields(c.heard)
		got := l.Near(words)
		if c.guess == "" {
			for _, g := range got {
				if g.Off < 0.2 {
					t.Errorf("%q: guess %+v", c.heard, g)
				}
			}
			continue
		}
		ok := false
		for _, g := range got {
			ok = ok || g.Text == c.guess && strings.Join(words[g.First:g.After], " ") == c.instead
		}
		if !ok {
			t.Errorf("%q: %+v, want %q instead of %q", c.heard, got, c.guess, c.instead)
		}
	}
}

// A loose list has guesses at what was misheard altogether, but for a word alone.
func TestLoose(t *testing.T) {
	list := []string{"go die", "useless moron", "worthless loser", "noob"}
	for _, c := range []struct{ heard, guess, instead string }{
		{"hey grow thy", "go die", "grow thy"},
		{"He was like smore on", "useless moron", "was like smore on"},
		{"By Flux Limster", "", ""},
		{"a knob a nap", "", ""},
	} {
		words := strings.Fields(c.heard)
		tight, loose := New(list, Unlike).Near(words), New(list, Loose).Near(words)
		if len(tight) > len(loose) {
			t.Errorf("%q: %+v in a loose list, %+v in another", c.heard, loose, tight)
		}
		ok := c.guess == ""
		for _, g := range loose {
			ok = ok || g.Text == c.guess && strings.Join(words[g.First:g.After], " ") == c.instead
		}
		if !ok {
			t.Errorf("%q: %+v, want %q instead of %q", c.heard, loose, c.guess, c.instead)
		}
	}
}

func TestBeside(t *testing.T) {
	words := strings.Fields("You are mother's army I'm needed")
	var at []string
	for _, g := range Beside(words, speech.Guess{First: 1, After: 4, Text: "your mother is ugly"}) {
		at = append(at, strings.Join(words[g.First:g.After], " "))
	}
	if !slices.Contains(at, "You are mother's army") || len(at) != 2 {
		t.Errorf("%q", at)
	}
	if got := Beside([]string{"x"}, speech.Guess{First: 0, After: 1, Text: "go die"}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// No text and no list makes it fail, and every place lies in the text.
func FuzzNear(f *testing.F) {
	f.Add("kill yourself\nknow\nstupid noob", "you stupid new")
	f.Add("gh\ntch\nmb ng", "night bomb T")
	f.Fuzz(func(t *testing.T, list, heard string) {
		words := strings.Fields(heard)
		for _, g := range New(strings.Split(list, "\n"), Loose).Near(words) {
			if g.First < 0 || g.After <= g.First || g.After > len(words) || g.Text == "" {
				t.Errorf("%+v of %d words", g, len(words))
			}
			for _, o := range Beside(words, g) {
				if o.First < 0 || o.After <= o.First || o.After > len(words) {
					t.Errorf("%+v beside %+v of %d words", o, g, len(words))
				}
			}
		}
	})
}

func TestSound(t *testing.T) {
	for _, same := range [][]string{{"noob", "newb", "noop"}, {"kill", "gil"}, {"trash", "drash"}, {"phone", "fone"}, {"knight", "night"}, {"edge", "etch"}} {
		for _, w := range same[1:] {
			if a, b := soundOf(same[0]), soundOf(w); a != b {
				t.Errorf("%s sounds %s, %s sounds %s", same[0], a, w, b)
			}
		}
	}
}
