package review_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// TestModes sends each kind of message through each mode and looks at the
// answer, the disk and what the scene is told.
func TestModes(t *testing.T) {
	type want struct {
		Action  engines.Action
		Pending bool
		Case    bool
		Commit  bool
		Message string // state of the scene message, "" when there is none
		Content string
		Late    engines.Action
	}
	mask := map[engines.Category]policy.CategoryConfig{engines.Harassment: {Action: policy.ActionMask}}
	for _, c := range []struct {
		mode engines.Mode
		text string
		want want
	}{
		{engines.RealTimeBlock, "fine", want{Action: engines.Deliver}},
		{engines.RealTimeBlock, "iffy", want{Action: engines.Deliver, Case: true, Commit: true, Message: "delivered", Content: "iffy"}},
		{engines.RealTimeBlock, "bad", want{Action: engines.Drop, Commit: true}},
		{engines.RealTimeBlock, "rude", want{Action: engines.Mask, Commit: true, Message: "delivered", Content: "****"}},
		{engines.DeferredReview, "fine", want{Action: engines.Deliver, Pending: true}},
		{engines.DeferredReview, "iffy", want{Action: engines.Deliver, Pending: true, Commit: true, Message: "delivered", Content: "iffy", Late: engines.Deliver}},
		{engines.DeferredReview, "bad", want{Action: engines.Deliver, Pending: true, Commit: true, Message: "retracted", Content: "bad", Late: engines.Drop}},
		{engines.DeferredReview, "rude", want{Action: engines.Deliver, Pending: true, Commit: true, Message: "delivered", Content: "rude", Late: engines.Deliver}},
		{engines.PreReview, "fine", want{Action: engines.Hold, Case: true, Commit: true, Message: "held", Content: "fine"}},
		{engines.PreReview, "iffy", want{Action: engines.Hold, Case: true, Commit: true, Message: "held", Content: "iffy"}},
		{engines.PreReview, "bad", want{Action: engines.Drop, Commit: true}},
		{engines.PreReview, "rude", want{Action: engines.Hold, Case: true, Commit: true, Message: "held", Content: "****"}},
		{engines.MonitorOnly, "fine", want{Action: engines.Deliver}},
		{engines.MonitorOnly, "iffy", want{Action: engines.Deliver, Commit: true, Message: "delivered", Content: "iffy"}},
		{engines.MonitorOnly, "bad", want{Action: engines.Deliver, Commit: true, Message: "delivered", Content: "bad"}},
	} {
		t.Run(fmt.Sprintf("%s/%s", c.mode, c.text), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := furnish(t, policy.Config{Mode: c.mode, Categories: mask})
				stop := r.serve(t)
				item := said(c.text)
				o, err := r.Check(t.Context(), item)
				if err != nil {
					t.Fatalf("Check: %v", err)
				}
				got := want{Action: o.Verdict.Action, Pending: o.Pending, Case: o.CaseID != ""}
				synctest.Wait()
				for _, w := range r.disk.written() {
					got.Commit = true
					if w.message != nil {
						got.Message, got.Content = w.message.State, w.message.Content
					}
					if (w.kase != nil) != w.decision.Verdict.Case || w.kase != nil && (w.kase.ID != w.decision.CaseID || w.kase.Held != (got.Message == "held")) {
						t.Errorf("case %+v does not fit the decision %+v", w.kase, w.decision)
					}
				}
				for _, call := range r.scenes.got() {
					got.Late = call.o.Verdict.Action
					if call.o.CaseID == "" || call.o.RequestID != item.RequestID || call.item.Text != c.text {
						t.Errorf("late call %+v does not name its case and message", call)
					}
				}
				stop()
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				if n := len(r.feed.events); n != 1 {
					t.Errorf("feed events = %d, want 1", n)
				}
			})
		})
	}
}

