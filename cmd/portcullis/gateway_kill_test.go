package main

import (
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// logged waits until n pushes of a player's session are in Redis, where another
// gateway finds them: the owner writes them behind.
func logged(t *testing.T, p pair, who *player, n int64) {
	t.Helper()
	c := p.redis.client(t)
	key := store.SessionLogKey(engines.SessionID(who.session))
	eventually(t, "the session's log in Redis", func() bool {
		got, err := c.XLen(t.Context(), key).Result()
		if err != nil {
			t.Fatal(err)
		}
		return got >= n
	})
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

// A gateway is killed while its player is spoken to; she comes back at the other
// and has heard everything once.
func TestAKilledGatewayLosesNothing(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		ann, bob := enter(t, p.game, "ann"), enter(t, p.game.at(p.two), "bob")
		hears(t, ann, says(t, bob, "before", 10))
		unheard := says(t, bob, "unheard", 5) // some may be in ann's socket by now
		logged(t, p, ann, 15)
		if err := p.one.kill(); err != nil {
			t.Fatal(err)
		}
		gone := says(t, bob, "while gone", 5)
		resumes(t, ann, p.game.at(p.two))
		hears(t, ann, append(unheard, gone...))
		hears(t, ann, says(t, bob, "after", 5))
		hears(t, bob, says(t, ann, "back", 5))

		// The ids that she used before are remembered.
		v, err := ann.say(t.Context(), "back-0", lobby, "ann back line 0")
		if err != nil {
			t.Fatal(err)
		}
		if v["dup"] != true {
			t.Errorf("verdict on the same id = %v, want dup", v)
		}
	})
}

// A gateway is killed with pushes that nobody has written yet. The other one
// either knows all the same what came after, or says that it does not.
func TestAGatewayKilledMidWriteIsHonest(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		ann, bob := enter(t, p.game, "ann"), enter(t, p.game.at(p.two), "bob")
		hears(t, ann, says(t, bob, "before", 10))
		unheard := says(t, bob, "unheard", 5)
		if err := p.one.kill(); err != nil {
			t.Fatal(err)
		}
		switch kind := comesBack(t, ann, p.game.at(p.two)); kind {
		case "resumed":
			hears(t, ann, unheard)
		case "reset":
			if _, err := ann.until(t.Context(), "ready", ""); err != nil {
				t.Fatal(err)
			}
			if err := ann.join(t.Context(), lobby); err != nil {
				t.Fatal(err)
			}
		default:
			t.Fatalf("ann comes back: %s, want resumed or reset", kind)
		}
		hears(t, ann, says(t, bob, "after", 5))
	})
}
