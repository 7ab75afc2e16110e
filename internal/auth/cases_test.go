package auth

import (
	"crypto/sha256"
	"errors"
	"net/netip"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
)

// caller signs as a game server does, and sends what it likes.
type caller struct {
	app     engines.AppID
	secret  string
	time    string
	nonce   string
	method  string
	target  string
	body    string
	service *Verifier
}

// testNow is when the public cases happen.
const testNow = 1790000000

func newCaller(live ...string) caller {
	source := &apps{}
	source.set("demo-app", live...)
	clock := newClock(testNow)
	return caller{
		app: "demo-app", secret: live[0], time: strconv.FormatInt(testNow, 10),
		method: "POST", target: "/api/v1/economy/currency-log",
		service: NewVerifier("SVC", NewSecrets(source, clock.now), clock.now),
	}
}

func (c caller) sign() SVC {
	toSign := StringToSign(c.app, c.time, c.nonce, c.method, c.target, sha256.Sum256([]byte(c.body)))
	return SVC{App: c.app, Signature: Sign(c.secret, toSign), Timestamp: c.time}
}

// send sends the request under a signature made of possibly another one.
func (c caller) send(t *testing.T, signed SVC) (SVC, error) {
	t.Helper()
	return c.service.Verify(t.Context(), Request{
		Authorization: []string{signed.Header("SVC")}, Nonce: c.nonce, Method: c.method, Target: c.target, Body: []byte(c.body),
	})
}

// The auth-hmac cases were collected from the trackers of other projects and
// written for Standard Webhooks; here each asks the same of our scheme.
func TestHMACCases(t *testing.T) {
	with := func(change func(*caller)) caller {
		c := newCaller("psk_live", "psk_previous")
		c.body = `{"a":1}`
		change(&c)
		return c
	}
	tests := []struct {
		name   string
		signed caller
		sent   func(*caller)
		want   Cause // "" is accepted
	}{
		{
			"01 raw bytes, never a re-made body",
			with(func(c *caller) { c.body = `{"event": "mute",  "score": 2.0}` }),
			func(*caller) {}, "",
		},
		{
			"01 a re-made body is another body",
			with(func(c *caller) { c.body = `{"event": "mute",  "score": 2.0}` }),
			func(c *caller) { c.body = `{"event":"mute","score":2}` }, CauseSignature,
		},
		{
			"02 key order",
			with(func(c *caller) { c.body = `{"act":"mute","user":"u2"}` }),
			func(c *caller) { c.body = `{"user":"u2","act":"mute"}` }, CauseSignature,
		},
		{
			"03 escaped and raw letter",
			with(func(c *caller) { c.body = `{"name":"Zoë"}` }),
			func(c *caller) { c.body = `{"name":"Zo\u00eb"}` }, CauseSignature,
		},
		{
			"04 only the timestamp refreshed",
			with(func(c *caller) { c.time = "1789913600" }),
			func(c *caller) { c.time = "1790000000" }, CauseSignature,
		},
		{
			"05 clock 90 s ahead",
			with(func(c *caller) { c.time = "1790000090" }),
			func(*caller) {}, "",
		},
		{
			"06 from yesterday",
			with(func(c *caller) { c.time = "1789913600" }),
			func(*caller) {}, CauseSkew,
		},
		{
			"07 milliseconds, as documented",
			with(func(c *caller) { c.time = "1790000000000" }),
			func(*caller) {}, "",
		},
		{
			"08 rotation: the previous secret",
			with(func(c *caller) { c.secret = "psk_previous" }),
			func(*caller) {}, "",
		},
		{
			"08 rotation: one before that",
			with(func(c *caller) { c.secret = "psk_gone" }),
			func(*caller) {}, CauseSignature,
		},
		{
			"10 plus in a path is a plus",
			with(func(c *caller) { c.target = "/v1/files/HDR10+clip.wav" }),
			func(*caller) {}, "",
		},
		{
			"10 and no space",
			with(func(c *caller) { c.target = "/v1/files/HDR10+clip.wav" }),
			func(c *caller) { c.target = "/v1/files/HDR10%20clip.wav" }, CauseSignature,
		},
		{
			"11 an escaped path as it is",
			with(func(c *caller) { c.target = "/v1/items/%3Fa%3Db%20c" }),
			func(*caller) {}, "",
		},
		{
			"11 escaped twice by one side",
			with(func(c *caller) { c.target = "/v1/items/%253Fa%253Db%2520c" }),
			func(c *caller) { c.target = "/v1/items/%3Fa%3Db%20c" }, CauseSignature,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			signed := test.signed.sign()
			sent := test.signed
			test.sent(&sent)
			signed.Timestamp = sent.time
			svc, err := sent.send(t, signed)
			if test.want != "" {
				wantCause(t, err, test.want)
			} else if err != nil || svc.App != "demo-app" {
				t.Errorf("Verify = %v, %v; want demo-app", svc, err)
			}
		})
	}
}

// Case 09: the same request inside the window has one side effect.
func TestHMACCaseDuplicate(t *testing.T) {
	c := newCaller("psk_live")
	c.nonce, c.target = "msg_8_0123456789", "/api/v1/auth/token"
	clock := newClock(1790000000)
	replay := NewReplay(newSeen(clock), seenKey)
	effects := 0
	for i := range 2 {
		svc, err := c.send(t, c.sign())
		if err != nil {
			t.Fatalf("Verify %d: %v", i, err)
		}
		switch err := replay.Check(t.Context(), ReplayNonce, svc, c.nonce); {
		case err == nil:
			effects++
		case i == 0 || !errors.Is(err, ErrReplayed):
			t.Errorf("Check %d = %v", i, err)
		}
	}
	if effects != 1 {
		t.Errorf("%d side effects, want 1", effects)
	}
}

// The auth-ratelimit cases that are about who the client is: whatever it writes
// into headers, the key of its limits is one.
func TestRateLimitCaseKeys(t *testing.T) {
	const requests = 10
	tests := []struct {
		name    string
		trusted []string
		peer    func(n int) string
		xff     func(n string) []string
		want    string
	}{
		{
			"01 no trusted proxy: X-Forwarded-For is not looked at", nil,
			func(int) string { return "203.0.113.9" },
			func(n string) []string { return []string{"1.2.3." + n} },
			"203.0.113.9/32",
		},
		{
			"02 behind a trusted proxy: the right-most hop outside",
			[]string{"10.0.0.0/8"},
			func(int) string { return "10.0.0.2" },
			func(n string) []string { return []string{"1.2.3." + n + ", 198.51.100.7"} },
			"198.51.100.7/32",
		},
		{
			"03 IPv4 and its mapped form are one client", nil,
			func(n int) string { return []string{"203.0.113.9", "::ffff:203.0.113.9"}[n%2] },
			func(string) []string { return nil },
			"203.0.113.9/32",
		},
		{
			// X-Real-Ip is no parameter of Client: there is nothing to believe.
			"05 no other header counts", nil,
			func(int) string { return "203.0.113.9" },
			func(string) []string { return nil },
			"203.0.113.9/32",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			proxies, err := ParseProxies(test.trusted)
			if err != nil {
				t.Fatal(err)
			}
			for n := range requests {
				client := proxies.Client(netip.MustParseAddr(test.peer(n)), test.xff(strconv.Itoa(n)))
				if got := LimitPrefix(client).String(); got != test.want {
					t.Errorf("request %d is %s, want %s", n, got, test.want)
				}
			}
		})
	}
}
