package eval

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

func percent(share float64) string {
	if math.IsNaN(share) {
		return "-"
	}
	return strconv.FormatFloat(100*share, 'f', 2, 64)
}

func interval(hits, n int) string {
	if n == 0 {
		return "-"
	}
	low, high := Wilson(hits, n)
	return percent(low) + "–" + percent(high)
}

// text writes the report for people.
func (r *Report) text(b *strings.Builder, calibration bool) {
	fmt.Fprintf(b, "%d rows in %.1f s, strictness %d, flagged is %s\n", r.Rows, r.Seconds, r.Strictness, r.Positive)
	if r.Read > 0 {
		fmt.Fprintf(b, "the second stage was asked about %d (%s %%)\n", r.Read, percent(float64(r.Read)/float64(max(1, r.Rows))))
	}
	b.WriteString("\n")
	r.groups(b)
	fmt.Fprintf(b, "\nmean over %d languages with %d or more toxic rows: P %s, R %s, F1 %s, FPR %s\n", r.Macro.Languages, macroRows,
		percent(float64(r.Macro.Precision)), percent(float64(r.Macro.Recall)), percent(float64(r.Macro.F1)), percent(float64(r.Macro.FalsePositiveRate)))
	fmt.Fprintf(b, "calibration error: %s of all rows, %s of the rows on which anything fired\n",
		percent(float64(r.Calibration.Error)), percent(float64(r.Calibration.ErrorFired)))
	r.clean(b)
	if calibration {
		r.Calibration.text(b)
	}
	if len(r.Sweep) > 0 {
		printSweep(b, r.Sweep)
	}
	if len(r.Rules) > 0 {
		printRules(b, r.Rules)
	}
}

// groups writes one line a group. Languages without toxic rows in which nothing
// was flagged are one line together.
func (r *Report) groups(b *strings.Builder) {
	var g grid
	g.row("group", "toxic", "clean", "P %", "R %", "R 95 %", "F1 %", "FPR %", "FPR 95 %", "block R %", "block FPR %")
	for _, section := range sections {
		if len(r.Groups[section]) == 0 || section == "clean" {
			continue
		}
		if section != "overall" {
			g.row()
		}
		var quiet Counts
		quiets := 0
		for _, name := range slices.Sorted(maps.Keys(r.Groups[section])) {
			c := r.Groups[section][name]
			switch {
			case section == "lang" && c.Toxic() == 0 && c.FalsePositive == 0:
				quiet.TrueNegative += c.TrueNegative
				quiets++
			case section == "overall":
				g.row(c.cells(section, true)...)
			default:
				g.row(c.cells(section+" "+name, section != "label")...)
			}
		}
		if quiets > 0 {
			g.row(quiet.cells(fmt.Sprintf("lang (%d more)", quiets), true)...)
		}
	}
	g.write(b)
}

func (c *Counts) cells(name string, blocked bool) []string {
	cells := []string{
		name, strconv.Itoa(c.Toxic()), strconv.Itoa(c.Clean()), percent(c.Precision()), percent(c.Recall()), interval(c.TruePositive, c.Toxic()),
		percent(c.F1()), percent(c.FalsePositiveRate()), interval(c.FalsePositive, c.Clean()),
	}
	if blocked {
		cells = append(cells, percent(ratio(c.ToxicBlocked, c.Toxic())), percent(ratio(c.CleanBlocked, c.Clean())))
	}
	return cells
}

// clean writes the clean sets, where both kinds of false positives count.
func (r *Report) clean(b *strings.Builder) {
	sets := r.Groups["clean"]
	if len(sets) == 0 {
		return
	}
	b.WriteString("\n")
	var g grid
	flagged := "review+block"
	if r.Positive == engines.Block {
		flagged = "flagged"
	}
	g.row("clean set", "rows", flagged, "%", "95 %", "blocked", "%", "95 %")
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		c := sets[name]
		g.row(name, strconv.Itoa(c.Clean()), strconv.Itoa(c.FalsePositive), percent(c.FalsePositiveRate()), interval(c.FalsePositive, c.Clean()),
			strconv.Itoa(c.CleanBlocked), percent(ratio(c.CleanBlocked, c.Clean())), interval(c.CleanBlocked, c.Clean()))
	}
	g.write(b)
}
