package chat

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

func TestReport(t *testing.T) {
	g := serve(t, newWorld(), "a", testConfig(), desk(words))
	var filed atomic.Int64
	var last session.Report
	g.filed = func(r session.Report) (engines.CaseID, error) {
		last = r
		if r.Message == "theirs" {
			return "", wire.Invalid("/message_id", "is not a message of this player")
		}
		return engines.CaseID(fmt.Sprint("case-", filed.Add(1))), nil
	}
	ann := login(t, g, "player ann lobby")
	ask := func(c *client, want string, m message) message {
		t.Helper()
		m["type"] = "report"
		c.send(m)
		return c.next(want)
	}
	got := ask(ann, "ok", message{"id": "1", "player_id": "bad", "message_id": "m", "scene_id": "lobby", "reason": "harassment", "detail": "again"})
	want := session.Report{App: "game", Reporter: "ann", Player: "bad", Message: "m", Scene: "lobby", Reason: "harassment", Detail: "again"}
	if got.str("case_id") != "case-1" || last != want {
		t.Errorf("answer %v, filed %+v", got, last)
	}
	// The same id again is the same answer; another report under it is none.
	got = ask(ann, "ok", message{"id": "1", "player_id": "bad", "message_id": "m", "scene_id": "lobby", "reason": "harassment", "detail": "again"})
	if got.str("case_id") != "case-1" || got["dup"] != true || filed.Load() != 1 {
		t.Errorf("the same id: %v", got)
	}
	if got = ask(ann, "error", message{"id": "1", "player_id": "other", "reason": "harassment"}); got.num("code") != uint64(wire.Conflict) {
		t.Errorf("another report under the id: %v", got)
	}
	for _, m := range []message{
		{"id": "2", "player_id": "ann", "reason": "x"}, {"id": "3", "reason": "x"}, {"id": "4", "player_id": "bad"}, {"id": "5", "player_id": "bad", "reason": "x", "message_id": "theirs"},
	} {
		if got := ask(ann, "error", m); got.num("code") != uint64(wire.InvalidParameter) || got.str("id") != m["id"] {
			t.Errorf("%v: %v", m, got)
		}
	}
	server := login(t, g, "server")
	if got := ask(server, "error", message{"id": "1", "player_id": "bad", "reason": "x"}); got.num("code") != uint64(wire.InvalidParameter) {
		t.Errorf("a server that names no reporter: %v", got)
	}
	if ask(server, "ok", message{"id": "2", "player_id": "bad", "reporter_id": "bob", "reason": "x"}); last.Reporter != "bob" {
		t.Errorf("a server's report: %+v", last)
	}
}

// TestPublishOnce: whoever finishes what another gateway may have done already gives
// the scene nothing twice.
func TestPublishOnce(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	ann, bob, cy := login(t, a, "player ann lobby"), login(t, a, "player bob lobby"), login(t, b, "player cy lobby")
	it := &engines.Item{RequestID: "m1", App: "game", Player: "ann", Scene: "lobby", Text: "was held", Live: true}
	for _, g := range []*gate{a, b, a, b} { // each may believe that it is the first
		if err := g.hub.Publish(t.Context(), it, "case"); err != nil {
			t.Fatal(err)
		}
	}
	for _, g := range []*gate{b, a} {
		if err := g.hub.Retract(t.Context(), it, engines.Hate); err != nil {
			t.Fatal(err)
		}
	}
	it2 := &engines.Item{RequestID: "m2", App: "game", Player: "ann", Scene: "lobby", Text: "and then", Live: true}
	if err := b.hub.Publish(t.Context(), it2, "case"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*client{bob, cy} {
		if got := c.next("message"); got.str("message_id") != "m1" || got.str("content") != "was held" {
			t.Errorf("first push %v", got)
		}
		if got := c.next("retract"); got.str("message_id") != "m1" || got.str("reason") != "hate" {
			t.Errorf("then %v", got)
		}
		if got := c.next("message"); got.str("message_id") != "m2" {
			t.Errorf("then %v, want the other message", got)
		}
	}
	if got := ann.next("notice"); got.str("kind") != "approved" || got.str("request_id") != "m1" {
		t.Errorf("notice %v", got)
	}
}

// TestNoticeElsewhere: who decides need not be where the author is.
func TestNoticeElsewhere(t *testing.T) {
	w := newWorld()
	a, b := serve(t, w, "a", testConfig(), desk(words)), serve(t, w, "b", testConfig(), desk(words))
	ann := login(t, a, "player ann lobby")
	it := &engines.Item{RequestID: "m1", App: "game", Player: "ann", Scene: "lobby", Text: "x", Live: true}
	if err := b.hub.Reject(t.Context(), it, "case"); err != nil {
		t.Fatal(err)
	}
	if got := ann.next("notice"); got.str("kind") != "rejected" || got.str("request_id") != "m1" {
		t.Errorf("notice %v", got)
	}
	for upheld, kind := range map[bool]string{true: "approved", false: "rejected"} {
		if err := b.hub.AppealDecided(t.Context(), "game", "ann", "c7", upheld); err != nil {
			t.Fatal(err)
		}
		if got := ann.next("notice"); got.str("kind") != kind || got.str("case_id") != "c7" || got.str("text") == "" {
			t.Errorf("notice of an appeal %v", got)
		}
	}
	a.hub.Announced([]byte("nonsense")) // is ignored
}
