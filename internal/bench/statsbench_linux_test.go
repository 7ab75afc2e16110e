package bench

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/stats"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// What is filled in can be asked for: every question of the measurement has rows.
func TestStatsQuestionsHaveAnswers(t *testing.T) {
	db, err := sqlstore.Open(t.Context(), sqlstore.Config{Dir: t.TempDir(), MasterKey: [32]byte{1}, Node: "bench"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	service := stats.New(stats.Deps{Store: db, Extra: db})
	now := time.Now().UTC()
	fill := &statsFill{db: db, now: now, days: 2, progress: io.Discard}
	if err := fill.all(t.Context(), 1000, service); err != nil {
		t.Fatal(err)
	}
	report := &StatsReport{Driver: db.Driver(), Decisions: 1000, Cases: fill.cases, Counts: fill.counts}
	for _, q := range statsQuestions(now) {
		m, err := measureStats(t.Context(), service, q, 2)
		if err != nil || m.Rows == 0 || m.Median > m.P95 || m.P95 > m.Worst {
			t.Errorf("%s: %v, %+v", q.name, err, m)
		}
		report.Queries = append(report.Queries, m)
	}
	queries, whole, err := measureReports(t.Context(), db, service, now, 2, "")
	if err != nil || len(whole) != 4 {
		t.Fatalf("%v: %+v", err, whole)
	}
	asked := map[string]bool{}
	for _, m := range slices.Concat(queries, whole) {
		asked[m.Name] = true
		if m.Rows == 0 && !strings.HasSuffix(m.Name, ": trends") || m.Median > m.P95 || m.P95 > m.Worst { // nothing was looked for in trends
			t.Errorf("a report: %+v", m)
		}
	}
	for _, name := range []string{"operations report of 30 days: volume, by hour", "operations report of a year: batches", "transparency report of a year: stat_statement"} {
		if !asked[name] {
			t.Errorf("%q was not measured", name)
		}
	}
	replay, err := measureReplay(t.Context(), db, now, 1000)
	if err != nil || replay.Rows != 1000 {
		t.Errorf("%v: %+v", err, replay)
	}
	report.Replay = &replay
	var text bytes.Buffer
	if err := report.print(&text, false); err != nil || !strings.Contains(text.String(), "accuracy, 30 days") || !strings.Contains(text.String(), replayName) {
		t.Errorf("%v: %s", err, text.String())
	}
	if fill.cases == 0 {
		t.Error("no case was closed")
	}
}

func TestStatsOptions(t *testing.T) {
	for _, args := range [][]string{{"--decisions", "1"}, {"--rounds", "0"}, {"--fill"}, {"more"}} {
		if _, err := parseStatsOptions(args, io.Discard); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}

// What was filled once is measured again without being filled, as of when it was.
func TestStatsFilledOnce(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) (r StatsReport) {
		t.Helper()
		var out bytes.Buffer
		if err := statsBench(t.Context(), append([]string{"--decisions", "1000", "--rounds", "1", "--dir", dir, "--json"}, args...), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 0 {
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	if r := run("--fill"); r.Decisions != 0 {
		t.Errorf("--fill measured %+v", r)
	}
	first, second := run("--only", "accuracy, 30"), run("--only", "back-test")
	if len(first.Queries) != 1 || first.Queries[0].Rows == 0 || first.Replay != nil || first.FillS == 0 {
		t.Errorf("only accuracy: %+v", first)
	}
	if second.Replay == nil || second.Replay.Rows != 1000 || len(second.Queries) != 0 || second.FillS != first.FillS || second.Counts != first.Counts {
		t.Errorf("only the back-test: %+v, after %+v", second, first)
	}
}
