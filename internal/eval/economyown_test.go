package eval

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestOwnWorlds plays the first four seeds, whatever they hold, as small worlds, and guards the
// means. A mean over four is off that over many (README has 24) by some hundredths, the worst kind's,
// of which one player is .05 to .1, by more: bounds leave that room, and the kinds of all four
// together, in which a kind has some forty players, are held to the project's goal itself.
func TestOwnWorlds(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.json")
	args := []string{"economy", "--json", out, "--own-players", "1000", "--own-days", "10"}
	const worlds = 4
	for seed := range worlds {
		args = append(args, "--own", strconv.Itoa(seed+1))
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
	if err := json.Unmarshal(text, &reports); err != nil || len(reports) != worlds {
		t.Fatalf("%d reports, %v", len(reports), err)
	}
	mean := func(of func(r *EconomyReport) float64) (sum float64) {
		for i := range reports {
			sum += of(&reports[i]) / worlds
		}
		return sum
	}
	for _, g := range []struct {
		name               string
		of                 func(r *EconomyReport) float64
		least, most, leave float64 // the goal, and what is left to chance
	}{
		{"recall at 0.1 %", func(r *EconomyReport) float64 { return r.RecallTenth }, .7, 1, .08},
		{"recall at 1 %", func(r *EconomyReport) float64 { return r.RecallOne }, .88, 1, .04},
		{"macro recall", func(r *EconomyReport) float64 { return r.Macro }, .8, 1, .04},
		{"worst legitimate kind", func(r *EconomyReport) float64 { return r.WorstKind }, 0, .08, .04},
		{"trades at 1 %", func(r *EconomyReport) float64 { return r.Trades.RecallOne }, .65, 1, .08},
		{"bad trades caught", func(r *EconomyReport) float64 { return r.Trades.Caught }, .75, 1, .05},
		{"legitimate trades stopped", func(r *EconomyReport) float64 { return r.Trades.Stopped }, 0, .03, .01},
		{"hours", func(r *EconomyReport) float64 { return r.MedianHours }, 0, 12, 2},
		{"never found", func(r *EconomyReport) float64 { return r.Never }, 0, .15, 0},
	} {
		if v := mean(g.of); v < g.least-g.leave || v > g.most+g.leave {
			t.Errorf("%s: %.3f, want %.3f to %.3f, and up to %.3f off", g.name, v, g.least, g.most, g.leave)
		}
	}
	for kind, k := range together(reports) {
		if k.N >= 30 && part(k.Over, k.N) > .08 {
			t.Errorf("%d of %d players of kind %q are over the threshold", k.Over, k.N, kind)
		}
	}
	if t.Failed() {
		t.Log(stdout.String())
	}
}

// together are the legitimate kinds of all worlds.
func together(reports []EconomyReport) map[string]*kindCount {
	all := map[string]*kindCount{}
	for i := range reports {
		for kind, k := range reports[i].LegitKinds {
			if all[kind] == nil {
				all[kind] = &kindCount{}
			}
			all[kind].N += k.N
			all[kind].Over += k.Over
		}
	}
	return all
}

func TestOwnOptions(t *testing.T) {
	for _, args := range [][]string{{"--own", "x"}, {"--own", "1", "--own-players", "3"}, {"--own", "1", "--own-days", "2"}, {"--own", "1", "--own", "2", "--url", "u", "--keys", "k"}} {
		if err := Main(t.Context(), append([]string{"economy"}, args...), &bytes.Buffer{}, &bytes.Buffer{}); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
