package text

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/enginetest"
)

// builtin is the engine with the lists that are built in.
var builtin = sync.OnceValues(func() (*Engine, error) { return New(Config{}) })

func shared(tb testing.TB) *Engine {
	tb.Helper()
	e, err := builtin()
	if err != nil {
		tb.Fatalf("New: %v", err)
	}
	return e
}

// custom makes an engine of one list.
func custom(tb testing.TB, yaml string) *Engine {
	tb.Helper()
	e, err := New(Config{Lexicons: fstest.MapFS{"list.yaml": {Data: []byte(yaml)}}, NoRules: true, NoModel: true})
	if err != nil {
		tb.Fatalf("New: %v", err)
	}
	return e
}

func look(tb testing.TB, e *Engine, text, language string) []engines.Signal {
	tb.Helper()
	got, err := e.Inspect(context.Background(), &engines.Item{Kind: engines.KindText, Text: text, Language: language}, nil)
	if err != nil {
		tb.Fatalf("Inspect(%q): %v", text, err)
	}
	return got
}

// found returns the spans of signals of the category that policy would act on.
func found(signals []engines.Signal, c engines.Category) []engines.Span {
	var out []engines.Span
	for _, s := range signals {
		if s.Category == c && s.Confidence >= 0.55 {
			out = append(out, s.Span)
		}
	}
	return out
}

func TestConformance(t *testing.T) {
	enginetest.Run(t, func() engines.Engine { return shared(t) })
}

func TestCleanMessageAllocatesNothing(t *testing.T) {
	e := shared(t)
	item := &engines.Item{Kind: engines.KindText, Text: "gg well played everyone, it's #2 - see you at the gate"}
	got := testing.AllocsPerRun(200, func() {
		if _, err := e.Inspect(context.Background(), item, nil); err != nil {
			t.Fatal(err)
		}
	})
	// Under the race detector the pool drops some of its memory on purpose.
	if got >= 1 && !raceEnabled {
		t.Errorf("Inspect of a clean message allocates %v times, want 0", got)
	}
}

// TestLinear counts the automaton's steps: what a message costs must grow as its
// length does, whatever it is made of.
func TestLinear(t *testing.T) {
	l := shared(t).lexicon
	for _, unit := range []string{"a", "kill you ", "f u c k ", "傻1逼", "死ね", "f.u.c.k.", "ｆucḱ", "ass"} {
		steps := func(n int) int {
			s := newScratch()
			text := ""
			var textSb81 strings.Builder
			for range n {
				textSb81.WriteString(unit)
			}
			text += textSb81.String()
			s.begin(&engines.Item{Text: text})
			buildPlain(&s.plain, s.norm.units, &l.auto.alphabet)
			s.scan(l, &s.plain, s.plain.whole(), false)
			s.alt.scan(s.norm.units)
			s.alt.build(&s.evasive[0], false)
			return len(s.norm.units) + len(s.plain.syms) + len(s.evasive[0].syms) + len(s.hits) + len(s.contexts)
		}
		small, large := steps(50), steps(500)
		if large > 11*small+100 {
			t.Errorf("%q: %d steps for 50, %d for 500: more than linear", unit, small, large)
		}
	}
}

func TestNameCountsInnerWords(t *testing.T) {
	e := shared(t)
	for name, want := range map[string]bool{"xXidiotslayerXx": true, "fuckyousername": true, "Scunthorpe1982": false, "nightwatch": false, "Cassandra": false} {
		got, err := e.Inspect(t.Context(), &engines.Item{Kind: engines.KindName, Text: name}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if (len(found(got, engines.Harassment)) > 0) != want {
			t.Errorf("Inspect(name %q) = %+v, want a hit: %v", name, got, want)
		}
	}
}

// The languages are those of the lists, each once; the list of many and those of none
// are of no language.
func TestLanguages(t *testing.T) {
	tags := shared(t).Languages()
	if !slices.IsSorted(tags) || len(slices.Compact(slices.Clone(tags))) != len(tags) {
		t.Errorf("Languages() = %v, want each once, sorted", tags)
	}
	for _, tag := range []string{"en", "ja", "ko", "sw", "zh"} {
		if !slices.Contains(tags, tag) {
			t.Errorf("Languages() lacks %s", tag)
		}
	}
	if slices.Contains(tags, "mul") || slices.Contains(tags, "und") {
		t.Errorf("Languages() = %v, want languages alone", tags)
	}
}
