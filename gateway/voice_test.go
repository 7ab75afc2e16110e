package gateway

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// fakeVoice keeps what it is asked.
type fakeVoice struct {
	mu      sync.Mutex
	who     session.Speaker
	offer   string
	trickle []string
	mid     string
	hung    []string
	pcm     []byte
	mutes   []bool
	ended   chan struct{}
	hangUp  func()
	refuse  error
	entered bool
}

func (v *fakeVoice) Offer(_ context.Context, who *session.Speaker, sdp string) (answer, id string, err error) {
	v.who, v.offer = *who, sdp
	return "v=0 the answer", "call-1", v.refuse
}

func (v *fakeVoice) Trickle(id string, candidates []string, mid string) error {
	if id != "call-1" {
		return wire.Fail(wire.NotFound, "")
	}
	v.trickle, v.mid = candidates, mid
	return nil
}

func (v *fakeVoice) Hang(id string) error {
	if id != "call-1" {
		return wire.Fail(wire.NotFound, "")
	}
	v.hung = append(v.hung, id)
	return nil
}

func (v *fakeVoice) Door(who *session.Speaker, _, channels int) (string, error) {
	v.who = *who
	if channels != 2 {
		return "", errors.New("channels")
	}
	return "door-1", v.refuse
}

func (v *fakeVoice) Enter(id string, hangUp func()) (Listener, error) {
	if id != "door-1" || v.entered {
		return nil, wire.Fail(wire.NotFound, "used")
	}
	v.entered, v.hangUp = true, hangUp
	return v, nil
}

func (v *fakeVoice) Sound(pcm []byte) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.pcm = append(v.pcm, pcm...)
	return true
}

func (v *fakeVoice) Mute(muted bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.mutes = append(v.mutes, muted)
}

func (v *fakeVoice) End() { close(v.ended) }

// openVoice is a door to a fake, whose tickets ("ann") name the scene lobby.
func openVoice(t *testing.T) (*door, *fakeVoice) {
	t.Helper()
	v := &fakeVoice{ended: make(chan struct{})}
	return open(t, func(_ *Config, deps *Deps) {
		deps.Voice = v
		deps.Identities = fakeIdentities(func(_ context.Context, token string) (session.Identity, error) {
			switch token {
			case "ann":
				return session.Identity{Role: session.Player, App: appA, Player: "ann", Grants: []engines.SceneID{"lobby"}, Language: "en"}, nil
			case "server":
				return session.Identity{Role: session.Server, App: appA}, nil
			}
			return session.Identity{}, session.ErrUnknown
		})
	}), v
}

func TestWHIP(t *testing.T) {
	d, v := openVoice(t)
	const sdp = "Content-Type: application/sdp"
	a := d.send("POST", "/api/v1/voice/whip?scene_id=lobby", "v=0 an offer", sdp, bearerOf("ann"))
	if a.status != 201 || string(a.body) != "v=0 the answer" || a.header.Get("Location") != "/api/v1/voice/whip/call-1" || a.header.Get("Content-Type") != "application/sdp" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
	if v.offer != "v=0 an offer" || v.who.Player != "ann" || v.who.App != appA || v.who.Scene != "lobby" || v.who.Language != "en" || !v.who.From.IsLoopback() {
		t.Errorf("asked %q of %+v", v.offer, v.who)
	}
	fragment := "a=ice-ufrag:x\r\nm=audio 9 UDP/TLS/RTP/SAVPF 0\r\na=mid:0\r\na=candidate:1 1 udp 1 192.0.2.1 9 typ host\r\n"
	if a := d.send("PATCH", "/api/v1/voice/whip/call-1", fragment, "Content-Type: application/trickle-ice-sdpfrag"); a.status != 204 {
		t.Errorf("PATCH: %d %s", a.status, a.body)
	}
	if want := []string{"candidate:1 1 udp 1 192.0.2.1 9 typ host"}; !slices.Equal(v.trickle, want) || v.mid != "0" {
		t.Errorf("candidates %q of %q", v.trickle, v.mid)
	}
	if a := d.send("DELETE", "/api/v1/voice/whip/call-1", ""); a.status != 200 || len(v.hung) != 1 {
		t.Errorf("DELETE: %d %s", a.status, a.body)
	}
	for name, c := range map[string]struct {
		a    answer
		code wire.Code
	}{
		"no ticket":           {d.send("POST", "/api/v1/voice/whip?scene_id=lobby", "x", sdp), wire.Unauthenticated},
		"unknown ticket":      {d.send("POST", "/api/v1/voice/whip?scene_id=lobby", "x", sdp, bearerOf("eve")), wire.Unauthenticated},
		"a server's token":    {d.send("POST", "/api/v1/voice/whip?scene_id=lobby", "x", sdp, bearerOf("server")), wire.Forbidden},
		"another scene":       {d.send("POST", "/api/v1/voice/whip?scene_id=attic", "x", sdp, bearerOf("ann")), wire.Forbidden},
		"no scene":            {d.send("POST", "/api/v1/voice/whip", "x", sdp, bearerOf("ann")), wire.InvalidParameter},
		"JSON":                {d.send("POST", "/api/v1/voice/whip?scene_id=lobby", "{}", "Content-Type: application/json", bearerOf("ann")), wire.Unsupported},
		"PATCH of no call":    {d.send("PATCH", "/api/v1/voice/whip/x", "", "Content-Type: application/trickle-ice-sdpfrag"), wire.NotFound},
		"PATCH of JSON":       {d.send("PATCH", "/api/v1/voice/whip/call-1", "{}", "Content-Type: application/json"), wire.Unsupported},
		"DELETE of no call":   {d.send("DELETE", "/api/v1/voice/whip/x", ""), wire.NotFound},
		"GET is no way to it": {d.send("GET", "/api/v1/voice/whip?scene_id=lobby", ""), wire.MethodNotAllowed},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, c.a, c.code) })
	}
	v.refuse = wire.Muted(time.Now().Add(time.Hour), time.Now())
	m := wantError(t, d.send("POST", "/api/v1/voice/whip?scene_id=lobby", "x", sdp, bearerOf("ann")), wire.Forbidden)
	if m["until"] == nil {
		t.Errorf("a muted player is not told until when: %v", m)
	}
}

