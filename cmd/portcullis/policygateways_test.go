package main

import (
	"fmt"
	"strconv"
	"testing"
)

// change makes a change of version was of something, 0 being a new one. It comes again
// after a 503: administration is refused where Redis is slower than its few
// milliseconds, before anything is done.
func (c *caller) change(t *testing.T, status, was int, method, target, body string) map[string]any {
	t.Helper()
	mine := *c
	if was > 0 {
		mine.match = strconv.Itoa(was)
	}
	var a answer
	eventually(t, method+" "+target, func() bool {
		var err error
		if a, err = mine.call(t.Context(), method, target, body); err != nil {
			t.Fatal(err)
		}
		return a.status != 503 && a.status != 429
	})
	if a.status != status {
		t.Fatalf("%s %s = %d, want %d: %s", method, target, a.status, status, a.body)
	}
	return object(t, a.body)
}

// TestPoliciesOnEveryGateway changes a policy at one gateway and asks at the other, then
// takes a rollout to all players and back, with counts of both.
func TestPoliciesOnEveryGateway(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		one, two := p.game, p.game.at(p.two)
		check := func(c *caller, scene string, i int) any {
			t.Helper()
			// Each of another player and with other words: none is a flood.
			a := c.must(t, 200, "POST", "text/check", fmt.Sprintf(`{"content":"you idiot number %d","user_id":"p%d","scene_id":%q}`, i, i, scene))
			suggestion, _ := member(a, "result.suggestion")
			return suggestion
		}
		if got := check(two, "arena", 0); got != "review" {
			t.Fatalf("at first it is %v", got)
		}
		const block = `{"categories":{"harassment":{"action":"block","strictness":5}}}`
		one.change(t, 200, 0, "PUT", "policies/channel/arena", block)
		if got := check(one, "arena", 1); got != "block" {
			t.Errorf("with the answer it is %v here", got)
		}
		n := 2
		eventually(t, "the layer at the other gateway", func() bool { n++; return check(two, "arena", n) == "block" })
		two.change(t, 409, 0, "PUT", "policies/channel/arena", block)
		two.change(t, 200, 1, "DELETE", "policies/channel/arena", "")
		eventually(t, "its end at the first", func() bool { n++; return check(one, "arena", n) == "review" })

		r := two.change(t, 200, 2, "POST", "policies/channel/arena/rollouts", `{"body":`+block+`,"bounds":{}}`)
		path := "policies/channel/arena/rollouts/" + r["rollout_id"].(string)
		for version := 1; r["state"] != "shadow"; version++ {
			if id, ok := r["backtest_id"].(string); ok {
				eventually(t, "the back-test, at the other gateway", func() bool {
					return one.must(t, 200, "GET", "policies/backtests/"+id, "")["status"] == "done"
				})
			}
			r = one.change(t, 200, version, "POST", path+"/advance", "")
		}
		eventually(t, "counts of both gateways", func() bool {
			n++
			if got := check(two, "arena", n); got != "review" {
				t.Fatalf("in shadow it is %v", got)
			}
			check(one, "arena", n)
			s := two.must(t, 200, "GET", path, "")
			here, _ := member(s, "stats.0.pairs.0.decisions")
			return here != nil && here.(float64) >= 6
		})
		version := int(r["version"].(float64))
		for r["share"] != 100.0 {
			r = two.change(t, 200, version, "POST", path+"/advance", "")
			version++
		}
		eventually(t, "all players at the first gateway", func() bool { n++; return check(one, "arena", n) == "block" })
		r = one.change(t, 200, version, "POST", path+"/advance", "")
		if v := two.must(t, 200, "GET", "policies/channel/arena", ""); r["state"] != "live" || v["version"] != 3.0 || v["how"] != "rollout" {
			t.Errorf("it is %v, the layer %v", r["state"], v)
		}
		two.change(t, 200, version+1, "POST", path+"/return", "")
		eventually(t, "the version before at the first gateway", func() bool { n++; return check(one, "arena", n) == "review" })
	})
}
