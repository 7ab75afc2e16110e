package gateway

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// testCSP stands for the policy that web has; its own test looks into it.
const testCSP = "default-src 'none'"

func TestPages(t *testing.T) {
	d := open(t)
	page := d.send("GET", "/console/", "")
	if page.status != 200 || !strings.HasSuffix(string(page.body), "console") || page.header.Get("Cache-Control") != "no-store" ||
		!strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
		t.Errorf("%d %s %v", page.status, page.body, page.header)
	}
	if policy := page.header.Get("Content-Security-Policy"); policy != testCSP {
		t.Errorf("Content-Security-Policy %q, want %q", policy, testCSP)
	}
	asset := d.send("GET", "/console/assets/main-1a.js", "")
	if asset.status != 200 || !strings.Contains(asset.header.Get("Cache-Control"), "immutable") || !strings.Contains(asset.header.Get("Content-Type"), "javascript") ||
		asset.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("asset: %d %v", asset.status, asset.header)
	}
	if a := d.send("GET", "/console/assets/main-1a.js", "", "If-None-Match: "+asset.header.Get("ETag")); a.status != 304 || len(a.body) != 0 {
		t.Errorf("known asset: %d %s", a.status, a.body)
	}
	for from, to := range map[string]string{"/": "console/", "/console": "console/"} {
		if a := d.send("GET", from, ""); a.status != 302 || a.header.Get("Location") != to {
			t.Errorf("%s: %d %q, want %s", from, a.status, a.header.Get("Location"), to)
		}
	}
	wantError(t, d.send("POST", "/console/", ""), wire.MethodNotAllowed)
}

// What is not under the page's own folder is not there, however it is written.
func TestPagesStayInTheirFolder(t *testing.T) {
	d := open(t)
	for _, target := range []string{
		"/demo", "/demo/", "/demo/index.html", "/console/../demo/index.html", "/console/..%2fdemo/index.html", "/console/%2e%2e/demo/index.html",
		"/console/assets/../../demo/index.html", "/console/..\\demo\\index.html", "/console//../demo/index.html", "/console/../../../../etc/passwd",
		"/console/....//demo/index.html", "/console/none", "/console/assets", "/console/assets/",
	} {
		p := d.dial()
		p.write([]byte("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n"))
		if res := p.response(); res.status != 404 {
			t.Errorf("%s: %d, want 404", target, res.status)
		}
	}
	wantError(t, d.send("POST", "/api/v1/demo/session", `{"player_id":"p"}`, own...), wire.NotFound)
}

