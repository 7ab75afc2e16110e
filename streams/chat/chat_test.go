package chat

import (
	"slices"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

func TestVerdicts(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	ann, bob := login(t, g, "player ann lobby"), login(t, g, "player bob lobby")
	for _, test := range []struct{ text, action, pushed string }{
		{"hi", "deliver", "hi"},
		{"drop it", "drop", ""},
		{"hold it", "hold", ""},
		{"mask word", "mask", "****"},
		{"bye", "deliver", "bye"},
	} {
		v := ann.say("", test.text)
		if v.str("action") != test.action {
			t.Errorf("verdict on %q: %v, want %s", test.text, v, test.action)
		}
		if test.pushed == "" {
			continue
		}
		if got := bob.next("message"); got.str("content") != test.pushed || got.str("player_id") != "ann" || got.str("message_id") != v.str("request_id") {
			t.Errorf("push after %q: %v, want %q", test.text, got, test.pushed)
		}
	}
	if len(ann.said) != 0 {
		t.Errorf("the author got %q", ann.said)
	}
}

func TestRefusals(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	ann := login(t, g, "player ann lobby hall")
	server, mod := login(t, g, "server"), login(t, g, "moderator")
	for _, test := range []struct {
		name string
		c    *client
		m    message
		want wire.Code
	}{
		{"scene that the ticket does not name", ann, message{"type": "join", "scene_id": "vault"}, wire.Forbidden},
		{"chat in it", ann, message{"type": "chat", "scene_id": "vault", "content": "x"}, wire.Forbidden},
		{"empty chat", ann, message{"type": "chat", "scene_id": "lobby", "content": ""}, wire.InvalidParameter},
		{"check by a player", ann, message{"type": "check", "content": "x"}, wire.Forbidden},
		{"batch by a player", ann, message{"type": "batch", "messages": []any{}}, wire.Forbidden},
		{"unknown type", ann, message{"type": "dance"}, wire.InvalidParameter},
		{"second hello", ann, message{"type": "hello"}, wire.InvalidParameter},
		{"store away", ann, message{"type": "chat", "scene_id": "lobby", "content": "fail"}, wire.Unavailable},
		{"chat by a server for nobody", server, message{"type": "chat", "scene_id": "lobby", "content": "x"}, wire.InvalidParameter},
		{"chat by a moderator", mod, message{"type": "chat", "scene_id": "lobby", "content": "x"}, wire.Forbidden},
		{"join by a moderator", mod, message{"type": "join", "scene_id": "lobby"}, wire.Forbidden},
	} {
		test.m["id"] = test.name[:min(len(test.name), 30)]
		test.c.send(test.m)
		got := test.c.expect("error")
		if wire.Code(got.num("code")) != test.want || got.str("id") != test.m["id"] {
			t.Errorf("%s: %v, want %d", test.name, got, test.want)
		}
	}
	ann.send(message{"type": "leave", "id": "l", "scene_id": "hall"})
	ann.expect("ok")
	ann.send(message{"type": "chat", "id": "c", "scene_id": "hall", "content": "x"})
	if got := ann.expect("error"); wire.Code(got.num("code")) != wire.Forbidden {
		t.Errorf("chat after leave: %v", got)
	}
	ann.send(message{"type": "ping", "id": "p", "seq": 0})
	ann.expect("pong")
}

func TestServer(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	one, two := login(t, g, "server"), login(t, g, "server")
	ann := login(t, g, "player ann lobby")
	one.send(message{"type": "join", "id": "j", "scene_id": "lobby"}) // it gets no copy of what it says itself
	one.expect("ok")
	one.send(message{"type": "batch", "id": "b", "messages": []any{
		message{"type": "chat", "id": "1", "scene_id": "lobby", "player_id": "npc", "content": "hail"},
		message{"type": "check", "id": "2", "content": "drop it"},
		message{"type": "chat", "id": "3", "scene_id": "lobby", "player_id": "npc", "content": "well met"},
	}})
	for _, want := range []struct{ typ, id string }{{"verdict", "1"}, {"result", "2"}, {"verdict", "3"}, {"ok", "b"}} {
		if got := one.next(want.typ); got.str("id") != want.id {
			t.Errorf("answer %v, want %v", got, want)
		}
	}
	ann.next("message")
	if got := ann.next("message"); got.str("player_id") != "npc" || got.str("content") != "well met" {
		t.Errorf("push %v", got)
	}
	two.send(message{"type": "check", "id": "x", "content": "fine"}) // lives on beside the other
	two.expect("result")
	many := make([]any, 65)
	for i := range many {
		many[i] = message{"type": "check", "content": "x"}
	}
	one.send(message{"type": "batch", "id": "big", "messages": many})
	if got := one.next("error"); got.str("id") != "big" {
		t.Errorf("batch of 65: %v", got)
	}
}

func TestFirstFrame(t *testing.T) {
	cfg := testConfig()
	cfg.HelloTimeout = 50 * time.Millisecond
	hasty := serve(t, newWorld(), "b", cfg, desk(words))
	dial(t, hasty).wantClosed(wire.CloseForbidden) // says nothing
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	for _, test := range []struct {
		name string
		m    message
		want websocket.StatusCode
	}{
		{"chat", message{"type": "chat", "scene_id": "x", "content": "x"}, wire.CloseForbidden},
		{"no token", message{"type": "hello"}, wire.CloseAuth},
		{"bad token", message{"type": "hello", "token": "who"}, wire.CloseAuth},
		{"expired token", message{"type": "hello", "token": "expired"}, wire.CloseTicket},
		{"broken resume", message{"type": "resume"}, wire.CloseForbidden},
	} {
		c := dial(t, g)
		c.send(test.m)
		if got := c.closed(); got != test.want {
			t.Errorf("%s: closed with %d, want %d", test.name, got, test.want)
		}
	}
	for _, g := range []*gate{g, hasty} {
		eventually(t, "connections forgotten", func() bool {
			g.hub.mu.RLock()
			defer g.hub.mu.RUnlock()
			return len(g.hub.links) == 0
		})
	}
}

func TestWrongFrames(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	for _, test := range []struct {
		typ  websocket.MessageType
		data string
		want websocket.StatusCode
	}{
		{websocket.MessageBinary, "{}", wire.CloseWrongKind},
		{websocket.MessageText, "{\"type\":\"ping\xff\"}", wire.CloseBadUTF8},
		{websocket.MessageText, string(make([]byte, 129<<10)), websocket.StatusMessageTooBig},
	} {
		c := login(t, g, "player ann lobby")
		if err := c.ws.Write(t.Context(), test.typ, []byte(test.data)); err != nil {
			t.Fatal(err)
		}
		c.wantClosed(test.want)
	}
}

func TestSameID(t *testing.T) {
	checks := 0
	g := serve(t, newWorld(), "a", testConfig(), desk(func(it *engines.Item) (engines.Outcome, error) {
		checks++ // one reader at a time
		return words(it)
	}))
	ann, bob := login(t, g, "player ann lobby"), login(t, g, "player bob lobby")
	first := ann.say("1", "once")
	again := ann.say("1", "once")
	if again["dup"] != true || again.str("request_id") != first.str("request_id") {
		t.Errorf("the same id again: %v, want the answer %v", again, first)
	}
	ann.send(message{"type": "chat", "id": "1", "scene_id": "lobby", "content": "other"})
	if got := ann.expect("error"); wire.Code(got.num("code")) != wire.Conflict {
		t.Errorf("the same id for another message: %v", got)
	}
	ann.wantResumed(g, 0)
	if got := ann.say("1", "once"); got["dup"] != true {
		t.Errorf("the same id after a resume: %v", got)
	}
	ann.say("2", "twice")
	bob.next("message")
	bob.next("message")
	if want := []string{"once", "twice"}; !slices.Equal(bob.said, want) || checks != len(want) {
		t.Errorf("delivered %q after %d checks, want %q", bob.said, checks, want)
	}
}

func TestPanicEndsOneConnection(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	ann, bob := login(t, g, "player ann lobby"), login(t, g, "player bob lobby")
	ann.send(message{"type": "chat", "id": "1", "scene_id": "lobby", "content": "panic"})
	if _, err := ann.read(); err == nil {
		t.Fatal("the connection goes on after a panic")
	}
	bob.say("1", "still here")
	bob.settle()
	ann.wantResumed(g, 1)
	ann.next("message")
	ann.say("2", "back")
}

func TestLate(t *testing.T) {
	checked, release := make(chan *engines.Item, 1), make(chan struct{})
	g := serve(t, newWorld(), "a", testConfig(), desk(func(it *engines.Item) (engines.Outcome, error) {
		mine := *it
		checked <- &mine
		<-release
		return verdict(engines.Deliver), nil
	}))
	ann, bob := login(t, g, "player ann lobby"), login(t, g, "player bob lobby")
	ann.send(message{"type": "chat", "id": "1", "scene_id": "lobby", "content": "bad"})
	it := <-checked
	out := verdict(engines.Drop)
	out.RequestID = it.RequestID
	g.hub.Late(it, out) // before the message is out: does not wait, and does not overtake it
	close(release)
	if got := bob.next("message"); got.str("message_id") != string(it.RequestID) {
		t.Errorf("push %v", got)
	}
	if got := bob.next("retract"); got.str("message_id") != string(it.RequestID) || got.str("reason") != "harassment" {
		t.Errorf("retraction %v", got)
	}
	if got := ann.next("verdict"); got.str("action") != "deliver" {
		t.Errorf("first verdict %v", got)
	}
	if got := ann.next("verdict"); got.str("action") != "drop" || got.num("seq") != 1 {
		t.Errorf("late verdict %v", got)
	}
	ann.next("retract")
	if err := g.hub.Publish(t.Context(), it, "case"); err != nil {
		t.Fatal(err)
	}
	if got := ann.next("notice"); got.str("kind") != "approved" {
		t.Errorf("notice %v", got)
	}
	bob.next("message")
	if err := g.hub.Reject(t.Context(), it, "case"); err != nil {
		t.Fatal(err)
	}
	if got := ann.next("notice"); got.str("kind") != "rejected" {
		t.Errorf("notice %v", got)
	}
}

func TestScenesComeAndGo(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	ann, bob := login(t, g, "player ann lobby"), login(t, g, "player bob lobby")
	key := sceneKey{"game", "lobby"}
	bob.join("lobby") // twice is once
	ann.say("1", "one")
	bob.next("message")
	for _, c := range []*client{bob, ann} {
		c.send(message{"type": "leave", "id": "l", "scene_id": "lobby"})
		c.next("ok")
	}
	if g.hub.scene(key) != nil {
		t.Error("a scene without members is kept")
	}
	g.set(func(n *node) {
		if n.heard[key] {
			t.Error("a scene without members is heard")
		}
	})
	bob.join("lobby")
	ann.join("lobby")
	ann.say("2", "two")
	bob.next("message")
	if want := []string{"one", "two"}; !slices.Equal(bob.said, want) {
		t.Errorf("got %q, want %q", bob.said, want)
	}
}
