package gateway

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/penalty"
	"github.com/portcullis-gg/portcullis/internal/players"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// fakePenalties remembers what it was asked for.
type fakePenalties struct {
	given  []store.Penalty
	hours  int64
	lifted []string
	asked  store.PenaltyQuery
	list   []store.Penalty
	ladder store.Ladder
	was    int
	err    error
}

func (f *fakePenalties) Give(_ context.Context, p store.Penalty, hours int64) (store.Penalty, error) {
	f.given, f.hours = append(f.given, p), hours
	return p, f.err
}

func (f *fakePenalties) Lift(_ context.Context, app engines.AppID, player engines.PlayerID, id, by, reason string) (store.Penalty, error) {
	f.lifted = []string{string(app), string(player), id, by, reason}
	return store.Penalty{ID: id, Kind: store.PenaltyMuteText, Lifted: 1, LiftedBy: by, LiftReason: reason}, f.err
}

func (f *fakePenalties) Penalties(_ context.Context, q store.PenaltyQuery) ([]store.Penalty, error) {
	f.asked = q
	return f.list[:min(len(f.list), q.Limit)], f.err
}

func (f *fakePenalties) Ladder(engines.AppID) store.Ladder { return f.ladder }

func (f *fakePenalties) PutLadder(_ context.Context, l store.Ladder, was int) (store.Ladder, error) {
	f.was, l.Version = was, was+1
	f.ladder = l
	return l, f.err
}

// fakePlayers likewise.
type fakePlayers struct {
	profile   store.Profile
	moderator string
	pin       store.Pin
	view      players.View
	before    economy.Mark
	events    []store.PlayerEvent
	err       error
}

func (f *fakePlayers) PutProfile(_ context.Context, _ engines.AppID, _ engines.PlayerID, p store.Profile, moderator string) error {
	f.profile, f.moderator = p, moderator
	return f.err
}

func (f *fakePlayers) PutPin(_ context.Context, _ engines.AppID, _ engines.PlayerID, p store.Pin) error {
	f.pin = p
	return f.err
}

func (f *fakePlayers) View(context.Context, engines.AppID, engines.PlayerID) (players.View, error) {
	return f.view, f.err
}

func (f *fakePlayers) Timeline(_ context.Context, _ engines.AppID, _ engines.PlayerID, before economy.Mark, most int) ([]store.PlayerEvent, error) {
	f.before = before
	return f.events[:min(len(f.events), most)], f.err
}

type playersDoor struct {
	*door
	penalties *fakePenalties
	players   *fakePlayers
}

func openPlayers(t *testing.T) playersDoor {
	t.Helper()
	p, k := &fakePenalties{}, &fakePlayers{}
	rates := limit.DefaultConfig() // time stands still for limits
	rates.Action, rates.Query, rates.Admin = 1000, 1000, 1000
	still := time.Now()
	limiter, err := limit.New(rates, limit.Options{Now: func() time.Time { return still }})
	if err != nil {
		t.Fatal(err)
	}
	return playersDoor{open(t, func(_ *Config, deps *Deps) { deps.Penalties, deps.Players, deps.Limiter = p, k, limiter }), p, k}
}

// call makes a signed request with a nonce.
func (d playersDoor) call(method, target, body string, head ...string) answer {
	d.t.Helper()
	target = "/api/v1" + target
	nonce := "nonce-" + strings.ReplaceAll(string(newRequestID()), "-", "")
	return d.send(method, target, body, append(head, "X-SVC-Nonce: "+nonce, signature(method, target, nonce, body))...)
}

// asModerator makes a request with the cookie of a role.
func (d playersDoor) asModerator(role auth.Role, method, target, body string) answer {
	d.t.Helper()
	cookie, _ := d.signIn(role)
	return d.send(method, "/api/v1"+target, body, append(own, cookie)...)
}

