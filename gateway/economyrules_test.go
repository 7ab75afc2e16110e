package gateway

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// fakeRules has one rule, r, of version 3, and remembers what it was given.
type fakeRules struct {
	faults   economy.RuleFaults
	err      error // of Put, Snooze and Backtest
	put      economy.Rule
	was      int
	before   int
	most     int
	days     int64
	snoozed  economy.Snooze
	hours    int64
	backtest economy.Backtest
	tried    *economy.Rule
	player   engines.PlayerID
	proposal economy.Proposal
}

func (f *fakeRules) Faults(*economy.Rule) error {
	if len(f.faults) > 0 {
		return f.faults
	}
	return nil
}

func (f *fakeRules) Put(_ context.Context, r economy.Rule, was int) (economy.Rule, error) {
	f.put, f.was = r, was
	r.Version = was + 1
	return r, f.err
}

func (f *fakeRules) Rules(_ context.Context, app engines.AppID) ([]economy.Rule, error) {
	return []economy.Rule{{App: app, Name: "r", Version: 3, Then: economy.RuleEffect{Suggestion: engines.Block}, Text: economy.Text{Korean: "한"}}}, nil
}

func (f *fakeRules) History(_ context.Context, _ engines.AppID, name string, before, most int) ([]economy.Rule, error) {
	f.before, f.most = before, most
	if name != "r" {
		return nil, economy.ErrNoRule
	}
	return []economy.Rule{{Name: "r", Version: 3, On: economy.OnPlayer, State: economy.Live}}, nil
}

func (f *fakeRules) Snooze(_ context.Context, z economy.Snooze, hours int64) (economy.Snooze, error) {
	f.snoozed, f.hours = z, hours
	z.Until = 1790000000000
	return z, f.err
}

func (f *fakeRules) Stats(_ context.Context, _ engines.AppID, _ string, days int64) ([]economy.RuleCount, int, error) {
	f.days = days
	return []economy.RuleCount{{Version: 3, Day: 20717, RuleTally: economy.RuleTally{Evaluations: 9, Hits: 2, Raised: 1}}}, 4, nil
}

func (f *fakeRules) Backtest(_ context.Context, b economy.Backtest, r *economy.Rule) (economy.Backtest, error) {
	f.backtest, f.tried = b, r
	b.State = economy.BacktestQueued
	return b, f.err
}

func (f *fakeRules) ResultOf(_ context.Context, _ engines.AppID, _, id string) (economy.Backtest, error) {
	if id != "b1" {
		return economy.Backtest{}, economy.ErrNoBacktest
	}
	return economy.Backtest{ID: id, Rule: "r", State: economy.BacktestDone, BacktestResult: economy.BacktestResult{Population: 5}}, nil
}

func (f *fakeRules) Try(_ context.Context, r *economy.Rule, player engines.PlayerID, p *economy.Proposal) (economy.RuleTrial, error) {
	f.tried, f.player, f.proposal = r, player, *p
	if player == "nobody" {
		return economy.RuleTrial{}, economy.ErrUnknownPlayer
	}
	return economy.RuleTrial{Hit: true, Risk: economy.Risk{Score: 5, Level: "normal"}, RiskWith: economy.Risk{Score: 50, Level: "attention", Factors: []economy.Factor{{Code: "rule:try", Score: 45}}}}, nil
}

type rulesDoor struct {
	*door
	rules *fakeRules
}

func openRules(t *testing.T) rulesDoor {
	t.Helper()
	f := &fakeRules{}
	eco := openEconomyWith(t, func(_ *Config, deps *Deps) { deps.Rules = f })
	return rulesDoor{eco.door, f}
}

// call makes a signed request with a nonce.
func (d rulesDoor) call(method, target, body string, head ...string) answer {
	d.t.Helper()
	target = "/api/v1/economy/rules" + target
	nonce := "nonce-" + strings.ReplaceAll(string(newRequestID()), "-", "")
	return d.send(method, target, body, append(head, "X-SVC-Nonce: "+nonce, signature(method, target, nonce, body))...)
}

const goodRule = `{"state":"draft","on":"player","when":"player.score > 1","then":{"factor":40}}`

