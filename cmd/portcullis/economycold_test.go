package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPlayersInRedis counts more players than a gateway keeps: the others lie in Redis,
// are counted on from there, come along when the gateway ends in peace, and are made again
// from the log when Redis has forgotten them.
func TestPlayersInRedis(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	client := redis.client(t)
	defer client.Close()
	vars := []string{"PORTCULLIS_REDIS_URL=" + redis.url, "PORTCULLIS_ECONOMY_HOT_PLAYERS=16", "PORTCULLIS_ECONOMY_PACKED_MB=1"}
	dir := t.TempDir()
	p := serveProcess(t, vars, "--data", dir)
	game := newCaller(t, p, vars, dir)
	at := time.Now().Add(-time.Hour).Truncate(time.Second).UnixMilli()
	const players, atOnce = 12_000, 500
	round := 0
	// Each round every player earns 10 in three currencies.
	post := func() {
		t.Helper()
		for from := 0; from < players; from += atOnce / 3 {
			var list []string
			for i := from; i < min(from+atOnce/3, players); i++ {
				for c := range 3 {
					list = append(list, fmt.Sprintf(
						`{"log_id":"l%d-%d","player_id":"player-%d","currency_type":"coin%d","action":"earn","amount":10,"balance_after":%d,"source":"quest","timestamp":%d}`,
						round, c, i, c, 10*(round+1), at+int64(round)*60_000))
				}
			}
			game.must(t, 200, "POST", "economy/currency-log", fmt.Sprintf(`{"app_id":%q,"logs":[%s]}`, game.app, strings.Join(list, ",")))
		}
		round++
	}
	blobs := func() int {
		t.Helper()
		keys, err := client.Keys(t.Context(), "pc:{b:*").Result()
		if err != nil {
			t.Fatal(err)
		}
		return len(keys)
	}
	// knows asks for some players, of whom most are in Redis: whether one has what it gives
	// tells whether its wallet is known.
	knows := func(when string) {
		t.Helper()
		for i := 0; i < players; i += 997 {
			lacks := func(money int) bool {
				t.Helper()
				m := game.must(t, 200, "POST", "economy/evaluate-trade", fmt.Sprintf(
					`{"app_id":%q,"sender_id":"player-%d","receiver_id":"player-%d","currency":{"type":"coin1","amount":%d}}`, game.app, i, (i+1)%players, money))
				reasons, _ := m["reasons"].([]any)
				return slices.Contains(reasons, any("insufficient_holdings"))
			}
			eventually(t, fmt.Sprintf("%s: what player %d has", when, i), func() bool { return lacks(1_000_000) && !lacks(10*round) })
		}
	}
	post()
	eventually(t, "players in Redis", func() bool { return blobs() > 0 })
	knows("once")
	post()
	knows("after another round")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.wait(); err != nil || !strings.Contains(p.log.String(), "book saved") {
		t.Fatalf("%v; the log:\n%s", err, p.log)
	}
	if n := blobs(); n != 0 {
		t.Errorf("%d blobs are left", n)
	}

	p = serveProcess(t, vars, "--data", dir)
	game = game.at(p)
	eventually(t, "players in Redis again", func() bool { return blobs() > 0 })
	knows("after an end in peace")
	if err := client.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	post()
	eventually(t, "the book made again", func() bool { return strings.Contains(p.log.String(), "economy: book made") })
	knows("after Redis forgot them")
}
