package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestBatchBenches runs what measures batches and webhooks, on a small scale: the figures
// are the machine's, that everything is answered is ours.
func TestBatchBenches(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]map[string]any{
		"batch --json --goals --lines 4000 --parts 2 --sessions 20 --rate 50 --quiet 600ms --round 100ms": {
			"database": "SQLite", "lines": 4000.0, "beside_live.lines": 4000.0, "alone.lines": 2000.0, "goals.length": 2.0,
			"live_without_batch.unanswered": 0.0, "live_beside_batch.unanswered": 0.0,
		},
		"webhooks --json --goals --rate 40 --duration 1s": {"sent": 40.0, "told": 40.0, "told_twice": 0.0, "goals.length": 1.0},
	} {
		t.Run(strings.Fields(args)[0], func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), "portcullis", append([]string{"bench"}, strings.Fields(args)...)...)
			cmd.Env = cleanEnvironment()
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, out, stderrOf(err))
			}
			r := object(t, out)
			for path, value := range want {
				if got, _ := member(r, path); got != value {
					t.Errorf("%s: %v, want %v: %s", path, got, value, out)
				}
			}
		})
	}
	for _, args := range []string{
		"batch more", "batch --lines 0", "batch --parts 0", "batch --rate 0", "batch --flagged 2", "batch --round 0s", "batch --quiet 0s",
		"batch --database x", "webhooks --rate 0", "webhooks --duration 0s", "webhooks more",
	} {
		out, err := exec.CommandContext(t.Context(), "portcullis", append([]string{"bench"}, strings.Fields(args)...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), strings.Fields(args)[1]) && !strings.Contains(string(out), "--redis") {
			t.Errorf("bench %s: %v %s", args, err, out)
		}
	}
}
