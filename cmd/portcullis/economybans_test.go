package main

import (
	"encoding/json"
	"fmt"
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

// TestEveryGatewayKnowsTheLogs submits at each of two gateways what both then answer
// for: the risk of a player has the time of its newest entry.
func TestEveryGatewayKnowsTheLogs(t *testing.T) {
	t.Parallel()
	env := append(stores["PostgreSQL"](t), "PORTCULLIS_REDIS_URL="+startRedis(t).url)
	dir := t.TempDir()
	one, two := serveProcess(t, env, "--data", dir), serveProcess(t, env, "--data", dir)
	game := newCaller(t, one, env, dir)
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	for i, where := range []*process{one, two, one, two} {
		game.at(where).must(t, 200, "POST", "economy/currency-log", fmt.Sprintf(
			`{"app_id":%q,"logs":[{"log_id":"l","player_id":"p%d","currency_type":"gold","action":"earn","amount":1,"balance_after":1,"source":"quest","timestamp":%d}]}`,
			game.app, i, at.Add(time.Duration(i)*time.Second).UnixMilli()))
	}
	for name, where := range map[string]*process{"one": one, "two": two} {
		for i := range 4 {
			want := at.Add(time.Duration(i) * time.Second)
			eventually(t, fmt.Sprintf("the entry of p%d at gateway %s", i, name), func() bool {
				a, err := game.at(where).call(t.Context(), "GET", fmt.Sprintf("economy/risk-score?player_id=p%d", i), "")
				var risk struct {
					At time.Time `json:"last_updated"`
				}
				return err == nil && a.status == 200 && json.Unmarshal(a.body, &risk) == nil && risk.At.Equal(want)
			})
		}
	}
}
