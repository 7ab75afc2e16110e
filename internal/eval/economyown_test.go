package eval

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestOwnWorlds holds the project's goals on some of the worlds of README's table: villains
// and look-alikes that the shared simulator has not. Kinds of a dozen players, of whom one
// more is a share of .08, are why all eight together miss that of the worst kind.
func TestOwnWorlds(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.json")
	args := []string{"economy", "--json", out}
	for _, seed := range []string{"3", "4", "5"} {
		args = append(args, "--own", seed)
	}
	var stdout, stderr bytes.Buffer
	if err := Main(t.Context(), args, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var reports []EconomyReport
	if err := json.Unmarshal(text, &reports); err != nil || len(reports) != 3 {
		t.Fatalf("%d reports, %v", len(reports), err)
	}
	mean := func(of func(r *EconomyReport) float64) (sum float64) {
		for i := range reports {
			sum += of(&reports[i]) / float64(len(reports))
		}
		return sum
	}
	for _, g := range []struct {
		name        string
		of          func(r *EconomyReport) float64
		least, most float64
	}{
		{"recall at 0.1 %", func(r *EconomyReport) float64 { return r.RecallTenth }, .7, 1},
		{"recall at 1 %", func(r *EconomyReport) float64 { return r.RecallOne }, .88, 1},
		{"macro recall", func(r *EconomyReport) float64 { return r.Macro }, .8, 1},
		{"worst legitimate kind", func(r *EconomyReport) float64 { return r.WorstKind }, 0, .08},
		{"trades at 1 %", func(r *EconomyReport) float64 { return r.Trades.RecallOne }, .65, 1},
		{"bad trades caught", func(r *EconomyReport) float64 { return r.Trades.Caught }, .75, 1},
		{"legitimate trades stopped", func(r *EconomyReport) float64 { return r.Trades.Stopped }, 0, .03},
		{"hours", func(r *EconomyReport) float64 { return r.MedianHours }, 0, 12},
		{"never found", func(r *EconomyReport) float64 { return r.Never }, 0, .15},
	} {
		if v := mean(g.of); v < g.least || v > g.most {
			t.Errorf("%s: %.3f, want %.3f to %.3f", g.name, v, g.least, g.most)
		}
	}
	if t.Failed() {
		t.Log(stdout.String())
	}
}

func TestOwnOptions(t *testing.T) {
	for _, args := range [][]string{{"--own", "x"}, {"--own", "1", "--own-players", "3"}, {"--own", "1", "--own-days", "2"}, {"--own", "1", "--own", "2", "--url", "u", "--keys", "k"}} {
		if err := Main(t.Context(), append([]string{"economy"}, args...), &bytes.Buffer{}, &bytes.Buffer{}); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
