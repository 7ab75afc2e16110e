package gateway

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// fakeCases is a review queue whose answers a test gives.
type fakeCases struct {
	list    func(store.CaseQuery) ([]casework.File, error)
	file    func(engines.CaseID) (*casework.File, error)
	move    func(engines.CaseID, casework.Move) (store.Case, error)
	next    func(casework.Person, engines.AppID, string) (store.Case, error)
	report  func(store.Report) (store.Case, error)
	appeal  func(store.Appeal) (store.Appeal, error)
	reports []store.Report
	appeals []store.Appeal
	queues  []store.CaseQueue
	agree   casework.Agreement
	own     store.Preferences
}

func (f *fakeCases) List(_ context.Context, q store.CaseQuery) ([]casework.File, error) {
	if f.list == nil {
		return nil, nil
	}
	return f.list(q)
}

func (f *fakeCases) File(_ context.Context, id engines.CaseID) (*casework.File, error) {
	return f.file(id)
}

func (f *fakeCases) Case(_ context.Context, id engines.CaseID) (store.Case, error) {
	file, err := f.file(id)
	if err != nil {
		return store.Case{}, err
	}
	return file.Case, nil
}

func (f *fakeCases) Queues(context.Context, engines.AppID) ([]store.CaseQueue, error) {
	return f.queues, nil
}

func (f *fakeCases) HasQueue(name string) bool { return name != "nowhere" }

func (f *fakeCases) Routing() casework.Config { return casework.Default() }

func (f *fakeCases) Agreement(context.Context, engines.AppID, time.Time, time.Time) (casework.Agreement, error) {
	return f.agree, nil
}

func (f *fakeCases) Move(_ context.Context, id engines.CaseID, m casework.Move) (store.Case, error) {
	if f.move == nil {
		return store.Case{ID: id}, nil
	}
	return f.move(id, m)
}

func (f *fakeCases) Next(_ context.Context, p casework.Person, app engines.AppID, queue string) (store.Case, error) {
	return f.next(p, app, queue)
}

func (f *fakeCases) Preferences(context.Context, string) (store.Preferences, error) {
	return f.own, nil
}

func (f *fakeCases) PutPreferences(_ context.Context, p store.Preferences) error {
	f.own = p
	return nil
}

func (f *fakeCases) Exposure(context.Context, string) (int, error) { return 7, nil }

func (f *fakeCases) Report(_ context.Context, r store.Report) (store.Case, error) { return f.report(r) }

func (f *fakeCases) Reports(context.Context, store.ReportQuery) ([]store.Report, error) {
	return f.reports, nil
}

func (f *fakeCases) Appeal(_ context.Context, a store.Appeal) (store.Appeal, error) {
	return f.appeal(a)
}

func (f *fakeCases) Appeals(context.Context, store.AppealQuery) ([]store.Appeal, error) {
	return f.appeals, nil
}

func (f *fakeCases) AppealOf(_ context.Context, _ engines.AppID, id string) (store.Appeal, error) {
	for _, a := range f.appeals {
		if a.ID == id {
			return a, nil
		}
	}
	return store.Appeal{}, store.ErrNotFound
}

// working is a queue with one case that the real rules move.
func working(d *door, c store.Case) *[]casework.Move {
	var moves []casework.Move
	rules := casework.NewRules(casework.Default())
	d.cases.move = func(id engines.CaseID, m casework.Move) (store.Case, error) {
		if id != c.ID {
			return store.Case{}, store.ErrNotFound
		}
		moves = append(moves, m)
		m.At = time.Now()
		x, err := rules.Step(store.CaseFacts{Case: c}, m)
		if err == nil {
			c = x.Case
		}
		return x.Case, err
	}
	return &moves
}

