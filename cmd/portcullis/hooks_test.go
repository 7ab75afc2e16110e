package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// receiver is a game's own server that is told of events. It knows Standard Webhooks
// and CloudEvents, not our packages.
type receiver struct {
	url    string
	mu     sync.Mutex
	secret string
	answer int // status
	got    []map[string]any
	ids    []string // webhook-id of each request, whatever was answered
	faults []string
	head   http.Header // of the last request
	body   []byte
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{answer: http.StatusNoContent}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { r.serve(t, w, req) }))
	t.Cleanup(s.Close)
	r.url = s.URL + "/hook"
	return r
}

func (r *receiver) serve(t *testing.T, w http.ResponseWriter, req *http.Request) {
	t.Helper()
	body, err := io.ReadAll(req.Body)
	if err != nil {
		t.Errorf("webhook: %v", err)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	id := req.Header.Get("webhook-id")
	r.ids = append(r.ids, id)
	r.head, r.body = req.Header.Clone(), body
	event := object(t, body)
	if !r.signed(req, id, body) {
		r.faults = append(r.faults, "signature "+req.Header.Get("webhook-signature"))
	}
	if event["id"] != id || event["specversion"] != "1.0" || event["source"] != "/apps/game" {
		r.faults = append(r.faults, string(body))
	}
	w.WriteHeader(r.answer)
	if r.answer < 300 {
		r.got = append(r.got, event)
	}
}

func (r *receiver) signed(req *http.Request, id string, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(r.secret, "whsec_"))
	if err != nil || len(key) < 24 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, req.Header.Get("webhook-timestamp"), body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return slices.Contains(strings.Fields(req.Header.Get("webhook-signature")), want)
}

func (r *receiver) set(secret string, answer int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secret, r.answer = secret, answer
}

// of returns the events of a type that were taken.
func (r *receiver) of(typ string) (list []map[string]any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.got {
		if e["type"] == typ {
			list = append(list, e)
		}
	}
	return list
}

func (r *receiver) requests() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.ids)
}

func (r *receiver) check(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.faults {
		t.Error("webhook:", f)
	}
}

// listen subscribes a receiver and returns the endpoint's id.
func listen(t *testing.T, game *caller, r *receiver, events string) string {
	t.Helper()
	a := game.must(t, 200, "PUT", "webhooks", `{"webhooks":[{"url":"`+r.url+`","events":`+events+`}]}`)
	secret, _ := member(a, "webhooks.0.secret")
	id, _ := member(a, "webhooks.0.id")
	r.set(fmt.Sprint(secret), http.StatusNoContent)
	return fmt.Sprint(id)
}

// moderator signs in as the first admin and watches the feed.
func moderator(t *testing.T, p *process, at *process) *player {
	t.Helper()
	link := regexp.MustCompile(`token=(\S+)`).FindStringSubmatch(p.out.String())
	if link == nil {
		t.Fatalf("no set-up link in %q", p.out)
	}
	c := &caller{url: p.url}
	a, err := c.call(t.Context(), "POST", "auth/setup", `{"token":"`+link[1]+`","name":"ada","password":"correct horse battery"}`)
	if err != nil || a.status != 200 {
		t.Fatalf("set-up: %d %s %v", a.status, a.body, err)
	}
	cookie, _, _ := strings.Cut(a.head.Get("Set-Cookie"), ";")
	w := &player{from: &caller{url: at.url, cookie: cookie}, name: "ada"}
	if err := w.hello(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.cut() })
	if err := w.send(t.Context(), frame{"type": "feed.subscribe", "id": "feed", "filter": frame{}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.until(t.Context(), "ok", "feed"); err != nil {
		t.Fatal(err)
	}
	return w
}

// bans one player at a gateway once it is known there.
func bans(t *testing.T, game *caller, body string) map[string]any {
	t.Helper()
	var made map[string]any
	eventually(t, "the ban", func() bool {
		a, err := game.call(t.Context(), "POST", "economy/ban", body)
		if err == nil && a.status == 200 {
			made = object(t, a.body)
			return true
		}
		time.Sleep(200 * time.Millisecond) // that the ticket named the player gets round within a second
		return false
	})
	return made
}

// A ban at one gateway: the game's server is told with a valid signature, a
// moderator at the other gateway sees it, and the player at the other gateway is
// told before its session closes. So for the lift.
func TestABanIsTold(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		r := newReceiver(t)
		listen(t, p.game, r, `["ban.created","ban.lifted"]`)
		ada := moderator(t, p.one, p.two)
		ann := &player{from: p.game.at(p.two), name: "ann", scenes: []string{lobby}}
		if err := ann.hello(t.Context()); err != nil {
			t.Fatal(err)
		}
		made := bans(t, p.game, `{"player_id":"ann","ban_type":"temporary","duration_hours":1,"reason":"bot_farming"}`)
		notice, err := ann.until(t.Context(), "notice", "")
		if err != nil || notice.str("kind") != "ban" || notice.str("until") == "" || !strings.Contains(notice.str("text"), "banned until") {
			t.Errorf("notice %v, %v", notice, err)
		}
		if code, reason := ann.closed(t.Context()); code != 4006 {
			t.Errorf("closed with %d %q, want 4006", code, reason)
		}
		eventually(t, "the webhook of the ban", func() bool { return len(r.of("ban.created")) > 0 })
		e := r.of("ban.created")[0]
		for path, want := range map[string]any{
			"subject": "player/ann", "data.ban_id": made["ban_id"], "data.ban_type": "temporary", "data.state": "created",
			"data.reason": "bot_farming", "data.expires_at": made["expires_at"], "data.app_id": "game",
		} {
			if got, _ := member(e, path); got != want {
				t.Errorf("%s of the event is %v, want %v", path, got, want)
			}
		}
		p.game.must(t, 200, "DELETE", "economy/ban", `{"player_id":"ann","reason":"appeal"}`)
		eventually(t, "the webhook of the lift", func() bool { return len(r.of("ban.lifted")) > 0 })
		for _, state := range []string{"created", "lifted"} {
			f, err := ada.until(t.Context(), "feed.event", "")
			if err != nil {
				t.Fatal(err)
			}
			if f.str("kind") != "ban" || f.str("state") != state || f.str("player_id") != "ann" || f.str("ban_id") != made["ban_id"] || f.str("until") != made["expires_at"] {
				t.Errorf("feed: %v, want that the ban was %s", f, state)
			}
		}
		if n, m := len(r.of("ban.created")), len(r.of("ban.lifted")); n != 1 || m != 1 {
			t.Errorf("told %d times of the ban and %d of the lift, want once each", n, m)
		}
		r.check(t)
	})
}

