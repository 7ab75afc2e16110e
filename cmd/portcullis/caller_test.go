package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/golang-jwt/jwt/v5"
)

// caller makes requests as a game server, a moderator or nobody. It knows the
// wire contract alone, not our packages.
type caller struct {
	url         string
	app, secret string // signs, unless bearer or cookie is set
	bearer      string
	cookie      string
	key         string // the Idempotency-Key, "" for none
	match       string // If-Match, "" for none
	form        string // the Content-Type of a body that is no JSON
}

// answer is what came back.
type answer struct {
	status int
	head   http.Header
	body   []byte
}

// call makes one request; a target without a slash in front is below /api/v1.
func (c *caller) call(ctx context.Context, method, target, body string) (answer, error) {
	if !strings.HasPrefix(target, "/") {
		target = "/api/v1/" + target
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.url+target, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.form != "" {
		req.Header.Set("Content-Type", c.form)
	}
	if c.key != "" {
		req.Header.Set("Idempotency-Key", c.key)
	}
	req.Close = true // a kept connection may belong to a gateway that was killed
	if c.match != "" {
		req.Header.Set("If-Match", strconv.Quote(c.match))
	}
	c.authorize(req, target, body)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}, err
	}
	text, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return answer{}, fmt.Errorf("%s %s: %w", method, target, err)
	}
	return answer{resp.StatusCode, resp.Header, text}, nil
}

func (c *caller) authorize(req *http.Request, target, body string) {
	switch {
	case c.cookie != "":
		req.Header.Set("Cookie", c.cookie)
		req.Header.Set("Origin", c.url)
	case c.bearer != "":
		req.Header.Set("Authorization", "Bearer "+c.bearer)
	case c.secret != "":
		at, nonce, sum := strconv.FormatInt(time.Now().Unix(), 10), rand.Text(), sha256.Sum256([]byte(body))
		mac := hmac.New(sha256.New, []byte(c.secret))
		fmt.Fprintf(mac, "SVC1-HMAC-SHA256\n%s\n%s\n%s\n%s\n%s\n%x", c.app, at, nonce, req.Method, target, sum)
		req.Header.Set("Authorization", "SVC "+c.app+":"+hex.EncodeToString(mac.Sum(nil))+":"+at)
		req.Header.Set("X-SVC-Nonce", nonce)
	default:
		req.Header.Set("Origin", c.url) // the console's own page
	}
}

// ticket mints a player's ticket as a game server does, without asking anybody.
func (c *caller) ticket(player string, scenes ...string) (string, error) {
	now := time.Now()
	return jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"iss": c.app, "sub": player, "aud": "portcullis", "iat": now.Unix(), "exp": now.Add(4 * time.Minute).Unix(),
		"jti": rand.Text(), "scenes": scenes,
	}).SignedString([]byte(c.secret))
}

// must makes a request that has to be answered with status, and reads the answer. As
// a client should, it comes again after a refusal for its rate, or for a store that is slow.
func (c *caller) must(t *testing.T, status int, method, target, body string) map[string]any {
	t.Helper()
	a, err := c.call(t.Context(), method, target, body)
	for end := time.Now().Add(patience); err == nil && (a.status == 429 || a.status == 503) && status != a.status && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		a, err = c.call(t.Context(), method, target, body)
	}
	if err != nil {
		t.Fatal(err)
	}
	if a.status != status {
		t.Fatalf("%s %s = %d, want %d: %s", method, target, a.status, status, a.body)
	}
	return object(t, a.body)
}

func object(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var o map[string]any
	if !jsontext.Value(text).IsValid() { // nor is it with a name twice: readers differ in which they take
		t.Fatalf("not valid JSON: %s", text)
	}
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// newCaller makes an app and returns its game server.
func newCaller(t *testing.T, p *process, env []string, data string) *caller {
	t.Helper()
	made := object(t, command(t, env, "keys", "create", "--json", "--data", data, "--app", "game"))
	secret, _ := made["secret"].(string)
	return &caller{url: p.url, app: "game", secret: secret}
}

// at is the same game server, calling another gateway.
func (c *caller) at(p *process) *caller {
	other := *c
	other.url = p.url
	return &other
}

// member finds "a.b.0.c" in JSON; a list also has a "length".
func member(v any, path string) (any, bool) {
	if path == "" {
		return v, true
	}
	name, rest, _ := strings.Cut(path, ".")
	switch v := v.(type) {
	case map[string]any:
		in, ok := v[name]
		if !ok {
			return nil, false
		}
		return member(in, rest)
	case []any:
		if name == "length" {
			return float64(len(v)), true
		}
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(v) {
			return nil, false
		}
		return member(v[i], rest)
	}
	return nil, false
}
