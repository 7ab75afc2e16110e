package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// putRule stores a rule after version was, 0 being a new one.
func (c *caller) putRule(t *testing.T, status int, name string, was int, rule string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	target := "/api/v1/economy/rules/" + name
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, c.url+target, strings.NewReader(rule))
	if err != nil {
		t.Fatal(err)
	}
	c.authorize(req, target, rule)
	if was > 0 {
		req.Header.Set("If-Match", strconv.Quote(strconv.Itoa(was)))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var o map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&o); err != nil || resp.StatusCode != status {
		t.Fatalf("PUT %s = %d, want %d: %v %v", target, resp.StatusCode, status, o, err)
	}
}

// TestRulesOnEveryGateway takes a rule on trades and one on players from a draft to
// life at one gateway, and asks at the other.
func TestRulesOnEveryGateway(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		at := time.Now().Add(-time.Hour).UnixMilli()
		var logs []string
		for i := range 6 {
			logs = append(logs, fmt.Sprintf(`{"log_id":"T%d","timestamp":%d,"trade_id":"t%d","sender_id":"ann","receiver_id":"bob%d","trade_type":"mail",
				"currency":{"type":"gold","amount":%d}}`, i, at+int64(i), i, i, 100*i))
		}
		p.game.must(t, 200, "POST", "economy/trade-log", `{"app_id":"game","logs":[`+strings.Join(logs, ",")+`]}`)
		other := p.game.at(p.two)

		const body = `"on":"trade","when":"trade.type == 'mail' and trade.money >= 300","then":{"suggestion":"block"},"text":{"ja":"郵便で大金"},
			"must_hit":[{"trade":{"trade_type":"mail","currency":{"type":"gold","amount":300}}}],"must_pass":[{"trade":{"trade_type":"auction"}}]}`
		in := func(state string) string { return `{"state":"` + state + `",` + body }
		p.game.putRule(t, 400, "big_mail", 0, in("live"))
		p.game.putRule(t, 200, "big_mail", 0, in("draft"))
		p.game.putRule(t, 409, "big_mail", 0, in("draft"))
		p.game.putRule(t, 400, "big_mail", 1, in("live"))

		// A back-test of what the draft does lets it go live.
		test := p.game.must(t, 202, "POST", "economy/rules/big_mail/backtest", "")
		var done map[string]any
		eventually(t, "the back-test, at the other gateway", func() bool {
			done = other.must(t, 200, "GET", "economy/rules/big_mail/backtest/"+test["backtest_id"].(string), "")
			return done["status"] == "done"
		})
		for path, want := range map[string]any{"result.population": 6.0, "result.hits": 3.0, "result.sample.length": 3.0, "result.days.length": 1.0} {
			if got, _ := member(done, path); got != want {
				t.Errorf("back-test: %s = %v, want %v: %v", path, got, want, done)
			}
		}
		p.game.putRule(t, 200, "big_mail", 1, in("live"))

		const trade = `{"sender_id":"ann","receiver_id":"bob1","trade_type":"mail","currency":{"type":"gold","amount":400}}`
		blocks := func(c *caller) bool {
			e := c.must(t, 200, "POST", "economy/evaluate-trade", trade)
			first, _ := member(e, "reasons.0")
			return e["suggestion"] == "block" && first == "rule:big_mail"
		}
		if !blocks(p.game) {
			t.Error("the rule is not in force with the answer")
		}
		eventually(t, "the rule at the other gateway", func() bool { return blocks(other) })

		// A snoozed player is left out, and counted so.
		p.game.must(t, 200, "POST", "economy/rules/big_mail/snooze", `{"player_id":"bob1","hours":1}`)
		eventually(t, "the snooze at the other gateway", func() bool { return !blocks(other) })
		eventually(t, "the counts of both gateways", func() bool {
			s := other.must(t, 200, "GET", "economy/rules/big_mail/stats", "")
			hits, _ := member(s, "days.0.hits")
			snoozed, _ := member(s, "days.0.snoozed")
			return s["snoozed_players"] == 1.0 && hits != nil && hits.(float64) >= 2 && snoozed.(float64) >= 1
		})

		// A rule on players, from shadow to life.
		const onPlayer = `"on":"player","when":"player.score >= 0","then":{"factor":60}}`
		p.game.putRule(t, 200, "all", 0, `{"state":"shadow",`+onPlayer)
		if r := p.game.must(t, 200, "GET", "economy/risk-score?player_id=ann", ""); fmt.Sprint(r["risk_factors"]) != "[]" {
			t.Errorf("a rule in shadow acts: %v", r)
		}
		p.game.putRule(t, 200, "all", 1, `{"state":"live",`+onPlayer)
		eventually(t, "the factor at the other gateway", func() bool {
			r := other.must(t, 200, "GET", "economy/risk-score?player_id=ann", "")
			factor, _ := member(r, "risk_factors.0.factor")
			return factor == "rule:all" && r["risk_score"] == 60.0 && r["risk_level"] == "suspicious"
		})
		p.game.putRule(t, 200, "all", 2, `{"state":"retired",`+onPlayer)
		list := other.must(t, 200, "GET", "economy/rules", "")
		if code, _ := member(list, "codes.1.ja"); code != "郵便で大金" {
			t.Errorf("the codes of the rules: %v", list["codes"])
		}
		if n, _ := member(other.must(t, 200, "GET", "economy/rules/all/history", ""), "versions.length"); n != 3.0 {
			t.Errorf("%v versions, want 3", n)
		}
	})
}
