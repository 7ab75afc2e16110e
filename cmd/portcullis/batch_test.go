package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// batchOf is a batch of n lines that only differ in their number.
func batchOf(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"kind":"text","id":"%d","user_id":"p%d","content":"line number %d of a long day"}`+"\n", i+1, i%100, i)
	}
	return b.String()
}

// batchResults reads what there is after a line, and wants it whole and in order.
func batchResults(t *testing.T, game *caller, id string, after int) (lines int, requests map[string]bool) {
	t.Helper()
	a, err := game.call(t.Context(), "GET", fmt.Sprintf("batches/%s/results?after=%d", id, after), "")
	if err != nil || a.status != 200 {
		t.Fatalf("results: %d %.200s %v", a.status, a.body, err)
	}
	requests = map[string]bool{}
	for line := range strings.Lines(string(a.body)) {
		var o struct {
			Line    int
			ID      string
			Request string `json:"request_id"`
			Result  struct{ Suggestion string }
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if o.Line != after+lines+1 || o.ID != strconv.Itoa(o.Line) || o.Result.Suggestion == "" {
			t.Fatalf("after line %d: %q", after+lines, line)
		}
		lines++
		requests[o.Request] = true
	}
	return lines, requests
}

// Two gateways share the work on a batch. One is killed in the middle: the other goes on
// alone, every line has one result, and the game's server is told of the end once.
func TestABatchOutlivesItsGateway(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		r := newReceiver(t)
		listen(t, p.game, r, `["batch.done"]`)
		token := fmt.Sprint(p.game.must(t, 200, "POST", "auth/token", `{}`)["access_token"])
		game := &caller{url: p.one.url, bearer: token}
		const lines = 6_000
		id := fmt.Sprint(game.must(t, 202, "POST", "batches", batchOf(lines))["batch_id"])
		other := &caller{url: p.two.url, bearer: token}
		var before map[string]any
		eventually(t, "some lines", func() bool {
			before = other.must(t, 200, "GET", "batches/"+id, "")
			done, _ := before["done"].(float64)
			return done > 0
		})
		if err := p.one.kill(); err != nil {
			t.Fatal(err)
		}
		part, _ := batchResults(t, other, id, 0)
		var after map[string]any
		eventually(t, "the end", func() bool {
			after = other.must(t, 200, "GET", "batches/"+id, "")
			return after["status"] == "done"
		})
		if before["status"] != "running" || after["done"] != float64(lines) || after["errors"] != 0.0 {
			t.Errorf("before the kill %v, at the end %v", before, after)
		}
		all, requests := batchResults(t, other, id, 0)
		if all != lines || len(requests) != lines || part > lines {
			t.Errorf("%d results, %d at the kill, %d different requests; want %d", all, part, len(requests), lines)
		}
		if rest, _ := batchResults(t, other, id, part); rest != lines-part {
			t.Errorf("%d results after line %d, want %d", rest, part, lines-part)
		}
		eventually(t, "the webhook", func() bool { return len(r.of("batch.done")) > 0 })
		e := r.of("batch.done")[0]
		for path, want := range map[string]any{"subject": "batch/" + id, "data.app_id": "game", "data.batch_id": id, "data.status": "done", "data.done": float64(lines)} {
			if got, _ := member(e, path); got != want {
				t.Errorf("%s of the event is %v, want %v", path, got, want)
			}
		}
		time.Sleep(followedWithin)
		if n := len(r.of("batch.done")); n != 1 {
			t.Errorf("told %d times, want once", n)
		}
		r.check(t)
	})
}
