package main

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// pair is two gateways that share their stores.
type pair struct {
	one, two *process
	redis    *redisServer
	game     *caller // at one
}

// stores are the ways in which gateways share what is durable.
var stores = map[string]func(t *testing.T) []string{
	"one folder": func(*testing.T) []string { return nil },
	"PostgreSQL": func(t *testing.T) []string {
		t.Helper()
		return []string{"PORTCULLIS_DATABASE_URL=" + storetest.PostgresURL(t)}
	},
}

func eachStore(t *testing.T, f func(t *testing.T, p pair)) {
	t.Helper()
	for name, env := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := startRedis(t)
			vars := append(env(t), "PORTCULLIS_REDIS_URL="+redis.url,
				"PORTCULLIS_CHAT_PLAYER_RATE=1000", "PORTCULLIS_CHAT_PLAYER_BURST=1000",
				"PORTCULLIS_WEBHOOKS_ALLOW_PRIVATE=true", "PORTCULLIS_WEBHOOKS_ALLOW_HTTP=true")
			dir := t.TempDir()
			p := pair{redis: redis, one: serveProcess(t, vars, "--data", dir), two: serveProcess(t, vars, "--data", dir)}
			p.game = newCaller(t, p.one, vars, dir)
			f(t, p)
		})
	}
}

// says sends n lines and wants each delivered; the texts are unique and ordered.
func says(t *testing.T, p *player, what string, n int) (texts []string) {
	t.Helper()
	for i := range n {
		text := fmt.Sprintf("%s %s line %d", p.name, what, i)
		v, err := p.say(t.Context(), what+"-"+strconv.Itoa(i), lobby, text)
		if err != nil {
			t.Fatal(err)
		}
		if v.str("action") != "deliver" {
			t.Fatalf("verdict on %q = %v, want deliver", text, v)
		}
		texts = append(texts, text)
	}
	return texts
}

// hears wants exactly these texts as the next messages. That none comes twice or
// too much shows in the next call, and in the seq, which next checks.
func hears(t *testing.T, p *player, want []string) {
	t.Helper()
	var got []string
	for range want {
		m, err := p.until(t.Context(), "message", "")
		if err != nil {
			t.Fatalf("%v; got %q, want %q", err, got, want)
		}
		got = append(got, m.str("content"))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s hears %q, want %q", p.name, got, want)
	}
}

// comesBack resumes at where and returns how the gateway answers.
func comesBack(t *testing.T, p *player, where *caller) (kind string) {
	t.Helper()
	p.cut()
	p.from = where
	f, err := p.resume(t.Context())
	if err != nil {
		t.Fatalf("%s resumes: %v", p.name, err)
	}
	if f.str("type") == "reset" {
		t.Logf("%s is reset: %s", p.name, f.str("reason"))
	}
	return f.str("type")
}

func resumes(t *testing.T, p *player, where *caller) {
	t.Helper()
	if got := comesBack(t, p, where); got != "resumed" {
		t.Fatalf("%s resumes: %s, want resumed", p.name, got)
	}
}

func TestPlayersOnTwoGatewaysHearEachOther(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		ann, bob := enter(t, p.game, "ann"), enter(t, p.game.at(p.two), "bob")
		hears(t, bob, says(t, ann, "first", 20))
		hears(t, ann, says(t, bob, "answer", 20))

		// Bob's connection breaks, and he comes back at the other gateway.
		bob.cut()
		missed := says(t, ann, "while away", 5)
		resumes(t, bob, p.game)
		hears(t, bob, missed)
		hears(t, bob, says(t, ann, "again", 5))
		hears(t, ann, says(t, bob, "from one", 5))
	})
}

func TestALoginElsewhereReplaces(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, p pair) {
		t.Helper()
		old := enter(t, p.game, "ann")
		again := enter(t, p.game.at(p.two), "ann")
		if code, reason := old.closed(t.Context()); code != 4005 {
			t.Errorf("the old session was closed with %d %q, want 4005", code, reason)
		}
		bob := enter(t, p.game, "bob")
		hears(t, bob, says(t, again, "here", 3))
	})
}
