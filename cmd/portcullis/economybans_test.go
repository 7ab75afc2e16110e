package main

import (
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestBanOnEveryGateway bans at one gateway a player whose session is at the other.
func TestBanOnEveryGateway(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		ann := &player{from: p.game.at(p.two), name: "ann", scenes: []string{lobby}}
		if err := ann.hello(t.Context()); err != nil {
			t.Fatal(err)
		}
		// That the ticket named her gets round within about a second.
		const ban = `{"player_id":"ann","ban_type":"temporary","duration_hours":1,"reason":"bot_farming"}`
		eventually(t, "the ban", func() bool {
			a, err := p.game.call(t.Context(), "POST", "economy/ban", ban)
			if err == nil && a.status == 404 {
				time.Sleep(200 * time.Millisecond)
			}
			return err == nil && a.status == 200
		})
		start := time.Now()
		if code, reason := ann.closed(t.Context()); code != 4006 {
			t.Errorf("closed with %d %q, want 4006", code, reason)
		}
		t.Logf("closed %v after the ban", time.Since(start))
		for _, at := range []*process{p.one, p.two} {
			back := &player{from: p.game.at(at), name: "ann", scenes: []string{lobby}}
			if err := back.hello(t.Context()); websocket.CloseStatus(err) != 4006 {
				t.Errorf("a new ticket: %v, want 4006", err)
			}
		}
		p.game.must(t, 200, "DELETE", "economy/ban", `{"player_id":"ann","reason":"appeal"}`)
		eventually(t, "her return at the other gateway", func() bool {
			back := &player{from: p.game.at(p.two), name: "ann", scenes: []string{lobby}}
			return back.hello(t.Context()) == nil
		})
	})
}
