package gateway

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// fakeEconomy remembers what it was given: entries by key, bans by id.
type fakeEconomy struct {
	mu      sync.Mutex
	entries map[string]economy.Entry
	bans    []economy.Ban
	hours   int64
	asked   economy.Proposal
	mark    economy.Mark
	said    economy.Override
	hops    int // of Around
	most    int
	delay   time.Duration
}

func (f *fakeEconomy) Submit(_ context.Context, _ engines.AppID, entries []economy.Entry) (accepted int, err error) {
	time.Sleep(f.delay)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.entries == nil {
		f.entries = map[string]economy.Entry{}
	}
	for _, e := range entries {
		key := e.Log.String() + "/" + string(e.Player) + "/" + e.ID
		if _, again := f.entries[key]; !again {
			f.entries[key] = e
			accepted++
		}
	}
	return accepted, nil
}

func (f *fakeEconomy) known(p engines.PlayerID) error {
	if strings.HasPrefix(string(p), "nobody") {
		return economy.ErrUnknownPlayer
	}
	return nil
}

func (f *fakeEconomy) Risk(_ context.Context, _ engines.AppID, p engines.PlayerID) (economy.Risk, []economy.Ban, error) {
	r := economy.Risk{Score: 35, Level: economy.LevelOf(35), Factors: []economy.Factor{{Code: "trade_frequency", Score: 20}, {Code: "long_standing_pair", Score: -5}}, Updated: 1790000000000}
	if p == f.said.Player {
		r.Override = &f.said
	}
	return r, f.bans, f.known(p)
}

func (f *fakeEconomy) Evaluate(_ context.Context, _ engines.AppID, p *economy.Proposal) (economy.Evaluation, error) {
	f.asked = *p
	return economy.Evaluation{Suggestion: engines.Review, Score: 65, Reasons: []string{"unusual_trade_value", "new_account_recipient"}}, f.known(p.Receiver)
}

func (f *fakeEconomy) Timeline(_ context.Context, _ engines.AppID, p engines.PlayerID, before economy.Mark, most int) ([]economy.Entry, economy.Mark, error) {
	f.mark = before
	var list []economy.Entry
	for _, e := range f.entries {
		if e.Player == p && len(list) < most {
			list = append(list, e)
		}
	}
	return list, economy.Mark{At: 7, ID: "L:1"}, f.known(p)
}

func (f *fakeEconomy) Around(_ context.Context, _ engines.AppID, p engines.PlayerID, hops, most int) (economy.Web, error) {
	f.hops, f.most = hops, most
	return economy.Web{
		At: 1790000000000, Left: 3,
		Players: []economy.WebPlayer{
			{Player: p, Risk: economy.Risk{Score: 91, Level: economy.Critical}, Banned: economy.Permanent}, {Player: "mule", Hops: 1, Risk: economy.Risk{Score: 40, Level: economy.Attention}},
		},
		Gifts:  []economy.WebGift{{From: "mule", To: p, Gave: 12.5, Free: 12, Times: 4, First: 1789000000000, Last: 1790000000000}},
		Shares: []economy.WebShare{{Player: "twin", By: economy.ByDevice, Seats: 2, First: 1789000000000, Last: 1790000000000, Banned: economy.TradeBan}},
	}, f.known(p)
}

func (f *fakeEconomy) Named(engines.AppID, engines.PlayerID) {}

func (f *fakeEconomy) Ban(_ context.Context, b economy.Ban, hours int64) (economy.Ban, error) {
	f.hours = hours
	for _, have := range f.bans {
		if have.ID == b.ID {
			return have, nil
		}
	}
	if hours > 0 {
		b.Expires, b.Ends = 1790000000000, time.Now().Add(time.Duration(hours)*time.Hour).UnixMilli()
	}
	if err := f.known(b.Player); err != nil {
		return b, err
	}
	f.bans = append(f.bans, b)
	return b, nil
}

func (f *fakeEconomy) Lift(_ context.Context, l economy.Lift) ([]economy.Ban, error) {
	var lifted []economy.Ban
	for i := range f.bans {
		b := &f.bans[i]
		if b.Lifted == 0 && (l.ID == "" || b.ID == l.ID) && (l.Type == "" || b.Type == l.Type) {
			b.Lifted, b.LiftKey, b.LiftRequest = 1, l.Key, l.Request
		}
		if b.LiftKey == l.Key {
			lifted = append(lifted, *b)
		}
	}
	return lifted, f.known(l.Player)
}