func TestMoveCase(t *testing.T) {
	d := open(t)
	cookie, _ := d.signIn(auth.RoleModerator)
	until := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	moves := working(d, store.Case{ID: "c1", App: appA, Request: "r1", Player: "p", State: store.CaseOpen, Version: 1, Created: time.Now()})
	post := func(what, body string, head ...string) answer {
		return d.send("POST", "/api/v1/cases/"+what, body, append(append(head, own...), cookie)...)
	}
	m := post("c1/claim", "", "Idempotency-Key: k1").json(t)
	if m["state"] != "claimed" || m["assignee"] != "user-moderator" || m["version"] != 2.0 || m["until"] == nil || m["case_id"] != "c1" {
		t.Errorf("claim = %v", m)
	}
	post("c1/renew", "{}")
	post("c1/hold", `{"until":"`+until.Format(time.RFC3339)+`","reason":"asks the team"}`)
	post("c1/escalate", `{"reason":"r","role":"senior","version":3}`)
	post("c1/handover", `{"to":"ann"}`)
	post("c1/undo", `{"reason":"r","reopen":true}`)
	full := post("c1/decide", `{"decision":"reject","version":4,"category":"hate","sub_label":"x","severity":3,"policy":"§ 2","reason":"slur","note":"n"}`).json(t)
	if full["decision"] != "reject" || full["policy"] != "§ 2" || full["by"] != "user-moderator" || full["category"] != "hate" || full["undone"] != false {
		t.Errorf("decide = %v", full)
	}
	by := casework.Person{Name: "user-moderator", Role: "moderator"}
	const whatever = casework.AnyVersion
	want := []casework.Move{
		{Action: casework.Claim, By: by, Version: whatever, Key: "user-moderator\nk1" + store.KeyDigest + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{Action: casework.Renew, By: by, Version: whatever},
		{Action: casework.Hold, By: by, Version: whatever, Reason: "asks the team", Until: until},
		{Action: casework.Escalate, By: by, Version: 3, Reason: "r"},
		{Action: casework.HandOver, By: by, Version: whatever, To: casework.Person{Name: "ann"}},
		{Action: casework.Undo, By: by, Version: whatever, Reason: "r", Reopen: true},
		{
			Action: casework.Decide, By: by, Version: 4, Decision: store.CaseRejected, Category: engines.Hate, SubLabel: "x", Severity: 3,
			Policy: "§ 2", Reason: "slur", Note: "n",
		},
	}
	if diff := cmp.Diff(want, *moves); diff != "" {
		t.Errorf("moves (-want +got):\n%s", diff)
	}
	// A decision says its rule and its reason, whatever it is and whatever it is about.
	d.cases.move = func(_ engines.CaseID, m casework.Move) (store.Case, error) {
		return store.Case{Decision: m.Decision}, nil
	}
	const said = `,"policy":"p","reason":"r"`
	for body, pointers := range map[string][]string{
		`{"decision":"approve","version":1` + said + `}`:                                              nil,
		`{"decision":"reject","version":0` + said + `}`:                                               nil,
		`{"decision":"uphold","version":1,"statement":"sorry"` + said + `}`:                           nil,
		`{"decision":"deny","version":1` + said + `}`:                                                 nil,
		`{"decision":"reject","version":1,"category":"hate","severity":3` + said + `}`:                nil,
		`{"decision":"reject","version":1}`:                                                           {"/policy", "/reason"},
		`{"decision":"approve","version":1,"reason":"fine"}`:                                          {"/policy"},
		`{"decision":"approve","version":1,"policy":"p"}`:                                             {"/reason"},
		`{"decision":"approve","version":1,"policy":" ","reason":"\t"}`:                               {"/policy", "/reason"},
		`{"decision":"approve","version":1,"policy":7,"reason":null}`:                                 {"/policy", "/reason"},
		`{"decision":"deny","statement":"no"}`:                                                        {"/version", "/policy", "/reason"},
		`{"decision":"reject"` + said + `}`:                                                           {"/version"},
		`{"version":1` + said + `}`:                                                                   {"/decision"},
		`{"decision":"reject","version":1,"sub_label":"insult"` + said + `}`:                          {"/category"},
		`{"decision":"reject","version":1,"severity":2` + said + `}`:                                  {"/category"},
		`{"decision":"reject","version":1,"category":"love"` + said + `}`:                             {"/category"},
		`{"decision":"reject","version":1,"category":"hate","severity":5` + said + `}`:                {"/severity"},
		`{"decision":"reject","version":1,"policy":"` + strings.Repeat("p", 201) + `"}`:               {"/policy", "/reason"},
		`{"decision":"reject","version":1,"policy":"p","reason":"` + strings.Repeat("r", 2001) + `"}`: {"/reason"},
	} {
		a := post("c1/decide", body)
		var got []string
		if a.status != 200 {
			for _, e := range wantError(t, a, 1001)["errors"].([]any) {
				got = append(got, e.(map[string]any)["pointer"].(string))
			}
		}
		if diff := cmp.Diff(pointers, got); diff != "" {
			t.Errorf("decide %s: faults (-want +got):\n%s", body, diff)
		}
	}
	// Nor can what nobody named a category for be rejected without one.
	working(d, store.Case{ID: "c1", App: appA, State: store.CaseOpen, Version: 1})
	if m := wantError(t, post("c1/decide", `{"decision":"reject","version":1`+said+`}`), 1001); !strings.Contains(fmt.Sprint(m["errors"]), "/category") {
		t.Errorf("a rejection of no category: %v", m)
	}
	for what, body := range map[string]string{
		"c1/hold": `{"reason":"r"}`, "c1/skip": `{}`, "c1/escalate": `{"queue":"A b","reason":"r"}`, "c1/handover": `{}`, "c1/undo": "",
		"c1/claim": `{"version":-1}`, "c1/release": `{"version":"1"}`,
	} {
		if a := post(what, body); a.status != 400 {
			t.Errorf("%s %s = %d, want 400: %s", what, body, a.status, a.body)
		}
	}
	if a := post("c1/hold", `{"until":"tomorrow","reason":"r"}`); a.status != 400 {
		t.Errorf("hold until tomorrow = %d", a.status)
	}
}

func TestMoveCaseRefused(t *testing.T) {
	d := open(t)
	cookie, _ := d.signIn(auth.RoleModerator)
	post := func(what, body string) answer {
		return d.send("POST", "/api/v1/cases/"+what, body, append(own, cookie)...)
	}
	hers := store.Case{ID: "c1", State: store.CaseClaimed, Assignee: "ann", Until: time.Now().Add(time.Hour), Version: 2}
	working(d, hers)
	if m := wantError(t, post("c1/claim", ""), 1007); !strings.Contains(m["message"].(string), "ann") {
		t.Errorf("it does not say who has it: %v", m)
	}
	wantError(t, post("c1/decide", `{"decision":"approve","version":2,"policy":"p","reason":"r"}`), 1007)
	wantError(t, post("c1/claim", `{"version":1}`), 1007)
	wantError(t, post("c9/claim", ""), 3002)
	mine := store.Case{ID: "c1", State: store.CaseOpen, Barred: []string{"user-moderator"}, Version: 1}
	working(d, mine)
	wantError(t, post("c1/claim", ""), 1004)
	// Who only watches moves nothing.
	viewer, _ := d.signIn(auth.RoleViewer)
	wantError(t, d.send("POST", "/api/v1/cases/c1/claim", "", append(own, viewer)...), 1004)
	wantError(t, d.send("POST", "/api/v1/cases/next", "", append(own, viewer)...), 1004)
}

func TestListCases(t *testing.T) {
	d := open(t)
	cookie, _ := d.signIn(auth.RoleViewer)
	get := func(query string) answer { return d.send("GET", "/api/v1/cases"+query, "", cookie) }
	var asked store.CaseQuery
	due := time.UnixMilli(1790000000000).UTC()
	d.cases.list = func(q store.CaseQuery) ([]casework.File, error) {
		asked = q
		list := make([]casework.File, q.Limit)
		for i := range list {
			list[i].Case = store.Case{ID: engines.CaseID("c" + string(rune('0'+i))), State: store.CaseOpen, Priority: 3, Due: due, Queue: "abuse"}
		}
		return list, nil
	}
	m := get("?state=pending,closed&app_id=a&queue=q&kind=content&category=hate&player_id=p&assignee=me&due_before=2026-01-02T03:04:05Z&held=true&limit=2").json(t)
	want := store.CaseQuery{
		States: []string{"open", "claimed", "held", "escalated", "closed"}, App: "a", Queue: "q", Kind: "content", Category: "hate", Player: "p",
		Assignee: "user-viewer", DueBefore: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Held: true, Limit: 3,
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
	if list := m["cases"].([]any); len(list) != 2 || list[0].(map[string]any)["queue"] != "abuse" || list[0].(map[string]any)["priority"] != 3.0 {
		t.Errorf("cases = %v", list)
	}
	get("?limit=2&cursor=" + m["cursor"].(string))
	if diff := cmp.Diff(store.QueueMark{Priority: 3, Due: due, ID: "c1"}, asked.After); diff != "" || !asked.After.Due.Equal(due) {
		t.Errorf("after (-want +got):\n%s", diff)
	}
	if get(""); len(asked.States) != 1 || asked.States[0] != store.CaseOpen {
		t.Errorf("states where none is named: %v", asked.States)
	}
	for _, query := range []string{
		"?state=lost", "?limit=0", "?limit=201", "?held=yes", "?due_before=now", "?cursor=x", "?cursor=MSB4", "?queue=%00",
	} {
		if a := get(query); a.status != 400 {
			t.Errorf("%s = %d, want 400", query, a.status)
		}
	}
}

func TestReadCase(t *testing.T) {
	d := open(t)
	cookie, _ := d.signIn(auth.RoleViewer)
	at := time.Now()
	d.cases.file = func(id engines.CaseID) (*casework.File, error) {
		if id != "c1" {
			return nil, store.ErrNotFound
		}
		return &casework.File{
			Case: store.Case{ID: "c1", Request: "r1", State: store.CaseOpen, Kind: store.CaseOfAppeal, Parent: "c0", Reporters: 2, Weight: 0.75},
			Opened: &store.Decision{Content: "bad", Kind: engines.KindText, Verdict: engines.Verdict{PolicyVersion: "v7"}, Signals: []engines.Signal{{
				Category: engines.Hate, Severity: 2, Confidence: 0.5, Source: engines.SourceLexicon, Rule: "rule", Span: engines.Span{Start: 0, End: 3},
			}}},
			Message: &store.SceneMessage{Message: "r1", Content: "bad", State: "held", Sent: at},
			Before:  []store.SceneMessage{{Message: "m0", Content: "before"}}, After: []store.SceneMessage{{Message: "m2", Content: "after"}},
			Reports:   []store.Report{{ID: "rep", Reason: "hate", Times: 2, Weight: 0.5, State: store.ReportOpen}},
			Earlier:   []store.Case{{ID: "old", State: store.CaseClosed, Decision: store.CaseRejected}},
			Penalties: []casework.Penalty{{ID: "pen", Kind: "mute_text", State: "active", At: at, Until: at.Add(time.Hour)}},
			Appeal:    &store.Appeal{ID: "ap", Words: "not me", State: store.AppealOpen, Created: at},
			Parent:    &store.Case{ID: "c0", State: store.CaseClosed, Decision: store.CaseRejected},
			History:   []store.CaseEvent{{Version: 2, At: at, Actor: "ann", Action: "claim", State: store.CaseClaimed, Detail: `{"a":1}`}},
		}, nil
	}
	a := d.send("GET", "/api/v1/cases/c1", "", cookie)
	m := a.json(t)
	for path, want := range map[string]any{
		"policy_version": "v7", "content": "bad", "signals.0.rule": "rule", "signals.0.end": 3.0, "context.before.0.content": "before",
		"context.message.state": "held", "context.after.0.message_id": "m2", "reports.0.times": 2.0, "earlier.0.decision": "reject",
		"penalties.0.kind": "mute_text", "appeal.words": "not me", "parent.case_id": "c0", "history.0.detail.a": 1.0, "report_weight": 0.75,
	} {
		if got := memberAt(m, path); got != want {
			t.Errorf("%s = %v, want %v: %s", path, got, want, a.body)
		}
	}
	wantError(t, d.send("GET", "/api/v1/cases/c9", "", cookie), 3002)
}

// memberAt is a member of JSON by a path of names and places.
func memberAt(v any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch now := v.(type) {
		case map[string]any:
			v = now[part]
		case []any:
			i := int(part[0] - '0')
			if i >= len(now) {
				return nil
			}
			v = now[i]
		default:
			return nil
		}
	}
	return v
}

func TestNextAndQueuesAndOwn(t *testing.T) {
	d := open(t)
	cookie, _ := d.signIn(auth.RoleSenior)
	post := func(body string) answer {
		return d.send("POST", "/api/v1/cases/next", body, append(own, cookie)...)
	}
	d.cases.next = func(p casework.Person, app engines.AppID, queue string) (store.Case, error) {
		if p.Role != "senior" || app != "a" || queue != "q" {
			return store.Case{}, casework.ErrNone
		}
		return store.Case{ID: "c1"}, nil
	}
	if m := post(`{"queue":"q","app_id":"a"}`).json(t); memberAt(m, "case.case_id") != "c1" {
		t.Errorf("next = %v", m)
	}
	if m := post("").json(t); m["case"] != nil || m["code"] != 0.0 {
		t.Errorf("next of nothing = %v", m)
	}
	d.cases.queues = []store.CaseQueue{{Queue: "q", Open: 2, Claimed: 1, Overdue: 1, Oldest: time.Now().Add(-time.Minute), Owners: []store.CaseOwner{{Name: "ann", Cases: 1}}}}
	m := d.send("GET", "/api/v1/queues", "", cookie).json(t)
	if memberAt(m, "queues.0.count") != 3.0 || memberAt(m, "queues.0.owners.0.name") != "ann" || memberAt(m, "queues.0.oldest_age_s").(float64) < 60 {
		t.Errorf("queues = %v", m)
	}
	d.cases.agree = casework.Agree([]store.CasePair{
		{FirstDecision: "reject", FirstCategory: "hate", SecondDecision: "reject", SecondCategory: "hate"}, {FirstDecision: "approve", SecondDecision: "approve"},
	})
	m = d.send("GET", "/api/v1/cases/agreement?from=2026-01-01T00:00:00Z", "", cookie).json(t)
	if m["kappa"] != 1.0 || m["raw"] != 1.0 || memberAt(m, "categories.0.both") != 1.0 {
		t.Errorf("agreement = %v", m)
	}
	d.cases.agree = casework.Agreement{}
	if m = d.send("GET", "/api/v1/cases/agreement", "", cookie).json(t); m["kappa"] != nil || m["pairs"] != 0.0 {
		t.Errorf("agreement of nothing = %v", m)
	}
	for _, query := range []string{"?from=x", "?to=2020-01-01T00:00:00Z&from=2021-01-01T00:00:00Z"} {
		wantError(t, d.send("GET", "/api/v1/cases/agreement"+query, "", cookie), 1001)
	}
	m = d.send("PUT", "/api/v1/me/preferences", `{"opt_out":["gore","sexual"],"exposure_limit":5}`, append(own, cookie)...).json(t)
	if m["exposure_24h"] != 7.0 || m["exposure_limit"] != 5.0 || len(m["opt_out"].([]any)) != 2 || d.cases.own.Name != "user-senior" {
		t.Errorf("preferences = %v", m)
	}
	if m = d.send("GET", "/api/v1/me/preferences", "", cookie).json(t); m["exposure_limit"] != 5.0 {
		t.Errorf("preferences = %v", m)
	}
	wantError(t, d.send("PUT", "/api/v1/me/preferences", `{"opt_out":["nonsense"]}`, append(own, cookie)...), 1001)
}

func TestReportsAndAppeals(t *testing.T) {
	d := open(t)
	token := "Authorization: Bearer " + d.token(appA, "check")
	var filed store.Report
	d.cases.report = func(r store.Report) (store.Case, error) {
		filed = r
		switch r.Message {
		case "theirs":
			return store.Case{}, casework.ErrNotTheirs
		}
		return store.Case{ID: "c1", State: store.CaseOpen, Reporters: 2}, nil
	}
	body := `{"reporter_id":"ann","player_id":"bad","message_id":"m1","scene_id":"s1","reason":"harassment","detail":"d","content":"c"}`
	m := d.send("POST", "/api/v1/reports", body, token).json(t)
	want := store.Report{App: appA, Reporter: "ann", Player: "bad", Message: "m1", Scene: "s1", Reason: "harassment", Detail: "d", Content: "c"}
	if diff := cmp.Diff(want, filed); diff != "" || m["case_id"] != "c1" || m["reporters"] != 2.0 {
		t.Errorf("%v; report (-want +got):\n%s", m, diff)
	}
	for _, body := range []string{
		`{}`, `{"reporter_id":"ann","player_id":"ann","reason":"x"}`, `{"reporter_id":"ann","player_id":"bad"}`,
		`{"reporter_id":"ann","player_id":"bad","reason":"x","message_id":"theirs"}`,
		`{"reporter_id":"ann","player_id":"bad","reason":"x","detail":"` + strings.Repeat("x", 2001) + `"}`,
	} {
		wantError(t, d.send("POST", "/api/v1/reports", body, token), 1001)
	}
	wantError(t, d.send("POST", "/api/v1/reports", body), 1002)

	call := func(method, target, body string) answer {
		nonce := "nonce-" + strings.ReplaceAll(string(newRequestID()), "-", "")
		return d.send(method, target, body, "X-SVC-Nonce: "+nonce, signature(method, target, nonce, body))
	}
	d.cases.reports = []store.Report{{ID: "r1", Reporter: "ann", State: store.ReportUpheld}}
	if m = call("GET", "/api/v1/reports?state=upheld", "").json(t); memberAt(m, "reports.0.state") != "upheld" {
		t.Errorf("reports = %v", m)
	}
	wantError(t, call("GET", "/api/v1/reports?state=lost", ""), 1001)
	var appealed store.Appeal
	d.cases.appeal = func(a store.Appeal) (store.Appeal, error) {
		appealed = a
		if a.Against == "none" {
			return a, store.ErrNotFound
		}
		a.ID, a.State, a.Case, a.Created = "ap", store.AppealOpen, "c2", time.Now()
		return a, nil
	}
	m = call("POST", "/api/v1/appeals", `{"player_id":"p","case_id":"c1","statement":"not me"}`).json(t)
	if m["appeal_id"] != "ap" || m["state"] != "open" || appealed.By != "app/app-a" || appealed.Words != "not me" || appealed.App != appA {
		t.Errorf("appeal = %v: %+v", m, appealed)
	}
	wantError(t, call("POST", "/api/v1/appeals", `{"player_id":"p","case_id":"none"}`), 3002)
	for _, body := range []string{`{"player_id":"p"}`, `{"player_id":"p","case_id":"c","penalty_id":"x"}`, `{"case_id":"c"}`} {
		wantError(t, call("POST", "/api/v1/appeals", body), 1001)
	}
	d.cases.appeals = []store.Appeal{{ID: "ap", State: store.AppealUpheld, Statement: "sorry", Decided: time.Now()}}
	if m = call("GET", "/api/v1/appeals", "").json(t); memberAt(m, "appeals.0.statement") != "sorry" {
		t.Errorf("appeals = %v", m)
	}
	if m = call("GET", "/api/v1/appeals/ap", "").json(t); m["state"] != "upheld" || m["decided_at"] == nil {
		t.Errorf("appeal = %v", m)
	}
	wantError(t, call("GET", "/api/v1/appeals/none", ""), 3002)
}
