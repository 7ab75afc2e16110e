package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestBookIsSaved ends a gateway and starts it again, in peace and by force: the next
// one knows every entry, and reads the log again only after the latter.
func TestBookIsSaved(t *testing.T) {
	t.Parallel()
	for name, env := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vars := append(env(t), "PORTCULLIS_REDIS_URL="+startRedis(t).url)
			dir := t.TempDir()
			p := serveProcess(t, vars, "--data", dir)
			game := newCaller(t, p, vars, dir)
			at := time.Now().Add(-time.Hour).Truncate(time.Second)
			entry := func(player string, i int) {
				t.Helper()
				game.must(t, 200, "POST", "economy/currency-log", fmt.Sprintf(
					`{"app_id":%q,"logs":[{"log_id":"l%d","player_id":%q,"currency_type":"gold","action":"earn","amount":1,"balance_after":%d,"source":"quest","timestamp":%d}]}`,
					game.app, i, player, i, at.Add(time.Duration(i)*time.Second).UnixMilli()))
			}
			knows := func(when, player string, i int) {
				t.Helper()
				eventually(t, fmt.Sprintf("%s: entry %d of %s", when, i, player), func() bool {
					a, err := game.call(t.Context(), "GET", "economy/risk-score?player_id="+player, "")
					var risk struct {
						At time.Time `json:"last_updated"`
					}
					return err == nil && a.status == 200 && json.Unmarshal(a.body, &risk) == nil && risk.At.Equal(at.Add(time.Duration(i)*time.Second))
				})
			}
			again := func() {
				t.Helper()
				p = serveProcess(t, vars, "--data", dir)
				game = game.at(p)
			}
			entry("ann", 1)
			knows("at first", "ann", 1)
			if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := p.wait(); err != nil || !strings.Contains(p.log.String(), "book saved") {
				t.Fatalf("%v; the log:\n%s", err, p.log)
			}

			again()
			knows("after an end in peace", "ann", 1)
			if strings.Contains(p.log.String(), "book made") {
				t.Errorf("the log was read again:\n%s", p.log)
			}
			entry("ann", 2)
			entry("bob", 3)
			if err := p.kill(); err != nil {
				t.Fatal(err)
			}

			again()
			knows("after an end by force", "ann", 2)
			knows("after an end by force", "bob", 3)
		})
	}
}
