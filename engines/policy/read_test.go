package policy_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines/policy"
)

// TestFaults reads layers that are wrong and wants every fault at once, each with
// its pointer and line.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, layer, text string
		want              []string
	}{
		{"everything at once", "region/jp", `mode: sometimes
strictness: 6
stricter: 5
categories:
  hate: {strictness: 0, action: shout}
  rudeness: {}
  spam:
    enabled: false
    action: block
    sub_labels:
      "Bad Name": {strictness: 9}
fail: maybe
fail_by_kind: {smell: open, text: ""}
banned_voices: {link: true, basis: "we may", days: 400, remember_minutes: 2000, similarity: 0.2}
acoustic:
  loud: {momentary_lufs: 3, momentary_ms: 100.5, volume: 9}
  smell: {ms: 1}
record: sampled
colour: red
`, []string{
			`line 1: /mode: "sometimes" is not one of real_time_block, deferred_review, pre_review, monitor_only`,
			"line 2: /strictness: must be 1 to 5",
			"line 3: /stricter: must be -4 to 4 levels",
			"line 5: /categories/hate/strictness: must not be 0: leave it out to take it from the layers below",
			`line 5: /categories/hate/action: "shout" is not one of block, review, warn, mask`,
			"line 6: /categories/rudeness: is not a category",
			"line 9: /categories/spam/action: contradicts enabled: false",
			"line 11: /categories/spam/sub_labels/Bad Name: is not a sub-label: want small letters, digits and _",
			"line 11: /categories/spam/sub_labels/Bad Name/strictness: must be 1 to 5",
			`line 12: /fail: "maybe" is not one of review, open, closed`,
			"line 13: /fail_by_kind/smell: is not a kind of content (text, name, image, audio, video)",
			"line 13: /fail_by_kind/text: must be one of review, open, closed",
			"line 1: /sample_rate: must be above 0 and at most 1 with record: sampled",
			"line 14: /banned_voices/basis: is needed with link: true: say in at least 20 characters on what consent or law it rests that voices, which are biometric data, are kept",
			"line 14: /banned_voices/days: must be 1 to 365 days",
			"line 14: /banned_voices/remember_minutes: must be 1 to 1440 minutes",
			"line 14: /banned_voices/similarity: must be 0.5 to 1",
			"line 16: /acoustic/loud/momentary_lufs: 3 must be -90 to 0",
			"line 16: /acoustic/loud/momentary_ms: 100.5 must be a whole number",
			"line 16: /acoustic/loud/volume: is not a key that is known here",
			"line 17: /acoustic/smell: is not a kind of what is heard",
			"line 19: /colour: is not a key that is known here",
		}},
		{"JSON", "region/jp", "{\n\"strictness\": 6,\n\"categories\": {\n\"ha/te\": {\"enabled\": \"no\"}}, \"strictness\": 2}", []string{
			"line 4: /categories/ha~1te: is not a category",
			"line 4: /categories/ha~1te/enabled: must be true or false", "line 4: /strictness: stands twice",
		}},
		{"not JSON", "region/jp", "{\n\"a\": [1,\n}", []string{"line 3: is not JSON"}},
		{"two JSON documents", "region/jp", "{} {}", []string{"something stands behind the document"}},
		{"too deep", "region/jp", strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40), []string{"is nested too deep"}},
		{"not YAML", "region/jp", "a: b: c\n", []string{"line 1: is not YAML"}},
		{"two documents", "region/jp", "strictness: 1\n---\nstrictness: 2\n", []string{"has more than one document"}},
		{"references", "region/jp", "description: &x hello\nmode: *x\n", []string{"line 2: /mode: must be written out: references are not taken"}},
		{"not an object", "region/jp", "- 1\n", []string{"line 1: must be an object"}},
		{"types", "region/jp", "strictness: high\ncategories: []\nprohibited: {a: 1}\nschedule: [7]\napprove_clear: 1\n", []string{
			"line 1: /strictness: must be a whole number", "line 2: /categories: must be an object", "line 3: /prohibited: must be a list",
			"line 4: /schedule/0: must be an object", "line 5: /approve_clear: must be true or false",
		}},
		{"mandatory outside the global layer", "segment/trusted", "escalate_mandatory: false\ncategories: {hate: {mandatory: true, sub_labels: {slur: {mandatory: true}}}}\n", []string{
			"line 1: /escalate_mandatory: only the global layer has mandatory rules", "line 2: /categories/hate/mandatory: only", "line 2: /categories/hate/sub_labels/slur/mandatory: only",
		}},
		{"child safety", "global/default", "categories:\n  illegal: {sub_labels: {child_safety: {enabled: false}}}\n  child_safety: {action: review, strictness: 2}\n", []string{
			"line 2: /categories/illegal/sub_labels/child_safety/enabled: child safety is mandatory", "line 3: /categories/child_safety/action: child safety is mandatory",
			"line 3: /categories/child_safety/strictness: child safety is mandatory",
		}},
		{"mandatory and off", "global/default", "categories: {hate: {mandatory: true, enabled: false}}", []string{"/categories/hate/mandatory: contradicts enabled: false"}},
		{"elsewhere", "mode/board", "game_mode: board\ncountries: [jp]\nsegments: {minor: {strictness: 4}}\n", []string{
			"line 1: /game_mode: only a channel layer", "line 2: /countries: only a region layer", "line 3: /segments: only a region layer",
		}},
		{"channel", "channel/x", "game_mode: chess\n", []string{`/game_mode: "chess" is not one of global_chat`}},
		{"region", "region/jp", "countries: [JP, jpn]\nsegments: {kids: {}, minor: {lists: [a], strictness: 7}}\n", []string{
			`/countries/0: "JP" is not a country`, `/countries/1: "jpn"`, "/segments/kids: is not a segment", "/segments/minor/strictness: must be 1 to 5", "/segments/minor/lists: can't differ by segment",
		}},
		{"contradictory mode", "channel/x", "mode: monitor_only\napprove_clear: true\n", []string{"line 2: /approve_clear: contradicts the mode"}},
		{"zone", "region/jp", "time_zone: Mars/Olympus\n", []string{`/time_zone: "Mars/Olympus" is not an IANA time zone`}},
		{"the machine's zone", "region/jp", "time_zone: Local\n", []string{"/time_zone"}},
		{"windows", "region/jp", `schedule:
  - {from: "24:00", to: "06:00", stricter: 1}
  - {from: "9:00", to: "25:00", stricter: 1}
  - {from: "09:00", to: "09:00", stricter: 1}
  - {from: "09:00", to: "10:00"}
  - {days: [monday], from: "09:60", to: "10:00", stricter: -9}
  - {from: "09:00", to: "10:00", settings: {schedule: [], prohibited: [a b], strictness: 6, categories: {hate: {mandatory: true}}}}
`, []string{
			"line 2: /schedule/0/from", "line 3: /schedule/1/from", "line 3: /schedule/1/to", "line 4: /schedule/2/to: is the same as from",
			"line 5: /schedule/3: changes nothing", "line 6: /schedule/4/days/0", "line 6: /schedule/4/from", "line 6: /schedule/4/stricter",
			"line 7: /schedule/5/settings/strictness", "line 7: /schedule/5/settings/prohibited: can't change with the time of day", "line 7: /schedule/5/settings/categories/hate/mandatory",
		}},
		{"words", "global/default", `prohibited:
  - ""
  - "*"
  - "   "
  - {term: x, match: substring}
  - {term: fine, match: regex, category: rude, severity: 7, action: ban, language: x, expires: tomorrow, note: n}
  - {term: Fine, language: X}
  - {term: good, must_hit: [a], must_pass: [a, ""]}
exceptions:
  - "*"
  - a
  - " "
  - "."
  - GOOD
  - 核
  - "a\tb"
`, []string{
			"line 2: /prohibited/0/term", "line 3: /prohibited/1/term", "line 4: /prohibited/2/term", "line 5: /prohibited/3/term",
			"line 6: /prohibited/4/match", "line 6: /prohibited/4/category", "line 6: /prohibited/4/severity", "line 6: /prohibited/4/action",
			"line 6: /prohibited/4/language", "line 7: /prohibited/5/language", "line 6: /prohibited/4/expires", "line 7: /prohibited/5/term: \"Fine\" stands in entry 4 too",
			"line 8: /prohibited/6/must_hit/0", "line 8: /prohibited/6/must_pass/1",
			"line 10: /exceptions/0/term", "line 11: /exceptions/1/term: \"a\" would void whole messages", "line 12: /exceptions/2/term", "line 13: /exceptions/3/term",
			"line 14: /exceptions/4/term: \"GOOD\" is prohibited too, in entry 6", "line 16: /exceptions/6/term: has control characters",
		}},
		{"not UTF-8", "mode/board", "{\"description\":\"\xff\"}", []string{"is not valid UTF-8"}},
		{"texts that no store takes", "mode/board", "{\"description\":\"a\\u0000b\",\n\"prohibited\":[{\"term\":\"zorgon\",\"note\":\"\\ud800\"}]}", []string{
			"line 1: /description: has control characters", "line 2: /prohibited/0/note: has control characters, or U+FFFD",
		}},
	} {
		kind, name, _ := strings.Cut(c.layer, "/")
		_, err := policy.ReadLayer(policy.LayerKind(kind), name, []byte(c.text))
		if _, ok := errors.AsType[policy.Faults](err); !ok {
			t.Errorf("%s: %v, want faults", c.name, err)
			continue
		}
		got := strings.Split(err.Error(), "\n")
		for _, want := range c.want {
			if !slices.ContainsFunc(got, func(line string) bool { return strings.Contains(line, want) }) {
				t.Errorf("%s lacks %q:\n%s", c.name, want, err)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %d faults, want %d:\n%s", c.name, len(got), len(c.want), err)
		}
	}
}

