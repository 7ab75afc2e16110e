package policy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

// layer reads a layer from YAML: "region/jp", "strictness: 4".
func layer(tb testing.TB, id, text string) policy.Layer {
	tb.Helper()
	kind, name, _ := strings.Cut(id, "/")
	l, err := policy.ReadLayer(policy.LayerKind(kind), name, []byte(text))
	if err != nil {
		tb.Fatalf("layer %s: %v", id, err)
	}
	return l
}

// layered compiles layers given as id, YAML, id, YAML over an empty base.
func layered(tb testing.TB, layers ...string) *policy.Set {
	tb.Helper()
	return over(tb, policy.Config{}, layers...)
}

func over(tb testing.TB, base policy.Config, layers ...string) *policy.Set {
	tb.Helper()
	var all []policy.Layer
	for i := 0; i < len(layers); i += 2 {
		all = append(all, layer(tb, layers[i], layers[i+1]))
	}
	s, err := policy.Compile(base, all, policy.Words{Compile: compileWords})
	if err != nil {
		tb.Fatalf("Compile: %v", err)
	}
	return s
}

// five is a policy in which each layer names something.
func five(tb testing.TB) *policy.Set {
	tb.Helper()
	return over(tb, policy.Config{Strictness: 2},
		"global/default", "categories: {spam: {action: block}, hate: {strictness: 3}}",
		"region/jp", "categories: {hate: {strictness: 4, sub_labels: {slur: {action: mask}}}}",
		"mode/team_chat", "categories: {harassment: {action: warn}}",
		"channel/team_chat_vip*", "mode: pre_review\napprove_clear: true",
		"segment/minor", "stricter: 1\ncategories: {harassment: {action: block}}")
}

