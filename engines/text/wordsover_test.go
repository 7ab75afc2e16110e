package text

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// ruled are operators' words whose signals bear the term.
type ruled struct {
	m      engines.WordMatcher
	terms  []engines.Word
	except int
}

func (o ruled) Hits(item *engines.Item, out []engines.WordHit) []engines.WordHit {
	for _, f := range o.m.Find(item, nil) {
		h := engines.WordHit{Span: f.Span, Exception: f.Word >= o.except, Rank: 1, Signal: engines.Signal{
			Category: engines.Harassment, Confidence: 0.99, Source: engines.SourceCustomList, Span: f.Span, Rule: "segment/minor/" + o.terms[f.Word].Term, Action: "block",
		}}
		if f.Span.Start < 0 {
			h.Signal.Span.Start = 0
			h.Signal.Rule += engines.OverMessages
		}
		out = append(out, h)
	}
	return out
}

func ruledWords(tb testing.TB, prohibited, exceptions []string) ruled {
	tb.Helper()
	var list []engines.Word
	for _, term := range slices.Concat(prohibited, exceptions) {
		list = append(list, engines.Word{Term: term})
	}
	return ruled{words(tb, list...), list, len(prohibited)}
}

// saidAfter is an item that its player says a second after the lines before it.
func saidAfter(w engines.Words, before []string, text string) *engines.Item {
	at := time.Unix(1000, 0)
	item := &engines.Item{Kind: engines.KindText, Player: "p", Text: text, Words: w, Context: &engines.Context{}}
	for _, l := range before {
		item.Context.Player = append(item.Context.Player, engines.Line{Player: "p", Text: l, At: at})
		at = at.Add(time.Second)
	}
	item.ReceivedAt = at
	return item
}

// TestOperatorsWordsOverMessages: a word that an operator prohibits is found in pieces
// as one of the lists that are built in is.
func TestOperatorsWordsOverMessages(t *testing.T) {
	e, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	w := ruledWords(t, []string{"zorblax", "free gems", "ゾルブ", "vortex/9", "sex"}, []string{"free gems festival", "middlesex"})
	for _, c := range []struct {
		before []string
		text   string
		want   string // terms that count, with the place in the last message
	}{
		{[]string{"zor"}, "blax", "zorblax[blax]"},
		{[]string{"hello you all", "z", "o", "r"}, "BLAX", "zorblax[BLAX]"},
		{[]string{"want some free"}, "gems", "free gems[gems]"},
		{[]string{"ゾル"}, "ブ", "ゾルブ[ブ]"},
		{[]string{"vor"}, "tex/9", "vortex/9[tex/9]"},
		// What only meets is no word, nor is what is said much later or by the way.
		{[]string{"azor"}, "blax", ""},
		{[]string{"zor"}, "blaxes", ""},
		{[]string{"zor", "what a long line that is no piece of any word"}, "blax", ""},
		{[]string{"feel free to ask"}, "gems are rare", ""},
		// An exception covers a word over messages as it does within one, and one that began
		// before does not void what stands in this message.
		{[]string{"at the free"}, "gems festival", ""},
		{[]string{"middle"}, "sex", "sex[sex]"},
	} {
		signals, err := e.Inspect(t.Context(), saidAfter(w, c.before, c.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, runes := "", []rune(c.text)
		for _, s := range signals {
			if s.Source != engines.SourceCustomList || s.Excepted {
				continue
			}
			term, over := strings.CutSuffix(strings.TrimPrefix(s.Rule, "segment/minor/"), engines.OverMessages)
			if got += term + "[" + string(runes[s.Span.Start:s.Span.End]) + "]"; over == (term == "sex") {
				t.Errorf("%q, %q: rule %s", c.before, c.text, s.Rule)
			}
		}
		if got != c.want {
			t.Errorf("%q, %q: %q count, want %q", c.before, c.text, got, c.want)
		}
	}
	late := saidAfter(w, []string{"zor"}, "blax")
	late.ReceivedAt = late.ReceivedAt.Add(time.Minute)
	if found := w.Hits(late, nil); len(found) > 0 {
		t.Errorf("a minute later: %v", found)
	}
	name := saidAfter(w, []string{"zor"}, "blax")
	name.Kind = engines.KindName
	if found := w.Hits(name, nil); len(found) > 0 {
		t.Errorf("a name: %v", found)
	}
}

// TestRewordOverMessages: a stored decision does not know what was said before it; a
// word that began there stays as long as the operator has it.
func TestRewordOverMessages(t *testing.T) {
	e, err := builtin()
	if err != nil {
		t.Fatal(err)
	}
	then := ruledWords(t, []string{"zorblax", "vortex/9"}, nil)
	for _, c := range []struct {
		before, text string
		now          engines.Words
		want         int
	}{
		{"zor", "blax", ruledWords(t, []string{"other", "zorblax"}, nil), 1},
		{"vor", "tex/9", ruledWords(t, []string{"vortex/9"}, nil), 1},
		{"zor", "blax", ruledWords(t, []string{"other"}, nil), 0},
		{"zor", "blax", ruledWords(t, []string{"other"}, []string{"zorblax"}), 0},
		{"zor", "blax", nil, 0},
	} {
		item := saidAfter(then, []string{c.before}, c.text)
		signals, err := e.Inspect(t.Context(), item, nil)
		if err != nil {
			t.Fatal(err)
		}
		item.Words, item.Context = c.now, nil
		got, err := e.Reword(t.Context(), item, signals)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, s := range got {
			if s.Action == "block" && strings.HasSuffix(s.Rule, engines.OverMessages) {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%q, %q: %d words over messages under the words of now, want %d", c.before, c.text, n, c.want)
		}
	}
}
