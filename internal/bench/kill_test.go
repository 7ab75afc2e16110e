//go:build linux

package bench

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What economy-kill calls wrong.
func TestKillCompare(t *testing.T) {
	e := func(id string, amount int64) sentEntry {
		return sentEntry{entryKey{"currency", "p", id}, 1, amount}
	}
	sent := []sentEntry{e("1", 1), e("2", 2), e("3", 3)}
	for name, test := range map[string]struct {
		stored []sentEntry
		want   KillReport
		fault  string
	}{
		"all":     {[]sentEntry{e("3", 3), e("1", 1), e("2", 2)}, KillReport{Entries: 3}, ""},
		"lost":    {[]sentEntry{e("3", 3), e("2", 2)}, KillReport{Entries: 3, Lost: 1}, "1 entries lost"},
		"doubled": {append(sent, e("2", 2)), KillReport{Entries: 3, Doubled: 1}, "1 doubled"},
		"changed": {[]sentEntry{e("1", 1), e("2", 7), e("3", 3)}, KillReport{Entries: 3, Changed: 1}, "1 changed"},
		"unsent":  {append(sent, e("4", 2)), KillReport{Entries: 3, Unsent: 1}, "1 never sent"},
	} {
		t.Run(name, func(t *testing.T) {
			var r KillReport
			r.compare(sent, test.stored)
			if diff := cmp.Diff(test.want, r); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if err := r.fault(); (err != nil) != (test.fault != "") || err != nil && !strings.Contains(err.Error(), test.fault) {
				t.Errorf("fault: %v, want %q", err, test.fault)
			}
		})
	}
	for d, want := range map[int]bool{1: false, 2: true} {
		if err := (&KillReport{Difference: d}).fault(); (err != nil) != want {
			t.Errorf("scores %d apart: %v", d, err)
		}
	}
}

// The submissions of economy-kill have ids of their own, and are read as sent.
func TestKillRows(t *testing.T) {
	rows := newKillRows(60, 1, time.Now())
	var l ledger
	logs := map[string]int{}
	for range 500 {
		b := rows.next()
		if err := l.add(&b); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[entryKey]bool{}
	for _, e := range l.list {
		if logs[e.Log]++; seen[e.entryKey] || e.Player == "" || e.ID == "" || e.At == 0 {
			t.Errorf("%+v stands twice or is not whole", e)
		}
		seen[e.entryKey] = true
	}
	for _, log := range []string{"currency", "item", "trade"} {
		if logs[log] == 0 {
			t.Errorf("no entries of the %s log: %v", log, logs)
		}
	}
}

// A small crowd is counted and asked about.
func TestEconomyMemory(t *testing.T) {
	var out, progress strings.Builder
	if err := Main(t.Context(), []string{"economy-memory", "--players", "500", "--steady", "100ms", "--goals"}, &out, &progress, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"500 players, ", "bytes a player", "risk-score", "resident memory of 2 million players"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, &out)
		}
	}
}

// The flags' faults are told at once.
func TestKillFlags(t *testing.T) {
	var progress strings.Builder
	_, err := parseKillOptions([]string{"--kills", "0", "--rate", "NaN", "--players", "1", "--most", "1ms", "--database", "postgres://x"}, &progress)
	for _, want := range []string{"--kills", "--rate", "--players", "--most", "--redis"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one of %s", err, want)
		}
	}
}

// A score that lags is asked for again, and one that stays wrong is reported.
func TestSettled(t *testing.T) {
	answers := func(scores ...int) func() (int, error) {
		return func() (score int, err error) {
			score = scores[0]
			scores = scores[1:]
			return score, nil
		}
	}
	soon, past := time.Now().Add(time.Minute), time.Now()
	for name, test := range map[string]struct {
		until             time.Time
		want              []int
		ask               func() (int, error)
		score, difference int
	}{
		"at once":      {past, []int{84, 84}, answers(83), 83, 1},
		"late":         {soon, []int{84, 84}, answers(48, 48, 84), 84, 0},
		"never":        {past, []int{84, 84}, answers(48), 48, 36},
		"as one alone": {past, []int{84, 60}, answers(84), 84, 24},
	} {
		score, difference, err := settled(t.Context(), test.until, test.want, test.ask)
		if err != nil || score != test.score || difference != test.difference {
			t.Errorf("%s: %d, %d apart, %v; want %d, %d", name, score, difference, err, test.score, test.difference)
		}
	}
	failed := errors.New("no")
	if _, _, err := settled(t.Context(), soon, []int{84}, func() (int, error) { return 0, failed }); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
}
