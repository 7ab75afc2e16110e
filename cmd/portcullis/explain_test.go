package main

import (
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

func TestExplainSaysWhatThePolicyMakesOfASignal(t *testing.T) {
	no := false
	for _, c := range []struct {
		name       string
		policy     policy.Config
		category   engines.Category
		confidence float64
		strict     int
		leads      engines.Suggestion
		why        string
	}{
		{"blocked", policy.Config{}, engines.Hate, 0.99, 0, engines.Block, "block from strictness 1 on"},
		{"reviewed, block later", policy.Config{}, engines.Hate, 0.7, 0, engines.Review, "a person from strictness 2 on, to block from 5 on"},
		{"reviewed, never blocked", policy.Config{}, engines.Hate, 0.6, 0, engines.Review, "too unsure to block at any"},
		{"low risk", policy.Config{}, engines.Spam, 0.99, 0, engines.Review, "this policy blocks no spam"},
		{"weak", policy.Config{}, engines.Spam, 0.5, 0, engines.Pass, "would count from strictness 4 on"},
		{"weak, but asked strictly", policy.Config{}, engines.Spam, 0.5, 5, engines.Review, "a person from strictness 4 on"},
		{"nothing", policy.Config{}, engines.Spam, 0.1, 0, engines.Pass, "too unsure at any"},
		{"off", policy.Config{Categories: map[engines.Category]policy.CategoryConfig{engines.Spam: {Enabled: &no}}}, engines.Spam, 0.9, 0, engines.Pass, "switched off"},
		{"warned", policy.Config{Categories: map[engines.Category]policy.CategoryConfig{engines.Spam: {Action: policy.ActionWarn}}}, engines.Spam, 0.9, 0, engines.Pass, "warns of spam"},
		{"observed", policy.Config{Mode: engines.MonitorOnly}, engines.Hate, 0.9, 0, engines.Block, "block from strictness 3 on"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, err := policy.Compile(c.policy, nil, policy.Words{})
			if err != nil {
				t.Fatal(err)
			}
			item := &engines.Item{Text: "x", StrictLevel: c.strict}
			s := engines.Signal{Category: c.category, Confidence: c.confidence}
			leads, why := alone(item, &s, set.Resolve(item, time.Time{}))
			if leads != c.leads || !strings.Contains(why, c.why) {
				t.Errorf("alone = %s, %q; want %s, %q", leads, why, c.leads, c.why)
			}
		})
	}
}