// TestLayers: each layer names only what it overrides, the most specific decides.
func TestLayers(t *testing.T) {
	s := five(t)
	for _, c := range []struct {
		name string
		item engines.Item
		want map[string]string // pointer to "value layer"
		mode engines.Mode
	}{
		{"base and global", engines.Item{}, map[string]string{
			"/strictness": "2 base", "/categories/spam/action": `"block" global/default`, "/categories/hate/strictness": "3 global/default",
		}, engines.RealTimeBlock},
		{"region", engines.Item{Region: "JP"}, map[string]string{
			"/categories/hate/strictness": "4 region/jp", "/categories/hate/sub_labels/slur/action": `"mask" region/jp`, "/categories/spam/action": `"block" global/default`,
		}, engines.RealTimeBlock},
		{"all", engines.Item{Region: "jp", Scene: "team_chat_vip7", Segment: "minor"}, map[string]string{
			"/categories/harassment/action": `"block" segment/minor`, "/stricter": "1 segment/minor", "/mode": `"pre_review" channel/team_chat_vip*`,
			"/approve_clear": "true channel/team_chat_vip*", "/strictness": "2 base",
		}, engines.PreReview},
		{"a segment in capitals", engines.Item{Segment: "Minor"}, map[string]string{"/stricter": "1 segment/minor"}, engines.RealTimeBlock},
		{"nobody of these", engines.Item{Region: "xx", Scene: "lobby", Segment: "vip"}, map[string]string{"/mode": `"real_time_block" default`}, engines.RealTimeBlock},
	} {
		x := s.Explain(&c.item, time.Time{})
		got := map[string]string{}
		for _, e := range x.Settings {
			if _, ok := c.want[e.Pointer]; ok {
				got[e.Pointer] = e.Value + " " + e.Layer
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if r := s.Resolve(&c.item, time.Time{}); r.Mode != c.mode || r.Version != s.Version() {
			t.Errorf("%s: mode %s, version %s; want %s, %s", c.name, r.Mode, r.Version, c.mode, s.Version())
		}
	}
	x := s.Explain(&engines.Item{Region: "jp", Scene: "team_chat_vip7", Segment: "minor"}, time.Time{})
	if want := []string{"base", "global/default", "region/jp", "mode/team_chat", "channel/team_chat_vip*", "segment/minor"}; !slices.Equal(x.Layers, want) {
		t.Errorf("layers %v, want %v", x.Layers, want)
	}
	for _, e := range x.Settings {
		if e.Pointer == "/categories/harassment/action" && !slices.Equal(e.Overridden, []string{"mode/team_chat"}) {
			t.Errorf("%s overrides %v, want mode/team_chat", e.Pointer, e.Overridden)
		}
	}
}

// verdict decides one signal under a set.
func verdict(s *policy.Set, item engines.Item, st engines.Standing, signals ...engines.Signal) engines.Verdict {
	if item.Text == "" {
		item.Text = "some text here"
	}
	return policy.Decide(&item, signals, nil, st, s.Resolve(&item, item.ReceivedAt))
}

func sub(c engines.Category, label string, confidence float64) engines.Signal {
	s := sig(c, confidence, engines.Span{Start: 0, End: 4})
	s.SubLabel = label
	return s
}

// TestSubLabels: a sub-label differs from its category until a more specific layer
// speaks of the whole category.
func TestSubLabels(t *testing.T) {
	s := layered(t, "region/jp", "categories: {harassment: {action: block, sub_labels: {profanity: {action: mask}, insult: {enabled: false}}}}",
		"segment/minor", "categories: {harassment: {action: block}}")
	for _, c := range []struct {
		segment, label string
		want           engines.Action
	}{
		{"", "defamation", engines.Drop},
		{"", "profanity", engines.Mask},
		{"", "insult", engines.Deliver},
		{"minor", "profanity", engines.Drop},
		{"minor", "insult", engines.Deliver},
	} {
		v := verdict(s, engines.Item{Region: "jp", Segment: c.segment}, engines.Standing{}, sub(engines.Harassment, c.label, 0.9))
		if v.Action != c.want {
			t.Errorf("%s of %q: %s, want %s", c.label, c.segment, v.Action, c.want)
		}
	}
}

// TestMandatory tries every way to loosen what the global layer has made mandatory.
func TestMandatory(t *testing.T) {
	const global = "categories: {illegal: {sub_labels: {weapons: {mandatory: true, strictness: 4}}}, hate: {mandatory: true}}"
	weapons, hate, child := sub(engines.Illegal, "weapons", 0.76), sub(engines.Hate, "slur", 0.86), sub(engines.Illegal, "child_safety", 0.86)
	for _, c := range []struct {
		name   string
		layers []string
		item   engines.Item
		st     engines.Standing
	}{
		{"as it is", nil, engines.Item{}, engines.Standing{}},
		{"switched off", []string{"segment/trusted", "categories: {illegal: {enabled: false}, hate: {enabled: false}}"}, engines.Item{Segment: "trusted"}, engines.Standing{}},
		{"a sub-label switched off", []string{"region/jp", "categories: {illegal: {sub_labels: {weapons: {enabled: false}}}, hate: {sub_labels: {slur: {enabled: false}}}}"}, engines.Item{Region: "jp"}, engines.Standing{}},
		{"less strict", []string{"mode/board", "categories: {illegal: {strictness: 1}, hate: {strictness: 1}}"}, engines.Item{Scene: "board"}, engines.Standing{}},
		{"levels taken off", []string{"segment/trusted", "stricter: -4"}, engines.Item{Segment: "trusted"}, engines.Standing{}},
		{"another action", []string{"channel/lobby", "categories: {illegal: {action: warn}, hate: {action: mask, sub_labels: {slur: {action: review}}}}"}, engines.Item{Scene: "lobby"}, engines.Standing{}},
		{"the caller", nil, engines.Item{StrictLevel: 1}, engines.Standing{}},
		{"trust", nil, engines.Item{}, engines.Standing{Trust: "trusted"}},
		{"only monitored", []string{"channel/lobby", "mode: monitor_only"}, engines.Item{Scene: "lobby"}, engines.Standing{}},
		{"a window", []string{"segment/trusted", "schedule: [{from: '00:00', to: '24:00', stricter: -4, settings: {categories: {hate: {action: warn}}}}]"}, engines.Item{Segment: "trusted"}, engines.Standing{}},
		{"a segment of a region", []string{"region/jp", "segments: {trusted: {stricter: -4, categories: {hate: {enabled: false}}}}"}, engines.Item{Region: "jp", Segment: "trusted"}, engines.Standing{}},
		{"an exception", nil, engines.Item{}, engines.Standing{}},
	} {
		s := layered(t, append([]string{"global/default", global}, c.layers...)...)
		for _, signal := range []engines.Signal{weapons, hate, child} {
			signal.Excepted = c.name == "an exception"
			v := verdict(s, c.item, c.st, signal)
			if v.Suggestion != engines.Block || v.Action != engines.Drop || !v.Mandatory || v.Observed != nil {
				t.Errorf("%s: %s/%s gives %s, %s, mandatory %t; want block, drop, true", c.name, signal.Category, signal.SubLabel, v.Suggestion, v.Action, v.Mandatory)
			}
		}
		// What is not mandatory is as loose as the layers make it.
		if v := verdict(s, c.item, c.st, sub(engines.Spam, "", 0.2)); v.Mandatory || v.Suggestion != engines.Pass {
			t.Errorf("%s: spam at 0.2 gives %s, mandatory %t", c.name, v.Suggestion, v.Mandatory)
		}
	}
	// Where the base itself only monitors (an introduction), nothing is blocked.
	s := over(t, policy.Config{Mode: engines.MonitorOnly}, "global/default", "escalate_mandatory: true\n"+global)
	if v := verdict(s, engines.Item{}, engines.Standing{}, child); v.Action != engines.Deliver || v.Observed == nil || !v.Case {
		t.Errorf("monitor_only in the base: %s, observed %v, case %t; want deliver, observed, a case", v.Action, v.Observed, v.Case)
	}
	if v := verdict(layered(t, "global/default", "escalate_mandatory: true"), engines.Item{}, engines.Standing{}, child); v.Action != engines.Drop || !v.Case {
		t.Errorf("escalated: %s, case %t; want drop and a case", v.Action, v.Case)
	}
	if v := verdict(layered(t), engines.Item{}, engines.Standing{}, child); v.Case {
		t.Error("a case without escalation")
	}
}

func TestGameModes(t *testing.T) {
	var layers []string
	for _, m := range policy.GameModes {
		layers = append(layers, "mode/"+m, "description: x")
	}
	layers = append(layers, "channel/guild*", "game_mode: team_chat", "channel/guild_wall", "game_mode: board")
	s := layered(t, layers...)
	for _, c := range []struct {
		scene engines.SceneID
		kind  engines.Kind
		want  string
	}{
		{"global_chat", engines.KindText, "global_chat"},
		{"team_chat:7", engines.KindText, "team_chat"},
		{"team_chat_eu", engines.KindText, "team_chat"},
		{"team_chats", engines.KindText, ""},
		{"myteam_chat", engines.KindText, ""},
		{"private_message/a-b", engines.KindText, "private_message"},
		{"avatar", engines.KindImage, "avatar"},
		{"upload", engines.KindAudio, "upload"},
		{"", engines.KindName, "name"},
		{"global_chat", engines.KindName, "name"},
		{"guild9", engines.KindText, "team_chat"},
		{"guild_wall", engines.KindText, "board"},
		{"guild_walls", engines.KindText, "team_chat"},
		{"", engines.KindText, ""},
	} {
		if got := s.Resolve(&engines.Item{Scene: c.scene, Kind: c.kind}, time.Time{}).GameMode; got != c.want {
			t.Errorf("%s in %q is of %q, want %q", c.kind, c.scene, got, c.want)
		}
	}
}

func TestRegions(t *testing.T) {
	s := layered(t, "region/west", "countries: [us, de]\nstrictness: 2", "region/lang:ja", "strictness: 5\napprove_clear: true", "region/mine", "strictness: 4")
	for _, c := range []struct{ region, language, want string }{
		{"west", "", "2"},
		{"US", "", "2"},
		{"de", "", "2"},
		{"WEST", "", "2"},
		{"West", "", "2"},
		{"fr", "", "3"},
		{"", "ja-JP", "5"},
		{"", "JA", "5"},
		{"us", "ja", "2"},
		{"mine", "", "4"},
		{"", "", "3"},
	} {
		x := s.Explain(&engines.Item{Region: c.region, Language: c.language}, time.Time{})
		for _, e := range x.Settings {
			if e.Pointer == "/strictness" && e.Value != c.want {
				t.Errorf("region %q, language %q: strictness %s, want %s", c.region, c.language, e.Value, c.want)
			}
		}
	}
	if !s.Resolve(&engines.Item{Region: "us", Language: "ja"}, time.Time{}).ApproveClear {
		t.Error("a language's layer does not hold below the region's")
	}
}

// TestResolveIsShared: what items say makes no combinations that the policy does not
// have.
func TestResolveIsShared(t *testing.T) {
	s := five(t)
	first := s.Resolve(&engines.Item{Region: "jp", Scene: "team_chat:1"}, time.Time{})
	for i := range 1000 {
		item := &engines.Item{Region: "jp", Scene: engines.SceneID(fmt.Sprint("team_chat:", i)), Player: "p", Language: fmt.Sprint("x", i)}
		if s.Resolve(item, time.Unix(int64(i)*1e5, 0)) != first {
			t.Fatalf("item %d has rules of its own", i)
		}
	}
}

// TestResolveTogether has many goroutines resolve under one policy while its windows
// open and close: each gets what holds.
func TestResolveTogether(t *testing.T) {
	s := layered(t, "region/jp", "strictness: 4", "mode/board", "mode: pre_review", "segment/minor", `schedule: [{from: "22:00", to: "06:00", settings: {mode: deferred_review}}]`)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			for range 2000 {
				at := time.Date(2030, 5, 1, rng.IntN(24), rng.IntN(60), 0, 0, time.UTC)
				item := &engines.Item{Region: []string{"", "jp"}[rng.IntN(2)], Scene: []engines.SceneID{"", "board"}[rng.IntN(2)], Segment: []string{"", "minor"}[rng.IntN(2)]}
				want := engines.RealTimeBlock
				if item.Scene == "board" {
					want = engines.PreReview
				}
				if item.Segment == "minor" && (at.Hour() >= 22 || at.Hour() < 6) {
					want = engines.DeferredReview
				}
				if got := s.Resolve(item, at).Mode; got != want {
					t.Errorf("%+v at %s: %s, want %s", item, at, got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestNoLayersNoChange holds a policy with layers that say nothing of an item
// against the base alone.
func TestNoLayersNoChange(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		base := randomConfig(rng)
		alone := over(t, base)
		with := over(t, base, "global/default", "description: nothing", "region/jp", "strictness: 5", "mode/board", "mode: pre_review",
			"segment/minor", "stricter: 2", "channel/vip", "strictness: 1")
		item := engines.Item{Text: "some text here", Scene: "lobby", StrictLevel: rng.IntN(6), Live: rng.IntN(2) == 0}
		signals := randomSignals(rng)
		st := engines.Standing{Trust: []string{"", "trusted", "watched"}[rng.IntN(3)], EconomyRisk: rng.IntN(101)}
		a, b := verdict(alone, item, st, signals...), verdict(with, item, st, signals...)
		b.PolicyVersion = a.PolicyVersion
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatalf("verdicts differ (-alone +with):\n%s", diff)
		}
	}
}

func randomConfig(rng *rand.Rand) policy.Config {
	c := policy.Config{Mode: engines.Modes[rng.IntN(4)], Strictness: rng.IntN(6), Categories: map[engines.Category]policy.CategoryConfig{}}
	for _, name := range engines.TextCategories {
		if rng.IntN(3) == 0 {
			on := rng.IntN(4) > 0
			c.Categories[name] = policy.CategoryConfig{Enabled: &on, Strictness: rng.IntN(6), Action: []policy.Action{"", policy.ActionBlock, policy.ActionMask, policy.ActionWarn}[rng.IntN(4)]}
		}
	}
	c.Scenes = []policy.SceneConfig{{Scene: "lo*", Strictness: rng.IntN(6)}}
	return c
}

func randomSignals(rng *rand.Rand) []engines.Signal {
	out := make([]engines.Signal, rng.IntN(4))
	for i := range out {
		c := engines.TextCategories[rng.IntN(len(engines.TextCategories))]
		out[i] = sub(c, []string{"", "child_safety", "insult"}[rng.IntN(3)], rng.Float64())
	}
	return out
}

func TestRecentViolations(t *testing.T) {
	s := layered(t, "global/default", "trust: {recent: 2, recent_stricter: 2}")
	recent := engines.Standing{Recent: map[engines.Category]int{engines.Spam: 2, engines.Illegal: 9}}
	for _, c := range []struct {
		category engines.Category
		st       engines.Standing
		want     engines.Suggestion
		stricter string
	}{
		{engines.Spam, engines.Standing{}, engines.Pass, ""},
		{engines.Spam, engines.Standing{Recent: map[engines.Category]int{engines.Spam: 1}}, engines.Pass, ""},
		{engines.Spam, recent, engines.Review, engines.StricterRecent},
		{engines.Harassment, recent, engines.Pass, ""},
		{engines.Illegal, recent, engines.Pass, ""}, // never for what is illegal
	} {
		v := verdict(s, engines.Item{}, c.st, sub(c.category, "", 0.35))
		if v.Suggestion != c.want || v.Stricter != c.stricter {
			t.Errorf("%s with %v: %s, stricter %q; want %s, %q", c.category, c.st.Recent, v.Suggestion, v.Stricter, c.want, c.stricter)
		}
	}
	if v := verdict(s, engines.Item{StrictLevel: 3}, recent, sub(engines.Spam, "", 0.35)); v.Suggestion != engines.Pass {
		t.Error("a level that the caller gave is moved")
	}
}

// TestSeveralWays: evidence of one category by several ways makes it likelier,
// evidence by one way does not add up.
func TestSeveralWays(t *testing.T) {
	by := func(source engines.Source, confidence float64) engines.Signal {
		return engines.Signal{Category: engines.Hate, Severity: 2, Confidence: confidence, Source: source}
	}
	for _, c := range []struct {
		name    string
		signals []engines.Signal
		want    engines.Suggestion
		least   float64 // of the label's confidence
		most    float64
	}{
		{"one way", []engines.Signal{by(engines.SourceLexicon, 0.5), by(engines.SourceRule, 0.5), by(engines.SourceModel, 0.5)}, engines.Pass, 0, 0},
		{"the same way twice", []engines.Signal{by(engines.SourceOCR, 0.5), by(engines.SourceOCR, 0.5)}, engines.Pass, 0, 0},
		{"two ways, doubtful", []engines.Signal{by(engines.SourceModel, 0.5), by(engines.SourceOCR, 0.5)}, engines.Review, 0.62, 0.63},
		{"two ways, likely", []engines.Signal{by(engines.SourceModel, 0.75), by(engines.SourceOCR, 0.84)}, engines.Block, 0.89, 0.91},
		{"three ways", []engines.Signal{by(engines.SourceModel, 0.5), by(engines.SourceOCR, 0.5), by(engines.SourceASR, 0.5)}, engines.Review, 0.71, 0.72},
		{"too little by one", []engines.Signal{by(engines.SourceModel, 0.5), by(engines.SourceOCR, 0.29)}, engines.Pass, 0, 0},
		{"sure by one", []engines.Signal{by(engines.SourceHash, 1), by(engines.SourceOCR, 0.5)}, engines.Block, 1, 1},
	} {
		v := verdict(layered(t), engines.Item{}, engines.Standing{}, c.signals...)
		p := 0.0
		if len(v.Labels) > 0 {
			p = v.Labels[0].Confidence
		}
		if v.Suggestion != c.want || p < c.least || p > c.most {
			t.Errorf("%s: %s at %.3f; want %s at %.2f to %.2f", c.name, v.Suggestion, p, c.want, c.least, c.most)
		}
	}
}

func TestFailByKind(t *testing.T) {
	s := layered(t, "global/default", "fail: open\nfail_by_kind: {image: closed, audio: review}")
	for kind, want := range map[engines.Kind]engines.Suggestion{
		engines.KindText: engines.Pass, engines.KindImage: engines.Block, engines.KindAudio: engines.Review, engines.KindTrade: engines.Pass,
	} {
		item := &engines.Item{Kind: kind}
		v := policy.Decide(item, nil, []engines.Fault{{Engine: "x", Reason: engines.ReasonLate}}, engines.Standing{}, s.Resolve(item, time.Time{}))
		if v.Suggestion != want || !v.Degraded {
			t.Errorf("%s: %s, degraded %t; want %s", kind, v.Suggestion, v.Degraded, want)
		}
	}
}

// What players are told is the most specific thing that a layer says of the gravest
// finding.
func TestReason(t *testing.T) {
	s := layered(t,
		"global/default", "reason: house rules\ncategories: {harassment: {reason: no insults, sub_labels: {profanity: {reason: no swearing}}}, child_safety: {reason: never}}",
		"region/jp", "reason: house rules of Japan\ncategories: {spam: {reason: no adverts}}",
		"segment/minor", "categories: {harassment: {reason: be kind}}")
	for _, c := range []struct {
		item    engines.Item
		signals []engines.Signal
		want    string
	}{
		{engines.Item{}, []engines.Signal{sub(engines.Hate, "", .9)}, "house rules"},
		{engines.Item{}, []engines.Signal{sub(engines.Harassment, "", .9)}, "no insults"},
		{engines.Item{}, []engines.Signal{sub(engines.Harassment, "insult", .9)}, "no insults"},
		{engines.Item{}, []engines.Signal{sub(engines.Harassment, "profanity", .9)}, "no swearing"},
		{engines.Item{Region: "jp"}, []engines.Signal{sub(engines.Hate, "", .9)}, "house rules of Japan"},
		{engines.Item{Region: "jp"}, []engines.Signal{sub(engines.Harassment, "", .9)}, "no insults"}, // of the category before that of a layer
		{engines.Item{Region: "jp"}, []engines.Signal{sub(engines.Spam, "", .9)}, "no adverts"},
		{engines.Item{Segment: "minor"}, []engines.Signal{sub(engines.Harassment, "profanity", .9)}, "be kind"}, // covers the sub-label
		{engines.Item{}, []engines.Signal{sub(engines.ChildSafety, "", .9), sub(engines.Hate, "", .99)}, "never"},
		{engines.Item{}, []engines.Signal{sub(engines.Illegal, "drugs", .9)}, ""}, // the law is no rule of the house
		{engines.Item{}, []engines.Signal{sub(engines.Hate, "", .1)}, ""},         // nothing was found
	} {
		if v := verdict(s, c.item, engines.Standing{}, c.signals...); v.Reason != c.want {
			t.Errorf("%+v %v: reason %q, want %q", c.item, c.signals, v.Reason, c.want)
		}
	}
	x := s.Explain(&engines.Item{Segment: "minor"}, time.Time{})
	for _, r := range x.Rules {
		if r.Category == engines.Harassment && r.SubLabel == "profanity" && r.Reason != "be kind" {
			t.Errorf("explained as %+v", r)
		}
	}
	if !slices.ContainsFunc(x.Settings, func(set policy.ExplainedSetting) bool {
		return set.Pointer == "/categories/harassment/reason" && set.Layer == "segment/minor" && slices.Equal(set.Overridden, []string{"global/default", "global/default"})
	}) {
		t.Errorf("who set the reason: %+v", x.Settings)
	}
	none := layered(t, "global/default", "strictness: 3")
	if v := verdict(none, engines.Item{}, engines.Standing{}, sub(engines.Hate, "", .9)); v.Reason != "" {
		t.Errorf("reason %q where no layer has one", v.Reason)
	}
	long := strings.Repeat("あ", 301)
	if _, err := policy.ReadSettings([]byte("reason: " + long + "\ncategories: {hate: {reason: \" x\", sub_labels: {slur: {reason: \"a\\nb\"}}}}")); err == nil || strings.Count(err.Error(), "reason") != 3 {
		t.Errorf("faults %v, want one for each reason", err)
	}
}

func TestVersionNamesTheSet(t *testing.T) {
	list := func(term string) policy.Words {
		return policy.Words{Compile: compileWords, Lists: map[string]policy.List{"l": {Prohibited: []policy.ProhibitedWord{{Term: term}}}}}
	}
	version := func(strictness int, term string) string {
		s, err := policy.Compile(policy.Config{}, []policy.Layer{{Kind: policy.KindRegion, Name: "jp", Settings: policy.Settings{Strictness: strictness, Lists: []string{"l"}}}}, list(term))
		if err != nil {
			t.Fatal(err)
		}
		return s.Version()
	}
	first, same, stricter, other := version(3, "a1"), version(3, "a1"), version(4, "a1"), version(3, "b1")
	if first != same || first == stricter || first == other {
		t.Error("versions don't follow what the set is made of")
	}
}

func TestResolveAllocatesNothing(t *testing.T) {
	s := five(t)
	item := &engines.Item{Text: "hello", Region: "JP", Scene: "team_chat_vip7", Segment: "minor", Language: "ja-JP"}
	weak := []engines.Signal{sig(engines.Spam, 0.1)}
	if n := testing.AllocsPerRun(100, func() {
		policy.Decide(item, weak, nil, engines.Standing{}, s.Resolve(item, time.Time{}))
	}); n != 0 {
		t.Errorf("a clean pass under five layers allocates %v times", n)
	}
	timed := layered(t, "segment/minor", "schedule: [{from: '22:00', to: '06:00', stricter: 1}]")
	now := time.Date(2030, 1, 1, 23, 0, 0, 0, time.UTC)
	if n := testing.AllocsPerRun(100, func() { timed.Resolve(item, now) }); n != 0 {
		t.Errorf("a schedule allocates %v times", n)
	}
}

func BenchmarkDecideLayers(b *testing.B) {
	s := five(b)
	item := &engines.Item{Text: "hello there", Region: "jp", Scene: "team_chat_vip7", Segment: "minor"}
	for name, signals := range map[string][]engines.Signal{
		"pass":  nil,
		"found": {sub(engines.Hate, "slur", 0.9), sub(engines.Harassment, "insult", 0.7), sub(engines.Spam, "rmt", 0.6)},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				policy.Decide(item, signals, nil, engines.Standing{}, s.Resolve(item, time.Time{}))
			}
		})
	}
}

func BenchmarkResolve(b *testing.B) {
	item := &engines.Item{Text: "hello there", Region: "jp", Scene: "team_chat_vip7", Segment: "minor"}
	b.Run("cached", func(b *testing.B) {
		s := five(b)
		for b.Loop() {
			s.Resolve(item, time.Time{})
		}
	})
	b.Run("cached schedule", func(b *testing.B) {
		s := layered(b, "segment/minor", "schedule: [{from: '22:00', to: '06:00', stricter: 1}]")
		at := time.Date(2030, 1, 1, 23, 0, 0, 0, time.UTC)
		for b.Loop() {
			s.Resolve(item, at)
		}
	})
	b.Run("uncached", func(b *testing.B) {
		s := five(b)
		b.ReportAllocs()
		for b.Loop() {
			policy.Forget(s)
			s.Resolve(item, time.Time{})
		}
	})
}

// TestAcoustic: thresholds of what is heard without words are merged one by one, and an
// item without any of them has none.
func TestAcoustic(t *testing.T) {
	s := layered(t,
		"global/default", "acoustic: {loud: {momentary_lufs: -9, momentary_ms: 1500}, hum: {ms: 4000}}",
		"mode/voice", "acoustic: {loud: {momentary_ms: 2500}}")
	call := engines.Item{Kind: engines.KindAudio, Media: &engines.Media{Use: engines.UseVoice}}
	over := s.Resolve(&call, time.Time{}).Acoustic()
	want := engines.AcousticOver{"loud": {"momentary_lufs": -9, "momentary_ms": 2500}, "hum": {"ms": 4000}}
	if over == nil || cmp.Diff(want, *over) != "" {
		t.Errorf("a call has %v, want %v", over, want)
	}
	if again := s.Resolve(&call, time.Time{}).Acoustic(); again != over {
		t.Error("the same rules have another pointer")
	}
	upload := engines.Item{Kind: engines.KindAudio, Media: &engines.Media{Use: engines.UseClip}}
	if over := s.Resolve(&upload, time.Time{}).Acoustic(); over == nil || (*over)["loud"]["momentary_ms"] != 1500 {
		t.Errorf("an upload has %v", over)
	}
	for _, e := range s.Explain(&call, time.Time{}).Settings {
		if e.Pointer == "/acoustic/loud/momentary_ms" && (e.Value != "2500" || e.Layer != "mode/voice" || !slices.Equal(e.Overridden, []string{"global/default"})) {
			t.Errorf("explained as %+v", e)
		}
	}
	if over := layered(t).Resolve(&call, time.Time{}).Acoustic(); over != nil {
		t.Errorf("without layers: %v", *over)
	}
}

// TestBannedVoices: nothing is kept unless a layer says so, a no has the last word
// whichever layer says it, and a Set knows whether any of its layers asks for it.
func TestBannedVoices(t *testing.T) {
	const yes = `banned_voices: {link: true, basis: "consent at the first call, notice of May"}`
	call := engines.Item{Kind: engines.KindAudio, Region: "us", Segment: "minor", Media: &engines.Media{Use: engines.UseVoice}}
	for name, c := range map[string]struct {
		layers []string
		want   *engines.VoiceLink
		any    bool
	}{
		"without layers": {nil, nil, false},
		"on":             {[]string{"global/default", yes}, &engines.VoiceLink{Days: 90, RememberMinutes: 60}, true},
		"in its own words": {
			[]string{"global/default", yes, "mode/voice", "banned_voices: {days: 30, remember_minutes: 5, similarity: 0.95}"},
			&engines.VoiceLink{Days: 30, RememberMinutes: 5, Similarity: 0.95}, true,
		},
		"a minor":            {[]string{"global/default", yes, "segment/minor", "banned_voices: {link: false}"}, nil, true},
		"no for all":         {[]string{"global/default", "banned_voices: {link: false}", "mode/voice", yes}, nil, false},
		"a region's no":      {[]string{"region/us", "banned_voices: {link: false}", "mode/voice", yes}, nil, true},
		"elsewhere alone":    {[]string{"region/jp", yes}, nil, true},
		"a basis, but no on": {[]string{"global/default", `banned_voices: {basis: "consent at the first call"}`}, nil, false},
		"by schedule": {
			[]string{"region/jp", `schedule: [{from: "01:00", to: "02:00", settings: {` + yes + `}}]`}, nil, true,
		},
	} {
		s := layered(t, c.layers...)
		if diff := cmp.Diff(c.want, s.Resolve(&call, time.Time{}).VoiceLink()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if s.LinksVoices() != c.any {
			t.Errorf("%s: LinksVoices %v, want %v", name, !c.any, c.any)
		}
	}
}
