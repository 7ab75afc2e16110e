package main

import (
	"fmt"
	"testing"
	"time"
)

// answersWithin is generous: on a busy machine it still tells an answer from
// memory from one that waited for Redis again and again. So many of the answers may take
// longer, for a machine that stands still.
const (
	answersWithin = time.Second
	mayBeLate     = 25
)

// TestHungRedis stops Redis in its tracks. Chat goes on from memory, new players
// get in, health says degraded, nothing piles up; and then all is as before.
func TestHungRedis(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	env := []string{"PORTCULLIS_REDIS_URL=" + redis.url, "PORTCULLIS_REDIS_WAIT=250ms", "PORTCULLIS_CHAT_PLAYER_RATE=1000", "PORTCULLIS_CHAT_PLAYER_BURST=1000"}
	dir := t.TempDir()
	p := serveProcess(t, env, "--data", dir)
	game := newCaller(t, p, env, dir)
	ann, bob := enter(t, game, "ann"), enter(t, game, "bob")
	hears(t, bob, says(t, ann, "before", 5))
	base := measure(t, p)

	if err := redis.hang(); err != nil {
		t.Fatal(err)
	}
	late, pace := 0, time.NewTicker(10*time.Millisecond)
	defer pace.Stop()
	for i := range 500 { // Redis hangs for five seconds
		<-pace.C
		start := time.Now()
		texts := says(t, ann, fmt.Sprintf("hung %d", i), 1)
		if time.Since(start) > answersWithin {
			late++
		}
		hears(t, bob, texts)
		if i%50 == 49 {
			eventually(t, fmt.Sprintf("after %d messages without Redis about %v", i+1, base), func() bool { return measure(t, p).within(base) })
		}
	}
	if late > mayBeLate {
		t.Errorf("%d of 500 verdicts took more than %v without Redis", late, answersWithin)
	}
	eventually(t, "health says degraded", func() bool { return degraded(t, p) })
	carl := enter(t, game, "carl")
	hears(t, carl, says(t, ann, "to the new one", 3))
	v, err := ann.say(t.Context(), "blocked", lobby, "go kill yourself you worthless faggot")
	if err != nil || v.str("action") != "drop" {
		t.Errorf("say() = %v, %v, want drop: flagged verdicts do not need Redis", v, err)
	}

	if err := redis.resume(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "health is good again", func() bool { return !degraded(t, p) })
	dora := enter(t, game, "dora")
	hears(t, dora, says(t, ann, "recovered", 2))
	dora.cut()
	missed := says(t, ann, "while away", 3)
	resumes(t, dora, game)
	hears(t, dora, missed)
	hears(t, dora, says(t, ann, "and on", 2))
	eventually(t, "nothing has piled up", func() bool { return measure(t, p).within(base) })
}
