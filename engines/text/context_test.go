package text

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// said inspects the last line as the player's, after those before it, a second apart.
func said(t *testing.T, e *Engine, lines ...string) []engines.Signal {
	t.Helper()
	at := time.Unix(1000, 0)
	c := &engines.Context{}
	for _, l := range lines[:len(lines)-1] {
		c.Player = append(c.Player, engines.Line{Player: "p", Text: l, At: at})
		at = at.Add(time.Second)
	}
	item := &engines.Item{Kind: engines.KindText, Player: "p", Text: lines[len(lines)-1], Context: c, ReceivedAt: at}
	out, err := e.Inspect(context.Background(), item, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func most(signals []engines.Signal, c engines.Category) float64 {
	best := 0.0
	for _, s := range signals {
		if s.Category == c {
			best = max(best, s.Confidence)
		}
	}
	return best
}

func TestWordsSplitOverMessages(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lines []string
		want  engines.Category
	}{
		{[]string{"ni", "gg", "er"}, engines.Hate},
		{[]string{"hello all", "fag", "got"}, engines.Hate},
		{[]string{"kill", "yourself"}, engines.Illegal},
		{[]string{"go kill", "yourself"}, engines.Illegal},
		{[]string{"死", "ね"}, engines.Illegal},
	} {
		got := said(t, e, c.lines...)
		if most(got, c.want) < 0.55 {
			t.Errorf("%q: %s = %.2f, want 0.55 and more", c.lines, c.want, most(got, c.want))
		}
		last := c.lines[len(c.lines)-1]
		for _, s := range got {
			if s.Span.End > len([]rune(last)) || s.Span.Start < 0 {
				t.Errorf("%q: span %v is outside the message", c.lines, s.Span)
			}
		}
	}
}

func TestInnocentNeighbours(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, lines := range [][]string{
		{"as", "soon as you can"},
		{"has", "hit him"},
		{"push it", "all of us"},
		{"gg", "gg", "gg"},
		{"who wants to raid", "ass", "embly line"},
		{"kill", "the boss"},
		{"mid", "top", "bot"},
		{"nice", "shot"},
		{"class", "hole in the wall"},
		{"I", "we", "go"},
	} {
		if got := said(t, e, lines...); len(got) > 0 && got[0].Confidence >= 0.55 && got[0].Rule[max(0, len(got[0].Rule)-8):] == "+context" {
			t.Errorf("%q: %+v, want nothing from the context", lines, got)
		}
	}
}

func TestTheSameAgainAndAgain(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	const advert = "the water temple opens at nine tonight"
	if got := most(said(t, e, advert, advert, advert), engines.Spam); got < 0.55 {
		t.Errorf("three times: spam = %.2f, want 0.55 and more", got)
	}
	if got := most(said(t, e, advert, "hello", advert), engines.Spam); got != 0 {
		t.Errorf("twice: spam = %.2f, want none", got)
	}
	if got := most(said(t, e, "gg", "gg", "gg", "gg"), engines.Spam); got != 0 {
		t.Errorf("gg four times: spam = %.2f, want none", got)
	}
}

func TestMildInsultsThatGoOn(t *testing.T) {
	list := `language: en
entries:
  - {terms: [noodle], category: harassment, sub_label: insult, severity: 1, confidence: 0.45}
`
	e, err := New(Config{Lexicons: fstest.MapFS{"list.yaml": {Data: []byte(list)}}, NoModel: true})
	if err != nil {
		t.Fatal(err)
	}
	once := most(said(t, e, "hello", "you noodle"), engines.Harassment)
	again := most(said(t, e, "noodle", "what a noodle", "you noodle"), engines.Harassment)
	if once >= 0.55 || again < 0.55 {
		t.Errorf("once %.2f, the third time %.2f; want below 0.55 and above", once, again)
	}
}

// What was said before has no say in another player's line, nor after a while.
func TestContextEnds(t *testing.T) {
	e, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1000, 0)
	for name, l := range map[string]engines.Line{
		"another player": {Player: "q", Text: "kill", At: at},
		"long ago":       {Player: "p", Text: "kill", At: at.Add(-time.Minute)},
	} {
		item := &engines.Item{Kind: engines.KindText, Player: "p", Text: "yourself", ReceivedAt: at, Context: &engines.Context{Player: []engines.Line{l}}}
		got, err := e.Inspect(context.Background(), item, nil)
		if err != nil || len(got) > 0 {
			t.Errorf("%s: %v, %v; want nothing", name, got, err)
		}
	}
}
