package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

func compile(tb testing.TB, c policy.Config) *policy.Set {
	tb.Helper()
	s, err := policy.Compile(c, nil, policy.Words{})
	if err != nil {
		tb.Fatalf("Compile: %v", err)
	}
	return s
}

// rules resolves a policy for an item of no scene.
func rules(tb testing.TB, c policy.Config) *policy.Resolved {
	tb.Helper()
	return compile(tb, c).Resolve(&engines.Item{}, time.Time{})
}

func sig(c engines.Category, confidence float64, spans ...engines.Span) engines.Signal {
	s := engines.Signal{Category: c, Severity: 2, Confidence: confidence, Source: engines.SourceLexicon}
	if len(spans) > 0 {
		s.Span = spans[0]
	}
	return s
}

var off = false

// TestModes is the table of the wire contract, with masks beside it.
func TestModes(t *testing.T) {
	const text = "you bad word"
	pass := []engines.Signal(nil)
	review := []engines.Signal{sig(engines.Hate, 0.6, engines.Span{Start: 0, End: 3})}
	block := []engines.Signal{sig(engines.Hate, 0.95, engines.Span{Start: 0, End: 3})}
	masked := []engines.Signal{sig(engines.Harassment, 0.9, engines.Span{Start: 4, End: 7})}
	type want struct {
		suggestion engines.Suggestion
		action     engines.Action
		kase       bool
		masked     string
		observed   engines.Suggestion
	}
	for _, c := range []struct {
		name    string
		mode    engines.Mode
		clear   bool
		live    bool
		signals []engines.Signal
		want    want
	}{
		{"pass", engines.RealTimeBlock, false, true, pass, want{engines.Pass, engines.Deliver, false, "", ""}},
		{"review", engines.RealTimeBlock, false, true, review, want{engines.Review, engines.Deliver, true, "", ""}},
		{"block", engines.RealTimeBlock, false, true, block, want{engines.Block, engines.Drop, false, "", ""}},
		{"mask", engines.RealTimeBlock, false, true, masked, want{engines.Review, engines.Mask, false, "you *** word", ""}},
		{"mask and review", engines.RealTimeBlock, false, true, slices.Concat(masked, review), want{engines.Review, engines.Mask, true, "you *** word", ""}},
		{"mask and block", engines.RealTimeBlock, false, true, slices.Concat(masked, block), want{engines.Block, engines.Drop, false, "", ""}},

		{"pass", engines.DeferredReview, false, true, pass, want{engines.Pass, engines.Deliver, false, "", ""}},
		{"review", engines.DeferredReview, false, true, review, want{engines.Review, engines.Deliver, true, "", ""}},
		{"block", engines.DeferredReview, false, true, block, want{engines.Block, engines.Drop, true, "", ""}},
		{"mask, live", engines.DeferredReview, false, true, masked, want{engines.Review, engines.Deliver, true, "", ""}},
		{"mask, not live", engines.DeferredReview, false, false, masked, want{engines.Review, engines.Mask, false, "you *** word", ""}},

		{"pass", engines.PreReview, false, true, pass, want{engines.Pass, engines.Hold, true, "", ""}},
		{"pass, clear ones approved", engines.PreReview, true, true, pass, want{engines.Pass, engines.Deliver, false, "", ""}},
		{"review", engines.PreReview, false, true, review, want{engines.Review, engines.Hold, true, "", ""}},
		{"review, clear ones approved", engines.PreReview, true, true, review, want{engines.Review, engines.Hold, true, "", ""}},
		{"block", engines.PreReview, false, true, block, want{engines.Block, engines.Drop, false, "", ""}},
		{"mask", engines.PreReview, true, true, masked, want{engines.Review, engines.Hold, true, "you *** word", ""}},

		{"pass", engines.MonitorOnly, false, true, pass, want{engines.Pass, engines.Deliver, false, "", ""}},
		{"review", engines.MonitorOnly, false, true, review, want{engines.Pass, engines.Deliver, false, "", engines.Review}},
		{"block", engines.MonitorOnly, false, true, block, want{engines.Pass, engines.Deliver, false, "", engines.Block}},
		{"mask", engines.MonitorOnly, false, true, masked, want{engines.Pass, engines.Deliver, false, "", engines.Review}},
	} {
		t.Run(fmt.Sprintf("%s/%s", c.mode, c.name), func(t *testing.T) {
			r := rules(t, policy.Config{
				Mode: c.mode, ApproveClear: c.clear,
				Categories: map[engines.Category]policy.CategoryConfig{engines.Harassment: {Action: policy.ActionMask}},
			})
			v := policy.Decide(&engines.Item{Text: text, Live: c.live}, c.signals, nil, engines.Standing{}, r)
			got := want{v.Suggestion, v.Action, v.Case, v.Masked, ""}
			if v.Observed != nil {
				got.observed = v.Observed.Suggestion
				if len(v.Observed.Labels) == 0 || len(v.Labels) != 0 {
					t.Errorf("observed %v, labels %v: want what was found in observed alone", v.Observed.Labels, v.Labels)
				}
			}
			if got != c.want {
				t.Errorf("Decide = %+v, want %+v", got, c.want)
			}
			if v.Mode != c.mode || v.PolicyVersion != r.Version {
				t.Errorf("mode %q, version %q; want %q, %q", v.Mode, v.PolicyVersion, c.mode, r.Version)
			}
			if len(c.signals) > 0 && len(v.Hits) == 0 {
				t.Error("no hits where something was found")
			}
		})
	}
}

