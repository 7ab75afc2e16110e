package text

import (
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	classifier "github.com/portcullis-gg/portcullis/engines/text/classify"
)

// biased makes a model whose heads always say the same.
func biased(t *testing.T, logOdds map[classifier.Head]float32) *classifier.Model {
	t.Helper()
	trained := &classifier.Trained{Bits: 8, Weights: make([][classifier.Heads]int8, 1<<8)}
	for h := range classifier.Heads {
		trained.Bias[h] = -6
		if v, ok := logOdds[classifier.Head(h)]; ok {
			trained.Bias[h] = v
		}
		trained.Knots[h] = [][2]float32{{-9, -9}, {9, 9}}
	}
	m, err := classifier.Parse(classifier.Encode(trained))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func inspect(t *testing.T, cfg Config, text string) []engines.Signal {
	t.Helper()
	e, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	signals, err := e.Inspect(t.Context(), &engines.Item{Kind: engines.KindText, Text: text}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return signals
}

func TestModelSpeaks(t *testing.T) {
	sure := biased(t, map[classifier.Head]float32{classifier.Abuse: 2, classifier.Spam: 1})
	var got []string
	for _, s := range inspect(t, Config{Model: sure}, "see you at the gate") {
		if s.Source == engines.SourceModel {
			got = append(got, s.Rule)
		}
	}
	if want := "model/harassment model/spam"; strings.Join(got, " ") != want {
		t.Errorf("signals %v, want %v", got, want)
	}
	grave := biased(t, map[classifier.Head]float32{classifier.Abuse: 2, classifier.Hate: 2})
	for _, s := range inspect(t, Config{Model: grave}, "see you at the gate") {
		if s.Category == engines.Harassment {
			t.Errorf("%v beside a graver category", s)
		}
	}
}

func TestModelWeighsUnsureEntries(t *testing.T) {
	confidence := func(cfg Config) float64 {
		for _, s := range inspect(t, cfg, "the cock in my barn wakes me up") {
			if s.Source == engines.SourceLexicon {
				return s.Confidence
			}
		}
		return 0
	}
	alone := confidence(Config{NoModel: true})
	doubted := confidence(Config{Model: biased(t, nil)})
	backed := confidence(Config{Model: biased(t, map[classifier.Head]float32{classifier.Abuse: 3})})
	if !(doubted < alone && alone < backed) {
		t.Errorf("confidence %v when the model doubts, %v alone, %v when it agrees", doubted, alone, backed)
	}
}

func TestModelName(t *testing.T) {
	e, err := New(Config{NoModel: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Model(); got != "none" {
		t.Errorf("Model() without one = %q", got)
	}
	if e, err = New(Config{}); err != nil {
		t.Fatal(err)
	}
	if got := e.Model(); len(got) != 12 {
		t.Errorf("Model() = %q, want the start of a checksum", got)
	}
}

// Whatever the model does, it stays clear of the message's bounds and costs nothing.
func TestModelSpansAndMemory(t *testing.T) {
	e, err := New(Config{Model: biased(t, map[classifier.Head]float32{classifier.Abuse: 3, classifier.Hate: 3})})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", " ", "ß", "é e\u0301", "1d10t f.u.c.k", "馬鹿野郎", strings.Repeat("a", 300), "👨‍👩‍👧 !!!"} {
		signals, err := e.Inspect(t.Context(), &engines.Item{Kind: engines.KindText, Text: text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range signals {
			if s.Span.Start < 0 || s.Span.End > len([]rune(text)) || s.Span.Start > s.Span.End {
				t.Errorf("%q: span %v", text, s.Span)
			}
		}
	}
	reasons, err := e.Explain(t.Context(), &engines.Item{Kind: engines.KindText, Text: "you fool"}, engines.Harassment, 3)
	if err != nil || len(reasons) != 3 {
		t.Errorf("Explain() = %v, %v, want 3 reasons", reasons, err)
	}
}

// Numbers and signs alone are for the rules.
func TestModelIsSilentWithoutWords(t *testing.T) {
	e := shared(t)
	for _, text := range []string{"455,117", "-120 64 350", "12:30", "3.1.4", "0/10", "😀😀", "?!", "100 200 300 400"} {
		for _, s := range look(t, e, text, "") {
			if s.Source == engines.SourceModel {
				t.Errorf("Inspect(%q) = %+v, want nothing from the model", text, s)
			}
		}
	}
}

// Where nothing was found the model says how likely abuse is, of the whole message.
func TestModelHints(t *testing.T) {
	const text = "see you at the gate"
	for odds, want := range map[float32]int{-2: 1, -5: 0} {
		got := inspect(t, Config{Model: biased(t, map[classifier.Head]float32{classifier.Abuse: odds})}, text)
		if len(got) != want {
			t.Fatalf("log-odds %v: %+v, want %d signals", odds, got, want)
		}
		if want == 1 && (got[0].Confidence >= telling || got[0].Span != engines.Span{End: len(text)}) {
			t.Errorf("a hint of %+v", got[0])
		}
	}
}
