package gateway

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// fakeErasures has one of app A, and remembers who asked.
type fakeErasures struct {
	state string
	asked []string
}

func (f *fakeErasures) one(app engines.AppID) store.Erasure {
	return store.Erasure{
		ID: "x1", App: app, Pseudonym: "erased-1", State: f.state, Created: time.UnixMilli(1790000000000),
		Counts: map[string]int64{"held": 2, "bans_kept": 1, "decisions": 7},
	}
}

func (f *fakeErasures) Erase(_ context.Context, app engines.AppID, player engines.PlayerID, by string, _ time.Duration) (store.Erasure, error) {
	f.asked = append(f.asked, string(app)+" "+string(player)+" "+by)
	return f.one(app), nil
}

func (f *fakeErasures) Erasure(_ context.Context, app engines.AppID, id string) (store.Erasure, error) {
	if app != appA || id != "x1" {
		return store.Erasure{}, store.ErrNotFound
	}
	return f.one(app), nil
}

func TestErasePlayer(t *testing.T) {
	f := &fakeErasures{state: store.ErasureRunning}
	d := open(t, func(_ *Config, deps *Deps) { deps.Erasures = f })
	target, nonce := "/api/v1/players/a%2Fb", "nonce-of-sixteen-bytes"
	signed := signature("DELETE", target, nonce, "")
	a := d.send("DELETE", target, "", "X-SVC-Nonce: "+nonce, signed)
	m := a.json(t)
	if a.status != 202 || m["status"] != "running" || m["held"] != 2.0 || m["bans_kept"] != 1.0 || m["player_id"] != nil {
		t.Errorf("under way: %d %s", a.status, a.body)
	}
	if erased, ok := m["erased"].(map[string]any); !ok || len(erased) != 1 || erased["decisions"] != 7.0 {
		t.Errorf("counts: %v", m["erased"])
	}
	// A request that is seen again is a copy, and erases nothing.
	wantError(t, d.send("DELETE", target, "", "X-SVC-Nonce: "+nonce, signed), wire.Conflict)
	f.state = store.ErasureDone
	if a := d.moderator(auth.RoleAdmin)("DELETE", "/players/ann?app_id=app-a", ""); a.status != 200 {
		t.Errorf("by an admin: %d %s", a.status, a.body)
	}
	if want := "app-a a/b app/app-a, app-a ann user-admin"; strings.Join(f.asked, ", ") != want {
		t.Errorf("asked %q, want %q", strings.Join(f.asked, ", "), want)
	}
	for _, role := range []auth.Role{auth.RoleModerator, auth.RoleSenior, auth.RoleAuditor} {
		wantError(t, d.moderator(role)("DELETE", "/players/ann?app_id=app-a", ""), wire.Forbidden)
	}
}

func TestErasureOfAnotherApp(t *testing.T) {
	d := open(t, func(_ *Config, deps *Deps) { deps.Erasures = &fakeErasures{state: store.ErasureDone} })
	target := "/api/v1/erasures/x1"
	if a := d.send("GET", target, "", signature("GET", target, "", "")); a.status != 200 {
		t.Errorf("one's own: %d %s", a.status, a.body)
	}
	wantError(t, d.send("GET", target, "", signatureAt(appB, secretB, time.Now(), "GET", target, "", "")), wire.NotFound)
}
