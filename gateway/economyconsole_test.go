package gateway

import (
	"context"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// A moderator sees the economy of an app that is named, and bans in its own name.
func TestEconomyOfModerators(t *testing.T) {
	d := openEconomy(t)
	auditor, senior := d.moderator(auth.RoleAuditor), d.moderator(auth.RoleSenior)
	for _, target := range []string{"risk-score?player_id=p&app_id=app-a", "bans?app_id=app-a", "players/p/timeline?app_id=app-a", "players/p/web?app_id=app-a"} {
		if a := auditor("GET", "/economy/"+target, ""); a.status != 200 {
			t.Errorf("GET %s: %d %s", target, a.status, a.body)
		}
	}
	wantError(t, auditor("GET", "/economy/bans", ""), wire.InvalidParameter) // of no app
	const ban = "/economy/ban?app_id=app-a"
	body := `{"player_id":"p","ban_type":"permanent","reason":"rmt_ring"}`
	wantError(t, auditor("POST", ban, body), wire.Forbidden)
	first := senior("POST", ban, body)
	if first.status != 200 || len(d.eco.bans) != 1 {
		t.Fatalf("%d %s: %+v", first.status, first.body, d.eco.bans)
	}
	if b := d.eco.bans[0]; b.App != appA || b.By == "" || strings.HasPrefix(b.By, "app/") || b.Type != economy.Permanent {
		t.Errorf("banned as %+v, want it of the app in the moderator's name", b)
	}
	id, _ := first.json(t)["ban_id"].(string)
	if again, _ := senior("POST", ban, body).json(t)["ban_id"].(string); len(d.eco.bans) != 1 || again != id {
		t.Errorf("%d bans, %q and %q; want one: the player is under it already", len(d.eco.bans), id, again)
	}
	timed := `{"player_id":"p","ban_type":"temporary","duration_hours":24,"reason":"rmt_ring"}`
	for range 2 {
		if a := senior("POST", ban, timed); a.status != 200 || len(d.eco.bans) != 2 {
			t.Errorf("%d %s: %d bans, want the second one, once", a.status, a.body, len(d.eco.bans))
		}
	}
	for _, another := range []string{
		`{"player_id":"p","ban_type":"temporary","duration_hours":48,"reason":"rmt_ring"}`, // ends later
		`{"player_id":"p","ban_type":"permanent","reason":"bot"}`,                          // for another reason
		`{"player_id":"p","ban_type":"trade","reason":"rmt_ring"}`,
	} {
		was := len(d.eco.bans)
		if senior("POST", ban, another); len(d.eco.bans) != was+1 {
			t.Errorf("%s: %d bans, want one more than %d", another, len(d.eco.bans), was)
		}
	}
	wantError(t, auditor("DELETE", ban, `{"player_id":"p"}`), wire.Forbidden)
	if a := senior("DELETE", ban, `{"player_id":"p","ban_id":"`+id+`","reason":"appeal"}`); a.status != 200 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

func TestWeb(t *testing.T) {
	d := openEconomy(t)
	a := d.call("GET", "players/a%2Fb/web?hops=3&limit=200", "")
	m := a.json(t)
	players, _ := m["players"].([]any)
	gifts, _ := m["gifts"].([]any)
	if a.status != 200 || d.eco.hops != 3 || d.eco.most != 200 || len(players) != 2 || len(gifts) != 1 || m["left_out"] != 3.0 || m["player_id"] != "a/b" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if p, _ := players[0].(map[string]any); p["banned"] != "permanent" || p["risk_score"] != 91.0 || p["hops"] != 0.0 {
		t.Errorf("players[0] = %v", p)
	}
	if p, _ := players[1].(map[string]any); p["banned"] != nil {
		t.Errorf("players[1] = %v, want it without a ban", p)
	}
	if g, _ := gifts[0].(map[string]any); g["from"] != "mule" || g["free"] != 12.0 || g["times"] != 4.0 || g["last_at"] != "2026-09-21T14:13:20.000Z" {
		t.Errorf("gifts[0] = %v", g)
	}
	shares, _ := m["shares"].([]any)
	if len(shares) != 1 {
		t.Fatalf("shares = %v", shares)
	}
	if x, _ := shares[0].(map[string]any); x["player_id"] != "twin" || x["by"] != "device" || x["accounts"] != 2.0 || x["banned"] != "trade" {
		t.Errorf("shares[0] = %v", x)
	}
	d.call("GET", "players/p/web", "")
	if d.eco.hops != webHops || d.eco.most != webMost {
		t.Errorf("without bounds it asks for %d hops and %d players", d.eco.hops, d.eco.most)
	}
	wantError(t, d.call("GET", "players/nobody/web", ""), wire.PlayerNotFound)
	for _, wrong := range []string{"hops=0", "hops=5", "limit=0", "limit=201", "limit=x"} {
		wantError(t, d.call("GET", "players/p/web?"+wrong, ""), wire.InvalidParameter)
	}
}

func TestExplainOfModerators(t *testing.T) {
	var asked engines.Item
	d := openEconomyWith(t, func(_ *Config, deps *Deps) {
		deps.Explain = fakeExplainer(func(_ context.Context, item *engines.Item) ([]byte, error) {
			asked = *item
			return []byte(`{"suggestion":"pass"}`), nil
		})
	})
	mod, viewer := d.moderator(auth.RoleModerator), d.moderator(auth.RoleViewer)
	const target = "/policies/explain?app_id=app-a"
	a := mod("POST", target, `{"content":"hi","scene_id":"lobby","language":"en"}`)
	if m := a.json(t); a.status != 200 || m["explanation"] == nil || asked.App != appA || asked.Text != "hi" || asked.Scene != "lobby" {
		t.Errorf("%d %s: %+v", a.status, a.body, asked)
	}
	wantError(t, viewer("POST", target, `{"content":"hi"}`), wire.Forbidden)
	wantError(t, mod("POST", target, `{}`), wire.InvalidParameter)
}
