package gateway

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/policies"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// fakePolicies remembers what it was given and answers with err, or with what is
// stored as version 3.
type fakePolicies struct {
	Policies
	err      error
	change   policies.Change
	was      int
	plan     policies.Plan
	order    policies.Order
	did      string
	drafts   []policies.Change
	item     engines.Item
	backtest store.PolicyBacktest
}

func (f *fakePolicies) Layer(_ context.Context, key store.PolicyKey) (policies.View, error) {
	p := store.Policy{PolicyKey: key, Version: 3, Body: `{"strictness":4}`, How: store.ByPut, By: "ann", Changed: 1790000000000}
	return policies.View{Policy: p, Source: policies.SourceApp}, f.err
}

func (f *fakePolicies) Put(_ context.Context, c policies.Change, was int) (store.Policy, *store.Rollout, error) {
	f.change, f.was = c, was
	if was == 99 {
		return store.Policy{}, &store.Rollout{ID: "p1", State: store.RolloutProposed}, nil
	}
	return store.Policy{PolicyKey: c.PolicyKey, Version: was + 1, Body: "{}", How: store.ByPut, Changed: 1790000000000}, nil, f.err
}

func (f *fakePolicies) Draft(_ context.Context, c policies.Change, plan policies.Plan, was int) (store.Rollout, error) {
	f.change, f.plan, f.was = c, plan, was
	return store.Rollout{PolicyKey: c.PolicyKey, ID: "r1", Version: 1, State: store.RolloutDraft}, f.err
}

func (f *fakePolicies) ordered(what string, o policies.Order) (store.Rollout, error) {
	f.did, f.order = what, o
	return store.Rollout{PolicyKey: o.Key, ID: o.ID, Version: o.Was + 1}, f.err
}

func (f *fakePolicies) Advance(_ context.Context, o policies.Order) (store.Rollout, error) {
	return f.ordered("advance", o)
}

func (f *fakePolicies) Approve(_ context.Context, o policies.Order) (store.Rollout, error) {
	return f.ordered("approve", o)
}

func (f *fakePolicies) Pause(_ context.Context, o policies.Order) (store.Rollout, error) {
	return f.ordered("pause", o)
}

func (f *fakePolicies) Stop(_ context.Context, o policies.Order) (store.Rollout, error) {
	return f.ordered("stop", o)
}

func (f *fakePolicies) TakeBack(_ context.Context, o policies.Order) (store.Rollout, error) {
	return f.ordered("return", o)
}

func (f *fakePolicies) TestsNow(_ context.Context, key store.PolicyKey, id string) (int, policy.Faults, error) {
	f.order = policies.Order{Key: key, ID: id}
	return 12, policy.Faults{{Pointer: "/tests/3", Reason: "is pass, not block"}}, f.err
}

func (f *fakePolicies) Try(_ context.Context, drafts []policies.Change, item *engines.Item) (policies.Trial, error) {
	f.drafts, f.item = drafts, *item
	return policies.Trial{Live: engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}}, Draft: engines.Verdict{Finding: engines.Finding{Suggestion: engines.Block}}}, f.err
}

func (f *fakePolicies) Replay(_ context.Context, b store.PolicyBacktest, drafts []policies.Change) (store.PolicyBacktest, error) {
	f.backtest, f.drafts = b, drafts
	return b, f.err
}

type policiesDoor struct {
	*door
	policies *fakePolicies
}

func openPolicies(t *testing.T) policiesDoor {
	t.Helper()
	f := &fakePolicies{}
	return policiesDoor{open(t, func(_ *Config, deps *Deps) { deps.Policies = f }), f}
}

// call makes a signed request with a nonce.
func (d policiesDoor) call(method, target, body string, head ...string) answer {
	d.t.Helper()
	target = "/api/v1" + target
	nonce := "nonce-" + strings.ReplaceAll(string(newRequestID()), "-", "")
	return d.send(method, target, body, append(head, "X-SVC-Nonce: "+nonce, signature(method, target, nonce, body))...)
}

