package chat

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

func TestHeartbeat(t *testing.T) {
	cfg := testConfig()
	cfg.Heartbeat = 2 * time.Second // silence is told in whole seconds
	g := serve(t, newWorld(), "a", cfg, desk(words))
	ann, bob, mod := login(t, g, "player ann lobby"), login(t, g, "player bob lobby"), login(t, g, "moderator")
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(cfg.Heartbeat / 10): // late by most of a heartbeat, it is still in time
				ann.send(message{"type": "ping"})
			}
		}
	})
	bob.wantClosed(wire.CloseHeartbeat)
	mod.wantClosed(wire.CloseHeartbeat)
	close(stop)
	wg.Wait()
	ann.say("1", "alive")
	ann.settle()
	bob.wantResumed(g, 1)
}

// TestStoodStill: a gateway that was stopped for minutes does not take its own silence for
// that of its clients, which get the time of two heartbeats from when it goes on.
func TestStoodStill(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	ann, mod := login(t, g, "player ann lobby"), login(t, g, "moderator")
	now := time.Now()
	before := now.Add(-10 * time.Minute)
	g.hub.stood(before, now)
	g.hub.mu.RLock()
	for l := range g.hub.links {
		l.heard.Store(before.Unix())
	}
	g.hub.mu.RUnlock()
	g.hub.sweep(now)
	ann.say("1", "still here")
	mod.send(message{"type": "ping", "id": "p"})
	mod.expect("pong")

	g.hub.stood(now, now.Add(sweepEvery+stoodStill)) // late, but not by so much
	later := time.Now().Add(10 * time.Minute)
	g.hub.sweep(later)
	ann.wantClosed(wire.CloseHeartbeat)
	mod.wantClosed(wire.CloseHeartbeat)
}

