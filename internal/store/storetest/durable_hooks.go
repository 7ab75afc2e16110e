package storetest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// endpoint gives an app one endpoint.
func endpoint(t *testing.T, s *sqlstore.Store, app engines.AppID, id string) store.Hook {
	t.Helper()
	must(t, s.PutHooks(t.Context(), store.HookChange{App: app, By: "app/" + string(app), At: now(), Until: now().Add(time.Hour), Put: []store.Hook{{
		ID: id, URL: "https://example.com/" + id, Events: []string{"*"}, Enabled: true, Secrets: []store.HookSecret{{KeyID: "k-" + id, Secret: "whsec_first"}},
	}}}))
	list, err := s.Hooks(t.Context(), app)
	must(t, err)
	if len(list) != 1 {
		t.Fatalf("endpoints of %s: %+v", app, list)
	}
	return list[0]
}

// testOutbox: what is to be told is committed with what it tells of, once, and only
// where somebody listens.
func testOutbox(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	types := func() (list []string) {
		t.Helper()
		events, err := s.Events(ctx, 100)
		must(t, err)
		for _, e := range events {
			list = append(list, e.Type)
		}
		return list
	}
	put := func(b economy.Ban) {
		t.Helper()
		_, err := s.PutBan(ctx, b)
		must(t, err)
	}
	put(ban("b0", "p0", economy.Permanent, at))
	same(t, "with nobody listening", types(), nil)
	endpoint(t, s, "game", "h")
	endpoint(t, s, "other", "x")
	first := ban("b1", "p1", economy.Temporary, at)
	put(first)
	put(first) // again
	_, err := s.LiftBans(ctx, economy.Lift{App: "game", Player: "p1", At: at, Now: at, Key: "k", By: "app/game"})
	must(t, err)
	d := store.Decision{App: "game", Request: "c1", Created: now()}
	must(t, s.FinishPending(ctx, d, nil))
	must(t, s.FinishPending(ctx, d, nil)) // again
	same(t, "told", types(), []string{store.EventBanCreated, store.EventBanLifted, store.EventCheckDone})
	events, err := s.Events(ctx, 1)
	must(t, err)
	if e := events[0]; e.App != "game" || e.Ban == nil || *e.Ban != first || e.At.IsZero() {
		t.Errorf("event %+v of ban %+v, want %+v", e, e.Ban, first)
	}
	list := []store.Delivery{{ID: "d1", App: "game", Hook: "h", Event: events[0].ID, Payload: []byte("{}"), State: store.DeliveryPending, Since: now(), Next: now(), Created: now()}}
	must(t, s.Deliver(ctx, events[0].ID, list))
	list[0].ID = "d2"
	must(t, s.Deliver(ctx, events[0].ID, list)) // another gateway does it too
	same(t, "left", types(), []string{store.EventBanLifted, store.EventCheckDone})
	got, err := s.Deliveries(ctx, "game", "h", "", economy.Mark{}, 10)
	must(t, err)
	if len(got) != 1 || got[0].ID != "d1" {
		t.Errorf("deliveries %+v, want d1 alone", got)
	}
}