// A gateway that is killed between a ban and its delivery loses nothing: the next
// one delivers it, under the same webhook-id.
func TestAKillLosesNoWebhook(t *testing.T) {
	t.Parallel()
	for name, env := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vars := append(env(t), "PORTCULLIS_WEBHOOKS_ALLOW_PRIVATE=true", "PORTCULLIS_WEBHOOKS_ALLOW_HTTP=true", "PORTCULLIS_WEBHOOKS_TIMEOUT=1s")
			if name == "PostgreSQL" {
				vars = append(vars, "PORTCULLIS_REDIS_URL="+startRedis(t).url)
			}
			dir := t.TempDir()
			p := serveProcess(t, vars, "--data", dir)
			game := newCaller(t, p, vars, dir)
			r := newReceiver(t)
			hook := listen(t, game, r, `["*"]`)
			game.must(t, 200, "POST", "auth/ticket", `{"player_id":"ann","scenes":["lobby"]}`)
			r.mu.Lock()
			r.answer = http.StatusServiceUnavailable
			r.mu.Unlock()
			made := bans(t, game, `{"player_id":"ann","ban_type":"permanent","reason":"rmt"}`)
			if err := p.kill(); err != nil { // at once: the attempt may be under way, or not even begun
				t.Fatal(err)
			}
			r.set(r.secret, http.StatusOK)
			p = serveProcess(t, vars, "--data", dir)
			game = game.at(p)
			eventually(t, "the webhook after the kill", func() bool { return len(r.of("ban.created")) > 0 })
			if got, _ := member(r.of("ban.created")[0], "data.ban_id"); got != made["ban_id"] {
				t.Errorf("told of ban %v, want %v", got, made["ban_id"])
			}
			r.check(t)
			r.mu.Lock()
			for _, id := range r.ids {
				if id != r.ids[0] {
					t.Errorf("webhook-id %s follows %s", id, r.ids[0])
				}
			}
			r.mu.Unlock()

			// What was delivered is to be seen, and can be sent again.
			var list map[string]any
			eventually(t, "the delivery's state", func() bool {
				list = game.must(t, 200, "GET", "webhooks/"+hook+"/deliveries?state=delivered", "")
				_, ok := member(list, "deliveries.0")
				return ok
			})
			id, _ := member(list, "deliveries.0.delivery_id")
			before := r.requests()
			game.must(t, 200, "POST", fmt.Sprintf("webhooks/%s/deliveries/%v/resend", hook, id), "")
			eventually(t, "the second delivery", func() bool { return r.requests() > before })
			game.must(t, 200, "POST", "webhooks/"+hook+"/test", "")
			eventually(t, "the test event", func() bool { return len(r.of("webhook.test")) > 0 })
			game.must(t, 404, "POST", "webhooks/none/test", "")
			r.check(t)
		})
	}
}

