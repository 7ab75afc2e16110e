package gateway

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

const tokenPath = "/api/v1/auth/token"

func TestSignedRequest(t *testing.T) {
	d := open(t)
	const nonce, body = "0123456789abcdef", `{"scope":"check"}`
	good := []string{"X-SVC-Nonce: " + nonce, signature("POST", tokenPath, nonce, body)}
	a := d.send("POST", tokenPath, body, good...)
	if m := a.json(t); a.status != 200 || m["code"] != 0.0 || m["token_type"] != "Bearer" || m["scope"] != "check" || m["expires_in"] != 3600.0 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	wantRequestID(t, a)
	wantError(t, d.send("POST", tokenPath, body, good...), wire.Conflict) // the same again

	const second = "fedcba9876543210"
	if a := d.send("POST", tokenPath, "", "X-SVC-Nonce: "+second, signature("POST", tokenPath, second, "")); a.status != 200 {
		t.Errorf("without a body: %d %s", a.status, a.body)
	}
	wantError(t, d.send("POST", tokenPath, body, signature("POST", tokenPath, "", body)), wire.InvalidParameter) // no nonce
}

// Every cause has one wording; the server's time lets a clock be repaired.
func TestNotAuthenticated(t *testing.T) {
	d := open(t)
	const nonce, body = "0123456789abcdef", `{}`
	bearer := bearerOf(d.token(appA, "check"))
	good := signature("POST", tokenPath, nonce, body)
	tests := []struct {
		name, target string
		head         []string
	}{
		{"nothing", tokenPath, nil},
		{"an old signature", tokenPath, []string{signatureAt(appA, secretA, time.Now().Add(-10*time.Minute), "POST", tokenPath, nonce, body)}},
		{"a clock ahead", tokenPath, []string{signatureAt(appA, secretA, time.Now().Add(10*time.Minute), "POST", tokenPath, nonce, body)}},
		{"another app's secret", tokenPath, []string{signatureAt(appA, secretB, time.Now(), "POST", tokenPath, nonce, body)}},
		{"an app that there is not", tokenPath, []string{signatureAt("nobody", secretA, time.Now(), "POST", tokenPath, nonce, body)}},
		{"another method", tokenPath, []string{signature("GET", tokenPath, nonce, body)}},
		{"another target", tokenPath, []string{signature("POST", "/api/v1/auth/ticket", nonce, body)}},
		{"another query", tokenPath + "?a=1", []string{good}},
		{"another body", tokenPath, []string{signature("POST", tokenPath, nonce, `{"scope":"feed"}`)}},
		{"another nonce", tokenPath, []string{signature("POST", tokenPath, "another-nonce-0123", body)}},
		{"two signatures", tokenPath, []string{good, good}},
		{"a token where a signature is due", tokenPath, []string{bearer}},
		{"a token and a signature", "/api/v1/text/check", []string{bearer, signature("POST", "/api/v1/text/check", nonce, body)}},
		{"two tokens", "/api/v1/text/check", []string{bearer, bearer}},
		{"a token of the wrong shape", "/api/v1/text/check", []string{bearerOf("abc")}},
		{"a token that nobody made", "/api/v1/text/check", []string{bearerOf("pst_" + strings.Repeat("A", 43))}},
		{"an empty token", "/api/v1/text/check", []string{"Authorization: Bearer"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := wantError(t, d.send("POST", test.target, body, append(test.head, "X-SVC-Nonce: "+nonce)...), wire.Unauthenticated)
			at, err := time.Parse("2006-01-02T15:04:05.000Z", fmt.Sprint(m["server_time"]))
			if err != nil || time.Since(at).Abs() > time.Minute {
				t.Errorf("server_time = %v (%v)", m["server_time"], err)
			}
			if m["message"] != "authentication failure" || m["errors"] != nil {
				t.Errorf("the answer names a cause: %v", m)
			}
		})
	}
}

