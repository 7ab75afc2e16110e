package auth

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/engines"
)

const ticketNow = 1790000000

func newTestTickets(t *testing.T) (*Tickets, *fakeClock, *apps, *seen) {
	t.Helper()
	clock, source := newClock(ticketNow), &apps{}
	source.set("game", "psk_new", "psk_old")
	used := newSeen(clock)
	return NewTickets(NewSecrets(source, clock.now), used, seenKey, clock.now), clock, source, used
}

func goodClaims() map[string]any {
	return map[string]any{
		"iss": "game", "sub": "player-1", "aud": "portcullis", "iat": ticketNow, "exp": ticketNow + 300,
		"jti": "t-1", "scenes": []string{"lobby", "guild"}, "segment": "teen", "region": "jp", "language": "ja",
	}
}

// rawTicket signs by hand, so that what no JWT library would make can be made.
func rawTicket(header, payload, secret string) string {
	b64 := base64.RawURLEncoding
	input := b64.EncodeToString([]byte(header)) + "." + b64.EncodeToString([]byte(payload))
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(input))
	return input + "." + b64.EncodeToString(mac.Sum(nil))
}

const hs256 = `{"alg":"HS256","typ":"JWT"}`

func ticketOf(t *testing.T, secret string, claims map[string]any) string {
	t.Helper()
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	return rawTicket(hs256, string(payload), secret)
}

func TestTicketCheck(t *testing.T) {
	for _, secret := range []string{"psk_new", "psk_old"} {
		tickets, _, _, _ := newTestTickets(t)
		got, err := tickets.Check(t.Context(), ticketOf(t, secret, goodClaims()))
		if err != nil {
			t.Fatalf("Check of a ticket signed with %s: %v", secret, err)
		}
		want := Ticket{
			App: "game", Player: "player-1", ID: "t-1", Scenes: []engines.SceneID{"lobby", "guild"},
			Segment: "teen", Region: "jp", Language: "ja",
			Issued: time.Unix(ticketNow, 0), Expires: time.Unix(ticketNow+300, 0),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Check (-want +got):\n%s", diff)
		}
	}
}

func TestTicketClaims(t *testing.T) {
	tests := []struct {
		name   string
		change func(map[string]any)
		want   Cause // "" is accepted
	}{
		{"as it should be", func(map[string]any) {}, ""},
		{"nothing optional", func(c map[string]any) {
			maps.DeleteFunc(c, func(k string, _ any) bool {
				return !strings.Contains("iss sub aud iat exp", k)
			})
		}, ""},
		{"audience in a list", func(c map[string]any) { c["aud"] = []string{"other", "portcullis"} }, ""},
		{"clock 30 s ahead", func(c map[string]any) { c["iat"], c["exp"] = ticketNow+30, ticketNow+330 }, ""},
		{"ended 29 s ago", func(c map[string]any) { c["iat"], c["exp"] = ticketNow-100, ticketNow-29 }, ""},
		{"wrong audience", func(c map[string]any) { c["aud"] = "other" }, CauseTicket},
		{"no audience", func(c map[string]any) { delete(c, "aud") }, CauseTicket},
		{"iat 31 s ahead", func(c map[string]any) { c["iat"], c["exp"] = ticketNow+31, ticketNow+331 }, CauseTicket},
		{"no iat", func(c map[string]any) { delete(c, "iat") }, CauseTicket},
		{"iat is a date", func(c map[string]any) { c["iat"] = "2026-09-21" }, CauseTicket},
		{"ended 31 s ago", func(c map[string]any) { c["iat"], c["exp"] = ticketNow-100, ticketNow-31 }, CauseTicketExpired},
		{"no exp", func(c map[string]any) { delete(c, "exp") }, CauseTicket},
		{"exp before iat", func(c map[string]any) { c["iat"], c["exp"] = ticketNow, ticketNow-1 }, CauseTicket},
		{"lives 301 s", func(c map[string]any) { c["exp"] = ticketNow + 301 }, CauseTicket},
		{"lives for ever", func(c map[string]any) { c["exp"] = 1e300 }, CauseTicketExpired},
		{"not before later", func(c map[string]any) { c["nbf"] = ticketNow + 60 }, CauseTicket},
		{"no sub", func(c map[string]any) { delete(c, "sub") }, CauseTicket},
		{"empty sub", func(c map[string]any) { c["sub"] = "" }, CauseTicket},
		{"sub is a number", func(c map[string]any) { c["sub"] = 7 }, CauseTicket},
		{"long sub", func(c map[string]any) { c["sub"] = strings.Repeat("a", 129) }, CauseTicket},
		{"control character in sub", func(c map[string]any) { c["sub"] = "p\u0000" }, CauseTicket},
		{"C1 control character in sub", func(c map[string]any) { c["sub"] = "p\u0085" }, CauseTicket},
		{"control character in jti", func(c map[string]any) { c["jti"] = "a\nb" }, CauseTicket},
		{"control character in a scene", func(c map[string]any) { c["scenes"] = []string{"ok", "a\x7f"} }, CauseTicket},
		{"empty scene", func(c map[string]any) { c["scenes"] = []string{""} }, CauseTicket},
		{"control character in region", func(c map[string]any) { c["region"] = "a\tb" }, CauseTicket},
		{"scenes is text", func(c map[string]any) { c["scenes"] = "lobby" }, CauseTicket},
		{"no iss", func(c map[string]any) { delete(c, "iss") }, CauseTicket},
		{"iss is no app id", func(c map[string]any) { c["iss"] = "ga me" }, CauseTicket},
		{"another app's iss", func(c map[string]any) { c["iss"] = "other" }, CauseTicket},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tickets, _, source, _ := newTestTickets(t)
			source.set("other", "psk_other")
			claims := goodClaims()
			test.change(claims)
			got, err := tickets.Check(t.Context(), ticketOf(t, "psk_new", claims))
			if test.want != "" {
				wantCause(t, err, test.want)
				if got.Player != "" {
					t.Errorf("a refused ticket names player %q", got.Player)
				}
			} else if err != nil {
				t.Errorf("Check: %v", err)
			}
		})
	}
}

