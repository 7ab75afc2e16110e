package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMuteOnEveryGateway mutes at one gateway a player whose session is at the other:
// the player learns it there, stays muted where it comes back, and until it is lifted.
func TestMuteOnEveryGateway(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		ann, bob := enter(t, p.game.at(p.two), "ann"), enter(t, p.game, "bob")
		id := mutes(t, p.game)
		start := time.Now()
		notice(t, ann, "mute")
		t.Logf("told %v after the answer", time.Since(start))
		refuses(t, ann, "1")

		resumes(t, ann, p.game) // muted here as well, and told so
		notice(t, ann, "mute")
		refuses(t, ann, "2")
		resumes(t, ann, p.game.at(p.two))
		notice(t, ann, "mute")
		refuses(t, ann, "3")

		p.game.must(t, 200, "DELETE", "players/ann/penalties/"+id, `{"reason":"appeal"}`)
		notice(t, ann, "unmute")
		hears(t, bob, says(t, ann, "free", 3))
	})
}

// TestMuteByTheStore mutes where the gateways cannot tell each other.
func TestMuteByTheStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, two := serveProcess(t, nil, "--data", dir), serveProcess(t, nil, "--data", dir)
	game := newCaller(t, one, nil, dir)
	ann := enter(t, game.at(two), "ann")
	id := mutes(t, game)
	start := time.Now()
	notice(t, ann, "mute")
	t.Logf("told %v after the answer", time.Since(start))
	refuses(t, ann, "1")
	game.must(t, 200, "DELETE", "players/ann/penalties/"+id, `{"reason":"appeal"}`)
	notice(t, ann, "unmute")
}

// TestProfileOnEveryGateway changes at one gateway what the other has at hand.
func TestProfileOnEveryGateway(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		at := p.game.at(p.two)
		for i, trust := range []string{"watched", "trusted"} {
			p.game.must(t, 200, "PUT", "players/ann", fmt.Sprintf(`{"segment":"minor","language":%q}`, []string{"ja", "ko"}[i]))
			p.game.must(t, 200, "PUT", "players/ann/trust", fmt.Sprintf(`{"trust":%q,"reason":"test"}`, trust))
			a := at.must(t, 200, "GET", "players/ann", "")
			got, _ := member(a, "standing.trust")
			language, _ := member(a, "profile.language")
			if got != trust || language != []string{"ja", "ko"}[i] {
				t.Errorf("at the other gateway: %v", a)
			}
		}
		// What is at hand follows too: the language of the notice that a session gets.
		p.game.must(t, 200, "PUT", "players/ann", `{"language":"ja"}`)
		ann := enter(t, at, "ann")
		mutes(t, at)
		if n := notice(t, ann, "mute"); strings.HasPrefix(n.str("text"), "You") {
			t.Errorf("the notice is not in the player's language: %v", n)
		}
		p.game.must(t, 200, "PUT", "players/ann", `{"language":"en"}`)
		eventually(t, "the new profile at the other gateway", func() bool {
			mutes(t, at) // each later than the one before, and told
			return strings.HasPrefix(notice(t, ann, "mute").str("text"), "You")
		})
	})
}

// TestLadderOnEveryGateway changes a ladder at one gateway.
func TestLadderOnEveryGateway(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		eventually(t, "the change", func() bool { // administration is refused while Redis is slow to answer
			a, err := p.game.call(t.Context(), "PUT", "penalties/ladder", `{"window_days":7,"weights":{"default":[1]},"steps":[]}`)
			return err == nil && a.status == 200
		})
		eventually(t, "the ladder at the other gateway", func() bool {
			var l struct{ Version int }
			a, err := p.game.at(p.two).call(t.Context(), "GET", "penalties/ladder", "")
			return err == nil && json.Unmarshal(a.body, &l) == nil && l.Version == 1
		})
	})
}

// TestPenaltyWebhooks: an endpoint is told that a penalty was given and lifted.
func TestPenaltyWebhooks(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		var mu sync.Mutex
		var got []string
		receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			var e struct {
				Type, Subject string
				Data          struct {
					Kind, State, Status string
				}
			}
			if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got = append(got, fmt.Sprint(e.Type, " ", e.Subject, " ", e.Data.Kind, " ", e.Data.State, " ", e.Data.Status))
		}))
		defer receiver.Close()
		eventually(t, "the endpoint", func() bool { // administration is refused while Redis is slow to answer
			a, err := p.game.call(t.Context(), "PUT", "webhooks", fmt.Sprintf(`{"webhooks":[{"url":%q,"events":["penalty.created","penalty.lifted"]}]}`, receiver.URL))
			return err == nil && a.status == 200
		})
		enter(t, p.game, "ann")
		id := mutes(t, p.game)
		p.game.must(t, 200, "DELETE", "players/ann/penalties/"+id, `{"reason":"appeal"}`)
		want := map[string]bool{
			"penalty.created player/ann mute_text created active": true, "penalty.lifted player/ann mute_text lifted lifted": true,
		}
		eventually(t, "both events", func() bool {
			mu.Lock()
			defer mu.Unlock()
			for _, e := range got {
				if !want[e] {
					t.Errorf("told %q", e)
				}
			}
			return len(got) == 2 && got[0] != got[1]
		})
	})
}

// mutes mutes ann for an hour and returns the penalty's id. That a ticket named her
// gets round within about a second.
func mutes(t *testing.T, c *caller) (id string) {
	t.Helper()
	eventually(t, "the mute", func() bool {
		a, err := c.call(t.Context(), "POST", "players/ann/penalties", `{"kind":"mute_text","duration_hours":1,"reason":"spam","category":"spam"}`)
		if err != nil || a.status != 200 {
			time.Sleep(100 * time.Millisecond)
			return false
		}
		var made struct {
			ID string `json:"penalty_id"`
		}
		if err := json.Unmarshal(a.body, &made); err != nil {
			t.Fatal(err)
		}
		id = made.ID
		return id != ""
	})
	return id
}

// notice waits for the next notice, which must be of a kind.
func notice(t *testing.T, p *player, kind string) frame {
	t.Helper()
	n, err := p.until(t.Context(), "notice", "")
	if err != nil || n.str("kind") != kind {
		t.Fatalf("%s gets %v, %v; want a notice of kind %s", p.name, n, err, kind)
	}
	return n
}

// refuses wants a player's message answered with 1004.
func refuses(t *testing.T, p *player, id string) {
	t.Helper()
	v, err := p.say(t.Context(), id, lobby, "can you hear me")
	if err != nil || v.num("code") != 1004 || v.str("until") == "" {
		t.Fatalf("%s says something: %v, %v; want 1004", p.name, v, err)
	}
}
