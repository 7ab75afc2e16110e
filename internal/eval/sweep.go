package eval

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
)

// Level are the counts at one strictness.
type Level struct {
	Strictness int     `json:"strictness"`
	All        *Counts `json:"all"`
	CleanSets  *Counts `json:"clean_sets"`
}

// sweep counts at every strictness. The cut-offs fall with strictness, so recall
// and false positives may only rise.
func sweep(rows []Row, results []Result, positive engines.Suggestion) []Level {
	out := make([]Level, levels)
	for n := range out {
		l := &out[n]
		*l = Level{Strictness: n + 1, All: &Counts{}, CleanSets: &Counts{}}
		for i := range rows {
			got := results[i].Levels[n]
			groupsOf(&rows[i], func(section, name string) {
				switch {
				case section == "overall":
					l.All.add(rows[i].toxic(), got.Rank() >= positive.Rank(), got == engines.Block)
				case name == allClean:
					l.CleanSets.add(false, got.Rank() >= positive.Rank(), got == engines.Block)
				}
			})
		}
	}
	return out
}

// risesWithStrictness says at which level fewer rows are flagged or blocked than
// at the one before it.
func risesWithStrictness(found []Level) error {
	for i := 1; i < len(found); i++ {
		a, b := found[i-1].All, found[i].All
		if b.TruePositive < a.TruePositive || b.FalsePositive < a.FalsePositive || b.ToxicBlocked < a.ToxicBlocked || b.CleanBlocked < a.CleanBlocked {
			return fmt.Errorf("strictness %d finds less than strictness %d", found[i].Strictness, found[i-1].Strictness)
		}
	}
	return nil
}

func printSweep(b *strings.Builder, found []Level) {
	b.WriteString("\n")
	var g grid
	g.row("strictness", "P %", "R %", "F1 %", "FPR %", "block R %", "block FPR %", "clean sets %", "clean sets blocked %")
	for _, l := range found {
		c := l.All
		g.row(strconv.Itoa(l.Strictness), percent(c.Precision()), percent(c.Recall()), percent(c.F1()), percent(c.FalsePositiveRate()),
			percent(ratio(c.ToxicBlocked, c.Toxic())), percent(ratio(c.CleanBlocked, c.Clean())),
			percent(l.CleanSets.FalsePositiveRate()), percent(ratio(l.CleanSets.CleanBlocked, l.CleanSets.Clean())))
	}
	g.write(b)
}
