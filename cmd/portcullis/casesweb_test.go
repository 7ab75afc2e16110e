package main

import (
	"testing"
)

// TestADecisionIsTold: who decides is at one gateway, the author at the other. The
// author and its scene hear of it there, and the game's server by webhook; so for a
// report and an appeal.
func TestADecisionIsTold(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		r := newReceiver(t)
		listen(t, p.game, r, `["case.opened","case.decided","case.undone","appeal.decided"]`)
		mod := moderator(t, p.one, p.one).from
		scene := "demo-prereview"
		ann, bob := &player{from: p.game.at(p.two), name: "ann", scenes: []string{scene}}, &player{from: p.game.at(p.two), name: "bob", scenes: []string{scene}}
		for _, who := range []*player{ann, bob} {
			if err := who.hello(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := who.join(t.Context(), scene); err != nil {
				t.Fatal(err)
			}
		}
		v, err := ann.say(t.Context(), "1", scene, "you idiot")
		if err != nil || v.str("action") != "hold" {
			t.Fatalf("verdict %v, %v", v, err)
		}
		said := v.str("request_id")
		list := mod.must(t, 200, "GET", "cases?held=true", "")
		id, _ := member(list, "cases.0.case_id")
		kase, _ := id.(string)
		notice := func(kind, about string) {
			t.Helper()
			n, err := ann.until(t.Context(), "notice", "")
			for err == nil && n.str("kind") != kind { // others may tell it things too
				n, err = ann.until(t.Context(), "notice", "")
			}
			if err != nil || n.str("kind") != kind || n.str("request_id") != about && n.str("case_id") != about {
				t.Errorf("notice %v, %v, want %s of %s", n, err, kind, about)
			}
		}
		mod.must(t, 200, "POST", "cases/"+kase+"/decide", `{"decision":"reject","version":1,"category":"harassment","policy":"rule 3","reason":"insult"}`)
		notice("rejected", said)
		a := p.game.must(t, 200, "POST", "appeals", `{"player_id":"ann","case_id":"`+kase+`","statement":"a joke"}`)
		appeal, _ := member(a, "case_id")
		// ada decided first, so that somebody else has to look; she undoes it herself.
		mod.must(t, 403, "POST", "cases/"+appeal.(string)+"/decide", `{"decision":"uphold","version":1,"policy":"house rules","reason":"looked at"}`)
		mod.must(t, 200, "POST", "cases/"+kase+"/undo", `{"reason":"a joke"}`)
		notice("approved", said)
		if m, err := bob.until(t.Context(), "message", ""); err != nil || m.str("message_id") != said || m.str("content") != "you idiot" {
			t.Errorf("bob hears %v, %v", m, err)
		}
		if err := bob.send(t.Context(), frame{"type": "report", "id": "r", "player_id": "ann", "reason": "harassment", "scene_id": scene, "message_id": said}); err != nil {
			t.Fatal(err)
		}
		if ok, err := bob.until(t.Context(), "ok", "r"); err != nil || ok.str("case_id") != kase {
			t.Errorf("report: %v, %v, want the case %s", ok, err, kase)
		}
		for typ, want := range map[string]map[string]any{
			"case.opened":  {"data.case_id": kase, "data.state": "open", "data.request_id": said, "subject": "player/ann", "data.category": "harassment", "data.queue": "abuse"},
			"case.decided": {"data.case_id": kase, "data.decision": "reject", "data.policy": "rule 3", "data.state": "closed", "data.undone": false, "data.version": 2.0},
			"case.undone":  {"data.case_id": kase, "data.decision": "approve", "data.undone": true, "data.version": 3.0},
		} {
			// They come in any order, and the appeal is a case too.
			var told any
			eventually(t, "the webhook of "+typ, func() bool {
				for _, e := range r.of(typ) {
					if id, _ := member(e, "data.case_id"); id == kase {
						told = e
					}
				}
				return told != nil
			})
			for path, value := range want {
				if got, _ := member(told, path); got != value {
					t.Errorf("%s of %s is %v, want %v", path, typ, got, value)
				}
			}
			if by, ok := member(told, "data.by"); ok {
				t.Errorf("%s tells who decided: %v", typ, by)
			}
		}
		r.check(t)
	})
}
