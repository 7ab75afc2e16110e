package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestErasureOnEveryGateway erases at one gateway a player whose session, and whose
// profile, the other has: the session ends there, and nobody knows the profile, or
// what the player's lines of a batch came to, any more.
func TestErasureOnEveryGateway(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		at := p.game.at(p.two)
		eventually(t, "the profile", func() bool { // administration is refused while Redis is slow to answer
			a, err := p.game.call(t.Context(), "PUT", "players/ann", `{"language":"ja","segment":"minor"}`)
			return err == nil && a.status == 200
		})
		ann := enter(t, at, "ann")
		id := mutes(t, at)
		if n := notice(t, ann, "mute"); strings.HasPrefix(n.str("text"), "You") {
			t.Errorf("the notice is not in the player's language: %v", n)
		}
		p.game.must(t, 200, "DELETE", "players/ann/penalties/"+id, `{"reason":"appeal"}`)
		notice(t, ann, "unmute")
		sent := at.must(t, 202, "POST", "batches", strings.Join([]string{
			`{"kind":"text","id":"a","content":"go kill yourself you worthless faggot","user_id":"ann"}`,
			`{"kind":"text","id":"b","content":"go kill yourself you worthless faggot","user_id":"bob"}`,
		}, "\n"))
		batch, _ := member(sent, "batch_id")
		results := func() string {
			a, err := p.game.call(t.Context(), "GET", "batches/"+batch.(string)+"/results", "")
			if err != nil || a.status != 200 {
				return ""
			}
			return string(a.body)
		}
		eventually(t, "the batch", func() bool { return strings.Count(results(), `"suggestion":"block"`) == 2 })

		// The answer to a request may be asked for again for an hour, its own words in it.
		const asked = `{"content":"go kill yourself you worthless faggot","user_id":"ann","options":{"mask":true}}`
		repeated := func(where *caller) bool {
			mine := *where
			mine.key = "erased-1"
			var a answer
			eventually(t, "a check with a key", func() bool {
				var err error
				a, err = mine.call(t.Context(), "POST", "text/check", asked)
				return err == nil && a.status == 200
			})
			return a.head.Get("Idempotency-Replayed") == "true"
		}
		if repeated(p.game) || !repeated(at) {
			t.Error("a repeat at the other gateway is not answered with the first's answer")
		}

		var e struct {
			ID     string `json:"erasure_id"`
			Status string
			Erased map[string]int
		}
		eventually(t, "the erasure", func() bool {
			a, err := p.game.call(t.Context(), "DELETE", "players/ann", "")
			return err == nil && (a.status == 200 || a.status == 202) && json.Unmarshal(a.body, &e) == nil
		})
		if code, reason := ann.closed(t.Context()); code != 4001 {
			t.Errorf("the session was closed with %d %q, want 4001", code, reason)
		}
		eventually(t, "its end", func() bool {
			a, err := at.call(t.Context(), "GET", "erasures/"+e.ID, "")
			return err == nil && a.status == 200 && json.Unmarshal(a.body, &e) == nil && e.Status == "done"
		})
		if e.Erased["batch_results"] != 1 || e.Erased["player_card"] != 1 || e.Erased["penalty"] != 1 {
			t.Errorf("erased %v", e.Erased)
		}
		if got := results(); strings.Count(got, `"suggestion":"block"`) != 1 || !strings.Contains(got, `{"line":1,"erased":true}`) {
			t.Errorf("results: %s", got)
		}
		if repeated(at) {
			t.Error("the answer to a request about the player outlives the erasure")
		}
		// Who comes back under the name is a stranger, here and there.
		for _, where := range []*caller{at, p.game} {
			again := enter(t, where, "ann")
			eventually(t, "the profile forgotten", func() bool {
				mutes(t, where) // each later than the one before, and told
				return strings.HasPrefix(notice(t, again, "mute").str("text"), "You")
			})
			again.cut()
		}
	})
}