func TestTicketForgeries(t *testing.T) {
	payload, err := json.Marshal(goodClaims())
	if err != nil {
		t.Fatal(err)
	}
	p := string(payload)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(m jwt.SigningMethod, key any) string {
		s, err := jwt.NewWithClaims(m, jwt.MapClaims(goodClaims())).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	b64 := base64.RawURLEncoding.EncodeToString
	good := rawTicket(hs256, p, "psk_new")
	parts := strings.Split(good, ".")
	tests := []struct{ name, ticket string }{
		{"alg none", sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType)},
		{"alg None, signature kept", b64([]byte(`{"alg":"None"}`)) + "." + parts[1] + "." + parts[2]},
		{"no alg", rawTicket(`{"typ":"JWT"}`, p, "psk_new")},
		{"HS384 with the right secret", sign(jwt.SigningMethodHS384, []byte("psk_new"))},
		{"HS512 with the right secret", sign(jwt.SigningMethodHS512, []byte("psk_new"))},
		{"RS256", sign(jwt.SigningMethodRS256, key)},
		{"HS256 under an alg of RS256", rawTicket(`{"alg":"RS256"}`, p, "psk_new")},
		{"another secret", rawTicket(hs256, p, "psk_other")},
		{"empty secret", rawTicket(hs256, p, "")},
		{"critical extension", rawTicket(`{"alg":"HS256","crit":["b64"],"b64":false}`, p, "psk_new")},
		{"invalid UTF-8 in sub", rawTicket(hs256, strings.Replace(p, "player-1", "player-\xff", 1), "psk_new")},
		{"lone surrogate in sub", rawTicket(hs256, strings.Replace(p, "player-1", `player-\ud800`, 1), "psk_new")},
		{"payload swapped", parts[0] + "." + b64([]byte(strings.Replace(p, "player-1", "player-2", 1))) + "." + parts[2]},
		{"signature cut", parts[0] + "." + parts[1] + "." + parts[2][:20]},
		{"no signature", parts[0] + "." + parts[1] + "."},
		{"two parts", parts[0] + "." + parts[1]},
		{"empty", ""},
		{"dots", ".."},
		{"payload is a list", rawTicket(hs256, `[]`, "psk_new")},
		{"payload is null", rawTicket(hs256, `null`, "psk_new")},
		{"SVC string as JWT", "SVC1-HMAC-SHA256"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tickets, _, _, _ := newTestTickets(t)
			_, err := tickets.Check(t.Context(), test.ticket)
			wantCause(t, err, CauseTicket)
		})
	}
	for name, ticket := range map[string]string{
		"huge": strings.Repeat("a", maxTicket+1), "padded": good + "=", "line feed": good + "\n", "line feed inside": good[:9] + "\n" + good[9:], "blank": " " + good,
	} {
		t.Run(name, func(t *testing.T) {
			tickets, _, source, _ := newTestTickets(t)
			_, err := tickets.Check(t.Context(), ticket)
			wantCause(t, err, CauseGrammar)
			if got := source.lookups(); got != 0 {
				t.Errorf("%d look-ups for what can't be a ticket, want 0", got)
			}
		})
	}
}

