package eval

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
)

// TestOwnWorlds plays the first four seeds, whatever they hold, as small worlds, and guards the
// means. A mean over four is off that over many (README has 24) by some hundredths, the worst kind's,
// of which one player is .05 to .1, by more: bounds leave that room, and the kinds of all four
// together, in which a kind has some forty players, are held to the project's goal itself.
func TestOwnWorlds(t *testing.T) {
	dir := t.TempDir()
	out, features := filepath.Join(dir, "out.json"), filepath.Join(dir, "features.jsonl")
	args := []string{"economy", "--json", out, "--features", features, "--own-players", "1000", "--own-days", "10"}
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
	factorsSayWhatWasDone(t, features)
	if t.Failed() {
		t.Log(stdout.String())
	}
}

// factorsSayWhatWasDone holds that most of those with a role have the factor that names
// what it does.
func factorsSayWhatWasDone(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	size, has := map[string]int{}, map[[2]string]int{}
	for in := json.NewDecoder(f); in.More(); {
		var row struct {
			Label            int
			Arch, Role, Kind string
			Factors          []economy.Factor
		}
		if err := in.Decode(&row); err != nil {
			t.Fatal(err)
		}
		role := row.Arch + "/" + row.Role
		if row.Label == 0 {
			role = row.Kind
		}
		size[role]++
		for _, x := range row.Factors {
			has[[2]string{role, x.Code}]++
		}
	}
	for _, w := range [][2]string{
		{"codes/redeemer", "promo_concentration"},
		{"codes/redeemer", "new_account_cashout"},
		{"refund/buyer", "chargeback"},
		{"refund/receiver", "sink_concentration"},
		{"jitter/machine", "behavior_pattern"},
		{"jitter/machine", "device_sharing"},
		{"jitter/machine", "price_deviation"},
		{"jitter/broker", "fan_in"},
		{"heist/victim", "new_device_drain"},
		{"heist/mule", "pass_through"},
		{"launder/bank", "risky_counterparties"},
		{"drip/worker", "one_way_outflow"},
		{"drip/seller", "fan_out"},
		{"doubler/trickster", "unfair_trades"},
		{"alt", "shared_purse"},
		{"guild_bank", "guild_bank"},
	} {
		if size[w[0]] > 0 && has[w]*2 < size[w[0]] {
			t.Errorf("%d of %d %s have %s", has[w], size[w[0]], w[0], w[1])
		}
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