func TestScope(t *testing.T) {
	d := open(t)
	bearer := bearerOf(d.token(appA, "stream feed"))
	wantError(t, d.send("POST", "/api/v1/text/check", `{"content":"x"}`, bearer), wire.Forbidden)
	wantError(t, d.send("GET", "/api/v1/checks/some-id", "", bearer), wire.Forbidden)
}

func TestAuthStoreAway(t *testing.T) {
	d := open(t)
	bearer := bearerOf(d.token(appB, "check"))
	d.mem.fail(engines.ErrUnavailable)
	a := d.send("POST", "/api/v1/text/check", `{"content":"x"}`, bearer)
	wantError(t, a, wire.Unavailable) // and not 401: nobody knows
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

func failures(rate int, proxies ...string) func(*Config, *Deps) {
	return func(cfg *Config, deps *Deps) {
		still := time.Now()
		deps.Failures = limit.NewFailures(rate, func() time.Time { return still })
		cfg.TrustedProxies = proxies
	}
}

func fail(d *door, head ...string) answer {
	return d.send("POST", "/api/v1/text/check", `{}`, append(head, bearerOf("wrong"))...)
}

// No header that a client makes opens it another account of failures.
func TestFailuresPerAddress(t *testing.T) {
	d := open(t, failures(3))
	good := bearerOf(d.token(appA, "check"))
	for range 10 { // costs nothing
		if a := d.send("POST", "/api/v1/text/check", `{"content":"x"}`, good); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	for i := range 3 {
		wantError(t, fail(d, fmt.Sprintf("X-Forwarded-For: 1.2.3.%d", i), fmt.Sprintf("X-Real-Ip: 1.2.3.%d", i)), wire.Unauthenticated)
	}
	a := fail(d, "X-Forwarded-For: 9.9.9.9", "Forwarded: for=9.9.9.9")
	m := wantError(t, a, wire.RateLimited)
	if s, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || s < 1 || m["retry_after_ms"].(float64) < 1 {
		t.Errorf("Retry-After %q, %v", a.header.Get("Retry-After"), m)
	}
}

// Behind our own proxy the client is the right-most hop that the proxy names.
func TestFailuresBehindProxy(t *testing.T) {
	d := open(t, failures(2, "127.0.0.0/8", "10.0.0.0/8"))
	for i := range 2 {
		wantError(t, fail(d, fmt.Sprintf("X-Forwarded-For: 1.2.3.%d, 198.51.100.7, 10.0.0.3", i)), wire.Unauthenticated)
	}
	wantError(t, fail(d, "X-Forwarded-For: 5.6.7.8", "X-Forwarded-For: 198.51.100.7"), wire.RateLimited)
	wantError(t, fail(d, "X-Forwarded-For: 198.51.100.8"), wire.Unauthenticated)
}

func TestRateLimit(t *testing.T) {
	d := open(t, func(_ *Config, deps *Deps) {
		still := time.Now()
		rates := limit.DefaultConfig()
		rates.Check = 3
		limiter, err := limit.New(rates, limit.Options{Now: func() time.Time { return still }})
		if err != nil {
			t.Fatal(err)
		}
		deps.Limiter = limiter
	})
	bearer := bearerOf(d.token(appA, "check"))
	for left := 2; left >= 0; left-- {
		a := d.send("POST", "/api/v1/text/check", `{"content":"x"}`, bearer)
		if a.status != 200 || !strings.HasPrefix(a.header.Get("RateLimit"), fmt.Sprintf(`"check";r=%d;`, left)) || a.header.Get("RateLimit-Policy") != `"check";q=3;w=1` {
			t.Errorf("%d, RateLimit %q, RateLimit-Policy %q", a.status, a.header.Get("RateLimit"), a.header.Get("RateLimit-Policy"))
		}
	}
	a := d.send("POST", "/api/v1/text/check", `{"content":"x"}`, bearer)
	m := wantError(t, a, wire.RateLimited)
	if a.header.Get("Retry-After") != "1" || a.header.Get("RateLimit") == "" || m["retry_after_ms"].(float64) < 1 {
		t.Errorf("headers %v, body %s", a.header, a.body)
	}
	if a := d.send("POST", "/api/v1/text/check", `{"content":"x"}`, bearerOf(d.token(appB, "check"))); a.status != 200 {
		t.Errorf("another app is answered %d", a.status)
	}
}

const password = "correct horse battery"

// own is what a browser sends with a request of our own page.
var own = []string{"Sec-Fetch-Site: same-origin", "Content-Type: application/json"}

// signIn makes a user of that role by the back door and signs it in by the front.
func (d *door) signIn(role auth.Role) (cookie string, a answer) {
	d.t.Helper()
	hash, err := auth.HashPassword(d.t.Context(), password)
	if err != nil {
		d.t.Fatal(err)
	}
	name := "user-" + string(role)
	if err := keep(d.mem, d.mem.users, name, auth.UserRecord{Name: name, PasswordHash: hash, Role: string(role)}); err != nil {
		d.t.Fatal(err)
	}
	a = d.send("POST", "/api/v1/auth/login", `{"name":"`+name+`","password":"`+password+`"}`, own...)
	if a.status != 200 || len(a.cookie) != 1 {
		d.t.Fatalf("login: %d %s", a.status, a.body)
	}
	return "Cookie: " + a.cookie[0].Name + "=" + a.cookie[0].Value, a
}

func TestCookie(t *testing.T) {
	d := open(t)
	cookie, a := d.signIn(auth.RoleModerator)
	k := a.cookie[0]
	if k.Name != auth.CookieName || !strings.HasPrefix(k.Name, "__Host-") || !k.HttpOnly || !k.Secure || k.SameSite != http.SameSiteLaxMode ||
		k.Path != "/" || k.Domain != "" {
		t.Errorf("cookie %+v", k)
	}
	if m := d.send("GET", "/api/v1/auth/me", "", cookie).json(t); m["name"] != "user-moderator" || m["role"] != "moderator" {
		t.Errorf("me = %v", m)
	}
	out := d.send("POST", "/api/v1/auth/logout", "", append(own, cookie)...)
	if out.status != 200 || len(out.cookie) != 1 || out.cookie[0].Value != "" || !out.cookie[0].Expires.Before(time.Now()) {
		t.Errorf("logout: %d %v", out.status, out.cookie)
	}
	if m := d.send("GET", "/api/v1/auth/me", "", cookie).json(t); m["name"] != nil {
		t.Errorf("after the logout me = %v", m)
	}
	wantError(t, d.send("GET", "/api/v1/cases", "", cookie), wire.Unauthenticated)
}

func TestWrongPassword(t *testing.T) {
	d := open(t)
	d.signIn(auth.RoleAdmin)
	for _, name := range []string{"user-admin", "nobody"} {
		a := d.send("POST", "/api/v1/auth/login", `{"name":"`+name+`","password":"wrong"}`, own...)
		wantError(t, a, wire.Unauthenticated)
		if len(a.cookie) != 0 {
			t.Errorf("%s gets a cookie", name)
		}
	}
}

// A write that another site can make a browser send does nothing.
func TestWritesFromElsewhere(t *testing.T) {
	d := open(t)
	cookie, _ := d.signIn(auth.RoleAdmin)
	const decide, body = "/api/v1/cases/c1/decide", `{"decision":"approve","version":1,"policy":"p","reason":"r"}`
	tests := []struct {
		name string
		head []string
		want int
	}{
		{"our own page", own, 200},
		{"our own page, an older browser", []string{"Origin: http://" + d.addr, "Content-Type: application/json; charset=utf-8"}, 200},
		{"neither header", []string{"Content-Type: application/json"}, 403},
		{"cross-site", []string{"Sec-Fetch-Site: cross-site", "Content-Type: application/json"}, 403},
		{"same-site", []string{"Sec-Fetch-Site: same-site", "Content-Type: application/json"}, 403},
		{"another origin", []string{"Origin: https://evil.example.com", "Content-Type: application/json"}, 403},
		{"an origin that hides", []string{"Origin: null", "Content-Type: application/json"}, 403},
		{"cross-site though the origin is ours", []string{"Sec-Fetch-Site: cross-site", "Origin: http://" + d.addr, "Content-Type: application/json"}, 403},
		{"a form", []string{"Sec-Fetch-Site: same-origin", "Content-Type: text/plain"}, 415},
		{"no type", []string{"Sec-Fetch-Site: same-origin"}, 415},
	}
	for _, test := range tests {
		if a := d.send("POST", decide, body, append(test.head, cookie)...); a.status != test.want {
			t.Errorf("%s: %d %s, want %d", test.name, a.status, a.body, test.want)
		}
	}
	for _, path := range []string{"/api/v1/auth/login", "/api/v1/auth/setup"} {
		wantError(t, d.send("POST", path, `{"name":"x","password":"y","token":"z"}`, "Sec-Fetch-Site: cross-site", "Content-Type: application/json"), wire.Forbidden)
	}
}

func TestRoles(t *testing.T) {
	d := open(t)
	for role, may := range map[auth.Role]bool{auth.RoleViewer: false, auth.RoleAuditor: false, auth.RoleModerator: true, auth.RoleSenior: true, auth.RoleAdmin: true} {
		cookie, _ := d.signIn(role)
		a := d.send("POST", "/api/v1/cases/c1/decide", `{"decision":"reject","version":1,"policy":"p","reason":"r"}`, append(own, cookie)...)
		if (a.status == 200) != may || !may && a.status != 403 {
			t.Errorf("%s decides: %d %s, want permitted %v", role, a.status, a.body, may)
		}
		if a := d.send("GET", "/api/v1/cases", "", cookie); a.status != 200 {
			t.Errorf("%s sees cases: %d", role, a.status)
		}
	}
	wantError(t, d.send("GET", "/api/v1/cases", ""), wire.Unauthenticated)
	wantError(t, d.send("GET", "/api/v1/cases", "", bearerOf(d.token(appA, "check"))), wire.Unauthenticated)
}

func TestSetup(t *testing.T) {
	d := open(t)
	if m := d.send("GET", "/api/v1/auth/me", "").json(t); m["setup_needed"] != true {
		t.Errorf("me = %v, want setup_needed", m)
	}
	setup := func(token string) answer {
		return d.send("POST", "/api/v1/auth/setup", `{"token":"`+token+`","name":"first","password":"`+password+`"}`, own...)
	}
	wantError(t, setup("wrong"), wire.Unauthenticated)
	a := setup(d.setup)
	if a.status != 200 || len(a.cookie) != 1 || a.json(t)["role"] != "admin" {
		t.Errorf("%d %s", a.status, a.body)
	}
	wantError(t, setup(d.setup), wire.Unauthenticated) // the link is used up
	if m := d.send("GET", "/api/v1/auth/me", "").json(t); m["setup_needed"] != false {
		t.Errorf("me = %v, want no setup_needed", m)
	}
}

// What an app may do for itself a moderator with the permission may do for it, and
// has to say for which.
func TestManaged(t *testing.T) {
	d := open(t, func(_ *Config, deps *Deps) { deps.Hooks = &fakeHooks{} })
	admin, _ := d.signIn(auth.RoleAdmin)
	viewer, _ := d.signIn(auth.RoleViewer)
	if a := d.send("GET", "/api/v1/webhooks?app_id=game", "", admin); a.status != 200 {
		t.Errorf("an admin: %d %s", a.status, a.body)
	}
	wantError(t, d.send("GET", "/api/v1/webhooks?app_id=game", "", viewer), wire.Forbidden)
	wantError(t, d.send("GET", "/api/v1/webhooks", "", admin), wire.InvalidParameter)
	wantError(t, d.send("GET", "/api/v1/webhooks?app_id=a%20b", "", admin), wire.InvalidParameter)
	wantError(t, d.send("GET", "/api/v1/webhooks?app_id=game", ""), wire.Unauthenticated)
	wantError(t, d.send("PUT", "/api/v1/webhooks?app_id=game", `{"webhooks":[]}`, "Sec-Fetch-Site: cross-site", admin), wire.Forbidden)
}
