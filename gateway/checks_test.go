package gateway

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

func TestCheckText(t *testing.T) {
	d := open(t)
	var got engines.Item
	d.desk.check = func(_ context.Context, it *engines.Item) (engines.Outcome, error) {
		got = *it
		return engines.Outcome{RequestID: it.RequestID, Verdict: engines.Verdict{
			Finding: engines.Finding{Suggestion: engines.Block, Labels: []engines.Label{{Category: engines.Violence, Confidence: 0.9, Severity: 3, Source: engines.SourceLexicon}}},
			Action:  engines.Drop, Mode: engines.RealTimeBlock, Hits: []engines.Span{{Start: 3, End: 5}},
		}}, nil
	}
	body := `{"content":"こいつ殺す","user_id":"p1","scene_id":"global_chat","language":"ja","options":{"strict_level":3,"return_detail":true}}`
	for name, head := range map[string][]string{
		"bearer":    {bearerOf(d.token(appA, "check"))},
		"signature": {signature("POST", "/api/v1/text/check", "", body)},
	} {
		a := d.send("POST", "/api/v1/text/check", body, head...)
		wantRequestID(t, a)
		want := engines.Item{
			RequestID: engines.RequestID(a.header.Get("X-Request-Id")), App: appA, Player: "p1", Scene: "global_chat",
			Kind: engines.KindText, Text: "こいつ殺す", Language: "ja", StrictLevel: 3,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: item (-want +got):\n%s", name, diff)
		}
		if a.status != 200 || !strings.Contains(string(a.body), `"detail":{"hit_keywords":["殺す"],"positions":[{"start":3,"end":5}]}`) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
}

// An app reads its own checks alone, whoever knows the id.
func TestCheckResult(t *testing.T) {
	d := open(t)
	done := engines.Outcome{Verdict: engines.Verdict{Finding: engines.Finding{Suggestion: engines.Pass}, Action: engines.Deliver}}
	var submitted engines.Item
	d.desk.submit = func(_ context.Context, it *engines.Item) error { submitted = *it; return nil }
	pending := true
	d.desk.result = func(_ context.Context, app engines.AppID, id engines.RequestID) (engines.Item, engines.Outcome, error) {
		if app != submitted.App || id != submitted.RequestID {
			return engines.Item{}, engines.Outcome{}, store.ErrNotFound
		}
		return submitted, engines.Outcome{Pending: pending, Verdict: done.Verdict}, nil
	}
	a, b := bearerOf(d.token(appA, "check")), bearerOf(d.token(appB, "check"))
	ack := d.send("POST", "/api/v1/text/check", `{"content":"x","options":{"async":true}}`, a)
	if m := ack.json(t); ack.status != 202 || m["status"] != "pending" || m["result"] != nil {
		t.Fatalf("%d %s", ack.status, ack.body)
	}
	target := "/api/v1/checks/" + ack.header.Get("X-Request-Id")
	if m := d.send("GET", target, "", a).json(t); m["status"] != "pending" || m["result"] != nil {
		t.Errorf("before: %v", m)
	}
	pending = false
	r := d.send("GET", target, "", a)
	if m := r.json(t); r.status != 200 || m["status"] != "done" || m["result"] == nil || m["request_id"] != ack.json(t)["request_id"] {
		t.Errorf("after: %d %s", r.status, r.body)
	}
	// A case says how it stands; one that was erased, nothing.
	verdict := done.Verdict
	d.desk.result = func(context.Context, engines.AppID, engines.RequestID) (engines.Item, engines.Outcome, error) {
		return submitted, engines.Outcome{Verdict: verdict, CaseID: "c1"}, nil
	}
	found, missing := store.Case{ID: "c1", State: store.CaseClosed, Decision: store.CaseRejected, By: "mod", Note: "hm", Category: engines.Hate, Policy: "rule 3"}, error(nil)
	d.cases.file = func(engines.CaseID) (*casework.File, error) { return &casework.File{Case: found}, missing }
	r = d.send("GET", target, "", a)
	if got := r.json(t)["case"]; r.status != 200 || strings.Contains(string(r.body), "mod\"") || fmt.Sprint(got) !=
		"map[case_id:c1 category:hate decision:reject policy:rule 3 state:closed undone:false updated_at:0001-01-01T00:00:00.000Z]" {
		t.Errorf("with a case: %d %v", r.status, got)
	}
	missing = store.ErrNotFound
	if r = d.send("GET", target, "", a); r.status != 200 || r.json(t)["case"] != nil {
		t.Errorf("with a case that is gone: %d %s", r.status, r.body)
	}
	missing = engines.ErrUnavailable
	wantError(t, d.send("GET", target, "", a), wire.Unavailable)
	d.desk.result = func(_ context.Context, app engines.AppID, id engines.RequestID) (engines.Item, engines.Outcome, error) {
		if app != submitted.App || id != submitted.RequestID {
			return engines.Item{}, engines.Outcome{}, store.ErrNotFound
		}
		return submitted, done, nil
	}
	wantError(t, d.send("GET", target, "", b), wire.NotFound)
	wantError(t, d.send("GET", "/api/v1/checks/other", "", a), wire.NotFound)
	wantError(t, d.send("GET", target, ""), wire.Unauthenticated)

	d.desk.submit = func(context.Context, *engines.Item) error { return engines.ErrUnavailable }
	wantError(t, d.send("POST", "/api/v1/text/check", `{"content":"x","options":{"async":true}}`, a), wire.Unavailable)
}

func TestIdempotencyKey(t *testing.T) {
	d := open(t)
	checks := 0
	inner := d.desk.check
	d.desk.check = func(ctx context.Context, it *engines.Item) (engines.Outcome, error) { checks++; return inner(ctx, it) }
	bearer := bearerOf(d.token(appA, "check"))
	post := func(who, body string) answer {
		return d.send("POST", "/api/v1/text/check", body, who, "Idempotency-Key: key-1")
	}
	const body = `{"content":"x","user_id":"p1"}`
	first, again := post(bearer, body), post(bearer, body)
	if first.status != 200 || again.status != 200 || string(again.body) != string(first.body) || checks != 1 {
		t.Errorf("%d %s, then %d %s after %d checks; want the same answer of one", first.status, first.body, again.status, again.body, checks)
	}
	wantRequestID(t, again)
	if again.header.Get("Idempotency-Replayed") != "true" || first.header.Get("Idempotency-Replayed") != "" {
		t.Error("the replay is not marked, or the first is")
	}
	wantError(t, post(bearer, `{"content":"y","user_id":"p1"}`), wire.Conflict)
	// The key is the app's and the player's own.
	if a := post(bearer, `{"content":"x","user_id":"p2"}`); a.status != 200 || checks != 2 {
		t.Errorf("another player: %d after %d checks", a.status, checks)
	}
	if a := post(bearerOf(d.token(appB, "check")), body); a.status != 200 || checks != 3 || string(a.body) == string(first.body) {
		t.Errorf("another app: %d %s after %d checks", a.status, a.body, checks)
	}
	wantError(t, d.send("POST", "/api/v1/text/check", body, bearer, "Idempotency-Key: "+strings.Repeat("k", 129)), wire.InvalidParameter)

	// A failure is not kept: the retry is what the key is for.
	d.desk.check = func(context.Context, *engines.Item) (engines.Outcome, error) {
		return engines.Outcome{}, errors.New("x")
	}
	wantError(t, d.send("POST", "/api/v1/text/check", body, bearer, "Idempotency-Key: key-2"), wire.Internal)
	d.desk.check = inner
	if a := d.send("POST", "/api/v1/text/check", body, bearer, "Idempotency-Key: key-2"); a.status != 200 {
		t.Errorf("the retry: %d %s", a.status, a.body)
	}

	// An async answer keeps its status.
	const async = `{"content":"x","options":{"async":true}}`
	for range 2 {
		if a := d.send("POST", "/api/v1/text/check", async, bearer, "Idempotency-Key: key-3"); a.status != 202 {
			t.Errorf("async: %d", a.status)
		}
	}
}

// TestIdempotencyKeyUnderWay: of two requests at once with one key, one is
// checked; the other is told to come back.
func TestIdempotencyKeyUnderWay(t *testing.T) {
	d := open(t)
	entered, goOn := make(chan struct{}), make(chan struct{})
	inner := d.desk.check
	d.desk.check = func(ctx context.Context, it *engines.Item) (engines.Outcome, error) {
		close(entered) // a second check would panic
		<-goOn
		return inner(ctx, it)
	}
	bearer := bearerOf(d.token(appA, "check"))
	post := func() answer {
		return d.send("POST", "/api/v1/text/check", `{"content":"x"}`, bearer, "Idempotency-Key: key-9")
	}
	first := make(chan answer, 1)
	go func() { first <- post() }()
	<-entered
	second := post()
	close(goOn)
	wantError(t, second, wire.Conflict)
	if second.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	a := <-first
	if b := post(); a.status != 200 || string(a.body) != string(b.body) {
		t.Errorf("%d %s, then %s; want the same answer", a.status, a.body, b.body)
	}
}

func TestTicket(t *testing.T) {
	d := open(t)
	const target, nonce = "/api/v1/auth/ticket", "0123456789abcdef"
	mint := func(body, nonce string) answer {
		return d.send("POST", target, body, "X-SVC-Nonce: "+nonce, signature("POST", target, nonce, body))
	}
	a := mint(`{"player_id":"p1","scenes":["s1"]}`, nonce)
	ticket, _ := a.json(t)["ticket"].(string)
	if a.status != 200 || a.json(t)["expires_in"] != 300.0 || strings.Count(ticket, ".") != 2 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	wantError(t, mint(`{"scenes":["s1"]}`, nonce+"2"), wire.InvalidParameter)
	// It opens a stream, in the header or as a browser brings it, and nothing else.
	for _, head := range []string{"Authorization: Bearer " + ticket + "\r\n", "Sec-WebSocket-Protocol: bearer." + ticket + "\r\n"} {
		p := d.dial()
		p.write([]byte(handshake + head + "\r\n"))
		p.want101()
	}
	wantError(t, d.send("POST", "/api/v1/text/check", `{"content":"x"}`, bearerOf(ticket)), wire.Unauthenticated)
}

// A moderator's cookie opens the stream from our own pages alone.
func TestStreamByCookie(t *testing.T) {
	d := open(t)
	cookie, _ := d.signIn(auth.RoleViewer)
	for head, want := range map[string]int{
		"Origin: http://example.test\r\n":      101,
		"Origin: https://evil.example.com\r\n": 403,
	} {
		p := d.dial()
		p.write([]byte(handshake + head + cookie + "\r\n\r\n"))
		if res := p.response(); res.status != want {
			t.Errorf("%s: %d, want %d", strings.TrimSpace(head), res.status, want)
		}
	}
	p := d.dial()
	p.write([]byte(handshake + "Origin: http://example.test\r\nCookie: " + auth.CookieName + "=" + strings.Repeat("A", 43) + "\r\n\r\n"))
	if res := p.response(); res.status != 401 {
		t.Errorf("a cookie that nobody made: %d, want 401", res.status)
	}
}

// What the cookie opened is good until it is signed out.
func TestStreamEndsWithCookie(t *testing.T) {
	served := make(chan session.Identity, 1)
	d := open(t)
	d.stream.serve = func(_ *websocket.Conn, _ *atomic.Int64, id session.Identity) { served <- id }
	cookie, _ := d.signIn(auth.RoleViewer)
	p := d.dial()
	p.write([]byte(handshake + "Origin: http://example.test\r\n" + cookie + "\r\n\r\n"))
	p.want101()
	id := <-served
	if ok, err := id.Valid(t.Context()); !ok || err != nil {
		t.Errorf("signed in: %v, %v", ok, err)
	}
	d.send("POST", "/api/v1/auth/logout", "", append(own, cookie)...)
	if ok, err := id.Valid(t.Context()); ok || err != nil {
		t.Errorf("signed out: %v, %v", ok, err)
	}
}