// What the economy finds, and what is checked later, is told too: a new account on a
// banned player's device opens one case, an asynchronous check has its result, and a
// ban that ends by the app's own time is told of once, with two gateways looking.
func TestWhatElseIsTold(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		r := newReceiver(t)
		listen(t, p.game, r, `["*"]`)
		ada := moderator(t, p.one, p.two)
		log := func(id, player string, at time.Time, created time.Time) {
			t.Helper()
			p.game.must(t, 200, "POST", "economy/currency-log", fmt.Sprintf(`{"app_id":"game","logs":[{"log_id":"%s","timestamp":%d,"player_id":"%s",
				"currency_type":"gold","action":"earn","amount":5,"balance_after":5,"device_id":"hash-of-device","account_created_at":%d}]}`,
				id, at.UnixMilli(), player, created.UnixMilli()))
		}
		now := time.Now()
		log("1", "old", now.Add(-48*time.Hour), now.Add(-1000*time.Hour))
		log("2", "new", now.Add(-time.Hour), now.Add(-2*time.Hour))
		bans(t, p.game, `{"player_id":"old","ban_type":"permanent","reason":"rmt"}`)
		eventually(t, "the case", func() bool { return len(r.of("economy.case")) > 0 })
		e := r.of("economy.case")[0]
		for path, want := range map[string]any{
			"subject": "player/new", "data.kind": "ban_evasion", "data.player_id": "new", "data.link.banned_player_id": "old",
			"data.link.by": "device", "data.link.accounts": 2.0, "data.link.factor": "banned_link", "data.state": "open", "data.change": "opened",
		} {
			if got, _ := member(e, path); got != want {
				t.Errorf("%s of the case is %v, want %v", path, got, want)
			}
		}
		onFeed(t, ada, e)
		if text := fmt.Sprint(e); strings.Contains(text, "hash-of-device") {
			t.Errorf("the device is named: %s", text)
		}
		cases := ada.from.must(t, 200, "GET", "cases?app_id=game", "")
		want, _ := member(e, "data.case_id")
		if got, _ := member(cases, "cases.0.case_id"); got != want {
			t.Errorf("the queue has %v, want case %v", cases, want)
		}
		ada.from.must(t, 200, "POST", fmt.Sprintf("cases/%v/decide", want), `{"decision":"reject","reason":"the same person","version":1,"policy":"house rules"}`)

		p.game.must(t, 202, "POST", "text/check", `{"content":"buy cheap gold at www.gold-shop.example now","player_id":"new","options":{"async":true}}`)
		eventually(t, "the check", func() bool { return len(r.of("check.done")) > 0 })
		if got, _ := member(r.of("check.done")[0], "data.result.suggestion"); got == nil {
			t.Errorf("the check's event: %v", r.of("check.done")[0])
		}
		time.Sleep(2 * time.Second) // both gateways look again
		if n := len(r.of("economy.case")); n != 1 {
			t.Errorf("told of %d cases, want one", n)
		}
		r.check(t)
	})
}

// onFeed waits for the case that a webhook told of on a moderator's feed.
func onFeed(t *testing.T, moderator *player, told map[string]any) {
	t.Helper()
	for {
		f, err := moderator.until(t.Context(), "feed.event", "")
		if err != nil {
			t.Fatalf("the case is not on the feed: %v", err)
		}
		if f.str("kind") != "case" {
			continue
		}
		id, _ := member(told, "data.case_id")
		if f.str("case_id") != id || f.str("case_kind") != "ban_evasion" || f.str("change") != "opened" || f.str("app_id") != "game" || f.str("player_id") != "new" {
			t.Errorf("feed: %v, want what the webhook told: %v", f, told)
		}
		return
	}
}

// A ban that ends by itself is told of once, though two gateways look: here by the
// time of an app that plays old logs.
func TestAnEndIsToldOnce(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		r := newReceiver(t)
		listen(t, p.game, r, `["ban.expired"]`)
		past := time.Now().Add(-1000 * time.Hour)
		log := func(id string, at time.Time) {
			t.Helper()
			p.game.must(t, 200, "POST", "economy/currency-log", fmt.Sprintf(`{"app_id":"game","logs":[{"log_id":"%s","timestamp":%d,"player_id":"ann",
				"currency_type":"gold","action":"earn","amount":5,"balance_after":5}]}`, id, at.UnixMilli()))
		}
		log("1", past)
		made := bans(t, p.game, `{"player_id":"ann","ban_type":"temporary","duration_hours":1}`)
		log("2", past.Add(2*time.Hour))
		eventually(t, "the end", func() bool { return len(r.of("ban.expired")) > 0 })
		if got, _ := member(r.of("ban.expired")[0], "data.ban_id"); got != made["ban_id"] {
			t.Errorf("the end of %v, want %v", got, made["ban_id"])
		}
		eventually(t, "her return at the other gateway", func() bool {
			back := &player{from: p.game.at(p.two), name: "ann", scenes: []string{lobby}}
			err := back.hello(t.Context())
			if err == nil {
				back.cut()
			}
			return err == nil
		})
		time.Sleep(2 * followedWithin)
		if n := len(r.of("ban.expired")); n != 1 {
			t.Errorf("told %d times, want once", n)
		}
		r.check(t)
	})
}

// followedWithin is within what time a gateway looks again at what others do.
const followedWithin = 2 * time.Second
