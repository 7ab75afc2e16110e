package chat

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// numbers are the texts from..to.
func numbers(from, to int) (list []string) {
	for i := from; i <= to; i++ {
		list = append(list, strconv.Itoa(i))
	}
	return list
}

func sayAll(c *client, texts []string) {
	c.t.Helper()
	for _, text := range texts {
		c.say(text, text)
	}
	c.settle()
}

func (c *client) wantSaid(want []string) {
	c.t.Helper()
	for len(c.said) < len(want) {
		c.expect("message")
	}
	if !slices.Equal(c.said, want) {
		c.t.Errorf("got %q, want %q", c.said, want)
	}
}

func (c *client) wantReset(g *gate, reason string) {
	c.t.Helper()
	if m := c.resume(g); m.str("type") != "reset" || m.str("reason") != reason {
		c.t.Errorf("resume: %v, want reset for %s", m, reason)
	}
}

func TestResumeHere(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	ann, bob := login(t, g, "player ann lobby"), login(t, g, "player bob lobby")
	sayAll(ann, numbers(1, 3))
	bob.wantSaid(numbers(1, 3))
	bob.cut()
	sayAll(ann, numbers(4, 9))
	bob.wantResumed(g, 6)
	sayAll(ann, numbers(10, 12))
	bob.wantSaid(numbers(1, 12))
	bob.say("b", "thanks")
	ann.next("message")
}

// TestResumeHalfOpen: the old connection lives on, and is told that it is over.
func TestResumeHalfOpen(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	ann, bob := login(t, g, "player ann lobby"), login(t, g, "player bob lobby")
	old := *bob
	bob.ws = dial(t, g).ws
	bob.send(bob.claim())
	bob.token = bob.next("resumed").str("resume_token")
	old.wantClosed(wire.CloseMoved)
	sayAll(ann, numbers(1, 3))
	bob.wantSaid(numbers(1, 3))
}

// TestResumeTwice: of two that show the same token one is believed.
func TestResumeTwice(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	bob := login(t, g, "player bob lobby")
	claim := bob.claim()
	bob.cut()
	got := make(map[string]int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 8 {
		c := dial(t, g)
		wg.Go(func() {
			c.send(claim)
			m, err := c.read()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			got[m.str("type")]++
		})
	}
	wg.Wait()
	if got["resumed"] != 1 || got["reset"] != 7 {
		t.Errorf("eight resumes with one token: %v", got)
	}
}

func TestResumeElsewhere(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	ann, bob := login(t, a, "player ann lobby"), login(t, a, "player bob lobby")
	old := *bob
	sayAll(ann, numbers(1, 3))
	bob.ws = dial(t, b).ws
	bob.send(bob.claim())
	m := bob.next("resumed")
	bob.token = m.str("resume_token")
	if m.num("count") != 3 {
		t.Errorf("resumed with %v, want 3", m)
	}
	old.wantClosed(wire.CloseMoved)
	sayAll(ann, numbers(4, 6))
	bob.wantSaid(numbers(1, 6))
	if got := bob.say("1", "hello from b"); got["dup"] == true {
		t.Errorf("verdict %v", got)
	}
	ann.next("message")
	// And back, with an answer that the other gateway gave.
	bob.wantResumed(a, 0)
	if got := bob.say("1", "hello from b"); got["dup"] != true {
		t.Errorf("the same id on the next gateway: %v", got)
	}
	sayAll(ann, numbers(7, 8))
	bob.wantSaid(numbers(1, 8))
	eventually(t, "the session left the other gateway", func() bool { return b.session(bob) == nil })
}

// TestOwnerDied: a gateway dies without a word, and what was said until the
// session turned up at another one comes from the scene's log.
func TestOwnerDied(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	ann, bob := login(t, b, "player ann lobby"), login(t, a, "player bob lobby")
	sayAll(ann, numbers(1, 3))
	bob.wantSaid(numbers(1, 3))
	a.set(func(n *node) { n.dead = true })
	sayAll(ann, numbers(4, 6))
	bob.wantResumed(b, 3)
	sayAll(ann, numbers(7, 9))
	bob.wantSaid(numbers(1, 9))
	// The second time the session's log has what was caught up.
	c := serve(t, w, "c", testConfig(), desk(words))
	bob.wantResumed(c, 0)
	sayAll(ann, numbers(10, 12))
	bob.wantSaid(numbers(1, 12))
}

func TestOwnerDiedWithLogsTrimmed(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	ann, bob, cat := login(t, b, "player ann lobby"), login(t, a, "player bob lobby"), login(t, a, "player cat lobby")
	const many = session.LogLength + 100
	sayAll(ann, numbers(1, many))
	bob.wantSaid(numbers(1, many))
	cat.wantSaid(numbers(1, many))
	a.set(func(n *node) { n.dead = true })
	sayAll(ann, numbers(many+1, many+5))
	bob.wantResumed(b, 5)
	bob.wantSaid(numbers(1, many+5))
	sayAll(ann, numbers(many+6, many+2*session.LogLength)) // no log reaches back to what cat had
	cat.wantReset(b, "gap")
	cat.next("ready")
}

// TestOwnerDiedWithPushesUnlogged: the client has pushes that no log has. When
// others were said meanwhile nobody can tell which are which.
func TestOwnerDiedWithPushesUnlogged(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	ann, bob, cat := login(t, b, "player ann lobby"), login(t, a, "player bob lobby"), login(t, a, "player cat lobby")
	sayAll(ann, numbers(1, 3))
	bob.wantSaid(numbers(1, 3))
	cat.wantSaid(numbers(1, 3))
	a.set(func(n *node) { n.dead = true })
	cat.seq++ // as if a push had come that only the dead gateway knew
	cat.wantResumed(b, 0)
	sayAll(ann, numbers(4, 4))
	cat.wantSaid(numbers(1, 4))
	bob.seq++
	bob.wantReset(b, "gap")
}

// TestLogHole: pushes that Redis did not take are handed over, and once they are
// forgotten they are no silent gap for the next owner, and none at all for the
// gateway that has them all counted.
func TestLogHole(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	ann, bob, cat := login(t, a, "player ann lobby"), login(t, a, "player bob lobby"), login(t, a, "player cat lobby")
	dan := login(t, a, "player dan lobby")
	a.set(func(n *node) { n.broken = true })
	sayAll(ann, numbers(1, 1))
	cat.wantSaid(numbers(1, 1))
	a.set(func(n *node) { n.broken = false })
	eventually(t, "the hole is known", func() bool {
		s := a.session(bob)
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.lost == 1
	})
	dan.wantResumed(b, 1)
	dan.wantSaid(numbers(1, 1))
	a.hub.sweep(time.Now())
	a.hub.sweep(time.Now())
	bob.wantReset(b, "gap")
	bob.next("ready")
	cat.wantResumed(a, 0)
	sayAll(ann, numbers(2, 2))
	cat.wantSaid(numbers(1, 2))
}

func TestResumeRefused(t *testing.T) {
	w := newWorld()
	g := serve(t, w, "a", testConfig(), desk(words))
	bob := login(t, g, "player bob lobby")
	good := bob.token
	bob.token = "made-up"
	bob.wantReset(g, "token_not_accepted")
	// Nobody has shown who this is: a hello follows, a second resume is refused.
	bob.send(message{"type": "hello", "token": "player bob lobby"})
	bob.expect("ready")
	bob.token = good
	bob.wantReset(g, "state_lost") // the first session was replaced
	bob.send(bob.claim())
	bob.wantClosed(wire.CloseForbidden)

	ahead := login(t, g, "player cat lobby")
	ahead.seq = 1000
	ahead.wantReset(g, "gap")
	ahead.seq = 0
	if m := ahead.next("ready"); m.str("session_id") == ahead.ready.str("session_id") {
		t.Error("a reset opens the session that is gone")
	}

	w.nodes["a"].set(func(n *node) { n.closed = engines.ErrUnavailable })
	c := login(t, g, "player dan lobby") // lives here alone
	c.cut()
	c.ws = dial(t, g).ws
	c.send(c.claim())
	c.wantClosed(wire.CloseOverloaded)
	w.nodes["a"].set(func(n *node) { n.closed = nil })
	g.hub.sweep(time.Now())
	eventually(t, "the session is stored once Redis is back", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		_, ok := w.states[engines.SessionID(c.ready.str("session_id"))]
		return ok
	})
	c.wantResumed(g, 0)
}