func TestActions(t *testing.T) {
	for _, c := range []struct {
		name       string
		category   engines.Category
		cfg        policy.CategoryConfig
		confidence float64
		want       engines.Suggestion
		warn       bool
		labels     int
	}{
		{"high risk blocks", engines.Sexual, policy.CategoryConfig{}, 0.85, engines.Block, false, 1},
		{"high risk below the block cut-off", engines.Sexual, policy.CategoryConfig{}, 0.84, engines.Review, false, 1},
		{"below the review cut-off", engines.Sexual, policy.CategoryConfig{}, 0.54, engines.Pass, false, 0},
		{"at the review cut-off", engines.Sexual, policy.CategoryConfig{}, 0.55, engines.Review, false, 1},
		{"medium goes to review", engines.Spam, policy.CategoryConfig{}, 1, engines.Review, false, 1},
		{"medium set to block", engines.Spam, policy.CategoryConfig{Action: policy.ActionBlock}, 1, engines.Block, false, 1},
		{"high set to review", engines.Violence, policy.CategoryConfig{Action: policy.ActionReview}, 1, engines.Review, false, 1},
		{"warn", engines.Violence, policy.CategoryConfig{Action: policy.ActionWarn}, 1, engines.Pass, true, 1},
		{"warn below", engines.Violence, policy.CategoryConfig{Action: policy.ActionWarn}, 0.5, engines.Pass, false, 0},
		{"off", engines.Violence, policy.CategoryConfig{Enabled: &off}, 1, engines.Pass, false, 0},
		{"own strictness, stricter", engines.Privacy, policy.CategoryConfig{Strictness: 5}, 0.31, engines.Review, false, 1},
		{"own strictness, milder", engines.Hate, policy.CategoryConfig{Strictness: 1}, 0.96, engines.Review, false, 1},
		{"not a number", engines.Hate, policy.CategoryConfig{}, math.NaN(), engines.Pass, false, 0},
		{"a category policy has no word for", "another", policy.CategoryConfig{}, 1, engines.Review, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := policy.Config{}
			if c.category != "another" {
				cfg.Categories = map[engines.Category]policy.CategoryConfig{c.category: c.cfg}
			}
			v := policy.Decide(&engines.Item{Text: "x"}, []engines.Signal{sig(c.category, c.confidence)}, nil, engines.Standing{}, rules(t, cfg))
			if v.Suggestion != c.want || v.Warn != c.warn || len(v.Labels) != c.labels {
				t.Errorf("Decide = %s, warn %t, %d labels; want %s, %t, %d", v.Suggestion, v.Warn, len(v.Labels), c.want, c.warn, c.labels)
			}
		})
	}
}