// testEndBans has many gateways notice at once which bans have ended.
func testEndBans(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), time.Now().UnixMilli()
	endpoint(t, s, "game", "h")
	for _, b := range []economy.Ban{
		ban("over", "p1", economy.Temporary, at-5000), ban("over2", "p2", economy.Temporary, at-5000), ban("runs", "p3", economy.Temporary, at+60_000),
		ban("lifted", "p4", economy.Temporary, at+60_000), ban("forever", "p5", economy.Permanent, at), ban("by events", "p6", economy.Temporary, at+60_000),
	} {
		_, err := s.PutBan(ctx, b)
		must(t, err)
	}
	_, err := s.LiftBans(ctx, economy.Lift{App: "game", Player: "p4", At: at, Now: at, Key: "k"})
	must(t, err)
	var mu sync.Mutex
	var ended []string
	_, errs := race(8, func(int) error {
		list, err := s.EndBans(ctx, at, []economy.BanKey{{App: "game", ID: "by events"}, {App: "game", ID: "lifted"}, {App: "game", ID: "forever"}, {App: "game", ID: "none"}})
		mu.Lock()
		defer mu.Unlock()
		for _, b := range list {
			if b.Ended == 0 {
				t.Errorf("ended ban %+v", b)
			}
			ended = append(ended, b.ID)
		}
		return err
	})
	if errs != nil {
		t.Fatal(errs)
	}
	slices.Sort(ended)
	same(t, "ended, each once", ended, []string{"by events", "over", "over2"})
	events, err := s.Events(ctx, 100)
	must(t, err)
	n := 0
	for _, e := range events {
		if e.Type == store.EventBanExpired {
			n++
		}
	}
	if n != 3 {
		t.Errorf("told of %d ends, want 3", n)
	}
	holding, err := s.Bans(ctx, economy.BanQuery{App: "game", Holding: true, At: at, Now: at})
	must(t, err)
	if len(holding) != 2 { // runs, forever
		t.Errorf("holding then: %+v", holding)
	}
	lifted, err := s.LiftBans(ctx, economy.Lift{App: "game", Player: "p6", At: at, Now: at, Key: "k2"})
	must(t, err)
	same(t, "lifted though it had ended", lifted, nil)
	must(t, s.VerifyAudit(ctx, p.Config.Node))
}

// testAlerts: one case for a pair, whoever is named first, and one for a risk.
func testAlerts(t *testing.T, p Place) {
	t.Helper()
	s, ctx := p.Open(t), t.Context()
	endpoint(t, s, "game", "h")
	link := economy.Alert{
		Kind: economy.BanEvasion, App: "game", Player: "new", At: 5, Score: 12, Level: economy.Normal,
		Link: &economy.Link{Banned: "old", BanID: "b", By: economy.ByDevice, Seats: 2, Since: 1, Last: 2, First: 3, Latest: 4, Appeared: 3},
	}
	var opened sync.Map
	_, errs := race(8, func(i int) error {
		a := link
		if i%2 == 1 { // the other way round
			other := *link.Link
			a.Player, other.Banned, a.Link = "old", "new", &other
		}
		_, ok, err := s.OpenAlert(ctx, a)
		if ok {
			opened.Store(i, true)
		}
		return err
	})
	if errs != nil {
		t.Fatal(errs)
	}
	n := 0
	opened.Range(func(any, any) bool { n++; return true })
	cases, err := s.Cases(ctx, store.CaseQuery{App: "game", States: []string{store.CaseOpen}, Now: now(), Limit: 10})
	must(t, err)
	if n != 1 || len(cases) != 1 || cases[0].Kind != string(economy.BanEvasion) || cases[0].Alert == nil || cases[0].Alert.Link == nil || cases[0].Held {
		t.Fatalf("%d times opened: %+v", n, cases)
	}
	if _, err := DecideCase(ctx, s, cases[0].ID, 1, "approve", "ada", "siblings", now()); err != nil {
		t.Fatal(err)
	}
	alert := func(what string, a economy.Alert, want bool) {
		t.Helper()
		if c, ok, err := s.OpenAlert(ctx, a); err != nil || ok != want || ok && (c.ID == "" || c.State != store.CaseOpen) {
			t.Errorf("%s: opened %v, %v, want %v", what, ok, err, want)
		}
	}
	alert("the pair again", link, false)
	third := link
	third.Player = "newer"
	alert("another pair", third, true)

	risk := economy.Alert{Kind: economy.HighRisk, App: "game", Player: "p", Score: 80, Level: economy.High, Factors: []economy.Factor{{Code: "fan_in", Score: 70}}}
	alert("a risk", risk, true)
	alert("the risk again", risk, false)
	risk.Score, risk.Level = 95, economy.Critical
	alert("the risk, critical by now", risk, false)
	cases, err = s.Cases(ctx, store.CaseQuery{App: "game", States: []string{store.CaseOpen}, Now: now(), Limit: 10})
	must(t, err)
	if len(cases) != 2 || cases[0].Kind != string(economy.HighRisk) || cases[0].Priority == 0 {
		t.Errorf("the critical one is not at the top: %+v", cases)
	}
	same(t, "what was found", cases[0].Alert.Factors, risk.Factors)
	_, err = DecideCase(ctx, s, cases[0].ID, 1, "approve", "ada", "", now())
	must(t, err)
	alert("a risk that was decided", risk, false)
	risk.Rose = true
	alert("a risk that rose again since", risk, true)
	events, err := s.Events(ctx, 100)
	must(t, err)
	if len(events) != 4 || events[0].Case == nil || events[0].Case.Alert == nil || events[0].Type != store.EventEconomyCase {
		t.Errorf("told of %d cases, want 4: %+v", len(events), events)
	}
}