func TestPutRule(t *testing.T) {
	d := openRules(t)
	a := d.call("PUT", "/r", goodRule, `If-Match: "3"`)
	if m := a.json(t); a.status != 200 || m["version"] != 4.0 || a.header.Get("ETag") != `"4"` || m["name"] != "r" {
		t.Errorf("%d %s %s", a.status, a.header.Get("ETag"), a.body)
	}
	want := economy.Rule{App: appA, Name: "r", State: economy.Draft, On: economy.OnPlayer, When: "player.score > 1", Then: economy.RuleEffect{Factor: 40}, By: "app/app-a"}
	if diff := cmp.Diff(want, d.rules.put); d.rules.was != 3 || diff != "" {
		t.Errorf("after %d (-want +got):\n%s", d.rules.was, diff)
	}
	if d.call("PUT", "/r", goodRule); d.rules.was != 0 {
		t.Errorf("without If-Match it is after %d, want 0", d.rules.was)
	}
	for _, tag := range []string{"3", `W/"3"`, `"x"`, `"0"`, `"-1"`, "*", `"03"`} {
		wantError(t, d.call("PUT", "/r", goodRule, "If-Match: "+tag), wire.InvalidParameter)
	}
	for _, name := range []string{"R", "a%2Fb", "-a", strings.Repeat("a", 49)} {
		wantError(t, d.call("PUT", "/"+name, goodRule), wire.InvalidParameter)
	}
	// The shape's faults and those of the sense, all at once.
	d.rules.faults = economy.RuleFaults{{Pointer: "/when", Reason: "line 1, column 8: no"}}
	m := wantError(t, d.call("PUT", "/r", strings.Replace(goodRule, "draft", "on", 1)), wire.InvalidParameter)
	if got := fmt.Sprint(m["errors"]); !strings.Contains(got, "pointer:/state") || !strings.Contains(got, "column 8") {
		t.Errorf("errors = %s, want both", got)
	}
	d.rules.faults = nil
	for err, code := range map[error]wire.Code{
		economy.ErrRuleVersion: wire.Conflict, economy.ErrUntried: wire.InvalidParameter, economy.ErrRuleLimit: wire.Conflict, economy.ErrBacktests: wire.RateLimited, engines.ErrUnavailable: wire.Unavailable,
	} {
		d.rules.err = fmt.Errorf("put rule: %w", err)
		wantError(t, d.call("PUT", "/r", goodRule), code)
	}
	// A change needs a nonce, and no other way in will do.
	target := "/api/v1/economy/rules/r"
	wantError(t, d.send("PUT", target, goodRule, signature("PUT", target, "", goodRule)), wire.InvalidParameter)
	wantError(t, d.send("PUT", target, goodRule, bearerOf(d.token(appA, "check"))), wire.Unauthenticated)
}

