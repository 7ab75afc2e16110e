package text

import (
	"context"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// opinionated is a second stage that says the same of every message.
type opinionated struct {
	logOdds float64
	busy    bool
	asked   int
	text    string // as it was read last
}

func (r *opinionated) Read(_ context.Context, s string) (float64, bool) {
	r.asked++
	r.text = s
	return r.logOdds, !r.busy
}

// inspected are the signals of an item where the second stage says what r does.
func inspected(t *testing.T, e *Engine, r *opinionated, item engines.Item) []engines.Signal {
	t.Helper()
	with := &Engine{lexicon: e.lexicon, languages: e.languages, links: e.links, model: e.model}
	with.pool.New = e.pool.New
	if r != nil {
		with.networks.Attacks = r
	}
	out, err := with.Inspect(t.Context(), &item, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestAsked says which messages the second stage is asked about.
func TestAsked(t *testing.T) {
	e := shared(t)
	for _, c := range []struct {
		text, lang string
		kind       engines.Kind
		want       bool
	}{
		{"gg wp everyone, same time tomorrow?", "en", engines.KindText, false},
		{"gg wp everyone, same time tomorrow?", "", engines.KindText, false},
		{"my best friend is a muslim and he carries me every game", "en", engines.KindText, true},
		{"my best friend is a muslim and he carries me every game", "", engines.KindText, true},
		{"my best friend is a muslim and he carries me every game", "en-GB", engines.KindText, true},
		{"my best friend is a muslim and he carries me every game" + strings.Repeat(" and so on", 90), "en", engines.KindText, true},
		{"my best friend is a muslim and he carries me every game" + strings.Repeat(" and so on", 95), "en", engines.KindText, false}, // 1,005 code points
		{"my best friend is a muslim and he carries me every game", "de", engines.KindText, false},
		{"mein bester Freund ist Muslim und spielt gern mit uns", "de", engines.KindText, false},
		{"мой лучший друг мусульманин", "ru", engines.KindText, false},
		{"muslim", "en", engines.KindName, false},
		{"1234 5678", "en", engines.KindText, false},
		{"my best friend is a muslim \U0001F600", "en", engines.KindText, false},
		{"you are such an idiot", "en", engines.KindText, false}, // names nobody, and is known
		{"they breed like vermin and ruin every town", "en", engines.KindText, true},
		{"vermin, all of them", "en", engines.KindText, false}, // no sentence
	} {
		r := &opinionated{}
		inspected(t, e, r, engines.Item{Kind: c.kind, Text: c.text, Language: c.lang})
		if (r.asked > 0) != c.want || r.asked > 1 {
			t.Errorf("%q (%s) asks %d times, want %v", c.text, c.lang, r.asked, c.want)
		}
	}
}

// TestSecond has the second stage raise what the first is unsure of, take it back, and be busy.
func TestSecond(t *testing.T) {
	e := shared(t)
	item := engines.Item{Kind: engines.KindText, Text: "my best friend is a muslim and he carries me every game", Language: "en"}
	first := attack(inspected(t, e, nil, item))
	raised := inspected(t, e, &opinionated{logOdds: 4}, item)
	if c := attack(raised); c < raising || c > unaided {
		t.Errorf("raised to %.2f, want what a person looks at and no more", c)
	}
	if last := raised[len(raised)-1]; last.Rule != meaningRule || last.Category != engines.Hate {
		t.Errorf("raised by %+v", last)
	}
	if c := attack(inspected(t, e, &opinionated{logOdds: -4}, item)); c > first {
		t.Errorf("an innocent answer raises %.2f to %.2f", first, c)
	}

	item.Text = "muslims are a bit strange to me"
	first = attack(inspected(t, e, nil, item))
	lowered := inspected(t, e, &opinionated{logOdds: -6}, item)
	if c := attack(lowered); first < 0.3 || c >= first {
		t.Errorf("an innocent answer leaves %.2f of %.2f", c, first)
	}
	if !strings.HasSuffix(lowered[0].Rule, meaningLowered) {
		t.Errorf("the rule %s does not say why", lowered[0].Rule)
	}
	busy := inspected(t, e, &opinionated{busy: true}, item)
	if c := attack(busy); c != first {
		t.Errorf("without an answer it is %.2f, not %.2f", c, first)
	}
	if !strings.HasSuffix(busy[0].Rule, meaningSkipped) {
		t.Errorf("the rule %s does not say that it was busy", busy[0].Rule)
	}
}

// TestExcused has the second stage hear of swear words: beside a group they are taken back
// where it is sure, and are kept where it is not, where nobody is named, and slurs that block.
func TestExcused(t *testing.T) {
	e := shared(t)
	for _, c := range []struct {
		text    string
		logOdds float64
		excused bool
	}{
		{"my muslim friend made the best fucking dinner today", -8, true},
		{"my muslim friend made the best fucking dinner today", 1, false},
		{"my old friend made the best fucking dinner today", -8, false},
	} {
		item := engines.Item{Kind: engines.KindText, Text: c.text, Language: "en"}
		before, after := attack(inspected(t, e, nil, item)), attack(inspected(t, e, &opinionated{logOdds: c.logOdds}, item))
		if before < evident {
			t.Errorf("%q is not found: %.2f", c.text, before)
		}
		if excused := after < evident; excused != c.excused {
			t.Errorf("%q with %.0f: %.2f, before %.2f", c.text, c.logOdds, after, before)
		}
	}
}

// attack is the highest confidence of an attack on somebody.
func attack(found []engines.Signal) (c float64) {
	for i := range found {
		if attacks(&found[i]) {
			c = max(c, found[i].Confidence)
		}
	}
	return c
}