func TestLayerNames(t *testing.T) {
	for id, ok := range map[string]bool{
		"global/default": true, "global/other": false, "region/jp": true, "region/JP": false, "region/lang:ja": true, "region/lang:": false, "region/": false,
		"mode/board": true, "mode/boards": false, "channel/a*": true, "channel/*": true, "channel/a*b": false, "channel/": false, "channel/ギルド": true,
		"segment/minor": true, "segment/adult": false, "planet/earth": false,
	} {
		kind, name, _ := strings.Cut(id, "/")
		if err := policy.CheckLayer(policy.LayerKind(kind), name); (err == nil) != ok {
			t.Errorf("CheckLayer(%s) = %v, want it to be fine: %t", id, err, ok)
		}
	}
}

func TestCompileFaults(t *testing.T) {
	_, err := policy.Compile(policy.Config{}, []policy.Layer{
		{Kind: policy.KindRegion, Name: "jp", Settings: policy.Settings{Strictness: 7, Countries: []string{"jp", "xx"}}},
		{Kind: policy.KindRegion, Name: "jp"},
		{Kind: policy.KindRegion, Name: "kr", Settings: policy.Settings{Countries: []string{"xx"}}},
	}, policy.Words{})
	if _, ok := errors.AsType[policy.Faults](err); !ok {
		t.Fatalf("Compile = %v, want faults", err)
	}
	for _, want := range []string{"region/jp#/strictness: must be 1 to 5", "region/jp#: stands twice", `region/kr#/countries/0: "xx" belongs to region/jp too`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
}

// TestRoundTrip writes random settings in both formats and reads them back.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		var s policy.Settings
		fill(rng, reflect.ValueOf(&s).Elem(), 0)
		for _, f := range []policy.Format{policy.YAML, policy.JSON} {
			b, err := policy.MarshalSettings(s, f)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := policy.ReadSettings(b) // random ones have faults, and are read all the same
			if diff := cmp.Diff(s, got); diff != "" {
				t.Fatalf("%s\n(-written +read):\n%s", b, diff)
			}
		}
	}
}

