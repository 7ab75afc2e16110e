package eval

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/economy"
)

// figures are the columns of the table, in order.
var figures = []struct {
	name string
	of   func(r *EconomyReport) float64
	text func(v float64) string
}{
	{"bad", func(r *EconomyReport) float64 { return float64(r.Bad) }, whole},
	{"legit", func(r *EconomyReport) float64 { return float64(r.Legit) }, whole},
	{"AUC", func(r *EconomyReport) float64 { return r.AUC }, digits},
	{"R@.1%", func(r *EconomyReport) float64 { return r.RecallTenth }, digits},
	{"R@1%", func(r *EconomyReport) float64 { return r.RecallOne }, digits},
	{"macro", func(r *EconomyReport) float64 { return r.Macro }, digits},
	{"worst kind", func(r *EconomyReport) float64 { return r.WorstKind }, digits},
	{"ever", func(r *EconomyReport) float64 { return r.Ever }, digits},
	{"hours", func(r *EconomyReport) float64 { return r.MedianHours }, tenths},
	{"p90 h", func(r *EconomyReport) float64 { return r.P90Hours }, tenths},
	{"never", func(r *EconomyReport) float64 { return r.Never }, digits},
	{"cut", func(r *EconomyReport) float64 { return r.Threshold }, whole},
	{"trade R@1%", func(r *EconomyReport) float64 { return r.Trades.RecallOne }, digits},
	{"caught", func(r *EconomyReport) float64 { return r.Trades.Caught }, digits},
	{"stopped", func(r *EconomyReport) float64 { return r.Trades.Stopped }, digits},
	{"alike", func(r *EconomyReport) float64 { return r.Trades.Alike }, digits},
}

func whole(v float64) string  { return strconv.FormatFloat(v, 'f', 0, 64) }
func tenths(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
func digits(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// printEconomy writes a line a stream, their means, and how kinds fared in all.
func printEconomy(b *strings.Builder, reports []*EconomyReport) {
	var g grid
	head := []string{"data"}
	for _, f := range figures {
		head = append(head, f.name)
	}
	g.row(head...)
	mean := []string{"mean"}
	for _, r := range reports {
		cells := []string{r.Data}
		for _, f := range figures {
			cells = append(cells, f.text(f.of(r)))
		}
		g.row(cells...)
	}
	for _, f := range figures {
		sum := 0.0
		for _, r := range reports {
			sum += f.of(r)
		}
		mean = append(mean, f.text(sum/float64(len(reports))))
	}
	g.row(mean...)
	g.write(b)
	printKinds(b, "bad kind", "found", reports, func(r *EconomyReport) map[string]*kindCount { return r.Kinds })
	printKinds(b, "legitimate kind", "flagged", reports, func(r *EconomyReport) map[string]*kindCount { return r.LegitKinds })
	printKinds(b, "trades", "stopped", reports, func(r *EconomyReport) map[string]*kindCount { return r.Trades.ByArch })
}

func printKinds(b *strings.Builder, name, over string, reports []*EconomyReport, of func(*EconomyReport) map[string]*kindCount) {
	sum := map[string]*kindCount{}
	for _, r := range reports {
		for key, k := range of(r) {
			s := sum[key]
			if s == nil {
				s = &kindCount{}
				sum[key] = s
			}
			s.N += k.N
			s.Over += k.Over
			s.Tenth += k.Tenth
			s.delays = append(s.delays, k.delays...)
		}
	}
	b.WriteString("\n")
	var g grid
	g.row(name, "n", over, "share", "at .1%", "median h")
	for _, key := range slices.Sorted(maps.Keys(sum)) {
		k := sum[key]
		h := ""
		if len(k.delays) > 0 {
			h = tenths(middle(k.delays, .5))
		}
		g.row(key, strconv.Itoa(k.N), strconv.Itoa(k.Over), digits(part(k.Over, k.N)), strconv.Itoa(k.Tenth), h)
	}
	g.write(b)
}

func factorText(r economy.Risk) string {
	var b strings.Builder
	for _, f := range r.Factors {
		fmt.Fprintf(&b, " %s %d", f.Code, f.Score)
	}
	return b.String()
}

func printMisses(b *strings.Builder, reports []*EconomyReport, n int) {
	for _, r := range reports {
		for _, list := range [][]missedPlayer{r.missed, r.flagged} {
			for _, m := range list[:min(n, len(list))] {
				fmt.Fprintf(b, "%s %s label %d %s/%s/%s %s: %d%s\n", r.Data, m.actor.ID, m.actor.Label, m.actor.Arch, m.actor.Role, m.actor.Kind, m.actor.Ring, m.score, m.factors)
			}
		}
	}
}
