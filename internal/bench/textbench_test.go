//go:build linux

package bench

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextBench(t *testing.T) {
	file, profile := filepath.Join(t.TempDir(), "rows.jsonl"), filepath.Join(t.TempDir(), "text.prof")
	if err := os.WriteFile(file, []byte(`{"text":"hello there","lang":"en","toxic":false,"source":"own"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, notes bytes.Buffer
	if err := Main(t.Context(), []string{"text", "--duration", "20ms", "--data", file, "--json", "--profile", profile}, &out, &notes, ""); err != nil {
		t.Fatalf("bench text: %v\n%s", err, notes.String())
	}
	var r TextReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if r.Chat.Calls == 0 || r.Chat.P50 <= 0 || r.Disguised.Messages == 0 || r.Data == nil || r.Data.Messages != 1 || len(r.Long) < 15 || r.Resident <= 0 {
		t.Errorf("report: %s", out.String())
	}
	if s, err := os.Stat(profile); err != nil || s.Size() == 0 {
		t.Errorf("profile: %v, %v", s, err)
	}
	out.Reset()
	if err := r.print(&out, false); err != nil || !strings.Contains(out.String(), "ordinary chat") {
		t.Errorf("print: %v\n%s", err, out.String())
	}
}

func TestTextGoals(t *testing.T) {
	r := &TextReport{
		Chat: &TextSet{P50: 10e3, P99: 100e3, Allocations: 2}, Long: []LongText{{"a", 9e6, 2e7}, {"b", 10e6, 1e7}}, Resident: 200e6,
	}
	r.Goals = textGoals(r)
	if err := r.missed(); err != nil {
		t.Errorf("at the limits: %v", err)
	}
	r.Chat.P50, r.Long[0].Median = 10.1e3, 11e6
	r.Goals = textGoals(r)
	want := "bench text: goal missed: median of ordinary chat, first stage: 10.1 µs, at most 10\n" +
		"bench text: goal missed: slowest text of 10,000 code points (a): 11 ms, at most 10"
	if err := r.missed(); err == nil || err.Error() != want {
		t.Errorf("missed() = %v, want %s", err, want)
	}
}

func TestTextLines(t *testing.T) {
	langs := map[string]int{}
	for _, l := range chatLines() {
		langs[l.lang]++
	}
	if len(langs) != 12 {
		t.Errorf("chat in %d languages", len(langs))
	}
	for _, in := range append(longInputs(), randomRepeats(50)...) {
		if n := utf8.RuneCountInString(in.text); n != longText || !utf8.ValidString(in.text) {
			t.Errorf("%s has %d code points", in.name, n)
		}
	}
	for _, args := range [][]string{{"x"}, {"--duration", "0s"}, {"--limit", "-1"}} {
		if _, err := parseTextOptions(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}