// What is to be warned about is no clear pass.
func TestPreReviewHoldsWarnings(t *testing.T) {
	r := rules(t, policy.Config{
		Mode: engines.PreReview, ApproveClear: true,
		Categories: map[engines.Category]policy.CategoryConfig{engines.Spam: {Action: policy.ActionWarn}},
	})
	v := policy.Decide(&engines.Item{Text: "x"}, []engines.Signal{sig(engines.Spam, 1)}, nil, engines.Standing{}, r)
	if v.Action != engines.Hold || !v.Case || !v.Warn || v.Suggestion != engines.Pass {
		t.Errorf("Decide = %+v, want a held pass with a warning", v)
	}
}

func TestMandatoryRules(t *testing.T) {
	child := sig(engines.Illegal, 0.86)
	child.SubLabel = "child_safety"
	drugs := sig(engines.Illegal, 0.86)
	drugs.SubLabel = "drugs"
	lenient := policy.Config{Strictness: 1, Categories: map[engines.Category]policy.CategoryConfig{
		engines.Illegal: {Enabled: &off, Strictness: 1, Action: policy.ActionWarn},
	}}
	for _, c := range []struct {
		name   string
		cfg    policy.Config
		item   engines.Item
		st     engines.Standing
		signal engines.Signal
		want   engines.Suggestion
	}{
		{"no setting weakens it", lenient, engines.Item{}, engines.Standing{}, child, engines.Block},
		{"no caller weakens it", policy.Config{}, engines.Item{StrictLevel: 1}, engines.Standing{}, child, engines.Block},
		{"no standing weakens it", policy.Config{}, engines.Item{}, engines.Standing{Trust: "trusted"}, child, engines.Block},
		{"other illegal content is the policy's", lenient, engines.Item{}, engines.Standing{}, drugs, engines.Pass},
		{"other illegal content is the caller's", policy.Config{}, engines.Item{StrictLevel: 1}, engines.Standing{}, drugs, engines.Review},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := policy.Decide(&c.item, []engines.Signal{c.signal}, nil, c.st, rules(t, c.cfg))
			if v.Suggestion != c.want {
				t.Errorf("suggestion = %s, want %s", v.Suggestion, c.want)
			}
		})
	}
}

func TestStanding(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal engines.Signal
		trust  string
		level  int
		want   engines.Suggestion
	}{
		{"default", sig(engines.Spam, 0.5), "", 0, engines.Pass},
		{"watched", sig(engines.Spam, 0.5), "watched", 0, engines.Review},
		{"trusted", sig(engines.Spam, 0.6), "trusted", 0, engines.Pass},
		{"the caller's level wins", sig(engines.Spam, 0.6), "trusted", 3, engines.Review},
		{"never what is illegal", sig(engines.Illegal, 0.6), "trusted", 0, engines.Review},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := policy.Decide(&engines.Item{StrictLevel: c.level}, []engines.Signal{c.signal}, nil, engines.Standing{Trust: c.trust}, rules(t, policy.Config{}))
			if v.Suggestion != c.want {
				t.Errorf("suggestion = %s, want %s", v.Suggestion, c.want)
			}
		})
	}
}