func TestTicketMint(t *testing.T) {
	tickets, clock, _, _ := newTestTickets(t)
	clock.advance(999 * time.Millisecond)
	ask := Ticket{Player: "プレイヤー", Scenes: []engines.SceneID{"lobby"}, Segment: "adult", Region: "kr", Language: "ko"}
	ticket, ttl, err := tickets.Mint(t.Context(), "game", ask)
	if err != nil || ttl != TicketTTL {
		t.Fatalf("Mint = %s, %v; want %s", ttl, err, TicketTTL)
	}
	got, err := tickets.Check(t.Context(), ticket)
	if err != nil {
		t.Fatal(err)
	}
	if got.ID == "" {
		t.Error("a minted ticket has no jti")
	}
	want := ask
	want.App, want.ID, want.Issued, want.Expires = "game", got.ID, time.Unix(ticketNow, 0), time.Unix(ticketNow+300, 0)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Check of a minted ticket (-want +got):\n%s", diff)
	}
	clock.advance(TicketTTL + ticketLeeway)
	_, err = tickets.Check(t.Context(), ticket)
	wantCause(t, err, CauseTicketExpired)

	_, _, err = tickets.Mint(t.Context(), "no-such-app", ask)
	wantCause(t, err, CauseApp)
	for name, bad := range map[string]Ticket{
		"no player":         {},
		"control character": {Player: "a\nb"},
		"bad scene":         {Player: "a", Scenes: []engines.SceneID{"a\x00"}},
		"too many scenes":   {Player: "a", Scenes: make1000Scenes()},
	} {
		if _, _, err := tickets.Mint(t.Context(), "game", bad); !errors.Is(err, ErrInvalid) {
			t.Errorf("Mint with %s = %v, want ErrInvalid", name, err)
		}
	}
}

func make1000Scenes() []engines.SceneID {
	scenes := make([]engines.SceneID, 1000)
	for i := range scenes {
		scenes[i] = "a-scene-with-a-name"
	}
	return scenes
}

func TestTicketJTI(t *testing.T) {
	tickets, clock, _, used := newTestTickets(t)
	if err := tickets.UseJTI(t.Context(), "game", "t-1"); err != nil {
		t.Errorf("first use: %v", err)
	}
	wantCause(t, tickets.UseJTI(t.Context(), "game", "t-1"), CauseTicketUsed)
	clock.advance(TicketTTL + 2*ticketLeeway) // as long as any ticket can be shown
	wantCause(t, tickets.UseJTI(t.Context(), "game", "t-1"), CauseTicketUsed)
	if err := tickets.UseJTI(t.Context(), "other", "t-1"); err != nil {
		t.Errorf("the same jti of another app: %v", err)
	}
	for range 2 {
		if err := tickets.UseJTI(t.Context(), "game", ""); err != nil {
			t.Errorf("a ticket without jti: %v", err)
		}
	}
	used.err = errStore
	if err := tickets.UseJTI(t.Context(), "game", "t-2"); !errors.Is(err, ErrUnavailable) {
		t.Errorf("UseJTI = %v, want ErrUnavailable", err)
	}
}

func TestTicketAfterRotation(t *testing.T) {
	tickets, clock, source, _ := newTestTickets(t)
	if _, err := tickets.Check(t.Context(), ticketOf(t, "psk_new", goodClaims())); err != nil {
		t.Fatal(err)
	}
	source.set("game", "psk_newer", "psk_new")
	clock.advance(time.Second)
	if _, err := tickets.Check(t.Context(), ticketOf(t, "psk_newer", goodClaims())); err != nil {
		t.Errorf("Check with a secret made a second ago: %v", err)
	}
	_, err := tickets.Check(t.Context(), ticketOf(t, "psk_old", goodClaims()))
	wantCause(t, err, CauseTicket)
	clock.advance(time.Second)
	source.mu.Lock()
	source.err = errStore
	source.mu.Unlock()
	if _, err := tickets.Check(t.Context(), ticketOf(t, "psk_forged", goodClaims())); !errors.Is(err, ErrUnavailable) {
		t.Errorf("Check = %v, want ErrUnavailable", err)
	}
}

func FuzzTicket(f *testing.F) {
	payload, err := json.Marshal(goodClaims())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(hs256, string(payload))
	f.Add(`{"alg":"none"}`, `{"iss":"game"}`)
	f.Fuzz(func(t *testing.T, header, payload string) {
		tickets, _, _, _ := newTestTickets(t)
		// Signed with the right secret: what is let in must be what the rules say.
		got, err := tickets.Check(t.Context(), rawTicket(header, payload, "psk_new"))
		if err != nil {
			if CauseOf(err) == "" {
				t.Errorf("Check = %v, want a refusal", err)
			}
			return
		}
		if got.App != "game" || !validID(string(got.Player)) || got.Expires.Sub(got.Issued) > TicketTTL {
			t.Errorf("Check let in %+v", got)
		}
	})
}
