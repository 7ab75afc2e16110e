package gateway

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// fakeHooks has one endpoint of app A, and remembers what it was asked.
type fakeHooks struct {
	off    bool
	asked  []string
	wishes []store.HookWish
}

func (f *fakeHooks) Fault(url string) string {
	if strings.HasPrefix(url, "https://") {
		return ""
	}
	return "must be https"
}

func (f *fakeHooks) hook() store.Hook {
	at := time.UnixMilli(1790000000000).UTC()
	h := store.Hook{
		App: appA, ID: "whk_1", URL: "https://example.com/1", Events: []string{"*"}, Enabled: !f.off, Created: at, Updated: at, Pending: 2, Dead: 1,
		Secrets: []store.HookSecret{{KeyID: "whs_1", Secret: "whsec_never_told"}},
	}
	if f.off {
		h.OffReason, h.Failing = "it failed for long", at
	}
	return h
}

func (f *fakeHooks) List(_ context.Context, app engines.AppID) ([]store.Hook, error) {
	f.asked = append(f.asked, "list "+string(app))
	return []store.Hook{f.hook()}, nil
}

func (f *fakeHooks) Put(_ context.Context, app engines.AppID, wishes []store.HookWish, by string) ([]store.Hook, map[string]string, error) {
	f.asked, f.wishes = append(f.asked, "put "+string(app)+" "+by), wishes
	if slices.ContainsFunc(wishes, func(w store.HookWish) bool { return w.ID == "whk_none" }) {
		return nil, nil, store.ErrNotFound
	}
	return []store.Hook{f.hook()}, map[string]string{"whk_1": "whsec_told_once"}, nil
}

func (f *fakeHooks) find(app engines.AppID, hook string) error {
	switch {
	case app != appA || hook != "whk_1":
		return store.ErrNotFound
	case f.off:
		return store.ErrConflict
	}
	return nil
}

func (f *fakeHooks) Deliveries(_ context.Context, app engines.AppID, hook, state string, before economy.Mark, most int) ([]store.Delivery, error) {
	at := time.UnixMilli(1790000000000).UTC()
	all := []store.Delivery{
		{ID: "d2", Event: "e2", Type: store.EventBanCreated, State: store.DeliveryPending, Attempts: 1, Created: at, Next: at.Add(time.Minute), Last: at, Status: 500, Error: "HTTP 500"},
		{ID: "d1", Event: "e1", Type: store.EventBanLifted, State: store.DeliveryDelivered, Attempts: 1, Created: at, Last: at, Status: 204},
	}
	f.asked = append(f.asked, "deliveries "+state)
	if before.ID == "d2" {
		all = all[1:]
	}
	return all[:min(len(all), most)], f.find(app, hook)
}

func (f *fakeHooks) Resend(_ context.Context, app engines.AppID, hook, delivery string) (store.Delivery, error) {
	return store.Delivery{ID: delivery, Type: store.EventBanCreated, State: store.DeliveryPending}, f.find(app, hook)
}

func (f *fakeHooks) Test(_ context.Context, app engines.AppID, hook string) (store.Delivery, error) {
	return store.Delivery{ID: "d3", Type: store.EventTest, State: store.DeliveryPending}, f.find(app, hook)
}

// hooked is a door with webhooks, and a call of app A with a nonce.
func hooked(t *testing.T) (*fakeHooks, func(method, target, body string) answer) {
	t.Helper()
	f := &fakeHooks{}
	d := open(t, func(_ *Config, deps *Deps) { deps.Hooks = f })
	return f, func(method, target, body string) answer {
		t.Helper()
		nonce := "nonce-" + strings.ReplaceAll(string(newRequestID()), "-", "")
		target = "/api/v1" + target
		return d.send(method, target, body, "X-SVC-Nonce: "+nonce, signature(method, target, nonce, body))
	}
}

func TestWebhooks(t *testing.T) {
	f, call := hooked(t)
	a := call("GET", "/webhooks", "")
	if a.status != 200 || strings.Contains(string(a.body), "whsec_") || !strings.Contains(string(a.body), `"state":"ok"`) {
		t.Errorf("GET = %d %s", a.status, a.body)
	}
	a = call("PUT", "/webhooks", `{"webhooks":[{"url":"https://example.com/1","events":["ban.created","check.done"]},{"id":"whk_2","url":"https://example.com/2","events":["*"],"enabled":false,"rotate_secret":true}]}`)
	if a.status != 200 || !strings.Contains(string(a.body), `"secret":"whsec_told_once"`) || strings.Contains(string(a.body), "never_told") {
		t.Errorf("PUT = %d %s", a.status, a.body)
	}
	want := []store.HookWish{
		{URL: "https://example.com/1", Events: []string{"ban.created", "check.done"}, Enabled: true},
		{ID: "whk_2", URL: "https://example.com/2", Events: []string{"*"}, Rotate: true},
	}
	if len(f.wishes) != 2 || f.wishes[0].URL != want[0].URL || !f.wishes[0].Enabled || f.wishes[0].Rotate || !slices.Equal(f.wishes[0].Events, want[0].Events) ||
		f.wishes[1].ID != "whk_2" || f.wishes[1].Enabled || !f.wishes[1].Rotate {
		t.Errorf("asked for %+v, want %+v", f.wishes, want)
	}
	if !slices.Contains(f.asked, "put app-a app/app-a") {
		t.Errorf("asked %v", f.asked)
	}
	f.off = true
	if a = call("GET", "/webhooks", ""); !strings.Contains(string(a.body), `"state":"off"`) || !strings.Contains(string(a.body), `"off_reason":"it failed for long"`) {
		t.Errorf("one that is off: %s", a.body)
	}
}

