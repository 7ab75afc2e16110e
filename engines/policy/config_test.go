package policy_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

func parse(t *testing.T, text string) policy.Config {
	t.Helper()
	var c policy.Config
	dec := yaml.NewDecoder(bytes.NewBufferString(text))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil {
		t.Fatalf("decode: %v", err)
	}
	return c
}

func TestZeroConfigWorks(t *testing.T) {
	var c policy.Config
	if err := c.Validate(); err != nil {
		t.Errorf("Validate(zero) = %v", err)
	}
	r := rules(t, c)
	if r.Mode != engines.RealTimeBlock || r.Fail != policy.FailReview || r.Record != policy.RecordSampled || r.SampleRate != 0.05 || r.ApproveClear {
		t.Errorf("zero config resolves to %+v", r)
	}
}

func TestValidateNamesEveryFault(t *testing.T) {
	c := parse(t, `
mode: xx
strictness: 6
fail: maybe
record: some
sample_rate: 0.5
categories:
  spam: {strictness: 9, action: kick}
  nonsense: {enabled: false}
scenes:
  - {scene: "a*b"}
  - {mode: pre_review}
  - {scene: "lobby*", mode: xy, strictness: -1, categories: {hate: {action: no}}}
  - {scene: lobby-1}
  - {scene: "lobby-*"}
  - {scene: one}
  - {scene: one}
`)
	err := c.Validate()
	if err == nil {
		t.Fatal("Validate = nil")
	}
	want := []string{
		`policy.mode: "xx" is not a filtering mode (real_time_block, deferred_review, pre_review, monitor_only)`,
		`policy.strictness: must be 1 to 5`,
		`policy.fail: "maybe" is not one of review, open, closed`,
		`policy.record: "some" is not one of flagged, all, sampled`,
		`policy.sample_rate: only has a meaning when policy.record is sampled`,
		`policy.categories.nonsense: is not a category`,
		`policy.categories.spam.strictness: must be 1 to 5`,
		`policy.categories.spam.action: "kick" is not one of block, review, warn, mask`,
		`policy.scenes[0].scene: "a*b" has a * that is not at its end`,
		`policy.scenes[1].scene: is missing`,
		`policy.scenes[2].mode: "xy" is not a filtering mode (real_time_block, deferred_review, pre_review, monitor_only)`,
		`policy.scenes[2].strictness: must be 1 to 5`,
		`policy.scenes[2].categories.hate.action: "no" is not one of block, review, warn, mask`,
		`policy.scenes[3].scene: "lobby-1" is never reached, policy.scenes[2] "lobby*" takes it`,
		`policy.scenes[4].scene: "lobby-*" is never reached, policy.scenes[2] "lobby*" takes it`,
		`policy.scenes[6].scene: "one" is never reached, policy.scenes[5] "one" takes it`,
	}
	if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if s, err := policy.Compile(c, nil, policy.Words{}); err == nil || s != nil {
		t.Errorf("Compile = %v, %v; want an error", s, err)
	}
}

func TestSampleRate(t *testing.T) {
	for _, c := range []struct {
		text string
		ok   bool
		want float64
	}{
		{"record: sampled\nsample_rate: 0.25", true, 0.25},
		{"record: sampled\nsample_rate: 1", true, 1},
		{"record: all", true, 1},
		{"record: sampled", false, 0},
		{"record: sampled\nsample_rate: 1.5", false, 0},
		{"record: sampled\nsample_rate: .nan", false, 0},
		{"sample_rate: .nan", false, 0},
	} {
		cfg := parse(t, c.text)
		err := cfg.Validate()
		if (err == nil) != c.ok {
			t.Errorf("Validate(%q) = %v, want ok %t", c.text, err, c.ok)
		}
		if c.ok {
			if got := rules(t, cfg).SampleRate; got != c.want {
				t.Errorf("SampleRate of %q = %v, want %v", c.text, got, c.want)
			}
		}
	}
}

func TestScenes(t *testing.T) {
	s := compile(t, parse(t, `
strictness: 2
categories:
  spam: {strictness: 1, action: block}
scenes:
  - {scene: kids-hall, mode: pre_review, approve_clear: true, strictness: 5}
  - {scene: "kids-*", mode: pre_review, categories: {spam: {action: warn}}}
  - {scene: "watch*", mode: monitor_only}
  - {scene: "*", mode: deferred_review}
`))
	for _, c := range []struct {
		scene   engines.SceneID
		mode    engines.Mode
		approve bool
	}{
		{"kids-hall", engines.PreReview, true},
		{"kids-hall2", engines.PreReview, false},
		{"watch", engines.MonitorOnly, false},
		{"lobby", engines.DeferredReview, false},
		{"", engines.DeferredReview, false},
	} {
		r := s.Resolve(&engines.Item{Scene: c.scene}, time.Time{})
		if r.Mode != c.mode || r.ApproveClear != c.approve {
			t.Errorf("Resolve(%q) = %s, approve %t; want %s, %t", c.scene, r.Mode, r.ApproveClear, c.mode, c.approve)
		}
	}

	// A scene's category keeps what it does not name: strictness 1, action warn.
	decide := func(scene engines.SceneID, confidence float64) engines.Verdict {
		item := &engines.Item{Text: "x", Scene: scene}
		return policy.Decide(item, []engines.Signal{sig(engines.Spam, confidence)}, nil, engines.Standing{}, s.Resolve(item, time.Time{}))
	}
	if v := decide("kids-1", 0.81); !v.Warn || v.Suggestion != engines.Pass {
		t.Errorf("kids-1: %+v, want a warning", v)
	}
	if v := decide("kids-1", 0.79); v.Warn {
		t.Error("kids-1 warns below its cut-off of strictness 1")
	}
	if v := decide("lobby", 0.98); v.Suggestion != engines.Block {
		t.Errorf("lobby: %s, want block", v.Suggestion)
	}
}

func TestVersion(t *testing.T) {
	text := "strictness: 4\ncategories: {spam: {action: warn}, hate: {action: review}, sexual: {strictness: 2}}"
	a, b := compile(t, parse(t, text)), compile(t, parse(t, text))
	if a.Version() == "" || a.Version() != b.Version() {
		t.Errorf("versions of one policy: %q and %q", a.Version(), b.Version())
	}
	if c := compile(t, parse(t, text+"\nmode: pre_review")); c.Version() == a.Version() {
		t.Error("another policy has the same version")
	}
}
