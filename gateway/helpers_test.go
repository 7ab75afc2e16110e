package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// fasthttp has one for the Date header that lives as long as the process,
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),
		// and one of each server that notices its end after up to 10 s.
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"))
}

const (
	appA    engines.AppID = "app-a"
	appB    engines.AppID = "app-b"
	secretA               = "psk_of_a"
	secretB               = "psk_of_b"
)

type fakeDesk struct {
	check  func(context.Context, *engines.Item) (engines.Outcome, error)
	submit func(context.Context, *engines.Item) error
	result func(context.Context, engines.AppID, engines.RequestID) (engines.Item, engines.Outcome, error)
}

func (d *fakeDesk) Check(ctx context.Context, it *engines.Item) (engines.Outcome, error) {
	return d.check(ctx, it)
}
func (d *fakeDesk) Submit(ctx context.Context, it *engines.Item) error { return d.submit(ctx, it) }
func (d *fakeDesk) Result(ctx context.Context, app engines.AppID, id engines.RequestID) (engines.Item, engines.Outcome, error) {
	return d.result(ctx, app, id)
}

type fakeStreams struct {
	serve func(*websocket.Conn, *atomic.Int64, session.Identity)
	full  atomic.Bool
}

func (s *fakeStreams) Serve(ws *websocket.Conn, alive *atomic.Int64, id session.Identity) {
	s.serve(ws, alive, id)
}
func (s *fakeStreams) Full() bool { return s.full.Load() }

type fakeIdentities func(context.Context, string) (session.Identity, error)

func (f fakeIdentities) Identify(ctx context.Context, token string) (session.Identity, error) {
	return f(ctx, token)
}

// Use takes every ticket, again and again.
func (f fakeIdentities) Use(context.Context, session.Identity) error { return nil }

type fakeHealth func(context.Context) Report

func (f fakeHealth) Report(ctx context.Context) Report { return f(ctx) }

type fakeExplainer func(context.Context, *engines.Item) ([]byte, error)

func (f fakeExplainer) Explain(ctx context.Context, item *engines.Item) ([]byte, error) {
	return f(ctx, item)
}

// memory keeps what the parts behind the door keep: secrets, tokens, users,
// logins, signatures seen, answers.
type memory struct {
	mu      sync.Mutex
	secrets map[engines.AppID]string
	tokens  map[[32]byte]auth.Token
	users   map[string]auth.UserRecord
	logins  map[[32]byte]auth.LoginRecord
	seen    map[string]bool
	answers map[string][]byte
	err     error // of everything, when set
}

func newMemory() *memory {
	return &memory{
		secrets: map[engines.AppID]string{appA: secretA, appB: secretB}, tokens: map[[32]byte]auth.Token{},
		users: map[string]auth.UserRecord{}, logins: map[[32]byte]auth.LoginRecord{}, seen: map[string]bool{}, answers: map[string][]byte{},
	}
}

// find returns an entry of one of the maps, auth.ErrNotFound when there is none.
func find[K comparable, V any](m *memory, from map[K]V, key K) (V, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := from[key]
	if m.err == nil && !ok {
		return v, auth.ErrNotFound
	}
	return v, m.err
}

func keep[K comparable, V any](m *memory, in map[K]V, key K, v V) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		in[key] = v
	}
	return m.err
}

func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

func (m *memory) LiveSecrets(_ context.Context, app engines.AppID) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.secrets[app]; ok {
		return []string{s}, m.err
	}
	return nil, m.err
}

func (m *memory) PutToken(_ context.Context, t auth.Token) error { return keep(m, m.tokens, t.Hash, t) }

func (m *memory) Token(_ context.Context, hash [32]byte) (auth.Token, error) {
	return find(m, m.tokens, hash)
}

func (m *memory) User(_ context.Context, name string) (auth.UserRecord, error) {
	return find(m, m.users, name)
}

func (m *memory) PutLogin(_ context.Context, l auth.LoginRecord) error {
	return keep(m, m.logins, l.Hash, l)
}

func (m *memory) Login(_ context.Context, hash [32]byte) (auth.LoginRecord, error) {
	return find(m, m.logins, hash)
}

func (m *memory) DeleteLogin(_ context.Context, hash [32]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.logins, hash)
	return m.err
}
func (m *memory) TouchLogin(context.Context, [32]byte, time.Time) error { return nil }
func (m *memory) HasAdmin(context.Context) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.users) > 0, m.err
}

func (m *memory) CreateFirstAdmin(_ context.Context, u auth.UserRecord) error {
	return keep(m, m.users, u.Name, u)
}