func TestFailRules(t *testing.T) {
	fault := []engines.Fault{{Engine: "text", Reason: engines.ReasonLate}}
	some := []engines.Signal{sig(engines.Spam, 1)}
	for _, c := range []struct {
		name       string
		fail       policy.Fail
		mode       engines.Mode
		signals    []engines.Signal
		suggestion engines.Suggestion
		action     engines.Action
		kase       bool
	}{
		{"default", "", "", nil, engines.Review, engines.Deliver, true},
		{"review", policy.FailReview, "", nil, engines.Review, engines.Deliver, true},
		{"closed", policy.FailClosed, "", nil, engines.Block, engines.Drop, false},
		{"open", policy.FailOpen, "", nil, engines.Pass, engines.Deliver, false},
		{"open, with what was found", policy.FailOpen, "", some, engines.Review, engines.Deliver, true},
		{"open, before review", policy.FailOpen, engines.PreReview, nil, engines.Pass, engines.Hold, true},
		{"closed, deferred", policy.FailClosed, engines.DeferredReview, nil, engines.Block, engines.Drop, true},
		{"closed, monitored", policy.FailClosed, engines.MonitorOnly, nil, engines.Pass, engines.Deliver, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rules(t, policy.Config{Fail: c.fail, Mode: c.mode, ApproveClear: true})
			v := policy.Decide(&engines.Item{Text: "x", Live: true}, c.signals, fault, engines.Standing{}, r)
			if v.Suggestion != c.suggestion || v.Action != c.action || v.Case != c.kase || !v.Degraded {
				t.Errorf("Decide = %s %s case %t degraded %t, want %s %s %t true", v.Suggestion, v.Action, v.Case, v.Degraded, c.suggestion, c.action, c.kase)
			}
			if len(v.Labels) != len(c.signals) {
				t.Errorf("labels = %v, want those of the signals alone", v.Labels)
			}
		})
	}
}

// A mask does not hide that the rest was not inspected.
func TestMaskWithAFaultIsStillSeen(t *testing.T) {
	r := rules(t, policy.Config{Categories: map[engines.Category]policy.CategoryConfig{engines.Spam: {Action: policy.ActionMask}}})
	v := policy.Decide(&engines.Item{Text: "spam"}, []engines.Signal{sig(engines.Spam, 1)}, []engines.Fault{{}}, engines.Standing{}, r)
	if v.Action != engines.Mask || v.Masked != "****" || !v.Case {
		t.Errorf("Decide = %+v, want masked with a case", v)
	}
}