func TestPutPolicy(t *testing.T) {
	d := openPolicies(t)
	for _, c := range []struct {
		method, target, body string
		want                 policies.Change
	}{
		{"PUT", "/policies/channel/lobby%2A?comment=why", `{"strictness":4}`, policies.Change{PolicyKey: store.PolicyKey{App: appA, Layer: "channel", Name: "lobby*"}, Body: []byte(`{"strictness":4}`), Comment: "why"}},
		{"PUT", "/policies/region/jp", "strictness: 4\n", policies.Change{PolicyKey: store.PolicyKey{App: appA, Layer: "region", Name: "jp"}, Body: []byte("strictness: 4\n")}},
		{"PUT", "/policies/settings", `{"two_person":true}`, policies.Change{PolicyKey: store.PolicyKey{App: appA, Layer: "settings", Name: "default"}, Body: []byte(`{"two_person":true}`)}},
		{"PUT", "/lists/words", `{}`, policies.Change{PolicyKey: store.PolicyKey{App: appA, Layer: "list", Name: "words"}, Body: []byte(`{}`)}},
		{"DELETE", "/lists/words", "", policies.Change{PolicyKey: store.PolicyKey{App: appA, Layer: "list", Name: "words"}, Remove: true}},
	} {
		a := d.call(c.method, c.target, c.body, `If-Match: "2"`)
		if a.status != 200 || a.header.Get("ETag") != `"3"` || d.policies.was != 2 {
			t.Errorf("%s %s: %d %s after %d: %s", c.method, c.target, a.status, a.header.Get("ETag"), d.policies.was, a.body)
		}
		c.want.By = "app/app-a"
		if diff := cmp.Diff(c.want, d.policies.change); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.method, c.target, diff)
		}
	}
	a := d.call("PUT", "/policies/region/jp", "{}", `If-Match: "99"`)
	if m := a.json(t); a.status != 202 || m["state"] != "proposed" || m["rollout_id"] != "p1" {
		t.Errorf("a proposal: %d %s", a.status, a.body)
	}
	for target, body := range map[string]string{
		"/policies/region/jp": "", "/lists/words": "null", "/policies/region/jp?comment=%00": "{}", "/policies/region/kr?comment=%ff": "{}",
	} {
		d := openPolicies(t) // whose rate is not used up
		if a := d.call("PUT", target, body, `If-Match: "2"`); a.status != 400 || a.json(t)["code"] != 1001.0 {
			t.Errorf("PUT %s %q: %d %s", target, body, a.status, a.body)
		}
	}
	if a := d.call("PUT", "/policies/region/jp", "{}", `If-Match: W/"2"`); a.status != 400 {
		t.Errorf("a weak ETag: %d %s", a.status, a.body)
	}
}

// TestManyWords: the words that a list may have fit into its request with their tests, and
// no other request may be as large.
func TestManyWords(t *testing.T) {
	d := openPolicies(t)
	var list strings.Builder
	for i := range policy.MaxWords {
		fmt.Fprintf(&list, `,{"term":"zorblax%d","note":"told by players","must_hit":["a zorblax%d here"],"must_pass":["something else %d"]}`, i, i, i)
	}
	body := `{"prohibited":[` + list.String()[1:] + `]}`
	if len(body) <= 1<<20 {
		t.Fatalf("%d bytes: the test rests on more than a MiB", len(body))
	}
	for _, target := range []string{"/lists/words", "/policies/region/jp"} {
		if a := d.call("PUT", target, body, `If-Match: "2"`); a.status != 200 || len(d.policies.change.Body) != len(body) {
			t.Errorf("PUT %s of %d bytes: %d %.200s, %d came", target, len(body), a.status, a.body, len(d.policies.change.Body))
		}
	}
	wantError(t, d.call("PUT", "/lists/words", strings.Repeat(" ", wordyBytes)+"{}", `If-Match: "2"`), wire.TooLarge)
	wantError(t, d.send("POST", "/api/v1/text/check", body, bearerOf(d.token(appA, "check"))), wire.TooLarge)
	wantError(t, d.send("POST", "/api/v1/listsandmore", body), wire.TooLarge)
}

// What a layer says comes as JSON, or as YAML where that is asked for.
func TestGetPolicy(t *testing.T) {
	d := openPolicies(t)
	a := d.call("GET", "/policies/region/jp", "")
	if m := a.json(t); a.status != 200 || m["version"] != 3.0 || m["etag"] != `"3"` || fmt.Sprint(m["body"]) != "map[strictness:4]" {
		t.Errorf("%d %s", a.status, a.body)
	}
	a = d.call("GET", "/policies/region/jp", "", "Accept: application/yaml")
	if a.status != 200 || string(a.body) != "strictness: 4\n" || a.header.Get("Content-Type") != "application/yaml" || a.header.Get("ETag") != `"3"` {
		t.Errorf("%d %s %q", a.status, a.header.Get("Content-Type"), a.body)
	}
}

