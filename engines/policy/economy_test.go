package policy_test

import (
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

func TestEconomyRisk(t *testing.T) {
	blocks := map[engines.Category]policy.CategoryConfig{engines.Spam: {Action: policy.ActionBlock}}
	for _, c := range []struct {
		name   string
		cfg    policy.Config
		risk   int
		level  int
		signal engines.Signal
		want   engines.Suggestion
		why    string
	}{
		{"below the cut-off of others", policy.Config{}, 75, 0, sig(engines.Spam, 0.5), engines.Review, "economy_risk"},
		{"below its own", policy.Config{}, 75, 0, sig(engines.Spam, 0.41), engines.Pass, ""},
		{"above that of others", policy.Config{}, 100, 0, sig(engines.Spam, 0.55), engines.Review, ""},
		{"a lower risk", policy.Config{}, 74, 0, sig(engines.Spam, 0.5), engines.Pass, ""},
		{"another category", policy.Config{}, 100, 0, sig(engines.Harassment, 0.5), engines.Pass, ""},
		{"what the law asks for", policy.Config{}, 100, 0, sig(engines.Illegal, 0.5), engines.Pass, ""},
		{"the caller's level stands", policy.Config{}, 100, 3, sig(engines.Spam, 0.5), engines.Pass, ""},
		{"more levels", policy.Config{Economy: policy.EconomyConfig{Stricter: 4}}, 75, 0, sig(engines.Spam, 0.3), engines.Review, "economy_risk"},
		{"never", policy.Config{Economy: policy.EconomyConfig{Risk: 101}}, 100, 0, sig(engines.Spam, 0.5), engines.Pass, ""},
		{"another risk", policy.Config{Economy: policy.EconomyConfig{Risk: 30}}, 30, 0, sig(engines.Spam, 0.5), engines.Review, "economy_risk"},
		{"a block", policy.Config{Categories: blocks}, 75, 0, sig(engines.Spam, 0.8), engines.Block, "economy_risk"},
		{"no stricter than the strictest", policy.Config{Strictness: 5}, 100, 0, sig(engines.Spam, 0.29), engines.Pass, ""},
		{"a category that is off", policy.Config{Categories: map[engines.Category]policy.CategoryConfig{engines.Spam: {Enabled: &off}}}, 100, 0, sig(engines.Spam, 0.5), engines.Pass, ""},
		{"only observed", policy.Config{Mode: engines.MonitorOnly}, 75, 0, sig(engines.Spam, 0.5), engines.Pass, "economy_risk"},
	} {
		t.Run(c.name, func(t *testing.T) {
			item := &engines.Item{Text: "x", StrictLevel: c.level}
			v := policy.Decide(item, []engines.Signal{c.signal}, nil, engines.Standing{EconomyRisk: c.risk}, rules(t, c.cfg))
			if v.Suggestion != c.want || v.Stricter != c.why {
				t.Errorf("Decide = %s, stricter %q; want %s, %q", v.Suggestion, v.Stricter, c.want, c.why)
			}
		})
	}
}

// A higher risk never finds less, and says why exactly where it finds more.
func TestEconomyRiskIsMonotonic(t *testing.T) {
	for level := 1; level <= policy.MaxStrictness; level++ {
		for _, action := range []policy.Action{policy.ActionReview, policy.ActionBlock} {
			for _, trust := range []string{"", "watched", "trusted"} {
				r := rules(t, policy.Config{Strictness: level, Categories: map[engines.Category]policy.CategoryConfig{engines.Spam: {Action: action}}})
				for confidence := 0.0; confidence <= 1; confidence += 0.01 {
					decide := func(risk int) engines.Verdict {
						return policy.Decide(&engines.Item{Text: "x"}, []engines.Signal{sig(engines.Spam, confidence)}, nil, engines.Standing{Trust: trust, EconomyRisk: risk}, r)
					}
					low, high := decide(0), decide(100)
					more := high.Suggestion.Rank() - low.Suggestion.Rank()
					if more < 0 || (more > 0) != (high.Stricter != "") || low.Stricter != "" {
						t.Errorf("level %d, %s, %q, %v: %s, with a high risk %s because of %q", level, action, trust, confidence, low.Suggestion, high.Suggestion, high.Stricter)
					}
				}
			}
		}
	}
}

func TestEconomyConfig(t *testing.T) {
	for _, text := range []string{"{}", "{economy: {risk: 1, stricter: 0}}", "{economy: {risk: 101, stricter: 4}}"} {
		c := parse(t, text)
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"{risk: 102}": "policy.economy.risk", "{risk: -1}": "policy.economy.risk", "{stricter: 5}": "policy.economy.stricter", "{stricter: -1}": "policy.economy.stricter",
	} {
		c := parse(t, "economy: "+text)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want a fault of %s", text, err, want)
		}
	}
}

func TestStandingAllocatesNothing(t *testing.T) {
	s := compile(t, policy.Config{})
	item, signals := &engines.Item{Text: "x"}, []engines.Signal{sig(engines.Spam, 0.1)}
	if got := testing.AllocsPerRun(100, func() {
		policy.Decide(item, signals, nil, engines.Standing{EconomyRisk: 90}, s.Resolve(item, time.Time{}))
	}); got != 0 {
		t.Errorf("allocations = %v", got)
	}
}
