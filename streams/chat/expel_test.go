package chat

import (
	"sync"
	"testing"

	"github.com/coder/websocket"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// bans keeps players out, and remembers who was named.
type bans struct {
	mu         sync.Mutex
	out, named map[engines.PlayerID]bool
}

func (b *bans) Excluded(_ engines.AppID, p engines.PlayerID) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out[p]
}

func (b *bans) Named(_ engines.AppID, p engines.PlayerID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.named == nil {
		b.named = map[engines.PlayerID]bool{}
	}
	b.named[p] = true
}

func (b *bans) set(out ...engines.PlayerID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.out = map[engines.PlayerID]bool{}
	for _, p := range out {
		b.out[p] = true
	}
}

// A banned player is sent away, can neither come back nor resume, here or
// elsewhere, and may once the ban has ended. Others stay.
func TestExpel(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	bob, ann := login(t, a, "player bob lobby"), login(t, a, "player ann lobby")
	if !a.bans.named["bob"] {
		t.Error("bob was not named")
	}
	a.bans.set("bob")
	b.bans.set("bob")
	app := a.session(bob).app
	a.hub.Expel(app, "bob")
	a.hub.Expel(app, "nobody")
	bob.wantClosed(wire.CloseBanned)
	ann.settle()
	for _, g := range []*gate{a, b} {
		c := dial(t, g)
		c.send(message{"type": "hello", "token": "player bob lobby"})
		c.wantClosed(wire.CloseBanned)
		c = dial(t, g)
		c.send(bob.claim())
		switch m, err := c.read(); {
		case err == nil && m.str("type") == "reset": // the session is gone by now
			c.send(message{"type": "hello", "token": "player bob lobby"})
			c.wantClosed(wire.CloseBanned)
		case websocket.CloseStatus(err) != wire.CloseBanned: // it was about to go
			t.Errorf("resume: %v, %v", m, err)
		}
	}
	a.bans.set()
	login(t, a, "player bob lobby").settle()
}

// A ban that comes while its player is away ends the resume, wherever it is tried.
func TestResumeOfBanned(t *testing.T) {
	for _, where := range []string{"here", "elsewhere"} {
		t.Run(where, func(t *testing.T) {
			w := newWorld()
			a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
			bob := login(t, a, "player bob lobby")
			bob.settle()
			bob.cut()
			back := a
			if where == "elsewhere" {
				back = b
			}
			back.bans.set("bob")
			c := dial(t, back)
			c.send(bob.claim())
			c.wantClosed(wire.CloseBanned)
		})
	}
}