func TestWebhookFaults(t *testing.T) {
	_, call := hooked(t)
	for _, body := range []string{
		`{}`, `{"webhooks":[{}]}`, `{"webhooks":[{"url":"http://example.com","events":["*"]}]}`, `{"webhooks":[{"url":"https://example.com","events":[]}]}`,
		`{"webhooks":[{"url":"https://example.com","events":["ban.made"]}]}`, `{"webhooks":[{"url":"https://example.com","events":["webhook.test"]}]}`,
		`{"webhooks":[{"url":"https://example.com","events":["*"]},{"url":"https://example.com","events":["*"]}]}`,
		`{"webhooks":[{"url":"https://example.com","events":["*"],"enabled":"yes"}]}`, `{"webhooks":{}}`,
	} {
		wantError(t, call("PUT", "/webhooks", body), wire.InvalidParameter)
	}
	_, call = hooked(t) // whose rate is unused
	wantError(t, call("PUT", "/webhooks", `{"webhooks":[{"id":"whk_none","url":"https://example.com","events":["*"]}]}`), wire.NotFound)
	one := `{"url":"https://example.com/%","events":["*"]}`
	var many []string
	for i := range wire.MaxHooks + 1 {
		many = append(many, strings.Replace(one, "%", string(rune('a'+i)), 1))
	}
	wantError(t, call("PUT", "/webhooks", `{"webhooks":[`+strings.Join(many, ",")+`]}`), wire.TooLarge)
}

func TestDeliveries(t *testing.T) {
	f, call := hooked(t)
	a := call("GET", "/webhooks/whk_1/deliveries?limit=1", "")
	m := a.json(t)
	list, ok := m["deliveries"].([]any)
	cursor, more := m["cursor"].(string)
	if a.status != 200 || !ok || len(list) != 1 || !more || !strings.Contains(string(a.body), `"last_error":"HTTP 500"`) || !strings.Contains(string(a.body), `"next_at"`) {
		t.Fatalf("GET = %d %s", a.status, a.body)
	}
	a = call("GET", "/webhooks/whk_1/deliveries?state=delivered&limit=1&cursor="+cursor, "")
	if !strings.Contains(string(a.body), `"delivery_id":"d1"`) || strings.Contains(string(a.body), "cursor") || f.asked[len(f.asked)-1] != "deliveries delivered" {
		t.Errorf("the next page: %s", a.body)
	}
	wantError(t, call("GET", "/webhooks/whk_1/deliveries?state=odd", ""), wire.InvalidParameter)
	wantError(t, call("GET", "/webhooks/whk_2/deliveries", ""), wire.NotFound)
	for _, target := range []string{"/webhooks/%/deliveries/d1/resend", "/webhooks/%/test"} {
		if a := call("POST", strings.Replace(target, "%", "whk_1", 1), ""); a.status != 200 || !strings.Contains(string(a.body), `"state":"pending"`) {
			t.Errorf("POST %s = %d %s", target, a.status, a.body)
		}
		wantError(t, call("POST", strings.Replace(target, "%", "whk_2", 1), ""), wire.NotFound)
	}
	f.off = true
	wantError(t, call("POST", "/webhooks/whk_1/test", ""), wire.Conflict)
}

// A case of the economy says what was found, and nothing of content.
func TestEconomyCase(t *testing.T) {
	k := casework.File{Case: store.Case{
		ID: "c", App: appA, Request: "r", Player: "new", State: store.CaseOpen, Kind: "ban_evasion", Version: 1,
		Alert: &economy.Alert{Kind: economy.BanEvasion, Score: 12, Level: economy.Normal, Link: &economy.Link{Banned: "old", By: economy.ByAddress, Seats: 2}},
	}}
	got := string(wire.List(nil, "cases", 1, func(dst []byte, _ int) []byte { return appendCase(dst, &k, false) }))
	for _, want := range []string{`"kind":"ban_evasion"`, `"economy":{"risk_score":12`, `"banned_player_id":"old"`, `"by":"address"`, `"factor":"banned_link"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if strings.Contains(got, `"suggestion"`) || strings.Contains(got, `"content"`) {
		t.Errorf("a finding stands in %s", got)
	}
}
