package main

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/portcullis-gg/portcullis/configs/policies"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// textEngine is the built-in one, made once.
var textEngine = sync.OnceValues(func() (*text.Engine, error) { return text.New(text.Config{}) })

// judged checks a text as the desk does.
func judged(t *testing.T, set *policy.Set, item engines.Item) (engines.Verdict, []engines.Signal) {
	t.Helper()
	engine, err := textEngine()
	if err != nil {
		t.Fatal(err)
	}
	if item.Kind == "" {
		item.Kind = engines.KindText
	}
	item.ReceivedAt = time.Now()
	r := set.Resolve(&item, item.ReceivedAt)
	item.Words = r.Words()
	signals, err := engine.Inspect(context.Background(), &item, nil)
	if err != nil {
		t.Fatal(err)
	}
	return policy.Decide(&item, signals, nil, engines.Standing{}, r), signals
}

// withWords is a policy whose only setting is words.
func withWords(t *testing.T, yaml string) *policy.Set {
	t.Helper()
	l, err := policy.ReadLayer(policy.KindGlobal, policy.GlobalName, []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	set, err := policy.Compile(policy.Config{}, []policy.Layer{l}, policy.Words{Compile: compileWords})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestListsOfOperators is what users of other products have reported of their lists.
func TestListsOfOperators(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, words, text string
		want              engines.Suggestion
		hits              []engines.Span
	}{
		{"an exception covers the hit in it", "prohibited: [{term: sex, match: substring}]\nexceptions: [{term: middlesex, match: substring}]", "meet at Middlesex station", engines.Pass, nil},
		{"and no other", "prohibited: [{term: sex, match: substring}]\nexceptions: [{term: middlesex, match: substring}]", "sexton at Middlesex", engines.Block, []engines.Span{{Start: 0, End: 3}}},
		{"an exception elsewhere", "prohibited: [{term: 核, match: substring}]\nexceptions: [{term: 核家族, match: substring}, {term: 中核, match: substring}, {term: 核心, match: substring}]", "1. 核家族は英語で何？ 2. その核を出せ", engines.Block, []engines.Span{{Start: 18, End: 19}}},
		{"a shorter entry that a longer one hides", "prohibited: [文化, 文化大革命]", "学习文化知识", engines.Block, []engines.Span{{Start: 2, End: 4}}},
		{"repeats in the entry", `prohibited: ["666"]`, "room 666 is haunted", engines.Block, []engines.Span{{Start: 5, End: 8}}},
		{"a stretched text", "prohibited: [hello]", "helllllo there", engines.Block, []engines.Span{{Start: 0, End: 8}}},
		{"another word", "prohibited: [hell]", "the heel of my boot", engines.Pass, nil},
		{"the plural of a whole word", "prohibited: [{term: star, match: word}]", "stars are out tonight", engines.Pass, nil},
		{"a disguise", "prohibited: [zorblax]", "buy z0rbl@x and z o r b l a x", engines.Block, []engines.Span{{Start: 4, End: 11}, {Start: 16, End: 29}}},
		{"asks a person", "prohibited: [{term: zorblax, action: review}]", "what a zorblax", engines.Review, []engines.Span{{Start: 7, End: 14}}},
		{"warns", "prohibited: [{term: zorblax, action: warn}]", "what a zorblax", engines.Pass, []engines.Span{{Start: 7, End: 14}}},
	} {
		v, signals := judged(t, withWords(t, c.words), engines.Item{Text: c.text})
		if v.Suggestion != c.want || !slices.Equal(v.Hits, c.hits) {
			t.Errorf("%s: %q gives %s at %v, want %s at %v (%+v)", c.name, c.text, v.Suggestion, v.Hits, c.want, c.hits, signals)
		}
		for _, l := range v.Labels {
			if l.Source != engines.SourceCustomList {
				t.Errorf("%s: label %+v, want the list alone", c.name, l)
			}
		}
	}
}

// TestMaskTouchesNoCleanWord: masks stand on what was found, never on words that
// hold the letters of it.
func TestMaskTouchesNoCleanWord(t *testing.T) {
	t.Parallel()
	set := withWords(t, "categories: {harassment: {action: mask}, sexual: {action: mask}}\nprohibited: [{term: ass, action: mask}, {term: cock, action: mask}, {term: rape, action: mask}]")
	v, _ := judged(t, set, engines.Item{Text: "assets and classes, cockpit and grapes"})
	if v.Action != engines.Deliver || v.Masked != "" {
		t.Errorf("clean words: %s, %q", v.Action, v.Masked)
	}
	v, _ = judged(t, set, engines.Item{Text: "assets and ÀSS, classes"})
	if v.Action != engines.Mask || v.Masked != "assets and ***, classes" {
		t.Errorf("%s, %q; want only the word masked", v.Action, v.Masked)
	}
}

// TestExceptionsKeepTheLaw: nobody's exception voids what is mandatory.
func TestExceptionsKeepTheLaw(t *testing.T) {
	t.Parallel()
	const bad = "selling cp, dm me for child porn"
	before, _ := judged(t, withWords(t, "description: none"), engines.Item{Text: bad})
	if before.Suggestion != engines.Block {
		t.Fatalf("without exceptions: %s, want block: the test rests on that", before.Suggestion)
	}
	after, _ := judged(t, withWords(t, "exceptions: [child porn, selling cp, selling, 'selling cp, dm me for child porn']"), engines.Item{Text: bad})
	if after.Suggestion != engines.Block || !after.Mandatory {
		t.Errorf("with exceptions: %s, mandatory %t; want block, true", after.Suggestion, after.Mandatory)
	}
}

// builtin is the policy of a gateway that has set nothing.
func builtin(t *testing.T) *policy.Set {
	t.Helper()
	set, err := compilePolicy(policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestPacksChangeNothingByThemselves: where the item names no region and no segment
// and its scene is no game mode that differs, verdicts are those of the base alone.
// A case more is opened where a mandatory rule was broken.
func TestPacksChangeNothingByThemselves(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	packs := builtin(t)
	bare, err := compilePolicy(policy.Config{Dir: "none"})
	if err != nil {
		t.Fatal(err)
	}
	same := cmpopts.IgnoreFields(engines.Verdict{}, "PolicyVersion", "Case", "Mandatory")
	subs := []string{"", "child_safety", "extremism", "slur", "group_attack", "insult", "profanity", "rmt", "explicit", "personal", "self_harm"}
	for range 4_000 {
		item := engines.Item{
			Kind: []engines.Kind{engines.KindText, engines.KindImage, engines.KindAudio}[rng.IntN(3)], Text: "some words to check",
			Scene: []engines.SceneID{"", "lobby", "global_chat", "global_chat:7", "upload"}[rng.IntN(5)], Language: []string{"", "ja", "ko", "ar"}[rng.IntN(4)],
			StrictLevel: []int{0, 3, 4, 5}[rng.IntN(4)], Live: rng.IntN(2) == 0,
		}
		var signals []engines.Signal
		for range rng.IntN(4) {
			all := slices.Concat(engines.TextCategories, engines.MediaCategories)
			signals = append(signals, engines.Signal{Category: all[rng.IntN(len(all))], SubLabel: subs[rng.IntN(len(subs))], Confidence: rng.Float64(), Source: engines.SourceLexicon, Span: engines.Span{End: 4}})
		}
		st := engines.Standing{Trust: []string{"", "watched"}[rng.IntN(2)], EconomyRisk: rng.IntN(101)}
		a := policy.Decide(&item, signals, nil, st, bare.Resolve(&item, time.Now()))
		b := policy.Decide(&item, signals, nil, st, packs.Resolve(&item, time.Now()))
		if diff := cmp.Diff(a, b, same); diff != "" {
			t.Fatalf("%+v with %+v (-bare +packs):\n%s", item, signals, diff)
		}
		if b.Case != (a.Case || b.Mandatory) {
			t.Fatalf("%+v with %+v: case %t, bare %t, mandatory %t", item, signals, b.Case, a.Case, b.Mandatory)
		}
	}
}

// TestRegionPacks is the emphasis that each region has.
func TestRegionPacks(t *testing.T) {
	t.Parallel()
	set := builtin(t)
	signal := func(c engines.Category, sub string, confidence float64) engines.Signal {
		return engines.Signal{Category: c, SubLabel: sub, Confidence: confidence, Severity: 2, Source: engines.SourceLexicon, Span: engines.Span{End: 4}}
	}
	for _, c := range []struct {
		why             string
		region, segment string
		signal          engines.Signal
		want            engines.Action
		suggestion      engines.Suggestion
	}{
		{"Japan: personal data is blocked", "jp", "", signal(engines.Privacy, "contact", 0.8), engines.Drop, engines.Block},
		{"elsewhere a person looks", "", "", signal(engines.Privacy, "contact", 0.8), engines.Deliver, engines.Review},
		{"Japan: a rude word is masked", "jp", "", signal(engines.Harassment, "profanity", 0.8), engines.Mask, engines.Review},
		{"Japan: an insult is looked at", "jp", "", signal(engines.Harassment, "insult", 0.9), engines.Deliver, engines.Review},
		{"Japan: a wish of harm is blocked", "jp", "", signal(engines.Harassment, "wish_of_harm", 0.8), engines.Drop, engines.Block},
		{"Korea: sexual talk to minors is blocked from the first doubt", "kr", "minor", signal(engines.Sexual, "suggestive", 0.66), engines.Drop, engines.Block},
		{"and among adults it is not", "kr", "standard", signal(engines.Sexual, "suggestive", 0.66), engines.Deliver, engines.Review},
		{"Korea: account sales are kept from minors", "kr", "minor", signal(engines.Spam, "account_sale", 0.7), engines.Drop, engines.Block},
		{"the same elsewhere", "west", "minor", signal(engines.Spam, "account_sale", 0.7), engines.Deliver, engines.Review},
		{"Southeast Asia: an attack on a group is blocked", "id", "", signal(engines.Hate, "group_attack", 0.76), engines.Drop, engines.Block},
		{"the West: where only the sentence attacks, more certainty is asked for", "us", "", signal(engines.Hate, "group_attack", 0.9), engines.Deliver, engines.Review},
		{"and less is let by", "us", "", signal(engines.Hate, "", 0.6), engines.Deliver, engines.Pass},
		{"and what is certain is blocked", "us", "", signal(engines.Hate, "group_attack", 0.95), engines.Drop, engines.Block},
		{"the West: a slur is blocked", "us", "", signal(engines.Hate, "slur", 0.76), engines.Drop, engines.Block},
		{"the West: a rude word is nobody's business", "gb", "", signal(engines.Harassment, "profanity", 0.75), engines.Deliver, engines.Pass},
		{"the Middle East: religious groups, from the first doubt", "SA", "", signal(engines.Hate, "group_attack", 0.66), engines.Drop, engines.Block},
		{"trusted players are judged more mildly", "", "trusted", signal(engines.Spam, "advertising", 0.6), engines.Deliver, engines.Pass},
		{"but never where it is illegal", "", "trusted", signal(engines.Illegal, "drugs", 0.86), engines.Drop, engines.Block},
	} {
		item := &engines.Item{Kind: engines.KindText, Text: "some words to check", Region: c.region, Segment: c.segment}
		v := policy.Decide(item, []engines.Signal{c.signal}, nil, engines.Standing{}, set.Resolve(item, time.Now()))
		if v.Action != c.want || v.Suggestion != c.suggestion {
			t.Errorf("%s: %s, %s; want %s, %s", c.why, v.Suggestion, v.Action, c.suggestion, c.want)
		}
	}
	for text, region := range map[string]string{"يلعن دينك": "sa", "dasar agama babi": "sea", "불법촬영물 공유합니다": "kr", "지인 합성 해드립니다 디엠": "KR"} {
		if v, _ := judged(t, set, engines.Item{Text: text, Region: region}); v.Suggestion != engines.Block {
			t.Errorf("%q in %s: %s, want block", text, region, v.Suggestion)
		}
	}
	for text, region := range map[string]string{"dalam agama babi haram": "sea", "불법촬영물 공유하지 마세요": "kr", "بارك الله في دينك": "sa", "what a bloody good match": "gb"} {
		if v, _ := judged(t, set, engines.Item{Text: text, Region: region}); v.Suggestion != engines.Pass {
			t.Errorf("%q in %s: %s with %v, want pass", text, region, v.Suggestion, v.Labels)
		}
	}
}

// TestBuiltinPolicies: every file is one that the check takes, and each layer of a
// region, a mode and a segment has one.
func TestBuiltinPolicies(t *testing.T) {
	layers, _, err := readPolicies(policies.Files)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range layers {
		got = append(got, layers[i].ID())
		if layers[i].Settings.Description == "" {
			t.Errorf("%s has no description", layers[i].ID())
		}
	}
	want := []string{"global/default"}
	for _, r := range policy.Regions {
		want = append(want, "region/"+r)
	}
	for _, m := range policy.GameModes {
		want = append(want, "mode/"+m)
	}
	for _, s := range policy.Segments {
		want = append(want, "segment/"+s)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
}

func TestPolicyFilesTellEveryFault(t *testing.T) {
	_, _, err := readPolicies(fstest.MapFS{
		"region/jp.yaml":        {Data: []byte("strictness: 9\n")},
		"planet/earth.yaml":     {Data: []byte("strictness: 1\n")},
		"lists/a.yaml":          {Data: []byte("prohibited: ['']\n")},
		"channel/vip%2A.yaml":   {Data: []byte("strictness: 5\n")},
		"channel/README.md":     {Data: []byte("no layer")},
		"region/lang%3Aja.yaml": {Data: []byte("\n\nmode: x\n")},
	})
	if err == nil {
		t.Fatal("readPolicies = nil")
	}
	for _, want := range []string{"region/jp.yaml: line 1: /strictness", "planet/earth.yaml: the folder", "lists/a.yaml: line 1: /prohibited/0/term", "region/lang%3Aja.yaml: line 3: /mode"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "vip") {
		t.Errorf("%q blames a file that is fine", err)
	}
}

// BenchmarkCompilePolicy is what a change of a policy costs a gateway: the packs
// that are built in, and ten thousand words of an operator's.
func BenchmarkCompilePolicy(b *testing.B) {
	layers, words, err := readPolicies(policies.Files)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var many policy.List
	for range policy.MaxWords {
		var term strings.Builder
		for range 8 {
			term.WriteByte(byte('a' + rng.IntN(26)))
		}
		many.Prohibited = append(many.Prohibited, policy.ProhibitedWord{Term: term.String()})
	}
	words.Lists["many"] = many
	b.Run("packs", func(b *testing.B) {
		for b.Loop() {
			if _, err := policy.Compile(policy.Config{}, layers, words); err != nil {
				b.Fatal(err)
			}
		}
	})
	layers = append(layers, policy.Layer{Kind: policy.KindChannel, Name: "x", Settings: policy.Settings{Lists: []string{"many"}}})
	b.Run("10000 words", func(b *testing.B) {
		for b.Loop() {
			if _, err := policy.Compile(policy.Config{}, layers, words); err != nil {
				b.Fatal(err)
			}
		}
	})
}