func TestTheRecordIsWhole(t *testing.T) {
	r := furnish(t, policy.Config{}, func(_ *review.Config, d *review.Deps) {
		d.Standings = trustFunc(func(engines.AppID, engines.PlayerID) engines.Standing { return engines.Standing{Trust: "watched"} })
	})
	item := said("bad")
	item.ReceivedAt, item.Region, item.Segment, item.StrictLevel = time.Now(), "jp", "minor", 4
	o, err := r.Check(t.Context(), item)
	if err != nil {
		t.Fatal(err)
	}
	id, err := uuid.Parse(string(o.RequestID))
	if err != nil || id.Version() != 7 || o.RequestID != item.RequestID {
		t.Errorf("request id %q, item %q: %v, want one UUIDv7", o.RequestID, item.RequestID, err)
	}
	got := r.disk.written()[0].decision
	want := store.Decision{
		Request: item.RequestID, App: "game", Player: "ann", Scene: "lobby", Session: "s1", Kind: engines.KindText, Language: "en",
		Content: "bad", ContentSHA256: sha256.Sum256([]byte("bad")), Verdict: o.Verdict, Weight: 1, Took: got.Took, Created: item.ReceivedAt,
		Signals:       []engines.Signal{{Category: engines.Hate, Severity: 3, Confidence: 0.95, Source: engines.SourceLexicon, Span: engines.Span{Start: 0, End: 3}}},
		Circumstances: store.Circumstances{Region: "jp", Segment: "minor", StrictLevel: 4, Live: true, Standing: engines.Standing{Trust: "watched"}},
		Statements: []store.Statement{{
			Ground: store.GroundTerms, GroundText: "the game's rules of conduct: hate", Category: "hate", ContentType: "text",
			ContentDate: item.ReceivedAt, Applied: got.Statements[0].Applied, Source: store.SourceOwnInitiative,
			AutomatedDetection: true, AutomatedDecision: store.AutomatedFully, Visibility: store.VisibilityRemoved,
			Facts: "hate, severity 3, by lexicon; action drop in mode real_time_block under policy " + o.Verdict.PolicyVersion,
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decision (-want +got):\n%s", diff)
	}
	if got.Took <= 0 || o.Took < got.Took {
		t.Errorf("took %v on disk, %v in the answer", got.Took, o.Took)
	}

	// Pooled memory must not show in what was recorded.
	if _, err := r.Check(t.Context(), said("rude")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Signals, r.disk.written()[0].decision.Signals); diff != "" {
		t.Errorf("signals changed later (-want +got):\n%s", diff)
	}
}

// The answer waits for the disk.
func TestCommitBeforeAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := furnish(t, policy.Config{})
		commit := make(chan struct{})
		r.disk.before = func(context.Context, string) error { <-commit; return nil }
		answered := make(chan engines.Outcome, 1)
		go func() {
			o, err := r.Check(t.Context(), said("bad"))
			if err != nil {
				t.Errorf("Check: %v", err)
			}
			answered <- o
		}()
		synctest.Wait()
		select {
		case <-answered:
			t.Fatal("answered before the commit")
		default:
		}
		if len(r.feed.events) != 0 || strings.Contains(r.log.String(), "verdict") {
			t.Error("feed or log told before the commit")
		}
		close(commit)
		if o := <-answered; o.Verdict.Action != engines.Drop {
			t.Errorf("action = %s, want drop", o.Verdict.Action)
		}
	})
}

func TestRecorderFails(t *testing.T) {
	for name, cause := range map[string]error{
		"any error":   errors.New("disk on fire"),
		"known error": fmt.Errorf("put: %w", store.ErrUnavailable),
	} {
		t.Run(name, func(t *testing.T) {
			r := furnish(t, policy.Config{})
			r.disk.before = func(context.Context, string) error { return cause }
			o, err := r.Check(t.Context(), said("iffy"))
			if !errors.Is(err, store.ErrUnavailable) || !errors.Is(err, cause) {
				t.Errorf("error = %v, want ErrUnavailable and its cause", err)
			}
			if o.Verdict.Action != "" || o.RequestID == "" {
				t.Errorf("outcome = %+v, want the request id alone", o)
			}
			if len(r.feed.events) != 0 {
				t.Error("the feed shows a verdict that was not given")
			}
			if _, err := r.Check(t.Context(), said("fine")); err != nil {
				t.Errorf("a clean pass needs no store: %v", err)
			}
		})
	}
}

func TestCommitTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := furnish(t, policy.Config{})
		r.disk.before = func(ctx context.Context, _ string) error { <-ctx.Done(); return ctx.Err() }
		start := time.Now()
		_, err := r.Check(t.Context(), said("bad"))
		if !errors.Is(err, store.ErrUnavailable) || time.Since(start) != review.Default().CommitTimeout {
			t.Errorf("error = %v after %v, want ErrUnavailable after %v", err, time.Since(start), review.Default().CommitTimeout)
		}
	})
}

// The policy's own words are the ground of the statement of reasons.
func TestReasonInStatement(t *testing.T) {
	r := furnish(t, policy.Config{})
	set, err := policy.Compile(policy.Config{}, []policy.Layer{{Kind: policy.KindGlobal, Name: "default", Settings: policy.Settings{
		Categories: map[engines.Category]policy.CategorySettings{engines.Hate: {Reason: "house rules 3: no slurs"}},
	}}}, policy.Words{})
	if err != nil {
		t.Fatal(err)
	}
	r.policies.set.Store(set)
	if _, err := r.Check(t.Context(), said("bad")); err != nil {
		t.Fatal(err)
	}
	s := r.disk.written()[0].decision.Statements[0]
	if s.GroundText != "house rules 3: no slurs" || s.Ground != store.GroundTerms || s.Category != "hate" {
		t.Errorf("statement %+v", s)
	}
}

func TestEngineFaults(t *testing.T) {
	late := inspectFunc(func(_ context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault) {
		return out, &engines.Fault{Engine: "model", Reason: engines.ReasonLate}
	})
	for _, c := range []struct {
		name       string
		inspectors []review.Inspector
		text       string
		want       engines.Suggestion
	}{
		{"none for the kind", nil, "fine", engines.Review},
		{"late", []review.Inspector{late}, "fine", engines.Review},
		{"late beside one that passes", []review.Inspector{words, late}, "fine", engines.Review},
		{"late beside one that finds", []review.Inspector{late, words}, "bad", engines.Block},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := furnish(t, policy.Config{}, func(_ *review.Config, d *review.Deps) {
				d.Inspectors = map[engines.Kind][]review.Inspector{engines.KindText: c.inspectors}
			})
			o, err := r.Check(t.Context(), said(c.text))
			if err != nil || o.Verdict.Suggestion != c.want || !o.Verdict.Degraded {
				t.Errorf("Check = %+v, %v; want a degraded %s", o.Verdict, err, c.want)
			}
		})
	}
}

// The fail rule is that of the item's kind, in each mode: what is let through is
// delivered, what is not is dropped, and what a person is to see has a case.
func TestFailRuleByKind(t *testing.T) {
	late := inspectFunc(func(_ context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault) {
		return out, &engines.Fault{Engine: "model", Reason: engines.ReasonLate}
	})
	set, err := policy.Compile(policy.Config{}, []policy.Layer{
		{Kind: policy.KindGlobal, Name: "default", Settings: policy.Settings{
			Fail: policy.FailReview, FailByKind: map[engines.Kind]policy.Fail{engines.KindText: policy.FailOpen, engines.KindImage: policy.FailClosed},
		}},
		{Kind: policy.KindChannel, Name: "held", Settings: policy.Settings{Mode: engines.PreReview}},
		{Kind: policy.KindChannel, Name: "silent", Settings: policy.Settings{Mode: engines.MonitorOnly}},
	}, policy.Words{})
	if err != nil {
		t.Fatal(err)
	}
	inspectors := map[engines.Kind][]review.Inspector{}
	for _, kind := range []engines.Kind{engines.KindText, engines.KindName, engines.KindImage, engines.KindAudio} {
		inspectors[kind] = []review.Inspector{late}
	}
	r := furnish(t, policy.Config{}, func(_ *review.Config, d *review.Deps) {
		d.Inspectors = inspectors
	})
	r.policies.set.Store(set)
	for _, c := range []struct {
		kind       engines.Kind
		scene      engines.SceneID
		suggestion engines.Suggestion
		action     engines.Action
		hasCase    bool
	}{
		{engines.KindText, "lobby", engines.Pass, engines.Deliver, false},
		{engines.KindImage, "lobby", engines.Block, engines.Drop, false},
		{engines.KindAudio, "lobby", engines.Review, engines.Deliver, true},
		{engines.KindName, "lobby", engines.Review, engines.Deliver, true},
		{engines.KindText, "held", engines.Pass, engines.Hold, true}, // a clear pass waits here too
		{engines.KindAudio, "held", engines.Review, engines.Hold, true},
		{engines.KindImage, "silent", engines.Pass, engines.Deliver, false}, // callers must not act
	} {
		item := said("fine")
		item.Kind, item.Scene = c.kind, c.scene
		o, err := r.Check(t.Context(), item)
		v := &o.Verdict
		if err != nil || v.Suggestion != c.suggestion || v.Action != c.action || v.Case != c.hasCase || !v.Degraded {
			t.Errorf("%s in %s: %+v, %v; want a degraded %s that is to %s, case %t", c.kind, c.scene, *v, err, c.suggestion, c.action, c.hasCase)
		}
	}
}

func TestInspectorsRunTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := inspectFunc(func(_ context.Context, _ *engines.Item, out []engines.Signal) ([]engines.Signal, *engines.Fault) {
			time.Sleep(time.Second)
			return append(out, engines.Signal{Category: engines.Spam, Confidence: 0.9}), nil
		})
		r := furnish(t, policy.Config{}, func(_ *review.Config, d *review.Deps) {
			d.Inspectors = map[engines.Kind][]review.Inspector{engines.KindText: {slow, words, slow}}
		})
		o, err := r.Check(t.Context(), said("bad"))
		if err != nil || o.Took != time.Second || len(o.Verdict.Labels) != 2 {
			t.Errorf("took %v with %d labels, %v; want 1s and 2", o.Took, len(o.Verdict.Labels), err)
		}
	})
}

type trustFunc func(engines.AppID, engines.PlayerID) engines.Standing

func (f trustFunc) Standing(a engines.AppID, p engines.PlayerID) engines.Standing { return f(a, p) }

func TestStandingReachesPolicy(t *testing.T) {
	r := furnish(t, policy.Config{}, func(_ *review.Config, d *review.Deps) {
		d.Standings = trustFunc(func(app engines.AppID, player engines.PlayerID) engines.Standing {
			if app != "game" || player != "ann" {
				t.Errorf("asked for %s of %s", player, app)
			}
			return engines.Standing{Trust: "trusted"}
		})
	})
	o, err := r.Check(t.Context(), said("iffy")) // 0.6 is below a trusted player's cut-off
	if err != nil || o.Verdict.Suggestion != engines.Pass {
		t.Errorf("Check = %s, %v; want pass", o.Verdict.Suggestion, err)
	}
}

func TestAnotherPolicy(t *testing.T) {
	r := furnish(t, policy.Config{})
	set, err := policy.Compile(policy.Config{Mode: engines.MonitorOnly}, nil, policy.Words{})
	if err != nil {
		t.Fatal(err)
	}
	r.policies.set.Store(set)
	o, err := r.Check(t.Context(), said("bad"))
	if err != nil || o.Verdict.Mode != engines.MonitorOnly || o.Verdict.PolicyVersion != set.Version() {
		t.Errorf("Check = %+v, %v; want the new policy", o.Verdict, err)
	}
}