// TestResetKeepsAnswers: after a reset too the same id gets its stored answer.
func TestResetKeepsAnswers(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	bob := login(t, g, "player bob lobby")
	first := bob.say("1", "once")
	bob.seq = 7
	bob.wantReset(g, "gap")
	bob.seq = 0
	bob.ready = bob.next("ready")
	bob.join("lobby")
	if got := bob.say("1", "once"); got["dup"] != true || got.str("request_id") != first.str("request_id") {
		t.Errorf("the same id after a reset: %v", got)
	}
}

func TestReplaced(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	first := login(t, a, "player bob lobby")
	second := login(t, a, "player bob lobby")
	first.wantClosed(wire.CloseReplaced)
	third := login(t, b, "player bob lobby")
	second.wantClosed(wire.CloseReplaced)
	one, two := login(t, a, "server"), login(t, b, "server")
	for _, c := range []*client{third, one, two} {
		c.send(message{"type": "ping", "id": "p"})
		c.expect("pong")
	}
	eventually(t, "replaced sessions are forgotten", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return len(w.states) == 3 && a.hub.Sessions() == 1 && b.hub.Sessions() == 2
	})
}

// TestHelloRace: of many logins of one player at once one session is left, and it
// is the one that the next gateway will find.
func TestHelloRace(t *testing.T) {
	w := newWorld()
	g := serve(t, w, "a", testConfig(), desk(words))
	var wg sync.WaitGroup
	for range 16 {
		c := dial(t, g)
		wg.Go(func() {
			c.send(message{"type": "hello", "token": "player bob lobby"})
			_, _ = c.read()
		})
	}
	wg.Wait()
	eventually(t, "one session is left and owns the player", func() bool {
		g.hub.sweep(time.Now())
		s := g.hub.of("game", "bob")
		w.mu.Lock()
		defer w.mu.Unlock()
		return s != nil && g.hub.Sessions() == 1 && len(w.states) == 1 && w.owners[playerKey{"game", "bob"}].Session == s.id
	})
}

// TestWindowOver: a session whose window is over ends, but not where another
// gateway has it by now.
func TestWindowOver(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	bob, cat := login(t, a, "player bob lobby"), login(t, a, "player cat lobby")
	bob.cut()
	cat.cut()
	detached := func(c *client) func() bool {
		return func() bool { s := a.session(c); s.mu.Lock(); defer s.mu.Unlock(); return s.link == nil }
	}
	eventually(t, "both are detached", func() bool { return detached(bob)() && detached(cat)() })
	a.set(func(n *node) { n.dead = true }) // does not hear that bob moves
	bob.wantResumed(b, 0)
	a.set(func(n *node) { n.dead = false })
	a.hub.sweep(time.Now().Add(session.ResumeWindow + time.Second))
	eventually(t, "both sessions left", func() bool { return a.hub.Sessions() == 0 })
	cat.wantReset(a, "state_lost")
	bob.wantResumed(b, 0)
}
