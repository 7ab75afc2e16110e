package whisper

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

func TestBorne(t *testing.T) {
	for name, c := range map[string]struct {
		text       string
		tokens     int
		odds, mean float64
		last, live bool
	}{
		"as likely":                       {"kill yourself", 3, 0, -0.5, true, true},
		"at the end":                      {"kill yourself", 3, -7.9, -4, true, false},
		"while it goes on":                {"kill yourself", 3, -5.9, -4, true, true},
		"too little":                      {"kill yourself", 3, -8.1, -1, false, false},
		"few, and long":                   {"drink bleach", 2, -4, -3.2, true, true},
		"too unlikely":                    {"drink bleach", 2, -4, -3.4, false, false},
		"few, and likely":                 {"go die", 2, -4, -1.9, true, true},
		"few":                             {"go die", 2, -1, -2.1, false, false},
		"a word":                          {"moron", 2, -2.9, -2.9, true, true},
		"a word, too badly":               {"moron", 2, -3.1, -1, false, false},
		"a word, unlikely":                {"moron", 3, -1, -3.1, false, false},
		"what was written is no likelier": {"uninstall the game", 4, -5, -5.6, false, false},
		"not likely, and said":            {"are you dumb", 3, -5.5, -4.5, true, true},
	} {
		w := weighed{Guess: speech.Guess{Text: c.text}, tokens: make([]int, c.tokens), odds: c.odds, mean: c.mean}
		if last, live := w.borne(false), w.borne(true); last != c.last || live != c.live {
			t.Errorf("%s: %v at the end, %v before, want %v, %v", name, last, live, c.last, c.live)
		}
	}
}

func TestTake(t *testing.T) {
	result := func() *speech.Result {
		r := &speech.Result{}
		for i, w := range strings.Fields("hey he was like smore on") {
			r.Words = append(r.Words, speech.Word{Text: w, AtMS: int64(100 * i), EndMS: int64(100*i + 100), Prob: 0.1})
		}
		return r
	}
	guess := func(first, after int, text string, odds float64) weighed {
		return weighed{Guess: speech.Guess{First: first, After: after, Text: text}, tokens: make([]int, 3), odds: odds, mean: -2}
	}
	for name, c := range map[string]struct {
		list []weighed
		want string
	}{
		"none":                {nil, ""},
		"the whole phrase":    {[]weighed{guess(4, 6, "moron", 1), guess(2, 6, "useless moron", -2.8)}, "hey he useless moron"},
		"its word alone":      {[]weighed{guess(4, 6, "moron", 1), guess(2, 6, "useless moron", -9)}, "hey he was like moron"},
		"the likelier":        {[]weighed{guess(1, 3, "go die", -3), guess(2, 4, "worthless loser", -1)}, "hey he worthless loser smore on"},
		"two":                 {[]weighed{guess(0, 2, "go die", -3), guess(4, 6, "stupid noob", -1)}, "go die was like stupid noob"},
		"elsewhere in a word": {[]weighed{guess(0, 1, "kill", 0), guess(4, 6, "skilled at it", -1)}, "kill he was like skilled at it"},
	} {
		r := result()
		take(r, c.list, false)
		if r.Text != c.want {
			t.Errorf("%s: %q, want %q", name, r.Text, c.want)
		}
		for _, w := range r.Words {
			if w.Listed && w.Prob < math.Exp(-2) || w.Phrase && !w.Listed || w.EndMS > 600 {
				t.Errorf("%s: %+v", name, w)
			}
		}
	}
}

// A guess at what was written before stands at the words that are written at its time now;
// one that the words of now lead to as well comes once.
func TestHeardBefore(t *testing.T) {
	now := []speech.Word{{Text: "it's", AtMS: 0, EndMS: 200}, {Text: "wrinkly", AtMS: 220, EndMS: 800}, {Text: "again", AtMS: 900, EndMS: 1200}}
	before := []speech.Word{{Text: "drink", AtMS: 200, EndMS: 420}, {Text: "lead", AtMS: 440, EndMS: 810}, {Text: "again", AtMS: 880, EndMS: 1210}}
	ask := func(words []string) (list []speech.Guess) {
		for i, w := range words {
			switch w {
			case "drink":
				list = append(list, speech.Guess{First: i, After: i + 2, Text: "drink bleach", Off: 0.4})
			case "again":
				list = append(list, speech.Guess{First: i, After: i + 1, Text: "a gun", Off: 0.5})
			}
		}
		return list
	}
	o := &speech.Options{Before: before, Guess: ask}
	got := heardBefore(ask([]string{"it's", "wrinkly", "again"}), o, now)
	want := []speech.Guess{{First: 1, After: 2, Text: "drink bleach", Off: 0.4}, {First: 2, After: 3, Text: "a gun", Off: 0.5}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	o.Before = []speech.Word{{Text: "drink", AtMS: 5000, EndMS: 5100}, {Text: "up", AtMS: 5200, EndMS: 5300}}
	if got := heardBefore(nil, o, now); len(got) != 0 {
		t.Errorf("of another time: %+v", got)
	}
}