func (m *memory) Seen(_ context.Context, key string, _ time.Duration) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	first := !m.seen[key]
	m.seen[key] = true
	return first, m.err
}

func (m *memory) Claim(ctx context.Context, app engines.AppID, key string) (bool, error) {
	return m.Seen(ctx, "claim/"+string(app)+"/"+key, 0)
}

func (m *memory) Release(_ context.Context, app engines.AppID, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.seen, "claim/"+string(app)+"/"+key)
	return m.err
}

func (m *memory) PutAnswer(_ context.Context, app engines.AppID, _ engines.PlayerID, key string, answer []byte) error {
	return keep(m, m.answers, string(app)+"/"+key, bytes.Clone(answer))
}

func (m *memory) Answer(_ context.Context, app engines.AppID, _ engines.PlayerID, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.answers[string(app)+"/"+key], m.err
}

// door is a gateway that answers on a port of its own.
type door struct {
	t      *testing.T
	g      *Gateway
	scheme string
	addr   string
	client *http.Client
	mem    *memory
	desk   *fakeDesk
	cases  *fakeCases
	stream *fakeStreams
	setup  string        // the set-up token
	log    *bytes.Buffer // read it after stop
	said   said
	stop   func()
}

// open starts a gateway; change may set other parts and settings first.
func open(t *testing.T, change ...func(*Config, *Deps)) *door {
	t.Helper()
	d := &door{t: t, scheme: "http", mem: newMemory(), log: &bytes.Buffer{}}
	cfg, deps := d.parts()
	for _, c := range change {
		c(&cfg, &deps)
	}
	g, err := New(cfg, deps, prometheus.NewRegistry(), slog.New(slog.NewTextHandler(d.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	d.g = g
	if d.setup, err = deps.Setup.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d.addr = ln.Addr().String()
	served := make(chan error, 1)
	go func() { served <- g.Serve(ln) }()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // tests make their own certificates
	if cfg.TLS.Cert != "" {
		d.scheme = "https"
	}
	d.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	d.stop = sync.OnceFunc(func() {
		transport.CloseIdleConnections()
		if err := g.Shutdown(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	t.Cleanup(func() {
		d.stop()
		d.said.notIn(t, d.log.String())
	})
	return d
}

// parts are a configuration and dependencies that work. Time stands still for
// limits, so that no test depends on how fast it runs.
func (d *door) parts() (Config, Deps) {
	cfg := DefaultConfig()
	cfg.Limits = wire.Limits{TextCodePoints: 10000, BodyBytes: 64 << 10, LogEntries: 1000, FrameBytes: 64 << 10}
	still := time.Now()
	now := func() time.Time { return still }
	secrets := auth.NewSecrets(d.mem, nil)
	key := func(app engines.AppID, id string) string { return string(app) + "/" + id }
	rates := limit.DefaultConfig()
	limiter, err := limit.New(rates, limit.Options{Now: now})
	if err != nil {
		d.t.Fatal(err)
	}
	tickets := auth.NewTickets(secrets, d.mem, key, nil)
	d.desk = &fakeDesk{
		check: func(_ context.Context, it *engines.Item) (engines.Outcome, error) {
			return engines.Outcome{RequestID: it.RequestID, Verdict: engines.Verdict{
				Finding: engines.Finding{Suggestion: engines.Pass}, Action: engines.Deliver, Mode: engines.RealTimeBlock,
			}}, nil
		},
		submit: func(context.Context, *engines.Item) error { return nil },
		result: func(context.Context, engines.AppID, engines.RequestID) (engines.Item, engines.Outcome, error) {
			return engines.Item{}, engines.Outcome{}, store.ErrNotFound
		},
	}
	d.cases = &fakeCases{}
	d.stream = &fakeStreams{serve: func(ws *websocket.Conn, _ *atomic.Int64, _ session.Identity) { _ = ws.CloseNow() }}
	return cfg, Deps{
		Verifier: auth.NewVerifier("SVC", secrets, nil), Tokens: auth.NewTokens(d.mem, nil), Tickets: tickets,
		Replay: auth.NewReplay(d.mem, key), Logins: auth.NewLogins(d.mem, d.mem, d.mem, nil), Setup: auth.NewSetup(d.t.TempDir(), d.mem, nil),
		Limiter: limiter, Rates: rates, Failures: limit.NewFailures(rates.FailedAuth, now),
		Desk: d.desk, Cases: d.cases, Streams: d.stream,
		Identities: fakeIdentities(func(ctx context.Context, token string) (session.Identity, error) {
			k, err := tickets.Check(ctx, token)
			if err != nil {
				return session.Identity{}, session.ErrUnknown
			}
			return session.Identity{Role: session.Player, App: k.App, Player: k.Player}, nil
		}),
		Economy: &fakeEconomy{},
		Models:  fakeModels{},
		Answers: d.mem, Health: fakeHealth(func(context.Context) Report {
			return Report{Ready: true, Version: "v-test", Components: []Component{{Name: "secret-store", State: "ok", Detail: "dsn"}}}
		}),
		Explain: fakeExplainer(func(_ context.Context, item *engines.Item) ([]byte, error) {
			return fmt.Appendf(nil, `{"text":%q,"scene":%q,"app":%q}`, item.Text, item.Scene, item.App), nil
		}),
		CSP: testCSP,
		Web: fstest.MapFS{
			"console/index.html":         {Data: []byte("<!doctype html>console")},
			"console/assets/main-1a.js":  {Data: []byte("export {}")},
			"console/assets/main-1a.css": {Data: []byte("a{}")},
			"demo/index.html":            {Data: []byte("<!doctype html>demo")},
		},
		OpenAPI: []byte("openapi: 3.1.0\n"), DemoApp: appA, DemoScenes: []DemoScene{{Scene: "demo-scene", Mode: engines.RealTimeBlock, Note: "n"}},
	}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
	cookie []*http.Cookie
}

// json is the body as an object.
func (a answer) json(t *testing.T) map[string]any {
	t.Helper()
	var m map[string]any
	if _, err := wire.Parse(a.body); err != nil {
		t.Fatalf("status %d, not an object without a name twice: %v: %q", a.status, err, a.body)
	}
	if err := json.Unmarshal(a.body, &m); err != nil {
		t.Fatalf("status %d, not a JSON object: %v: %q", a.status, err, a.body)
	}
	return m
}

// request makes a request with headers "Name: value"; a name twice is sent twice.
func (d *door) request(method, target, body string, head ...string) *http.Request {
	d.t.Helper()
	d.said.hear(body)
	r, err := http.NewRequestWithContext(d.t.Context(), method, d.scheme+"://"+d.addr+target, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	for _, h := range head {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	return r
}

func (d *door) do(r *http.Request) answer {
	d.t.Helper()
	res, err := d.client.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, b, res.Cookies()}
}

func (d *door) send(method, target, body string, head ...string) answer {
	d.t.Helper()
	return d.do(d.request(method, target, body, head...))
}

// signature is the Authorization line of a request of app A, signed now.
func signature(method, target, nonce, body string) string {
	return signatureAt(appA, secretA, time.Now(), method, target, nonce, body)
}

func signatureAt(app engines.AppID, secret string, at time.Time, method, target, nonce, body string) string {
	stamp := strconv.FormatInt(at.UnixMilli(), 10)
	sum := sha256.Sum256([]byte(body))
	svc := auth.SVC{App: app, Timestamp: stamp, Signature: auth.Sign(secret, auth.StringToSign(app, stamp, nonce, method, target, sum))}
	return "Authorization: " + svc.Header("SVC")
}

// token mints a bearer token of an app by the front door.
func (d *door) token(app engines.AppID, scope string) string {
	d.t.Helper()
	secret := map[engines.AppID]string{appA: secretA, appB: secretB}[app]
	nonce := "nonce-" + strings.ReplaceAll(string(newRequestID()), "-", "")
	body := `{"scope":"` + scope + `"}`
	a := d.send("POST", "/api/v1/auth/token", body, "X-SVC-Nonce: "+nonce,
		signatureAt(app, secret, time.Now(), "POST", "/api/v1/auth/token", nonce, body))
	token, ok := a.json(d.t)["access_token"].(string)
	if a.status != 200 || !ok {
		d.t.Fatalf("no token: %d %s", a.status, a.body)
	}
	return token
}

func bearerOf(token string) string { return "Authorization: Bearer " + token }

// wantError asserts the shape that every failed answer has.
func wantError(t *testing.T, a answer, code wire.Code) map[string]any {
	t.Helper()
	m := a.json(t)
	if a.status != code.Status() || m["code"] != float64(code) {
		t.Errorf("answer %d %s, want status %d and code %d", a.status, a.body, code.Status(), code)
	}
	if s, ok := m["message"].(string); !ok || s == "" {
		t.Errorf("no message: %s", a.body)
	}
	wantRequestID(t, a)
	if got := a.header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("Content-Type = %q", got)
	}
	return m
}

func wantRequestID(t *testing.T, a answer) {
	t.Helper()
	id := a.header.Get("X-Request-Id")
	if len(id) != 36 || id[14] != '7' || a.json(t)["request_id"] != id {
		t.Errorf("X-Request-Id %q and body %s, want the same UUIDv7 in both", id, a.body)
	}
}
