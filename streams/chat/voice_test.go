package chat

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// calls keeps what it is asked: a Voice.
type calls struct {
	mu    sync.Mutex
	heard []string
	who   session.Speaker
	track wire.VoiceTrack
	left  []engines.SessionID
}

func (c *calls) note(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = append(c.heard, what)
}

func (c *calls) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.heard)
}

func (c *calls) Offer(_ context.Context, who *session.Speaker, sdp string) (answer, id string, err error) {
	if sdp == "bad" {
		return "", "", wire.Invalid("/sdp", "is bad")
	}
	c.note("offer " + sdp)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.who = *who
	return "answer to " + sdp, "x", nil
}

func (c *calls) Candidate(_ engines.SessionID, candidate, mid string) error {
	c.note("candidate " + candidate + " " + mid)
	return nil
}
func (c *calls) Close(engines.SessionID) error { c.note("close"); return nil }
func (c *calls) CloseTrack(engines.SessionID, uint8) error {
	return wire.Fail(wire.NotFound, "there is no such track")
}

func (c *calls) Open(who *session.Speaker, t wire.VoiceTrack) error {
	c.note("open")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.who, c.track = *who, t
	return nil
}

func (c *calls) Frame(_ engines.SessionID, b []byte) error {
	if string(b) == "bad" {
		return wire.Fail(wire.InvalidParameter, "is bad")
	}
	c.note("frame " + string(b))
	return nil
}

func (c *calls) Left(id engines.SessionID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = append(c.left, id)
}

func wantCode(t *testing.T, m message, code wire.Code) {
	t.Helper()
	if m.str("type") != "error" || m.num("code") != uint64(code) {
		t.Errorf("%v, want error %d", m, code)
	}
}

// A player's offer, candidates and close walk over the stream; what it may not is refused.
func TestVoiceOfAPlayer(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	c := login(t, g, "player ann lobby")
	ask := func(m message) message {
		m["id"] = "v"
		c.send(m)
		m, err := c.read()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := ask(message{"type": "voice.offer", "scene_id": "lobby", "sdp": "x"}); m.str("type") != "voice.answer" || m.str("sdp") != "answer to x" || m.str("id") != "v" {
		t.Errorf("%v", m)
	}
	if w := g.calls.who; w.Player != "ann" || w.App != "game" || w.Scene != "lobby" || w.Session == "" {
		t.Errorf("asked of %+v", w)
	}
	if m := ask(message{"type": "voice.candidate", "candidate": "c", "sdp_mid": "0"}); m.str("type") != "ok" {
		t.Errorf("%v", m)
	}
	wantCode(t, ask(message{"type": "voice.offer", "scene_id": "lobby", "sdp": "bad"}), wire.InvalidParameter)
	wantCode(t, ask(message{"type": "voice.offer", "scene_id": "lobby"}), wire.InvalidParameter)
	wantCode(t, ask(message{"type": "voice.offer", "scene_id": "attic", "sdp": "x"}), wire.Forbidden)
	wantCode(t, ask(message{"type": "voice.open", "track": 1, "player_id": "bob", "scene_id": "lobby", "codec": "opus"}), wire.Forbidden)
	if m := ask(message{"type": "voice.close"}); m.str("type") != "ok" {
		t.Errorf("%v", m)
	}
	if want := []string{"offer x", "candidate c 0", "close"}; !slices.Equal(g.calls.all(), want) {
		t.Errorf("asked %q, want %q", g.calls.all(), want)
	}
	// A binary frame of a player is of the wrong kind.
	if err := c.ws.Write(t.Context(), websocket.MessageBinary, []byte("sound")); err != nil {
		t.Fatal(err)
	}
	c.wantClosed(wire.CloseWrongKind)
}

// A game server opens tracks and sends their sound in binary frames, of which a bad one
// ends nothing.
func TestVoiceOfABridge(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	c := login(t, g, "server")
	c.send(message{"type": "voice.open", "id": "o", "track": 7, "player_id": "bob", "scene_id": "lobby", "codec": "pcm16", "rate": 24000, "language": "ja"})
	if m := c.next("ok"); m.num("track") != 7 {
		t.Errorf("%v", m)
	}
	if w, tr := g.calls.who, g.calls.track; w.Player != "bob" || w.Language != "ja" || tr.Track != 7 || tr.Rate != 24000 || tr.Channels != 1 || tr.Codec != wire.VoicePCM {
		t.Errorf("opened %+v for %+v", tr, w)
	}
	for _, b := range []string{"one", "bad", "two"} {
		if err := c.ws.Write(t.Context(), websocket.MessageBinary, []byte(b)); err != nil {
			t.Fatal(err)
		}
	}
	wantCode(t, c.next("error"), wire.InvalidParameter)
	for body, code := range map[string]wire.Code{"offer": wire.Forbidden, "close": wire.NotFound} {
		c.send(message{"type": "voice." + body, "id": "x", "scene_id": "lobby", "sdp": "x", "track": 9})
		wantCode(t, c.next("error"), code)
	}
	c.send(message{"type": "voice.open", "id": "o", "track": 256, "player_id": "bob", "scene_id": "lobby", "codec": "mp3"})
	if m := c.next("error"); len(m["errors"].([]any)) != 2 { //nolint:forcetypeassert // an error's
		t.Errorf("%v, want two faults", m)
	}
	if want := []string{"open", "frame one", "frame two"}; !slices.Equal(g.calls.all(), want) {
		t.Errorf("asked %q, want %q", g.calls.all(), want)
	}
}

// What is pushed about a call is numbered like every push, and a session that ends takes
// its calls with it.
func TestVoicePushAndEnd(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	c := login(t, g, "player ann lobby")
	out := verdict(engines.Drop)
	g.hub.Push("game", "ann", "", wire.AppendVoiceVerdict(nil, wire.VoiceCall{Scene: "lobby"}, 1200, &out))
	if m := c.next("voice.verdict"); m.num("seq") != 1 || m.num("at_ms") != 1200 || m.str("suggestion") != "block" || m["confidence"] != nil {
		t.Errorf("%v", m)
	}
	id := engines.SessionID(c.ready.str("session_id"))
	login(t, g, "player ann lobby") // replaces it
	c.wantClosed(wire.CloseReplaced)
	g.drain(t)
	g.calls.mu.Lock()
	defer g.calls.mu.Unlock()
	if !slices.Contains(g.calls.left, id) {
		t.Errorf("left %q, want %q among them", g.calls.left, id)
	}
}