// TestWHIPOfPages: a page of an origin that is allowed sees the answer and the call's
// address, before which its browser asks; one of another is refused.
func TestWHIPOfPages(t *testing.T) {
	d, v := openVoice(t)
	d.g.origins = newOriginList([]string{"https://play.example.com"})
	const whip, sdp, page = "/api/v1/voice/whip?scene_id=lobby", "Content-Type: application/sdp", "Origin: https://play.example.com"
	for path, methods := range map[string]string{"/api/v1/voice/whip": "POST", "/api/v1/voice/whip/call-1": "PATCH, DELETE"} {
		a := d.send("OPTIONS", path, "", page, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type")
		if a.status != 204 || a.header.Get("Access-Control-Allow-Origin") != "https://play.example.com" || a.header.Get("Access-Control-Allow-Methods") != methods ||
			!strings.Contains(a.header.Get("Access-Control-Allow-Headers"), "Authorization") || a.header.Get("Access-Control-Allow-Credentials") != "" || a.header.Get("Vary") != "Origin" {
			t.Errorf("OPTIONS %s: %d %v", path, a.status, a.header)
		}
	}
	a := d.send("POST", whip, "v=0", sdp, page, bearerOf("ann"))
	if a.status != 201 || a.header.Get("Access-Control-Allow-Origin") != "https://play.example.com" || !strings.Contains(a.header.Get("Access-Control-Expose-Headers"), "Location") {
		t.Errorf("POST: %d %v", a.status, a.header)
	}
	if a := d.send("POST", whip, "v=0", sdp, bearerOf("ann")); a.status != 201 || a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("without an origin: %d %v", a.status, a.header)
	}
	v.offer = ""
	a = d.send("POST", whip, "v=0", sdp, "Origin: https://evil.example.com", bearerOf("ann"))
	wantError(t, a, wire.Forbidden)
	if v.offer != "" || a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("a page of another origin: %q, %v", v.offer, a.header)
	}
	wantError(t, d.send("OPTIONS", "/api/v1/voice/whip", "", "Origin: https://evil.example.com"), wire.Forbidden)
}

func TestEgress(t *testing.T) {
	d, v := openVoice(t)
	token := d.token(appA, "stream")
	a := d.send("POST", "/api/v1/voice/egress", `{"scene_id":"lobby","player_id":"bob"}`, "Content-Type: application/json", bearerOf(token))
	url, ok := a.json(t)["url"].(string)
	if a.status != 200 || !ok || url != "ws://"+d.addr+"/api/v1/voice/egress/door-1" || a.json(t)["expires_in"] != float64(60) {
		t.Fatalf("%d %s", a.status, a.body)
	}
	wantError(t, d.send("POST", "/api/v1/voice/egress", `{"scene_id":"lobby"}`, "Content-Type: application/json", bearerOf(token)), wire.InvalidParameter)
	wantError(t, d.send("POST", "/api/v1/voice/egress", `{"scene_id":"lobby","player_id":"bob"}`, bearerOf(d.token(appA, "check"))), wire.Forbidden)
	ws, _, err := websocket.Dial(t.Context(), url, nil) //nolint:bodyclose // there is none
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		kind websocket.MessageType
		body string
	}{{websocket.MessageBinary, "abcd"}, {websocket.MessageText, `{"muted":true}`}, {websocket.MessageText, "what"}, {websocket.MessageText, `{"muted":false}`}, {websocket.MessageBinary, "ef"}} {
		if err := ws.Write(t.Context(), m.kind, []byte(m.body)); err != nil {
			t.Fatal(err)
		}
	}
	_, res, err := websocket.Dial(t.Context(), url, nil)
	if err == nil || res == nil || res.StatusCode != http.StatusNotFound {
		t.Fatalf("the address was used twice: %v", err)
	}
	_ = res.Body.Close() // read by nobody
	heard := func() string { v.mu.Lock(); defer v.mu.Unlock(); return string(v.pcm) }
	for end := time.Now().Add(time.Minute); heard() != "abcdef" && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	if heard() != "abcdef" || !slices.Equal(v.mutes, []bool{true, false}) {
		t.Errorf("heard %q, mutes %v", heard(), v.mutes)
	}
	v.hangUp() // the call ends: the socket does
	if _, _, err := ws.Read(t.Context()); err == nil || strings.Contains(err.Error(), "context") {
		t.Errorf("the socket is open: %v", err)
	}
	<-v.ended
}
