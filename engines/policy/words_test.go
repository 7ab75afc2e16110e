package policy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

// finder is a matcher of substrings, in small letters: enough for what policy makes
// of what a matcher finds.
type finder []string

func compileWords(words []engines.Word) (engines.WordMatcher, error) {
	var f finder
	var bad engines.WordFaults
	for i, w := range words {
		f = append(f, strings.ToLower(w.Term))
		if strings.Contains(w.Term, "unfindable") {
			bad = append(bad, engines.WordFault{Word: i, Reason: "is unfindable"})
		}
	}
	if len(bad) > 0 {
		return nil, bad
	}
	return f, nil
}

func (f finder) Find(item *engines.Item, out []engines.FoundWord) []engines.FoundWord {
	text := strings.ToLower(item.Text)
	for i, w := range f {
		for at := 0; ; {
			k := strings.Index(text[at:], w)
			if k < 0 {
				break
			}
			start := len([]rune(text[:at+k]))
			out = append(out, engines.FoundWord{Word: i, Span: engines.Span{Start: start, End: start + len([]rune(w))}})
			at += k + len(w)
		}
	}
	return out
}

// hits is what counts of an operator's words in a text: prohibited ones by rule, and
// with ! before it where an exception of their rank or a higher one covers them.
func hits(s *policy.Set, item engines.Item) string {
	w := s.Resolve(&item, item.ReceivedAt).Words()
	if w == nil {
		return ""
	}
	all := w.Hits(&item, nil)
	var out []string
	for _, h := range all {
		if h.Exception {
			continue
		}
		name := h.Signal.Rule
		for _, x := range all {
			if x.Exception && x.Rank >= h.Rank && x.Span.Covers(h.Span) {
				name = "!" + h.Signal.Rule
			}
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func TestWordsOfLayers(t *testing.T) {
	words := policy.Words{Compile: compileWords, Lists: map[string]policy.List{
		"rude": {Prohibited: []policy.ProhibitedWord{{Term: "darn", Action: policy.ActionReview}}, Lists: []string{"worse"}},
		"worse": {
			Prohibited: []policy.ProhibitedWord{{Term: "drat", Category: engines.Hate, SubLabel: "slur", Severity: 3}, {Term: "old", Expires: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}},
			Exceptions: []policy.ExceptionWord{{Term: "drats cafe"}},
		},
		"unused": {Prohibited: []policy.ProhibitedWord{{Term: "everything"}}},
	}}
	s, err := policy.Compile(policy.Config{}, []policy.Layer{
		layer(t, "global/default", "prohibited: [bother]\nexceptions: [botherwell]"),
		layer(t, "region/jp", "lists: [rude]\nexceptions: [bother me]"),
		layer(t, "segment/minor", "prohibited: [botherwell]\nexceptions: [darned]"),
	}, words)
	if err != nil {
		t.Fatal(err)
	}
	before, after := time.Date(2029, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		item engines.Item
		want string
	}{
		{engines.Item{Text: "darn everything"}, ""},
		{engines.Item{Text: "a bother"}, "global/default/bother"},
		{engines.Item{Text: "in Botherwell"}, "!global/default/bother"},
		{engines.Item{Text: "darn drat", Region: "jp"}, "list/rude/darn list/worse/drat"},
		{engines.Item{Text: "drats cafe", Region: "jp"}, "!list/worse/drat"},
		{engines.Item{Text: "old", Region: "jp", ReceivedAt: before}, "list/worse/old"},
		{engines.Item{Text: "old", Region: "jp", ReceivedAt: after}, ""},
		{engines.Item{Text: "bother me", Region: "jp"}, "!global/default/bother"},
		{engines.Item{Text: "bother me"}, "global/default/bother"},
		// A more specific layer prohibits what a more general one excepts, and excepts
		// what it prohibits.
		{engines.Item{Text: "botherwell", Segment: "minor"}, "!global/default/bother segment/minor/botherwell"},
		{engines.Item{Text: "darned", Region: "jp", Segment: "minor"}, "!list/rude/darn"},
	} {
		if got := hits(s, c.item); got != c.want {
			t.Errorf("%q of %s %s: %q, want %q", c.item.Text, c.item.Region, c.item.Segment, got, c.want)
		}
	}
	w := s.Resolve(&engines.Item{Region: "jp"}, after).Words()
	for _, h := range w.Hits(&engines.Item{Text: "drat"}, nil) {
		if s := h.Signal; s.Category != engines.Hate || s.SubLabel != "slur" || s.Severity != 3 || s.Source != engines.SourceCustomList || s.Action != "block" {
			t.Errorf("signal %+v is not what the entry says", s)
		}
	}
}

// TestWordsAct: an operator's word does what it says, whatever its category does.
func TestWordsAct(t *testing.T) {
	s := layered(t, "global/default", "categories: {harassment: {enabled: false}}")
	for action, want := range map[policy.Action]engines.Action{
		policy.ActionBlock: engines.Drop, policy.ActionMask: engines.Mask, policy.ActionReview: engines.Deliver, policy.ActionWarn: engines.Deliver,
	} {
		signal := sub(engines.Harassment, "", 0.99)
		signal.Source, signal.Action = engines.SourceCustomList, string(action)
		v := verdict(s, engines.Item{}, engines.Standing{Trust: "trusted"}, signal)
		if v.Action != want || v.Warn != (action == policy.ActionWarn) || v.Case != (action == policy.ActionReview) {
			t.Errorf("%s: %s, warn %t, case %t; want %s", action, v.Action, v.Warn, v.Case, want)
		}
		signal.Excepted = true
		if v := verdict(s, engines.Item{}, engines.Standing{}, signal); v.Suggestion != engines.Pass || len(v.Labels) > 0 || len(v.Hits) > 0 {
			t.Errorf("%s, excepted: %+v, want a clean pass", action, v)
		}
	}
}

func TestListFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		layer string
		lists map[string]string
		want  []string // in the faults
	}{
		{"no such list", "lists: [nothing]", nil, []string{`global/default#/lists/0: "nothing" is no list`}},
		{
			"a circle", "lists: [a]",
			map[string]string{"a": "lists: [b]", "b": "lists: [c]", "c": "lists: [a]"},
			[]string{"list/c#/lists/0: goes round in a circle: a -> b -> c -> a"},
		},
		{"a list of itself", "lists: [a]", map[string]string{"a": "lists: [a]"}, []string{"list/a#/lists/0: goes round in a circle: a -> a"}},
		{"a word that can't be found", "lists: [a]", map[string]string{"a": "prohibited: [fine, unfindable]"}, []string{"list/a#/prohibited/1/term: is unfindable"}},
		{
			"prohibited and excepted", "prohibited: ['Dr. No']\nexceptions: ['dr. no!']", nil, nil, // not the same to this matcher
		},
	} {
		lists := map[string]policy.List{}
		for name, text := range c.lists {
			l, err := policy.ReadList([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			lists[name] = l
		}
		_, err := policy.Compile(policy.Config{}, []policy.Layer{layer(t, "global/default", c.layer)}, policy.Words{Lists: lists, Compile: compileWords})
		if len(c.want) == 0 {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if _, ok := errors.AsType[policy.Faults](err); !ok {
			t.Errorf("%s: %v, want faults", c.name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q lacks %q", c.name, err, want)
			}
		}
	}
}

func TestListsReachedTwice(t *testing.T) {
	words := policy.Words{Compile: compileWords, Lists: map[string]policy.List{
		"a": {Lists: []string{"c"}}, "b": {Lists: []string{"c"}}, "c": {Prohibited: []policy.ProhibitedWord{{Term: "word"}}},
	}}
	s, err := policy.Compile(policy.Config{}, []policy.Layer{layer(t, "global/default", "lists: [a, b]")}, words)
	if err != nil {
		t.Fatal(err)
	}
	if got := hits(s, engines.Item{Text: "a word"}); got != "list/c/word" {
		t.Errorf("found %q, want the word once", got)
	}
}

func TestWordTests(t *testing.T) {
	l, err := policy.ReadList([]byte(`
prohibited:
  - {term: sex, must_hit: [no sex, Middlesex], must_pass: [text, a sextant]}
exceptions: [middlesex]
`))
	if err != nil {
		t.Fatal(err)
	}
	got := policy.TestWords(nil, policy.Words{Compile: compileWords, Lists: map[string]policy.List{"l": l}}).Error()
	want := `list/l#/prohibited/0/must_hit/1: "Middlesex" is not hit by "sex": the exception "middlesex" covers it
list/l#/prohibited/0/must_pass/1: "a sextant" is hit by "sex"`
	if got != want {
		t.Errorf("TestWords:\n%s\nwant:\n%s", got, want)
	}
}

func TestTooManyWords(t *testing.T) {
	var b strings.Builder
	b.WriteString("prohibited:\n")
	for i := range policy.MaxWords + 1 {
		fmt.Fprintf(&b, "- w%d\n", i)
	}
	if _, err := policy.ReadList([]byte(b.String())); err == nil || !strings.Contains(err.Error(), "10000") {
		t.Errorf("ReadList of %d words = %v, want a fault", policy.MaxWords+1, err)
	}
}