func TestReadRules(t *testing.T) {
	d := openRules(t)
	m := d.call("GET", "", "").json(t)
	want := []any{map[string]any{"code": "rule:r", "hard": true, "lowers": false, "since": 3.0, "en": "", "ja": "", "zh": "", "ko": "한"}}
	if list, _ := m["rules"].([]any); len(list) != 1 || !cmp.Equal(want, m["codes"]) {
		t.Errorf("%v", m)
	}
	if a := d.call("GET", "/r", ""); a.status != 200 || a.header.Get("ETag") != `"3"` {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := d.call("GET", "/r/history?before=3&limit=2", ""); a.status != 200 || d.rules.before != 3 || d.rules.most != 2 {
		t.Errorf("%d %s from %d, %d", a.status, a.body, d.rules.before, d.rules.most)
	}
	m = d.call("GET", "/r/stats?days=7", "").json(t)
	delete(m, "request_id")
	wantStats := map[string]any{"code": 0.0, "name": "r", "version": 3.0, "state": "live", "snoozed_players": 4.0, "days": []any{map[string]any{
		"day": "2026-09-21", "version": 3.0, "evaluations": 9.0, "hits": 2.0, "errors": 0.0, "snoozed": 0.0, "changes": map[string]any{"level_raised": 1.0},
	}}}
	if diff := cmp.Diff(wantStats, m); diff != "" || d.rules.days != 7 {
		t.Errorf("%d days (-want +got):\n%s", d.rules.days, diff)
	}
	for _, target := range []string{"/none", "/none/history", "/none/stats", "/r/backtest/none"} {
		wantError(t, d.call("GET", target, ""), wire.NotFound)
	}
	for _, target := range []string{"/r/history?before=0", "/r/history?limit=501", "/r/stats?days=x", "/r/stats?days=367"} {
		wantError(t, d.call("GET", target, ""), wire.InvalidParameter)
	}
}

func TestSnoozeRule(t *testing.T) {
	d := openRules(t)
	a := d.call("POST", "/r/snooze", `{"player_id":"p","hours":12,"reason":"known"}`)
	want := economy.Snooze{App: appA, Rule: "r", Player: "p", By: "app/app-a", Reason: "known"}
	if diff := cmp.Diff(want, d.rules.snoozed); a.status != 200 || a.json(t)["until"] != "2026-09-21T14:13:20.000Z" || d.rules.hours != 12 || diff != "" {
		t.Errorf("%d %s %d (-want +got):\n%s", a.status, a.body, d.rules.hours, diff)
	}
	wantError(t, d.call("POST", "/r/snooze", `{}`), wire.InvalidParameter)
	d.rules.err = economy.ErrNoRule
	wantError(t, d.call("POST", "/r/snooze", `{"player_id":"p","hours":12}`), wire.NotFound)
}

func TestBacktestRule(t *testing.T) {
	d := openRules(t)
	a := d.call("POST", "/r/backtest", "")
	if m := a.json(t); a.status != 202 || m["status"] != "queued" || m["backtest_id"] != m["request_id"] || d.rules.tried != nil {
		t.Errorf("%d %s", a.status, a.body)
	}
	a = d.call("POST", "/r/backtest", `{"from":"2026-09-21T14:13:20Z","rule":`+goodRule+`}`)
	if a.status != 202 || d.rules.backtest.From != 1790000000000 || d.rules.backtest.By != "app/app-a" || d.rules.tried == nil || d.rules.tried.Name != "r" {
		t.Errorf("%d %s of %+v", a.status, a.body, d.rules.backtest)
	}
	if m := d.call("GET", "/r/backtest/b1", "").json(t); m["status"] != "done" || m["result"].(map[string]any)["population"] != 5.0 {
		t.Errorf("%v", m)
	}
	d.rules.err = economy.RuleFaults{{Pointer: "/from", Reason: "must be before to"}}
	if m := wantError(t, d.call("POST", "/r/backtest", ""), wire.InvalidParameter); !strings.Contains(fmt.Sprint(m["errors"]), "pointer:/from") {
		t.Errorf("%v", m)
	}
	d.rules.err = economy.ErrBacktests
	if a := d.call("POST", "/r/backtest", ""); a.header.Get("Retry-After") == "" {
		t.Errorf("%d %s: no Retry-After", a.status, a.body)
	}
	d.rules.err, d.rules.faults = nil, economy.RuleFaults{{Pointer: "/when", Reason: "no"}}
	m := wantError(t, d.call("POST", "/r/backtest", `{"to":1,"rule":`+goodRule+`}`), wire.InvalidParameter)
	if got := fmt.Sprint(m["errors"]); !strings.Contains(got, "pointer:/to") || !strings.Contains(got, "pointer:/rule/when") {
		t.Errorf("errors = %s, want both", got)
	}
}

func TestTryRule(t *testing.T) {
	d := openRules(t)
	rule := strings.Replace(goodRule, `"state":"draft",`, "", 1)
	m := d.call("POST", "/try", `{"rule":`+rule+`,"player_id":"p"}`).json(t)
	delete(m, "request_id")
	want := map[string]any{
		"code": 0.0, "hit": true, "model": map[string]any{"risk_score": 5.0, "risk_level": "normal", "risk_factors": []any{}},
		"with_rule": map[string]any{"risk_score": 50.0, "risk_level": "attention", "risk_factors": []any{map[string]any{"factor": "rule:try", "score": 45.0}}},
	}
	if diff := cmp.Diff(want, m); d.rules.player != "p" || diff != "" {
		t.Errorf("of %q (-want +got):\n%s", d.rules.player, diff)
	}
	wantError(t, d.call("POST", "/try", `{"rule":`+rule+`,"player_id":"nobody"}`), wire.PlayerNotFound)
	wantError(t, d.call("POST", "/try", `{"rule":`+rule+`}`), wire.InvalidParameter)
	wantError(t, d.call("POST", "/try", `{}`), wire.InvalidParameter)
	a := d.call("POST", "/try", `{"rule":{"on":"trade","when":"true","then":{"score":3}},"trade":{"sender_id":"p","receiver_id":"q"}}`)
	if a.status != 200 || d.rules.proposal.Receiver != "q" || d.rules.tried.Then.Score != 3 {
		t.Errorf("%d %s", a.status, a.body)
	}
}