// Every error of policies has its code, and faults their places in the request.
func TestPolicyErrors(t *testing.T) {
	d := openPolicies(t)
	for _, c := range []struct {
		err    error
		status int
		code   float64
	}{
		{store.ErrNotFound, 404, 3002},
		{store.ErrConflict, 409, 1007},
		{store.ErrRollout, 409, 1007},
		{store.ErrRunning, 409, 1007},
		{policies.ErrUsed, 409, 1007},
		{policies.ErrState, 409, 1007},
		{policies.ErrApproval, 403, 1004},
		{policies.ErrMany, 429, 1003},
		{store.ErrUnavailable, 503, 2002},
	} {
		d.policies.err = fmt.Errorf("put: %w", c.err)
		a := d.call("PUT", "/policies/region/jp", "{}")
		if m := a.json(t); a.status != c.status || m["code"] != c.code {
			t.Errorf("%v: %d %s", c.err, a.status, a.body)
		}
	}
	d = openPolicies(t) // whose rate is not used up
	for target, want := range map[string]string{
		"PUT /policies/region/jp":           "/strictness",
		"POST /policies/region/jp/rollouts": "/body/strictness",
	} {
		method, path, _ := strings.Cut(target, " ")
		d.policies.err = policy.Faults{{Pointer: "/strictness", Line: 3, Reason: "must be 1 to 5"}, {Pointer: "/mode", Reason: "is none"}}
		a := d.call(method, path, `{"body":{}}`)
		m := a.json(t)
		list, _ := m["errors"].([]any)
		if a.status != 400 || len(list) != 2 {
			t.Fatalf("%s: %d %s", target, a.status, a.body)
		}
		first, _ := list[0].(map[string]any)
		if first["pointer"] != want || first["reason"] != "must be 1 to 5 (line 3)" {
			t.Errorf("%s: %v", target, first)
		}
	}
	d.policies.err = policy.Faults{{Pointer: "/1/body/mode", Reason: "is none"}, {Reason: "in all"}}
	a := d.call("POST", "/policies/try", `{"content":"x","policy":{"layers":[{"layer":"a","name":"b","body":{}},{"layer":"c","name":"d","body":{}}]}}`)
	if !strings.Contains(string(a.body), `"pointer":"/policy/layers/1/body/mode"`) || !strings.Contains(string(a.body), `"pointer":""`) {
		t.Errorf("of drafts: %d %s", a.status, a.body)
	}
}

func TestRolloutOrders(t *testing.T) {
	d := openPolicies(t)
	a := d.call("POST", "/policies/list/words/rollouts", `{"body":{"prohibited":["x"]},"tests":[{"content":"x","expect":{"suggestion":"block"}}],"bounds":{"block":{"relative":2}}}`)
	if a.status != 200 || d.policies.change.Layer != "list" || len(d.policies.plan.Tests) != 1 || d.policies.plan.Bounds.Block.Relative != 2 || d.policies.plan.Bounds.Least != 200 {
		t.Errorf("%d %s: %+v", a.status, a.body, d.policies.plan)
	}
	for _, verb := range []string{"advance", "approve", "pause", "stop", "return"} {
		a := d.call("POST", "/policies/channel/arena/rollouts/r1/"+verb, `{"reason":"why"}`, `If-Match: "4"`)
		want := policies.Order{Key: store.PolicyKey{App: appA, Layer: "channel", Name: "arena"}, ID: "r1", Was: 4, By: "app/app-a", Why: "why"}
		if diff := cmp.Diff(want, d.policies.order); a.status != 200 || d.policies.did != verb || a.header.Get("ETag") != `"5"` || diff != "" {
			t.Errorf("%s: %d %s, %s (-want +got):\n%s", verb, a.status, a.body, d.policies.did, diff)
		}
	}
}

func TestRolloutTests(t *testing.T) {
	d := openPolicies(t)
	a := d.call("GET", "/policies/channel/arena/rollouts/r1/tests", "")
	m := a.json(t)
	wrong, _ := m["wrong"].([]any)
	if a.status != 200 || m["tests"] != 12.0 || m["right"] != 11.0 || len(wrong) != 1 || d.policies.order.ID != "r1" || d.policies.order.Key.Name != "arena" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if w, _ := wrong[0].(map[string]any); w["pointer"] != "/tests/3" || w["reason"] != "is pass, not block" {
		t.Errorf("wrong[0] = %v", w)
	}
}

func TestTryPolicy(t *testing.T) {
	d := openPolicies(t)
	a := d.call("POST", "/policies/try", `{"content":"x","scene_id":"s","policy":{"layer":"channel","name":"s","body":"strictness: 5"}}`)
	m := a.json(t)
	if a.status != 200 || m["changed"] != true || d.policies.item.Text != "x" || d.policies.item.App != appA || string(d.policies.drafts[0].Body) != "strictness: 5" {
		t.Errorf("%d %s", a.status, a.body)
	}
	a = d.call("POST", "/policies/try", `{"from":"2026-01-02T00:00:00Z","policy":{"layer":"channel","name":"s","remove":true}}`)
	if m := a.json(t); a.status != 202 || d.policies.backtest.From != 1767312000000 || m["backtest_id"] != m["request_id"] || !d.policies.drafts[0].Remove {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := d.call("POST", "/policies/try", `{}`); a.status != 400 {
		t.Errorf("of nothing: %d %s", a.status, a.body)
	}
}