// testDeliveries: claims of several gateways do not overlap, and end.
func testDeliveries(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	h := endpoint(t, s, "game", "h")
	const n = 40
	for i := range n {
		must(t, s.PutDelivery(ctx, store.Delivery{
			ID: fmt.Sprintf("d%02d", i), App: "game", Hook: h.ID, Event: "e" + strconv.Itoa(i), Type: store.EventTest, Payload: []byte("{}"),
			State: store.DeliveryPending, Since: at, Next: at, Created: at,
		}))
	}
	due, err := s.DueHooks(ctx, at.Add(-time.Second))
	must(t, err)
	same(t, "due before", len(due), 0)
	due, err = s.DueHooks(ctx, at)
	must(t, err)
	if len(due) != 1 || len(due[0].Secrets) != 1 {
		t.Fatalf("due: %+v", due)
	}
	var mu sync.Mutex
	claimed, total := map[string]store.Delivery{}, 0
	_, errs := race(8, func(int) error {
		for {
			list, err := s.ClaimDeliveries(ctx, h.ID, at, at.Add(time.Minute), 4)
			if err != nil || len(list) == 0 {
				return err
			}
			mu.Lock()
			for _, d := range list {
				total++
				claimed[d.ID] = d
			}
			mu.Unlock()
		}
	})
	if errs != nil || len(claimed) != n || total != n {
		t.Fatalf("claimed %d of %d, %d times: %v", len(claimed), n, total, errs)
	}
	again, err := s.ClaimDeliveries(ctx, h.ID, at.Add(time.Minute), at.Add(2*time.Minute), 1)
	must(t, err)
	if len(again) != 1 || again[0].Attempts != 2 { // its gateway has died
		t.Fatalf("after the lease: %+v", again)
	}
	finishes(t, s, claimed, again[0], at)
}

// finishes ends deliveries of which one was claimed again after its lease.
func finishes(t *testing.T, s *sqlstore.Store, claimed map[string]store.Delivery, again store.Delivery, at time.Time) {
	t.Helper()
	ctx, n := t.Context(), len(claimed)
	late := claimed[again.ID]
	must(t, s.FinishDelivery(ctx, store.Attempt{Delivery: late, At: at, Error: "late"})) // it had not, and failed
	must(t, s.FinishDelivery(ctx, store.Attempt{Delivery: again, OK: true, At: at, Status: 200}))
	delete(claimed, late.ID)
	failed := claimed["d39"]
	if failed.ID == "" {
		failed = claimed["d38"]
	}
	must(t, s.FinishDelivery(ctx, store.Attempt{Delivery: failed, At: at, Status: 500, Error: "HTTP 500", Next: at.Add(time.Hour)}))
	pending, dead, err := s.CountDeliveries(ctx, "game")
	must(t, err)
	if pending["h"] != n-1 || dead["h"] != 0 {
		t.Errorf("pending %v, dead %v", pending, dead)
	}
	list, err := s.Hooks(ctx, "game")
	must(t, err)
	if list[0].Failing != at {
		t.Errorf("failing since %v, want %v", list[0].Failing, at)
	}
	page, err := s.Deliveries(ctx, "game", "h", store.DeliveryPending, economy.Mark{At: at.UnixMilli(), ID: "d02"}, 10)
	must(t, err)
	for _, d := range page {
		if d.ID >= "d02" || d.State != store.DeliveryPending {
			t.Errorf("a page after d02: %+v", d)
		}
	}
	foreign, err := s.Deliveries(ctx, "other", "h", "", economy.Mark{}, 10)
	must(t, err)
	same(t, "of another app", len(foreign), 0)
	must(t, s.FinishDelivery(ctx, store.Attempt{Delivery: claimed[failed.ID], At: at, Error: "gone", Off: "gone"}))
	pending, dead, err = s.CountDeliveries(ctx, "game")
	must(t, err)
	if pending["h"] != 0 || dead["h"] != n-1 {
		t.Errorf("switched off with pending %v, dead %v", pending, dead)
	}
	_, err = s.Redeliver(ctx, "game", "h", "d01", at)
	wantErr(t, "redeliver to one that is off", err, store.ErrConflict)
	_, err = s.Redeliver(ctx, "other", "h", "d01", at)
	wantErr(t, "redeliver as another app", err, store.ErrNotFound)
}

