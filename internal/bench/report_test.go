package bench

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// sample is a run with every part of a report in it.
func sample() *Report {
	side := func(base time.Duration) *tally {
		s := newTally()
		for i := range 1000 {
			s.clean.add(base + time.Duration(i)*time.Microsecond/10)
			s.lag.add(time.Duration(i) * 10)
		}
		s.sent, s.answered = 1000, 1000
		s.cpu, s.own, s.wall = base*1000, base*500, 500*time.Millisecond
		s.p50, s.p99 = []time.Duration{base, base + 1500}, []time.Duration{2 * base, 2 * base}
		return s
	}
	chat := side(70 * time.Microsecond)
	for range 50 {
		chat.flagged.add(3 * time.Millisecond)
	}
	chat.sent, chat.answered, chat.unanswered = 1051, 1050, 1
	chat.surprises, chat.misses = 2, 1
	chat.faults["error 1003"] = 1
	load := &Load{Sessions: 2000, EchoSessions: 1500, SceneSize: 1, Rate: 2000, Seconds: 0.5, Rounds: 2, FlaggedShare: 0.05}
	mem := memory{30 << 20, 50 << 20, 51 << 20, 2000}
	r := newReport(load,
		newSide(side(40*time.Microsecond), nil, memory{10 << 20, 16 << 20, 17 << 20, 1500}.report()),
		newSide(chat, map[string]int{"closed 4008": 2}, mem.report()))
	r.Goals = goals(r)
	return r
}

func TestReportGolden(t *testing.T) {
	for name, asJSON := range map[string]bool{"report.json": true, "report.txt": false} {
		var got bytes.Buffer
		if err := sample().print(&got, asJSON); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, got.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestGoals(t *testing.T) {
	verdicts := func(r *Report) map[string]string {
		out := make(map[string]string)
		for _, g := range goals(r) {
			out[g.Name] = g.Verdict
		}
		return out
	}
	slow := sample()
	slow.Added.CPURatio, slow.Chat.Flagged.P99 = 3.5, 20_001
	want := map[string]string{
		"p50 of clean messages over the raw echo":  "met",
		"p99 of clean messages over the raw echo":  "met",
		"server CPU a message over the raw echo's": "missed",
		"p99.9 of clean messages":                  "met",
		"p99 of flagged messages":                  "missed",
	}
	if diff := cmp.Diff(want, verdicts(slow)); diff != "" {
		t.Errorf("goals (-want +got):\n%s", diff)
	}
	other := sample()
	other.Load.Rate = 500
	if got := verdicts(other); len(got) != 0 {
		t.Errorf("goals at another rate = %v, want none: they are set for 2,000/s", got)
	}
	idle := &Report{Chat: &Side{Memory: &Memory{PerSession: 12_001, Sessions: 10_000}}}
	if got := verdicts(idle)["resident memory a session beyond start"]; got != "missed" {
		t.Errorf("12,001 bytes a session: %q, want missed", got)
	}
}

func TestCorpus(t *testing.T) {
	c := &corpus{flagged: 0.05}
	flagged, distinct := 0, make(map[string]bool)
	by := make(map[int]bool) // sessions that say something abusive, of 2,000 in turn
	const n = 20_000
	for i := range n {
		line, bad := c.line(i)
		if bad {
			flagged++
			by[i%2000] = true
		}
		if bytes.ContainsAny([]byte(line), "{}") {
			t.Fatalf("line %d = %q: a placeholder is left", i, line)
		}
		distinct[line] = true
	}
	if flagged < n*4/100 || flagged > n*6/100 {
		t.Errorf("%d of %d lines are abusive, want about 5 %%", flagged, n)
	}
	if len(by) < 500 {
		t.Errorf("only %d of 2000 sessions say all %d abusive lines, want them spread", len(by), flagged)
	}
	if len(distinct) < n/3 {
		t.Errorf("%d distinct lines of %d, want little repetition", len(distinct), n)
	}
}