func TestLabelsAndHits(t *testing.T) {
	with := func(s engines.Signal, sub string, severity int, source engines.Source) engines.Signal {
		s.SubLabel, s.Severity, s.Source = sub, severity, source
		return s
	}
	signals := []engines.Signal{
		with(sig(engines.Harassment, 0.7, engines.Span{Start: 6, End: 9}), "insult", 1, engines.SourceLexicon),
		with(sig(engines.Harassment, 0.9, engines.Span{Start: 0, End: 3}), "insult", 3, engines.SourceModel),
		with(sig(engines.Harassment, 0.9, engines.Span{Start: 0, End: 3}), "insult", 2, engines.SourceRule),
		with(sig(engines.Harassment, 0.95, engines.Span{Start: 2, End: 99}), "profanity", 1, engines.SourceLexicon),
		with(sig(engines.Violence, 0.6), "", 4, engines.SourceModel),
		// The operator's word is named, though a model is surer of the same.
		with(sig(engines.Hate, 0.9), "", 2, engines.SourceCustomList),
		with(sig(engines.Hate, 0.99), "", 3, engines.SourceModel),
		with(sig(engines.Spam, 0.2, engines.Span{Start: 4, End: 5}), "rmt", 1, engines.SourceRule),
		with(sig("nudity", 1.5, engines.Span{Start: 50, End: 60}), "", 1, engines.SourceModel),
	}
	want := []engines.Label{
		{Category: engines.Violence, Severity: 4, Confidence: 0.6, Source: engines.SourceModel},
		{Category: engines.Hate, Severity: 3, Confidence: 0.99, Source: engines.SourceCustomList},
		{Category: engines.Harassment, SubLabel: "profanity", Severity: 1, Confidence: 0.95, Source: engines.SourceLexicon},
		{Category: engines.Harassment, SubLabel: "insult", Severity: 3, Confidence: 0.9, Source: engines.SourceModel},
		{Category: "nudity", Severity: 1, Confidence: 1, Source: engines.SourceModel},
	}
	hits := []engines.Span{{Start: 0, End: 3}, {Start: 2, End: 10}, {Start: 6, End: 9}}
	r := rules(t, policy.Config{})
	for range 20 {
		rand.Shuffle(len(signals), func(i, j int) { signals[i], signals[j] = signals[j], signals[i] })
		before := slices.Clone(signals)
		v := policy.Decide(&engines.Item{Text: "0123456789"}, signals, nil, engines.Standing{}, r)
		if diff := cmp.Diff(want, v.Labels); diff != "" {
			t.Fatalf("labels (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(hits, v.Hits); diff != "" {
			t.Fatalf("hits (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(before, signals); diff != "" {
			t.Fatalf("Decide changed its signals:\n%s", diff)
		}
	}
}

// A stricter level, whoever sets it, never finds less.
func TestStrictnessIsMonotonic(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	actions := []policy.Action{"", policy.ActionBlock, policy.ActionReview, policy.ActionWarn, policy.ActionMask}
	for range 3000 {
		cfg := policy.Config{Mode: engines.Modes[rnd.IntN(len(engines.Modes))], Categories: map[engines.Category]policy.CategoryConfig{}}
		for _, c := range engines.TextCategories {
			cfg.Categories[c] = policy.CategoryConfig{Action: actions[rnd.IntN(len(actions))]}
		}
		signals := make([]engines.Signal, 1+rnd.IntN(4))
		for i := range signals {
			signals[i] = sig(engines.TextCategories[rnd.IntN(len(engines.TextCategories))], rnd.Float64())
			if rnd.IntN(4) == 0 {
				signals[i].SubLabel = "child_safety"
			}
		}
		base := rules(t, cfg)
		byCaller, byPolicy, labels := 0, 0, 0
		for level := 1; level <= policy.MaxStrictness; level++ {
			v := policy.Decide(&engines.Item{Text: "x", StrictLevel: level}, signals, nil, engines.Standing{}, base)
			if got := v.Found().Suggestion.Rank(); got < byCaller {
				t.Fatalf("strict_level %d: rank %d below %d for %v under %v", level, got, byCaller, signals, cfg)
			} else {
				byCaller = got
			}
			if got := len(v.Found().Labels); got < labels {
				t.Fatalf("strict_level %d: %d labels below %d", level, got, labels)
			} else {
				labels = got
			}
			cfg.Strictness = level
			v = policy.Decide(&engines.Item{Text: "x"}, signals, nil, engines.Standing{}, rules(t, cfg))
			if got := v.Found().Suggestion.Rank(); got < byPolicy {
				t.Fatalf("strictness %d: rank %d below %d for %v under %v", level, got, byPolicy, signals, cfg)
			} else {
				byPolicy = got
			}
			for i := range v.Found().Labels {
				if l := &v.Found().Labels[i]; !slices.ContainsFunc(signals, func(s engines.Signal) bool { return s.Confidence == l.Confidence }) {
					t.Fatalf("strictness %d changed a confidence to %v", level, l.Confidence)
				}
			}
		}
	}
}

func TestCleanPassAllocatesNothing(t *testing.T) {
	s := compile(t, policy.Config{Scenes: []policy.SceneConfig{{Scene: "a"}, {Scene: "b*"}}})
	item := &engines.Item{Text: "good game", Scene: "blue"}
	weak := []engines.Signal{sig(engines.Spam, 0.1)}
	if got := testing.AllocsPerRun(1000, func() {
		policy.Decide(item, weak, nil, engines.Standing{}, s.Resolve(item, time.Time{}))
	}); got != 0 {
		t.Errorf("allocations = %v, want 0", got)
	}
}

func BenchmarkDecidePass(b *testing.B) {
	s := compile(b, policy.Config{})
	item := &engines.Item{Text: "good game"}
	b.ReportAllocs()
	for b.Loop() {
		policy.Decide(item, nil, nil, engines.Standing{}, s.Resolve(item, time.Time{}))
	}
}

func BenchmarkDecideBlock(b *testing.B) {
	s := compile(b, policy.Config{})
	item := &engines.Item{Text: "a bad word"}
	signals := []engines.Signal{sig(engines.Hate, 0.95, engines.Span{Start: 2, End: 5}), sig(engines.Harassment, 0.7, engines.Span{Start: 6, End: 10})}
	b.ReportAllocs()
	for b.Loop() {
		policy.Decide(item, signals, nil, engines.Standing{}, s.Resolve(item, time.Time{}))
	}
}