func (f *fakeEconomy) Bans(_ context.Context, q economy.BanQuery) ([]economy.Ban, error) {
	f.mark = q.Before
	var list []economy.Ban
	for _, b := range f.bans {
		if len(list) < q.Limit && (!q.Holding || b.Lifted == 0) {
			list = append(list, b)
		}
	}
	return list, f.known(q.Player)
}

func (f *fakeEconomy) Status(*economy.Ban) string { return "active" }

func (f *fakeEconomy) Override(_ context.Context, o economy.Override, hours int64) (economy.Override, error) {
	o.Until = 1790000000000 + hours*3_600_000
	if o.Player == "many" {
		return o, economy.ErrOverrides
	}
	f.said = o
	return o, f.known(o.Player)
}

// economyDoor is a door with its economy, and signed calls of app A.
type economyDoor struct {
	*door
	eco *fakeEconomy
}

func openEconomy(t *testing.T) economyDoor {
	t.Helper()
	return openEconomyWith(t, func(*Config, *Deps) {})
}

// openEconomyWith is openEconomy with other parts.
func openEconomyWith(t *testing.T, change func(*Config, *Deps)) economyDoor {
	t.Helper()
	eco := &fakeEconomy{}
	limiter, err := limit.New(limit.Config{Log: 1000, Query: 1000, Action: 1000, Check: 1000, Mint: 1000, Admin: 1000, FailedAuth: 1000}, limit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return economyDoor{open(t, func(_ *Config, deps *Deps) { deps.Economy, deps.Limiter = eco, limiter }, change), eco}
}

func (d economyDoor) call(method, target, body string, head ...string) answer {
	d.t.Helper()
	target = "/api/v1/economy/" + target
	return d.send(method, target, body, append(head, signature(method, target, "", body))...)
}

func TestLogs(t *testing.T) {
	d := openEconomy(t)
	for log, entry := range map[string]string{
		"currency": `{"log_id":"L1","timestamp":1700000000000,"player_id":"p","currency_type":"gold","action":"earn","amount":5,"balance_after":5}`,
		"item":     `{"log_id":"L1","timestamp":1700000000000,"player_id":"p","item_id":"ore","action":"acquire","count":5,"count_after":5}`,
		"trade":    `{"log_id":"L1","timestamp":1700000000000,"trade_id":"t","sender_id":"p","receiver_id":"q"}`,
	} {
		send := func(body string, head ...string) answer { return d.call("POST", log+"-log", body, head...) }
		body := `{"app_id":"app-a","logs":[` + entry + `]}`
		for i := range 2 { // the durable key makes a repeat harmless, so it is no conflict
			a := send(body)
			if m := a.json(t); a.status != 200 || m["accepted"] != float64(1-i) || m["duplicates"] != float64(i) {
				t.Errorf("%s: %d %s", log, a.status, a.body)
			}
		}
		wantError(t, send(strings.Replace(body, "app-a", "app-b", 1)), wire.InvalidParameter)
		wantError(t, d.send("POST", "/api/v1/economy/"+log+"-log", `{}`, bearerOf(d.token(appA, "check"))), wire.Unauthenticated)
		wantError(t, send(`{"app_id":"app-a","logs":[`+strings.Repeat("{},", 1000)+`{}]}`), wire.TooLarge)
	}
	if got := d.eco.entries["trade/p/L1"]; len(d.eco.entries) != 3 || got.Counterparty != "q" || got.At != 1700000000000 {
		t.Errorf("stored %+v", d.eco.entries)
	}
}

// What takes long of a submission is read behind what somebody waits for; a question is not.
func TestLogsInBulk(t *testing.T) {
	inBulk := 0
	d := openEconomyWith(t, func(_ *Config, deps *Deps) {
		deps.Bulk = func(f func()) {
			inBulk++
			f()
		}
	})
	body := `{"app_id":"app-a","logs":[{"log_id":"L1","timestamp":1700000000000,"player_id":"p","currency_type":"gold","action":"earn","amount":5,"balance_after":5}]}`
	if a := d.call("POST", "currency-log", body); a.status != 200 || inBulk != 1 || len(d.eco.entries) != 1 {
		t.Errorf("%d %s: %d in bulk, %d entries", a.status, a.body, inBulk, len(d.eco.entries))
	}
	wantError(t, d.call("POST", "currency-log", `{"app_id":"app-a","logs":[{}]}`), wire.InvalidParameter)
	if d.call("GET", "risk-score?player_id=p", ""); inBulk != 2 {
		t.Errorf("%d in bulk, want the submissions alone", inBulk)
	}
}

// Many submissions at once under one Idempotency-Key have one effect and get one
// answer; the same key with another body is a conflict.
func TestLogsKeyed(t *testing.T) {
	d := openEconomy(t)
	d.eco.delay = 50 * time.Millisecond
	body := `{"app_id":"app-a","logs":[{"log_id":"L1","timestamp":1700000000000,"player_id":"p","currency_type":"gold","action":"earn","amount":5,"balance_after":5}]}`
	var wg sync.WaitGroup
	answers := make([]answer, 20)
	for i := range answers {
		wg.Go(func() { answers[i] = d.call("POST", "currency-log", body, "Idempotency-Key: k1") })
	}
	wg.Wait()
	for _, a := range answers {
		if a.status != 200 || string(a.body) != string(answers[0].body) || a.json(t)["accepted"] != 1.0 {
			t.Errorf("%d %s, want what the first got: %s", a.status, a.body, answers[0].body)
		}
	}
	wantError(t, d.call("POST", "currency-log", strings.Replace(body, "L1", "L2", 1), "Idempotency-Key: k1"), wire.Conflict)
}

// A gateway that was killed leaves the claim on a key behind and no answer: the
// retry is stored all the same, and its answer is kept.
func TestLogsKeyedAfterAKill(t *testing.T) {
	d := openEconomy(t)
	body := `{"app_id":"app-a","logs":[{"log_id":"L1","timestamp":1700000000000,"player_id":"p","currency_type":"gold","action":"earn","amount":5,"balance_after":5}]}`
	key := hex.EncodeToString(hashOf("idempotency", "", "k1"))
	if first, err := d.mem.Claim(t.Context(), "app-a", key); err != nil || !first {
		t.Fatalf("Claim() = %v, %v", first, err)
	}
	a := d.call("POST", "currency-log", body, "Idempotency-Key: k1")
	if a.status != 200 || a.json(t)["accepted"] != 1.0 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if again := d.call("POST", "currency-log", body, "Idempotency-Key: k1"); string(again.body) != string(a.body) {
		t.Errorf("%d %s, want %s", again.status, again.body, a.body)
	}
}

func TestRiskScore(t *testing.T) {
	d := openEconomy(t)
	a := d.call("GET", "risk-score?player_id=p", "")
	m := a.json(t)
	delete(m, "request_id")
	want := map[string]any{
		"code": 0.0, "player_id": "p", "risk_score": 35.0, "risk_level": "attention", "last_updated": "2026-09-21T14:13:20.000Z", "bans": []any{},
		"risk_factors": []any{
			map[string]any{"factor": "trade_frequency", "score": 20.0}, map[string]any{"factor": "long_standing_pair", "score": -5.0},
		},
	}
	if diff := cmp.Diff(want, m); a.status != 200 || diff != "" {
		t.Errorf("%d (-want +got):\n%s", a.status, diff)
	}
	wantError(t, d.call("GET", "risk-score?player_id=nobody", ""), wire.PlayerNotFound)
	wantError(t, d.call("GET", "risk-score", ""), wire.InvalidParameter)
	wantError(t, d.call("GET", "risk-score?player_id=a%0ab", ""), wire.InvalidParameter)
}

func TestEvaluateTrade(t *testing.T) {
	d := openEconomy(t)
	body := `{"sender_id":"p","receiver_id":"q","items":[{"item_id":"sword","count":1}],"currency":{"type":"gold","amount":1000}}`
	a := d.call("POST", "evaluate-trade", body)
	m := a.json(t)
	if a.status != 200 || m["suggestion"] != "review" || m["risk_score"] != 65.0 || fmt.Sprint(m["reasons"]) != "[unusual_trade_value new_account_recipient]" {
		t.Errorf("%d %s", a.status, a.body)
	}
	want := economy.Proposal{Sender: "p", Receiver: "q", Deal: economy.Deal{Items: []economy.Stack{{Item: "sword", Count: 1}}, Money: economy.Money{Type: "gold", Amount: 1000}}}
	if diff := cmp.Diff(want, d.eco.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	wantError(t, d.call("POST", "evaluate-trade", strings.Replace(body, `"q"`, `"nobody"`, 1)), wire.PlayerNotFound)
	wantError(t, d.call("POST", "evaluate-trade", strings.Replace(body, `"q"`, `"p"`, 1)), wire.InvalidParameter)
	wantError(t, d.call("POST", "evaluate-trade", `{}`), wire.InvalidParameter)
}

func TestBan(t *testing.T) {
	d := openEconomy(t)
	target, body := "/api/v1/economy/ban", `{"player_id":"p","ban_type":"temporary","duration_hours":24,"reason":"bot_farming"}`
	sign := signature("POST", target, "", body)
	first, again := d.send("POST", target, body, sign), d.send("POST", target, body, sign)
	if first.status != 200 || string(first.body) != string(again.body) || again.header.Get("X-Request-Id") != again.json(t)["request_id"] {
		t.Errorf("%d %s, then %d %s, want the same answer", first.status, first.body, again.status, again.body)
	}
	m := first.json(t)
	id, _ := m["ban_id"].(string)
	if len(d.eco.bans) != 1 || d.eco.hours != 24 || id == "" || m["player_id"] != "p" || m["ban_type"] != "temporary" || m["expires_at"] != "2026-09-21T14:13:20.000Z" {
		t.Errorf("%+v: %s", d.eco.bans, first.body)
	}
	if a := d.call("POST", "ban", `{"player_id":"p","ban_type":"permanent"}`); a.status != 200 || a.json(t)["expires_at"] != nil || len(d.eco.bans) != 2 {
		t.Errorf("%d %s", a.status, a.body)
	}
	for name, wrong := range map[string]string{
		"no type": `{"player_id":"p"}`, "another type": `{"player_id":"p","ban_type":"forever"}`, "no hours": `{"player_id":"p","ban_type":"temporary"}`,
		"no hour": `{"player_id":"p","ban_type":"temporary","duration_hours":0}`, "too long": `{"player_id":"p","ban_type":"temporary","duration_hours":8761}`,
		"an end of what has none": `{"player_id":"p","ban_type":"permanent","duration_hours":1}`, "another app": `{"app_id":"app-b","player_id":"p","ban_type":"permanent"}`,
	} {
		t.Run(name, func(t *testing.T) { wantError(t, d.call("POST", "ban", wrong), wire.InvalidParameter) })
	}
	wantError(t, d.call("POST", "ban", `{"player_id":"nobody","ban_type":"permanent"}`), wire.PlayerNotFound)

	page := d.call("GET", "bans?limit=1", "").json(t)
	cursor, _ := page["cursor"].(string)
	if list, _ := page["bans"].([]any); len(list) != 1 || cursor == "" {
		t.Errorf("bans: %v", page)
	}
	d.call("GET", "bans?limit=1&status=all&cursor="+cursor, "")
	if d.eco.mark.ID != id {
		t.Errorf("the cursor leads to %+v, want %s", d.eco.mark, id)
	}
	wantError(t, d.call("GET", "bans?cursor=x!", ""), wire.InvalidParameter)
	wantError(t, d.call("GET", "bans?limit=0", ""), wire.InvalidParameter)
	wantError(t, d.call("GET", "bans?status=x", ""), wire.InvalidParameter)
	wantError(t, d.call("GET", "bans?player_id=nobody", ""), wire.PlayerNotFound)

	body = `{"player_id":"p","ban_id":"` + id + `","reason":"appeal"}`
	sign = signature("DELETE", target, "", body)
	first, again = d.send("DELETE", target, body, sign), d.send("DELETE", target, body, sign)
	if list, _ := first.json(t)["lifted"].([]any); first.status != 200 || len(list) != 1 || string(first.body) != string(again.body) {
		t.Errorf("%d %s, then %d %s, want the same answer", first.status, first.body, again.status, again.body)
	}
	wantError(t, d.call("DELETE", "ban", `{"player_id":"p","ban_id":"none"}`), wire.NotFound)
}

func TestOverrideRisk(t *testing.T) {
	d := openEconomy(t)
	put := func(player, body string) answer {
		target := "/api/v1/economy/players/" + player + "/override"
		nonce := "nonce-" + strings.ReplaceAll(string(newRequestID()), "-", "")
		return d.send("PUT", target, body, signature("PUT", target, nonce, body), "X-SVC-Nonce: "+nonce)
	}
	a := put("p", `{"score":5,"hours":24,"reason":"known streamer"}`)
	if m := a.json(t); a.status != 200 || m["player_id"] != "p" || m["score"] != 5.0 || m["until"] != "2026-09-22T14:13:20.000Z" || m["reason"] != "known streamer" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if o := d.eco.said; o.App != appA || o.Score != 5 || o.By == "" {
		t.Errorf("%+v", o)
	}
	said, _ := d.call("GET", "risk-score?player_id=p", "").json(t)["override"].(map[string]any)
	if said["score"] != 5.0 || said["by"] != d.eco.said.By {
		t.Errorf("risk-score says %v", said)
	}
	if m := d.call("GET", "risk-score?player_id=q", "").json(t); m["override"] != nil {
		t.Errorf("of another player: %v", m)
	}
	if a := put("p", `{"hours":0,"reason":"back"}`); a.status != 200 {
		t.Errorf("taken back: %d %s", a.status, a.body)
	}
	for _, wrong := range []string{
		`{"score":5,"hours":24}`, `{"score":5,"reason":"x"}`, `{"hours":1,"reason":"x"}`, `{"score":101,"hours":1,"reason":"x"}`, `{"score":-1,"hours":1,"reason":"x"}`,
		`{"score":1.5,"hours":1,"reason":"x"}`, `{"score":1,"hours":8761,"reason":"x"}`, `{"score":1,"hours":-1,"reason":"x"}`, `{"app_id":"app-b","score":1,"hours":1,"reason":"x"}`,
	} {
		wantError(t, put("p", wrong), wire.InvalidParameter)
	}
	wantError(t, put("nobody", `{"score":5,"hours":1,"reason":"x"}`), wire.PlayerNotFound)
	wantError(t, put("many", `{"score":5,"hours":1,"reason":"x"}`), wire.Conflict)
}

func TestTimeline(t *testing.T) {
	d := openEconomy(t)
	d.call("POST", "trade-log", `{"app_id":"app-a","logs":[{"log_id":"L1","timestamp":1700000000000,"trade_id":"t","sender_id":"a/b","receiver_id":"q",
		"items":[{"item_id":"ore","count":3}],"return_currency":{"type":"gold","amount":9}}]}`)
	d.call("POST", "ban", `{"player_id":"a/b","ban_type":"trade"}`)
	m := d.call("GET", "players/a%2Fb/timeline", "").json(t)
	want := []any{map[string]any{
		"log": "trade", "log_id": "L1", "timestamp": 1.7e12, "sender_id": "a/b", "receiver_id": "q", "trade_id": "t",
		"items": []any{map[string]any{"item_id": "ore", "count": 3.0}}, "return_currency": map[string]any{"type": "gold", "amount": 9.0},
	}}
	if diff := cmp.Diff(want, m["entries"]); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if bans, _ := m["bans"].([]any); len(bans) != 1 {
		t.Errorf("bans: %v", m["bans"])
	}
	m = d.call("GET", "players/a%2Fb/timeline?cursor="+m["cursor"].(string), "").json(t)
	if bans, _ := m["bans"].([]any); len(bans) != 0 || d.eco.mark != (economy.Mark{At: 7, ID: "L:1"}) {
		t.Errorf("the next page: %v from %+v", m, d.eco.mark)
	}
	wantError(t, d.call("GET", "players/nobody/timeline", ""), wire.PlayerNotFound)
}

// A moderator reads a player's ledger and risk; the query names the app.
func TestEconomyForModerators(t *testing.T) {
	d := openEconomy(t)
	cookie, _ := d.signIn(auth.RoleViewer)
	for path, want := range map[string]wire.Code{
		"/economy/risk-score?player_id=p&app_id=app-a": 0, "/economy/risk-score?player_id=p": wire.InvalidParameter,
		"/economy/players/p/timeline?app_id=app-a": 0, "/economy/players/nobody/timeline?app_id=app-a": wire.PlayerNotFound,
	} {
		a := d.send("GET", "/api/v1"+path, "", append(own, cookie)...)
		if want != 0 {
			wantError(t, a, want)
		} else if a.status != 200 {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

type apps = Apps

// twoApps is a register of two.
type twoApps struct{ apps }

func (twoApps) Apps(context.Context) ([]store.App, error) {
	return []store.App{{ID: "app-a"}, {ID: "app-b"}}, nil
}

// Every moderator learns which apps there are, nobody else does.
func TestAppNames(t *testing.T) {
	d := openEconomyWith(t, func(_ *Config, deps *Deps) { deps.Apps = twoApps{} })
	cookie, _ := d.signIn(auth.RoleViewer)
	a := d.send("GET", "/api/v1/apps/names", "", append(own, cookie)...)
	if diff := cmp.Diff([]any{"app-a", "app-b"}, a.json(t)["apps"]); a.status != 200 || diff != "" {
		t.Errorf("%d (-want +got):\n%s", a.status, diff)
	}
	wantError(t, d.send("GET", "/api/v1/apps/names", ""), wire.Unauthenticated)
}