func TestFeed(t *testing.T) {
	r := furnish(t, policy.Config{})
	o, err := r.Check(t.Context(), said("iffy"))
	if err != nil {
		t.Fatal(err)
	}
	e := r.feed.events[0]
	want := review.Event{
		ID: e.ID, At: e.At, App: "game", Kind: engines.KindText, Scene: "lobby", Player: "ann", Session: "s1", Request: o.RequestID,
		Language: "en", Content: "iffy", Verdict: o.Verdict, Case: o.CaseID, Inspected: e.Inspected, Took: o.Took, Path: "stream",
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
	if id, err := uuid.Parse(e.ID); err != nil || id.Version() != 7 || e.At.IsZero() {
		t.Errorf("event id %q at %v: %v", e.ID, e.At, err)
	}
	r.feed.wants = false
	if _, err := r.Check(t.Context(), said("iffy")); err != nil {
		t.Fatal(err)
	}
	if n := len(r.feed.events); n != 1 {
		t.Errorf("%d events, want none when nobody listens", n-1)
	}
}

func TestLogHasNoContent(t *testing.T) {
	r := furnish(t, policy.Config{})
	for _, text := range []string{"rude", "a quite harmless phrase"} {
		if _, err := r.Check(t.Context(), said(text)); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSpace(r.log.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d log lines, want one for each decision:\n%s", len(lines), r.log)
	}
	for _, want := range []string{"level=INFO", "player=ann", "kind=text", "action=deliver", "harassment/insult", "engines=", "case="} {
		if !strings.Contains(lines[0], want) {
			t.Errorf("line %q lacks %s", lines[0], want)
		}
	}
	if !strings.Contains(lines[1], "level=DEBUG") {
		t.Errorf("a pass is logged as %q, want debug", lines[1])
	}
	for _, secret := range []string{"rude", "harmless"} {
		if strings.Contains(r.log.String(), secret) {
			t.Errorf("the log has content: %s", r.log)
		}
	}
}

func TestMetrics(t *testing.T) {
	reg := prometheus.NewRegistry()
	r := furnish(t, policy.Config{}, func(_ *review.Config, d *review.Deps) { d.Registry = reg })
	for _, text := range []string{"fine", "fine", "bad", "iffy"} {
		if _, err := r.Check(t.Context(), said(text)); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]float64{}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetValue())
			}
			key := strings.Join(append([]string{strings.TrimPrefix(f.GetName(), "portcullis_")}, labels...), " ")
			if v := m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount()); v > 0 {
				got[key] = v
			}
		}
	}
	want := map[string]float64{
		"verdict_seconds text stream": 4, "verdicts_total real_time_block pass": 2,
		"verdicts_total real_time_block block": 1, "verdicts_total real_time_block review": 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	deps := review.Deps{Registry: reg, Policies: r.policies, Store: r.disk}
	if _, err := review.New(review.Default(), deps); err == nil {
		t.Error("a second desk on one registry is not refused")
	}
}

func TestConfigNamesEveryFault(t *testing.T) {
	err := (&review.Config{}).Validate()
	if err == nil {
		t.Fatal("Validate(zero) = nil")
	}
	if got := len(strings.Split(err.Error(), "\n")); got != 12 || !strings.Contains(err.Error(), "review.async_queue: must be positive") {
		t.Errorf("%d faults, want 12:\n%v", got, err)
	}
	if _, err := review.New(review.Config{}, review.Deps{}); err == nil {
		t.Error("New takes a faulty config")
	}
	if _, err := review.New(review.Default(), review.Deps{}); err == nil {
		t.Error("New takes no deps")
	}
}

func TestManyAtOnce(t *testing.T) {
	r := furnish(t, policy.Config{Record: policy.RecordAll, Scenes: []policy.SceneConfig{{Scene: "late", Mode: engines.DeferredReview}}})
	r.feed.wants = false
	stop := r.serve(t)
	texts := []string{"fine", "bad", "iffy", "rude"}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				item := said(texts[(g+i)%4])
				if i%2 == 0 {
					item.Scene = "late"
				}
				if _, err := r.Check(t.Context(), item); err != nil {
					t.Errorf("Check: %v", err)
				}
			}
		})
	}
	wg.Wait()
	stop()
	if got := len(r.disk.written()) + len(r.disk.recorded()); got != 8*200 {
		t.Errorf("recorded %d of %d checks", got, 8*200)
	}
	for _, w := range r.disk.written() {
		if len(w.decision.Signals) != 1 {
			t.Fatalf("%q has %d signals, want its own one", w.decision.Content, len(w.decision.Signals))
		}
	}
}