// testHooks: endpoints as their app wants them, secrets sealed, changes audited.
func testHooks(t *testing.T, p Place) {
	t.Helper()
	s, ctx, at := p.Open(t), t.Context(), now()
	h := endpoint(t, s, "game", "h")
	endpoint(t, s, "other", "x")
	h.Secrets = []store.HookSecret{{KeyID: "k2", Secret: "whsec_second"}}
	h.URL, h.Events = "https://example.com/moved", []string{store.EventBanCreated, store.EventBanLifted}
	second := store.Hook{ID: "h2", URL: "https://example.com/h2", Events: []string{"*"}, Secrets: []store.HookSecret{{KeyID: "k3", Secret: "whsec_third"}}}
	must(t, s.PutHooks(ctx, store.HookChange{App: "game", Put: []store.Hook{h, second}, By: "app/game", At: at, Until: at.Add(time.Hour)}))
	list, err := s.Hooks(ctx, "game")
	must(t, err)
	i := slices.IndexFunc(list, func(x store.Hook) bool { return x.ID == "h" })
	if len(list) != 2 || i < 0 || list[i].URL != h.URL || !list[i].Enabled || list[1-i].Enabled || !slices.Equal(list[i].Events, h.Events) {
		t.Fatalf("endpoints %+v", list)
	}
	want := []store.HookSecret{{KeyID: "k2", Secret: "whsec_second"}, {KeyID: "k-h", Secret: "whsec_first", Expires: at.Add(time.Hour)}}
	same(t, "secrets", list[i].Secrets, want)
	raw := p.Core(t)
	defer func() { must(t, raw.Close()) }()
	var sealed []byte
	must(t, raw.QueryRowContext(ctx, `SELECT secret_enc FROM webhook_secret WHERE key_id = 'k2'`).Scan(&sealed))
	if bytes.Contains(sealed, []byte("second")) {
		t.Error("a secret is stored in the clear")
	}
	must(t, s.PutDelivery(ctx, store.Delivery{ID: "d", App: "game", Hook: "h", Event: "e", Payload: []byte("{}"), State: store.DeliveryPending, Since: at, Next: at, Created: at}))
	must(t, s.PutHooks(ctx, store.HookChange{App: "game", By: "app/game", At: at}))
	for _, app := range []engines.AppID{"game", "other"} {
		list, err = s.Hooks(ctx, app)
		must(t, err)
		if (len(list) == 0) != (app == "game") {
			t.Errorf("endpoints of %s: %+v", app, list)
		}
	}
	for _, table := range []string{"webhook_delivery", "webhook_secret"} {
		var n int
		must(t, raw.QueryRowContext(ctx, `SELECT count(*) FROM `+table+` WHERE app_id = 'game'`).Scan(&n))
		if n != 0 {
			t.Errorf("%d rows are left in %s", n, table)
		}
	}
	must(t, s.VerifyAudit(ctx, p.Config.Node))
}
