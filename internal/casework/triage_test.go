package casework_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
)

func label(c engines.Category, sub string, severity int, confidence float64) engines.Label {
	return engines.Label{Category: c, SubLabel: sub, Severity: severity, Confidence: confidence}
}

func TestSort(t *testing.T) {
	cfg := casework.Default()
	rules := casework.NewRules(cfg)
	for what, test := range map[string]struct {
		labels   []engines.Label
		held     bool
		category engines.Category
		queue    string
		priority int
		due      time.Duration
	}{
		"nothing found":               {nil, false, "", "general", 0, cfg.Due.Lowest},
		"nothing found, but it waits": {nil, true, "", "general", 1, cfg.Held},
		"an insult":                   {[]engines.Label{label(engines.Harassment, "insult", 2, 0.9)}, false, engines.Harassment, "abuse", 1, cfg.Due.Low},
		"a slur":                      {[]engines.Label{label(engines.Hate, "", 3, 0.9)}, false, engines.Hate, "abuse", 3, cfg.Due.High},
		"an advert":                   {[]engines.Label{label(engines.Spam, "advertising", 1, 0.9)}, false, engines.Spam, "spam", 0, cfg.Due.Lowest},
		"self-harm, however mild":     {[]engines.Label{label(engines.Illegal, "self_harm", 1, 0.5)}, false, engines.Illegal, "safety", 4, cfg.Due.Critical},
		"the gravest names it": {
			[]engines.Label{label(engines.Spam, "", 3, 1), label(engines.Violence, "", 3, 0.6), label(engines.Sexual, "", 2, 0.99)}, false, engines.Violence, "abuse", 3, cfg.Due.High,
		},
		"the surer of two":    {[]engines.Label{label(engines.Hate, "", 2, 0.6), label(engines.Sexual, "", 2, 0.7)}, false, engines.Sexual, "abuse", 2, cfg.Due.Medium},
		"grave, and it waits": {[]engines.Label{label(engines.Hate, "", 3, 1)}, true, engines.Hate, "abuse", 3, cfg.Held},
		"a picture's":         {[]engines.Label{label("child_safety", "", 1, 1)}, false, "child_safety", "safety", 4, cfg.Due.Critical},
	} {
		c := store.Case{Held: test.held, Created: noon}
		rules.Sort(&c, &engines.Verdict{Finding: engines.Finding{Labels: test.labels}})
		if c.Category != test.category || c.Queue != test.queue || c.Priority != test.priority || !c.Due.Equal(noon.Add(test.due)) {
			t.Errorf("%s: %s in %s, priority %d, due after %v; want %s in %s, %d, %v", what, c.Category, c.Queue, c.Priority, c.Due.Sub(noon),
				test.category, test.queue, test.priority, test.due)
		}
	}
	// What callers must not act on is looked at all the same.
	c := store.Case{Created: noon}
	rules.Sort(&c, &engines.Verdict{Observed: &engines.Finding{Labels: []engines.Label{label(engines.Hate, "", 3, 1)}}})
	if c.Category != engines.Hate {
		t.Errorf("observed: %+v", c)
	}
}

func TestWeigh(t *testing.T) {
	rules := casework.NewRules(casework.Default())
	report := store.Case{Kind: store.CaseOfReports, Category: engines.Hate, Created: noon}
	last := -1
	for _, weight := range []float64{0.1, 0.5, 1.2, 2.5, 4.5, 40} {
		c := report
		c.Weight = weight
		rules.Weigh(&c)
		if c.Priority < last || c.Priority > 4 {
			t.Errorf("weight %g: priority %d after %d", weight, c.Priority, last)
		}
		last = c.Priority
	}
	if last == 0 {
		t.Error("many reports do not make a case urgent")
	}
	c := report
	c.Weight = 0.1
	if rules.Weigh(&c); c.Priority != 0 {
		t.Errorf("one who is always wrong makes it %d", c.Priority)
	}
	// It never gets more time than it had.
	c.Due = noon.Add(time.Minute)
	if rules.Weigh(&c); !c.Due.Equal(noon.Add(time.Minute)) {
		t.Errorf("due %v", c.Due)
	}
	alert := store.Case{Kind: "risk", Priority: 1, Created: noon, Alert: &economy.Alert{}}
	if rules.Weigh(&alert); alert.Priority != 1 {
		t.Errorf("what the economy said of its case is lost: %+v", alert)
	}
}

func TestReporterWeight(t *testing.T) {
	for _, test := range []struct {
		upheld, dismissed int
		want              float64
	}{{0, 0, 0.5}, {8, 0, 0.9}, {0, 8, 0.1}, {3, 3, 0.5}, {0, 198, 0.005}} {
		if got := casework.ReporterWeight(test.upheld, test.dismissed); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("ReporterWeight(%d, %d) = %g, want %g", test.upheld, test.dismissed, got, test.want)
		}
	}
}

// TestAgree: the first table is the example of Cohen's kappa that statistics books
// have (20, 5, 10, 15: 0.7 agree, 0.5 by chance).
func TestAgree(t *testing.T) {
	var pairs []store.CasePair
	add := func(n int, first, second string) {
		for range n {
			p := store.CasePair{FirstDecision: "approve", SecondDecision: "approve"}
			if first != "" {
				p.FirstDecision, p.FirstCategory = "reject", engines.Category(first)
			}
			if second != "" {
				p.SecondDecision, p.SecondCategory = "reject", engines.Category(second)
			}
			pairs = append(pairs, p)
		}
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s = %g, want %g", what, got, want)
		}
	}
	add(20, "hate", "hate")
	add(5, "hate", "")
	add(10, "", "hate")
	add(15, "", "")
	a := casework.Agree(pairs)
	near("raw", a.Raw, 0.7)
	near("kappa", a.Kappa, 0.4)
	if len(a.Categories) != 1 || a.Categories[0].Both != 20 || a.Categories[0].FirstOnly != 5 || a.Categories[0].SecondOnly != 10 || a.Categories[0].Neither != 15 {
		t.Errorf("categories %+v", a.Categories)
	}
	near("kappa of hate", a.Categories[0].Kappa, 0.4)

	pairs = nil
	add(4, "hate", "spam") // both found something, and never the same
	a = casework.Agree(pairs)
	near("raw of nothing in common", a.Raw, 0)
	if !a.Defined || a.Kappa > 0 || len(a.Categories) != 2 {
		t.Errorf("nothing in common: %+v", a)
	}
	pairs = nil
	add(4, "", "")
	if a = casework.Agree(pairs); a.Defined || a.Raw != 1 {
		t.Errorf("always the same one thing: %+v", a)
	}
	if a = casework.Agree(nil); a.Defined || a.Pairs != 0 {
		t.Errorf("no pairs: %+v", a)
	}
}

func TestValidateNamesEveryKey(t *testing.T) {
	cfg := casework.Default()
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	bad := casework.Config{SecondShare: math.NaN(), Context: -1, Queues: []casework.Queue{{Queue: "A"}, {Queue: "x", Roles: []string{"viewer"}}, {Queue: "x"}}}
	err := bad.Validate()
	for _, key := range []string{"cases.lease", "cases.due.critical", "cases.due.lowest", "cases.held", "publish_within", "second_share", "context", "queues.0.queue", "queues.1.roles", "queues.2.queue"} {
		if err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("Validate() = %v, want it to name %s", err, key)
		}
	}
}
