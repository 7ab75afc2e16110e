package review_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/review"
)

// tried is a policy under trial: it names itself for all that is bad.
type tried struct {
	policies *policies
	mu       sync.Mutex
	heard    []engines.Suggestion
}

func (p *tried) Resolve(item *engines.Item) (*policy.Resolved, review.Trial) {
	r, _ := p.policies.Resolve(item)
	return r, p
}

func (p *tried) Decided(
	_ context.Context, item *engines.Item, signals []engines.Signal, _ []engines.Fault, _ engines.Standing, v engines.Verdict,
) (version string, shadow *engines.Finding) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard = append(p.heard, v.Suggestion)
	switch {
	case len(signals) > 0 && item.Text == "bad":
		version = "draft"
	case item.Text == "missed":
		shadow = &engines.Finding{Suggestion: engines.Block}
	}
	return version, shadow
}

func (p *tried) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.heard)
}

// A trial hears of every verdict once, by whatever way it comes, before it is recorded;
// of the verdict it changes whose word it was and nothing else.
func TestTrial(t *testing.T) {
	p := &tried{}
	r := furnish(t, policy.Config{Scenes: []policy.SceneConfig{{Scene: "late", Mode: engines.DeferredReview}}}, func(_ *review.Config, d *review.Deps) {
		own, ok := d.Policies.(*policies)
		if !ok {
			t.Fatal("the desk's policies are not what furnish makes")
		}
		p.policies, d.Policies = own, p
	})
	stop := r.serve(t)
	defer stop()
	for text, want := range map[string]string{"bad": "draft", "iffy": "", "fine": ""} {
		before := p.count()
		o, err := r.Check(t.Context(), said(text))
		if err != nil {
			t.Fatal(err)
		}
		if p.count() != before+1 {
			t.Errorf("%q: it heard of %d verdicts, want 1", text, p.count()-before)
		}
		if got := o.Verdict.PolicyVersion; want != "" && got != want || want == "" && got == "draft" {
			t.Errorf("%q names policy %q", text, got)
		}
	}
	for _, w := range r.disk.written() {
		if (w.decision.Verdict.PolicyVersion == "draft") != (w.decision.Content == "bad") {
			t.Errorf("%q is recorded under policy %q", w.decision.Content, w.decision.Verdict.PolicyVersion)
		}
	}
	before := p.count()
	late := said("bad")
	late.Scene = "late"
	if _, err := r.Check(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	if err := r.Submit(t.Context(), said("bad")); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); p.count() < before+2; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("of a deferred check and a submitted one it heard of %d verdicts, want 2", p.count()-before)
		}
	}
}

// What a policy in shadow would have found is said beside the verdict, which stays, and
// recorded: of what passes all of it, each for itself.
func TestShadowIsRecorded(t *testing.T) {
	p := &tried{}
	r := furnish(t, policy.Config{Record: policy.RecordSampled, SampleRate: 1e-9}, func(_ *review.Config, d *review.Deps) {
		own, ok := d.Policies.(*policies)
		if !ok {
			t.Fatal("the desk's policies are not what furnish makes")
		}
		p.policies, d.Policies = own, p
	})
	stop := r.serve(t)
	for _, text := range []string{"missed", "fine", "missed"} {
		o, err := r.Check(t.Context(), said(text))
		if err != nil {
			t.Fatal(err)
		}
		if o.Verdict.Suggestion != engines.Pass || o.Verdict.Observed != nil || (o.Verdict.Shadow != nil) != (text == "missed") {
			t.Errorf("%q: %+v", text, o.Verdict)
		}
	}
	stop()
	got := r.disk.recorded()
	if len(got) != 2 {
		t.Fatalf("%d passes are recorded, want the two that the draft would have blocked", len(got))
	}
	for _, d := range got {
		if d.Content != "missed" || d.Weight != 1 || d.Verdict.Shadow == nil || d.Verdict.Shadow.Suggestion != engines.Block {
			t.Errorf("recorded %+v", d)
		}
	}
}
