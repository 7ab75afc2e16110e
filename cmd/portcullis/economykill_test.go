package main

import (
	"os/exec"
	"testing"

	"github.com/portcullis-gg/portcullis/internal/store/storetest"
)

// TestEntriesOutliveKills kills a gateway again and again while entries come in, some
// of them for the second time, and wants each acknowledged one exactly once and the
// scores of a replay. What it does is `bench economy-kill`, on a smaller scale.
func TestEntriesOutliveKills(t *testing.T) {
	t.Parallel()
	args := []string{"bench", "economy-kill", "--json", "--kills", "3", "--rate", "150", "--players", "40", "--least", "50ms", "--most", "700ms"}
	for name, more := range map[string]func(t *testing.T) []string{
		"SQLite": func(*testing.T) []string { return nil },
		"PostgreSQL": func(t *testing.T) []string {
			t.Helper()
			return []string{"--database", storetest.PostgresURL(t), "--redis", startRedis(t).url}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), "portcullis", append(args, more(t)...)...)
			cmd.Env = cleanEnvironment()
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, out, stderrOf(err))
			}
			r := object(t, out)
			for _, some := range []string{"entries", "retries", "scores", "scores_above_0"} {
				if n, _ := r[some].(float64); n < 1 {
					t.Errorf("%s: %v, want some: %s", some, r[some], out)
				}
			}
			if r["database"] != name || r["kills"] != 3.0 {
				t.Errorf("%s", out)
			}
		})
	}
}