func TestGivePenalty(t *testing.T) {
	d := openPlayers(t)
	a := d.call("POST", "/players/p%201/penalties", `{"kind":"mute_text","duration_hours":24,"reason":"insults","category":"harassment"}`)
	m := a.json(t)
	if a.status != 200 || m["penalty_id"] == "" || m["kind"] != "mute_text" || m["player_id"] != "p 1" {
		t.Errorf("%d %s", a.status, a.body)
	}
	got := d.penalties.given[0]
	got.ID = ""
	want := store.Penalty{App: appA, Player: "p 1", Kind: store.PenaltyMuteText, Category: engines.Harassment, Reason: "insults", By: "app/app-a"}
	if diff := cmp.Diff(want, got); diff != "" || d.penalties.hours != 24 {
		t.Errorf("%d hours (-want +got):\n%s", d.penalties.hours, diff)
	}
	for body, faults := range map[string]int{
		`{}`: 2, `{"kind":"kick","reason":"x"}`: 1, `{"kind":"warn","reason":"x","duration_hours":1}`: 1, `{"kind":"ban","reason":"x","duration_hours":1}`: 1,
		`{"kind":"suspend","reason":"x"}`: 1, `{"kind":"mute_text","reason":"x","duration_hours":0}`: 1, `{"kind":"mute_text","reason":"x","duration_hours":8761}`: 1,
		`{"kind":"mute_text","reason":"x","category":"rudeness"}`: 1, `{"kind":7,"reason":"","category":"\u0000","duration_hours":"1"}`: 4,
	} {
		e := wantError(t, d.call("POST", "/players/p/penalties", body), wire.InvalidParameter)
		if list, _ := e["errors"].([]any); len(list) != faults {
			t.Errorf("%s: %v, want %d faults", body, e["errors"], faults)
		}
	}
	for _, body := range []string{`{"kind":"mute_text","reason":"x"}`, `{"kind":"ban","reason":"x"}`, `{"kind":"warn","reason":"x"}`} {
		if a := d.call("POST", "/players/p/penalties", body); a.status != 200 || d.penalties.hours != 0 {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	// A retry gives the same penalty, also where the first answer was lost.
	const again = `{"kind":"warn","reason":"again"}`
	first := d.call("POST", "/players/p/penalties", again, "Idempotency-Key: k1").json(t)
	second := d.call("POST", "/players/p/penalties", again, "Idempotency-Key: k1")
	if second.json(t)["penalty_id"] != first["penalty_id"] || second.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("a retry: %s, want %v", second.body, first)
	}
	d.mem.mu.Lock()
	clear(d.mem.answers)
	clear(d.mem.seen)
	d.mem.mu.Unlock()
	if third := d.call("POST", "/players/p/penalties", again, "Idempotency-Key: k1").json(t); third["penalty_id"] != first["penalty_id"] {
		t.Errorf("a retry after a crash: %v, want %v", third, first)
	}
	if other := d.call("POST", "/players/q/penalties", again, "Idempotency-Key: k1").json(t); other["penalty_id"] == first["penalty_id"] {
		t.Error("another player's has the same id")
	}
	d.penalties.err = economy.ErrUnknownPlayer
	wantError(t, d.call("POST", "/players/p/penalties", again), wire.PlayerNotFound)
	d.penalties.err = fmt.Errorf("give: %w", engines.ErrUnavailable)
	wantError(t, d.call("POST", "/players/p/penalties", again), wire.Unavailable)
}

// Seniors punish; who only decides cases does not.
func TestWhoMayPunish(t *testing.T) {
	d := openPlayers(t)
	const body = `{"kind":"warn","reason":"x"}`
	if a := d.asModerator(auth.RoleSenior, "POST", "/players/p/penalties?app_id=app-a", body); a.status != 200 || d.penalties.given[0].By == "app/app-a" || d.penalties.given[0].App != appA {
		t.Errorf("%d %s: %+v", a.status, a.body, d.penalties.given)
	}
	for _, role := range []auth.Role{auth.RoleViewer, auth.RoleModerator, auth.RoleAuditor} {
		wantError(t, d.asModerator(role, "POST", "/players/p/penalties?app_id=app-a", body), wire.Forbidden)
		wantError(t, d.asModerator(role, "PUT", "/players/p?app_id=app-a", `{}`), wire.Forbidden)
		if a := d.asModerator(role, "GET", "/players/p/penalties?app_id=app-a", ""); a.status != 200 {
			t.Errorf("%s may not look: %d %s", role, a.status, a.body)
		}
	}
	wantError(t, d.asModerator(auth.RoleSenior, "PUT", "/penalties/ladder?app_id=app-a", `{"window_days":1,"weights":{"default":[1]},"steps":[]}`), wire.Forbidden)
	wantError(t, d.asModerator(auth.RoleSenior, "GET", "/penalties", ""), wire.InvalidParameter) // of which app?
}

func TestLiftPenalty(t *testing.T) {
	d := openPlayers(t)
	a := d.call("DELETE", "/players/p/penalties/x1", `{"reason":"appeal"}`)
	if want := []string{"app-a", "p", "x1", "app/app-a", "appeal"}; a.status != 200 || !cmp.Equal(d.penalties.lifted, want) || a.json(t)["status"] != "lifted" {
		t.Errorf("%d %s: %q", a.status, a.body, d.penalties.lifted)
	}
	wantError(t, d.call("DELETE", "/players/p/penalties/x1", `{}`), wire.InvalidParameter)
	d.penalties.err = penalty.ErrNone
	wantError(t, d.call("DELETE", "/players/p/penalties/x1", `{"reason":"appeal"}`), wire.NotFound)
	d.penalties.err = economy.ErrUnknownPlayer
	wantError(t, d.call("DELETE", "/players/p/penalties/x1", `{"reason":"appeal"}`), wire.PlayerNotFound)
}

func TestListPenalties(t *testing.T) {
	d := openPlayers(t)
	for i := range 3 {
		d.penalties.list = append(d.penalties.list, store.Penalty{ID: fmt.Sprint("x", i), Created: int64(1000 - i), Kind: store.PenaltyWarn})
	}
	m := d.call("GET", "/players/p/penalties?limit=2&status=all&kind=warn", "").json(t)
	list, _ := m["penalties"].([]any)
	want := store.PenaltyQuery{App: appA, Player: "p", Kind: store.PenaltyWarn, Limit: 3}
	if diff := cmp.Diff(want, d.penalties.asked); len(list) != 2 || diff != "" {
		t.Errorf("%v (-want +got):\n%s", m, diff)
	}
	d.call("GET", fmt.Sprintf("/penalties?player_id=q&cursor=%v", m["cursor"]), "")
	want = store.PenaltyQuery{App: appA, Player: "q", Holding: true, Before: economy.Mark{At: 999, ID: "x1"}, Limit: 101}
	if diff := cmp.Diff(want, d.penalties.asked); diff != "" {
		t.Errorf("the next page (-want +got):\n%s", diff)
	}
	for _, q := range []string{"?status=some", "?kind=kick", "?limit=0", "?cursor=x", "?player_id=%00"} {
		wantError(t, d.call("GET", "/penalties"+q, ""), wire.InvalidParameter)
	}
}

func TestLadderRoutes(t *testing.T) {
	d := openPlayers(t)
	defaults := penalty.Default()
	d.penalties.ladder.Rules = store.LadderRules{WindowDays: defaults.WindowDays, Weights: defaults.Weights, Start: defaults.Start, Steps: defaults.Steps}
	a := d.call("GET", "/penalties/ladder", "")
	if a.status != 200 || a.header.Get("ETag") != "" || a.json(t)["version"] != 0.0 {
		t.Errorf("%d %q %s", a.status, a.header.Get("ETag"), a.body)
	}
	// What is read can be written, and is the same then.
	a = d.call("PUT", "/penalties/ladder", string(a.body), `If-Match: "4"`)
	got := d.penalties.ladder
	want := store.Ladder{App: appA, Version: 5, By: "app/app-a", Rules: store.LadderRules{WindowDays: defaults.WindowDays, Weights: defaults.Weights, Start: defaults.Start, Steps: defaults.Steps}}
	if diff := cmp.Diff(want, got); a.status != 200 || a.header.Get("ETag") != `"5"` || d.penalties.was != 4 || diff != "" {
		t.Errorf("%d after %d (-want +got):\n%s", a.status, d.penalties.was, diff)
	}
	for body, faults := range map[string]int{
		`{}`: 3,
		`{"window_days":1,"weights":{"default":[1]},"steps":[],"start":{"hate":"ban"}}`:                               1,
		`{"window_days":1,"weights":{"default":["1"]},"steps":[{"weight":1,"kind":"warn","hours":5}]}`:                2,
		`{"window_days":1,"weights":{"default":[1,2,3,4,5],"x":[1]},"steps":[{"weight":0,"kind":"kick"},{"kind":7}]}`: 6,
	} {
		e := wantError(t, d.call("PUT", "/penalties/ladder", body), wire.InvalidParameter)
		if list, _ := e["errors"].([]any); len(list) != faults {
			t.Errorf("%s: %v, want %d faults", body, e["errors"], faults)
		}
	}
	d.penalties.err = store.ErrConflict
	wantError(t, d.call("PUT", "/penalties/ladder", `{"window_days":1,"weights":{"default":[1]},"steps":[]}`), wire.Conflict)
}

func TestPlayerRoutes(t *testing.T) {
	d := openPlayers(t)
	a := d.call("PUT", "/players/p", `{"segment":"minor","region":"kr","language":"ko","age_verified":false,"account_created_at":"2020-01-02T03:04:05Z","more":1}`)
	want := store.Profile{Segment: "minor", Region: "kr", Language: "ko", AgeVerified: "no", Registered: 1577934245000}
	if diff := cmp.Diff(want, d.players.profile); a.status != 200 || diff != "" || d.players.moderator != "" {
		t.Errorf("%d %s (-want +got):\n%s", a.status, a.body, diff)
	}
	for body, faults := range map[string]int{
		`{"segment":"adult"}`: 1, `{"region":"a b"}`: 1, `{"region":"` + strings.Repeat("a", 33) + `"}`: 1, `{"language":"???"}`: 1, `{"age_verified":1}`: 1,
		`{"account_created_at":17}`: 1, `{"segment":1,"region":1,"age_verified":"x"}`: 3,
	} {
		e := wantError(t, d.call("PUT", "/players/p", body), wire.InvalidParameter)
		if list, _ := e["errors"].([]any); len(list) != faults {
			t.Errorf("%s: %v, want %d faults", body, e["errors"], faults)
		}
	}
	if a := d.asModerator(auth.RoleSenior, "PUT", "/players/p?app_id=app-a", `{}`); a.status != 200 || d.players.moderator == "" {
		t.Errorf("%d %s by %q", a.status, a.body, d.players.moderator)
	}

	a = d.call("PUT", "/players/p/trust", `{"trust":"watched","until":"2099-01-01T00:00:00Z","reason":"raid"}`)
	if want := (store.Pin{Trust: "watched", Until: 4070908800000, By: "app/app-a", Reason: "raid"}); a.status != 200 || d.players.pin != want {
		t.Errorf("%d %s: %+v", a.status, a.body, d.players.pin)
	}
	if a = d.call("PUT", "/players/p/trust", `{"trust":"auto","reason":"over"}`); a.status != 200 || d.players.pin.Trust != "" {
		t.Errorf("%d %s: %+v", a.status, a.body, d.players.pin)
	}
	for _, body := range []string{`{"reason":"x"}`, `{"trust":"watched"}`, `{"trust":"best","reason":"x"}`, `{"trust":"watched","reason":"x","until":"2001-01-01T00:00:00Z"}`, `{"trust":"auto","reason":"x","until":"2099-01-01T00:00:00Z"}`} {
		wantError(t, d.call("PUT", "/players/p/trust", body), wire.InvalidParameter)
	}

	d.players.view = players.View{
		Card: store.Card{Profile: want, Pin: store.Pin{Trust: "watched", By: "mo", Reason: "raid"}}, Segment: "minor", Weight: 3.456, Credit: 1,
		Standing: engines.Standing{Strikes: 3, Trust: "watched"}, Counts: store.PlayerCounts{Penalties: 1, Strikes: 2, Cases: 3, Flagged: 4},
	}
	d.penalties.list = []store.Penalty{{ID: "x1", Player: "p", Kind: store.PenaltyMuteText, By: "ladder", Reason: "hate", Created: 1, Strike: "s", Step: 3}}
	m := d.call("GET", "/players/p", "").json(t)
	delete(m, "request_id")
	wantBody := map[string]any{
		"code": 0.0, "player_id": "p", "segment": "minor",
		"profile":  map[string]any{"segment": "minor", "region": "kr", "language": "ko", "age_verified": false, "account_created_at": "2020-01-02T03:04:05.000Z"},
		"standing": map[string]any{"strikes": 3.0, "trust": "watched", "weight": 3.46, "clean_days": 1.0, "pinned": map[string]any{"trust": "watched", "by": "mo", "reason": "raid"}},
		"penalties": []any{map[string]any{
			"penalty_id": "x1", "player_id": "p", "kind": "mute_text", "reason": "hate", "by": "ladder", "status": "active", "created_at": "1970-01-01T00:00:00.001Z",
			"expires_at": nil, "strike_id": "s", "step": 3.0,
		}},
		"counts": map[string]any{"penalties": 1.0, "strikes": 2.0, "cases": 3.0, "flagged": 4.0},
	}
	if diff := cmp.Diff(wantBody, m); diff != "" {
		t.Errorf("player (-want +got):\n%s", diff)
	}
	d.players.err = economy.ErrUnknownPlayer
	for _, target := range []string{"/players/p", "/players/p/timeline"} {
		wantError(t, d.call("GET", target, ""), wire.PlayerNotFound)
	}
	wantError(t, d.call("PUT", "/players/p/trust", `{"trust":"watched","reason":"x"}`), wire.PlayerNotFound)
}

func TestPlayerTimelineRoute(t *testing.T) {
	d := openPlayers(t)
	d.players.events = []store.PlayerEvent{
		{At: 4, ID: "d", Kind: store.TimelineDecision, Decision: &store.Decision{Request: "d", Kind: engines.KindText, Verdict: engines.Verdict{
			Finding: engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{{Category: engines.Hate}}}, Action: engines.Drop, Mode: engines.RealTimeBlock,
		}}},
		{At: 3, ID: "c", Kind: store.TimelineCase, Case: &store.Case{ID: "c", Request: "r", State: store.CaseClosed, Decision: "reject", By: "mo", Reason: "insult"}},
		{At: 2, ID: "s", Kind: store.TimelineStrike, Strike: &store.Strike{ID: "s", Category: engines.Hate, Severity: 2, Weight: 3, By: "mo", Undone: 9, UndoneBy: "senior"}},
		{At: 1, ID: "x", Kind: store.TimelinePenalty, Penalty: &store.Penalty{ID: "x", Kind: store.PenaltyWarn, By: "ladder"}},
	}
	var got []string
	m := d.call("GET", "/players/p/timeline?limit=3", "").json(t)
	list, _ := m["events"].([]any)
	for _, e := range list {
		one, _ := e.(map[string]any)
		kind, _ := one["kind"].(string)
		if _, ok := one[kind].(map[string]any); !ok {
			t.Errorf("%v has no member %s", one, kind)
		}
		got = append(got, kind)
	}
	if !cmp.Equal(got, []string{"decision", "case", "strike"}) || m["cursor"] == nil {
		t.Errorf("%q, cursor %v", got, m["cursor"])
	}
	d.call("GET", fmt.Sprintf("/players/p/timeline?cursor=%v", m["cursor"]), "")
	if want := (economy.Mark{At: 2, ID: "s"}); d.players.before != want {
		t.Errorf("the next page is before %+v, want %+v", d.players.before, want)
	}
}
