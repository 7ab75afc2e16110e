package chat

import (
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/wire"
)

// TestFeedEndsWithSignIn: a feed goes on while its moderator is signed in, or
// nobody can tell, and ends at the next sweep's check when it is not.
func TestFeedEndsWithSignIn(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	mod := login(t, g, "moderator")
	var f *feed
	g.hub.mu.RLock()
	for f = range g.hub.feeds {
	}
	g.hub.mu.RUnlock()
	goesOn := func(why string) {
		t.Helper()
		f.check()
		mod.send(message{"type": "ping", "id": why})
		if got := mod.next("pong"); got.str("id") != why {
			t.Errorf("%s: %v", why, got)
		}
	}
	goesOn("signed in")
	g.node.unknown.Store(true)
	goesOn("the store is away")
	g.node.unknown.Store(false)
	g.node.signedOut.Store(true)
	f.checked.Store(0) // a heartbeat ago
	g.hub.sweep(time.Now())
	if code := mod.closed(); code != wire.CloseAuth {
		t.Errorf("signed out: closed with %d, want %d", code, wire.CloseAuth)
	}
}