// fill gives every field of v something, or now and then nothing.
func fill(rng *rand.Rand, v reflect.Value, depth int) {
	if rng.IntN(4) == 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString([]string{"666", "true", "null", "😀 \"x\" \\", "~", "- a: b", "核", "1e3", "2030-01-01"}[rng.IntN(9)])
	case reflect.Int:
		v.SetInt(int64(rng.IntN(5) - 2))
	case reflect.Float64:
		v.SetFloat(rng.Float64())
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Pointer:
		if depth < 4 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(rng, v.Elem(), depth+1)
		}
	case reflect.Slice:
		for range 1 + rng.IntN(2) {
			if depth < 4 {
				e := reflect.New(v.Type().Elem()).Elem()
				fill(rng, e, depth+1)
				v.Set(reflect.Append(v, e))
			}
		}
	case reflect.Map:
		if depth < 4 {
			v.Set(reflect.MakeMap(v.Type()))
			e := reflect.New(v.Type().Elem()).Elem()
			fill(rng, e, depth+1)
			v.SetMapIndex(reflect.ValueOf(fmt.Sprint("k", rng.IntN(9))).Convert(v.Type().Key()), e)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(rng.Int64N(4e9), 0).UTC()))
			return
		}
		for _, field := range v.Fields() {
			fill(rng, field, depth+1)
		}
	}
}

// FuzzReadSettings holds what any bytes are read as: no panic, and what has no fault
// compiles and is read back as it is.
func FuzzReadSettings(f *testing.F) {
	f.Add([]byte("strictness: 3\nprohibited: [a b]\n"))
	f.Add([]byte(`{"schedule":[{"from":"22:00","to":"06:00","stricter":1}],"categories":{"hate":{"sub_labels":{"slur":{"action":"mask"}}}}}`))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte("? [x]\n: y\n<<: {mode: x}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := policy.ReadLayer(policy.KindRegion, "jp", data)
		if err != nil {
			return
		}
		l.Settings.Lists = nil
		if _, err := policy.Compile(policy.Config{}, []policy.Layer{l}, policy.Words{Compile: compileWords}); err != nil && !strings.Contains(err.Error(), "prohibited") && !strings.Contains(err.Error(), "unfindable") {
			t.Fatalf("no fault when read, but: %v", err)
		}
		b, err := policy.MarshalSettings(l.Settings, policy.JSON)
		if err != nil {
			t.Fatal(err)
		}
		again, err := policy.ReadSettings(b)
		if err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if c, err := policy.MarshalSettings(again, policy.JSON); err != nil || string(c) != string(b) {
			t.Fatalf("%s is read as %s, %v", b, c, err)
		}
	})
}