func TestRate(t *testing.T) {
	cfg := testConfig()
	cfg.PlayerRate, cfg.PlayerBurst = 1, 2
	g := serve(t, newWorld(), "a", cfg, desk(words))
	ann := login(t, g, "player ann lobby")
	sayAll(ann, numbers(1, 2))
	for i := range 20 * refusalsBeforeClose { // a busy machine takes seconds for them, each of which lets one through
		if ann.ws.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"type":"chat","id":"f%d","scene_id":"lobby","content":"flood"}`, i)) != nil {
			break // closed already
		}
	}
	got := ann.expect("error")
	if wire.Code(got.num("code")) != wire.RateLimited || got.num("retry_ms") == 0 || got.num("retry_ms") > 1000 {
		t.Errorf("past the rate: %v", got)
	}
	ann.wantClosed(wire.CloseRateAbuse)

	bob := login(t, g, "player bob lobby")
	for range otherBurst + 20*refusalsBeforeClose {
		if bob.ws.Write(t.Context(), websocket.MessageText, []byte(`{"type":`)) != nil {
			break // closed already
		}
	}
	bob.wantClosed(wire.CloseRateAbuse)
}

// TestPardons: who sends a multiple of its rate is closed, however slowly we read it, and
// who sends a little too much is not.
func TestPardons(t *testing.T) {
	for _, test := range []struct {
		refused int // between two that are granted
		closed  bool
	}{{pardons, false}, {pardons + 1, true}, {50, true}} {
		var p player
		closed := false
		for range 2 * refusalsBeforeClose {
			p.granted()
			for range test.refused {
				closed = p.refused() || closed
			}
		}
		if closed != test.closed {
			t.Errorf("%d refused for each that is granted: closed %t, want %t", test.refused, closed, test.closed)
		}
	}
}

// TestSlowReader: who does not read is closed with 4008, harms nobody, and gets
// all of it when it comes back.
func TestSlowReader(t *testing.T) {
	cfg := testConfig()
	cfg.Limits.TextCodePoints = 20_000
	g := serve(t, newWorld(), "a", cfg, desk(words))
	ann, bob, cat := login(t, g, "player ann lobby"), login(t, g, "player bob lobby"), login(t, g, "player cat lobby")
	long := strings.Repeat("x", 16_000)
	var want []string
	slow := func() bool { s := g.session(bob); s.mu.Lock(); defer s.mu.Unlock(); return s.link == nil }
	say := func() {
		text := fmt.Sprint(len(want), long)
		want = append(want, text)
		ann.say("", text)
	}
	for !slow() {
		if len(want) > 20_000 {
			t.Fatal("the queue has no end")
		}
		say()
		cat.next("message")
	}
	// It reads again at once: the goodbye stands behind what it did not read, and waits for
	// some seconds only.
	closed := make(chan error, 1)
	go func() {
		for {
			if _, err := bob.read(); err != nil {
				closed <- err
				return
			}
		}
	}()
	for range 100 {
		say()
		cat.next("message")
	}
	if err := <-closed; websocket.CloseStatus(err) != wire.CloseSlow {
		t.Errorf("closed with %v, want %d", err, wire.CloseSlow)
	}
	ann.settle() // cat may have had the last one before bob
	if m := bob.resume(g); m.str("type") != "resumed" || m.num("count") != uint64(len(want)-len(bob.said)) {
		t.Fatalf("resume: %v", m)
	}
	say()
	bob.wantSaid(want)
}

func TestFeed(t *testing.T) {
	cfg := testConfig()
	cfg.FeedCount = 4
	g := serve(t, newWorld(), "a", cfg, desk(words))
	mod := login(t, g, "moderator")
	mod.send(message{"type": "feed.subscribe", "id": "s", "filter": message{"app_id": "game"}})
	mod.expect("ok")
	if !g.hub.Watched() {
		t.Error("nobody watches")
	}
	show := func(app engines.AppID, n int) {
		e := wire.FeedEvent{ID: strconv.Itoa(n), App: app}
		g.hub.ShowFrame(&e, wire.AppendFeedEvent(nil, &e))
	}
	show("game", 0)
	show("other", 1)
	if got := mod.next("feed.event"); got.str("event_id") != "0" {
		t.Errorf("event %v", got)
	}
	var f *feed
	g.hub.mu.RLock()
	for f = range g.hub.feeds {
	}
	g.hub.mu.RUnlock()
	eventually(t, "the flusher rests", func() bool { f.mu.Lock(); defer f.mu.Unlock(); return !f.flushing })
	f.mu.Lock()
	f.flushing = true // as if it were stuck in the socket
	f.mu.Unlock()
	for n := range 10 {
		show("game", n)
	}
	f.flush()
	if got := mod.next("feed.dropped"); got.num("n") != 6 {
		t.Errorf("dropped %v, want 6", got)
	}
	for n := 6; n < 10; n++ {
		if got := mod.next("feed.event"); got.str("event_id") != strconv.Itoa(n) {
			t.Errorf("event %v, want %d", got, n)
		}
	}
	mod.cut()
	eventually(t, "nobody watches", func() bool { return !g.hub.Watched() })
}

func TestDrain(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	ann := login(t, b, "player ann lobby")
	var all []*client
	for i := range 8 {
		all = append(all, login(t, a, fmt.Sprintf("player p%d lobby", i)))
	}
	mod, early := login(t, a, "moderator"), dial(t, a)
	// A connection that comes in once it drains is closed at once, without a word.
	eventually(t, "the gateway has every connection", func() bool {
		a.hub.mu.RLock()
		defer a.hub.mu.RUnlock()
		return len(a.hub.links) == len(all)+2
	})
	var wg sync.WaitGroup
	wg.Go(func() { a.drain(t) })
	for _, c := range append(all, mod, early) {
		if m := c.expect("drain"); m["reconnect_in_ms"] == nil {
			t.Errorf("drain without a time: %v", m)
		}
		c.wantClosed(wire.CloseRestart)
	}
	wg.Wait()
	if !a.hub.Full() {
		t.Error("a drained gateway takes connections")
	}
	dial(t, a).wantClosed(wire.CloseRestart)
	sayAll(ann, numbers(1, 3))
	for _, c := range all {
		c.wantResumed(b, 3)
		c.wantSaid(numbers(1, 3))
	}
}

// TestDrainInTime: a client that does not close its side holds a drain up no
// longer than its close may take.
func TestDrainInTime(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	login(t, g, "player bob lobby") // never reads
	start := time.Now()
	g.drain(t)
	if took := time.Since(start); took > patience-time.Second {
		t.Errorf("drained in %v", took)
	}
}

func TestSessionsPerProcess(t *testing.T) {
	cfg := testConfig()
	cfg.MaxSessions = 2
	g := serve(t, newWorld(), "a", cfg, desk(words))
	login(t, g, "player a x")
	if g.hub.Full() {
		t.Error("full with one of two")
	}
	login(t, g, "player b x").cut()
	eventually(t, "room for another connection", func() bool { return !g.hub.Full() })
	login(t, g, "player c x")
	if !g.hub.Full() {
		t.Error("room for three of two")
	}
	var many []any
	for i := range maxJoined + 1 {
		many = append(many, fmt.Sprint("s", i))
	}
	b, err := json.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	server := login(t, g, "server")
	for _, scene := range many[:maxJoined] {
		server.join(scene.(string))
	}
	server.send(message{"type": "join", "id": "j", "scene_id": many[maxJoined]})
	if got := server.expect("error"); wire.Code(got.num("code")) != wire.TooLarge {
		t.Errorf("join past %s: %v", b, got)
	}
}

// TestChurn: connections that come and go leave nothing behind.
func TestChurn(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	const players = 4
	for i := range 400 {
		login(t, g, fmt.Sprintf("player p%d lobby", i%players)).cut()
	}
	eventually(t, "a session each and no connection is left", func() bool {
		g.hub.mu.RLock()
		defer g.hub.mu.RUnlock()
		return len(g.hub.links) == 0 && len(g.hub.sessions) == players && len(g.hub.players) == players && len(g.hub.scenes) == 1
	})
	eventually(t, "no goroutine is left", func() bool {
		g.hub.crew.mu.Lock()
		defer g.hub.crew.mu.Unlock()
		return g.hub.crew.n == 0
	})
}