func TestDemo(t *testing.T) {
	d := open(t, demo, func(cfg *Config, _ *Deps) { cfg.TrustedProxies = []string{"127.0.0.1"} })
	if a := d.send("GET", "/demo/", ""); a.status != 200 || !strings.HasSuffix(string(a.body), "demo") {
		t.Errorf("%d %s", a.status, a.body)
	}
	a := d.send("POST", "/api/v1/demo/session", `{"player_id":"p1"}`, own...)
	if m := a.json(t); a.status != 200 || m["ticket"] == "" || !strings.Contains(string(a.body), `"scenes":[{"scene_id":"demo-scene","mode":"real_time_block","note":"n"}]`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	wantError(t, d.send("POST", "/api/v1/demo/session", `{"player_id":"p1"}`), wire.Forbidden)
	wantError(t, d.send("POST", "/api/v1/demo/session", `{}`, own...), wire.InvalidParameter)
	a = d.send("POST", "/api/v1/demo/explain", `{"content":"hello","scene_id":"demo-scene"}`, own...)
	if want := `"explanation":{"text":"hello","scene":"demo-scene","app":"app-a"}`; a.status != 200 || !strings.Contains(string(a.body), want) {
		t.Errorf("%d %s, want %s", a.status, a.body, want)
	}
	wantError(t, d.send("POST", "/api/v1/demo/explain", `{"content":"hello"}`), wire.Forbidden)
	wantError(t, d.send("POST", "/api/v1/demo/explain", `{}`, own...), wire.InvalidParameter)
	// For this machine alone.
	wantError(t, d.send("POST", "/api/v1/demo/session", `{"player_id":"p1"}`, append(own, "X-Forwarded-For: 198.51.100.7")...), wire.NotFound)
}

// The public listener says whether it is ready and nothing of what it is made of.
func TestHealth(t *testing.T) {
	ready := true
	report := func(context.Context) Report {
		return Report{Ready: ready, Degraded: true, Version: "v-test", Components: []Component{{Name: "secret-store", State: "down", Detail: "dsn", Load: &engines.Load{Busy: 1, Slots: 2, Waiting: 3, Queue: 4}}}}
	}
	d := open(t, func(_ *Config, deps *Deps) { deps.Health = fakeHealth(report) })
	if a := d.send("GET", "/healthz", ""); a.status != 200 || string(a.body) != "ok\n" {
		t.Errorf("healthz: %d %q", a.status, a.body)
	}
	if a := d.send("GET", "/readyz", ""); a.status != 200 || string(a.body) != "ready\n" {
		t.Errorf("readyz: %d %q", a.status, a.body)
	}
	admin := Admin(fakeHealth(report), prometheus.NewRegistry()).Handler
	get := func(target string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		admin.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", target, nil))
		return w
	}
	if w := get("/readyz"); w.Code != 200 || !strings.Contains(w.Body.String(), "secret-store") || !strings.Contains(w.Body.String(), `"detail":"dsn","load":{"busy":1,"slots":2,"waiting":3,"queue":4}`) {
		t.Errorf("admin readyz: %d %s", w.Code, w.Body)
	}
	if w := get("/metrics"); w.Code != 200 {
		t.Errorf("admin metrics: %d", w.Code)
	}
	ready = false
	if a := d.send("GET", "/readyz", ""); a.status != 503 || string(a.body) != "not ready\n" {
		t.Errorf("readyz: %d %q", a.status, a.body)
	}
	if w := get("/readyz"); w.Code != 503 {
		t.Errorf("admin readyz: %d", w.Code)
	}
	if a := d.send("GET", "/healthz", ""); a.status != 200 {
		t.Errorf("healthz of a process that is not ready: %d", a.status)
	}
	for _, target := range []string{"/metrics", "/debug/pprof/", "/api/v1/metrics"} {
		wantError(t, d.send("GET", target, ""), wire.NotFound)
	}
	wantError(t, d.send("GET", "/api/v1/status", ""), wire.Unauthenticated)
}

func TestLimitsArePublished(t *testing.T) {
	d := open(t)
	m := d.send("GET", "/api/v1/limits", "").json(t)
	for name, want := range map[string]float64{"json_body_bytes": 64 << 10, "text_code_points": 10000, "log_entries": 1000, "stream_frame_bytes": 64 << 10} {
		if m[name] != want {
			t.Errorf("%s = %v, want %v", name, m[name], want)
		}
	}
	if rates, ok := m["rates"].([]any); !ok || len(rates) == 0 {
		t.Errorf("rates = %v", m["rates"])
	}
	if a := d.send("GET", "/api/v1/openapi.yaml", ""); a.status != http.StatusOK || !strings.HasPrefix(string(a.body), "openapi:") {
		t.Errorf("openapi.yaml: %d %s", a.status, a.body)
	}
}

func TestConfig(t *testing.T) {
	cfg := DefaultConfig()
	if err := cfg.Validate(); err != nil {
		t.Errorf("the default: %v", err)
	}
	cfg = Config{Listen: "0.0.0.0:8080", Admin: "nonsense", TLS: TLS{Key: "k"}, TrustedProxies: []string{"x"}}
	err := cfg.Validate()
	if err == nil {
		t.Fatal("a wrong configuration is accepted")
	}
	for _, key := range []string{"listen", "admin", "tls", "signature_scheme", "read_timeout", "write_timeout", "idle_timeout", "trusted_proxies"} {
		if !strings.Contains(err.Error(), "http."+key+":") {
			t.Errorf("no fault of %s in:\n%v", key, err)
		}
	}
	cfg = DefaultConfig()
	cfg.Listen, cfg.InsecureListen = ":8080", true
	if err := cfg.Validate(); err != nil {
		t.Errorf("TLS in front of us: %v", err)
	}
	if _, err := New(Config{TrustedProxies: []string{"x"}}, Deps{}, prometheus.NewRegistry(), nil); err == nil {
		t.Error("New takes a proxy that is none")
	}
}
