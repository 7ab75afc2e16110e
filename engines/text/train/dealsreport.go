package train

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/text"
)

// report prints what was fitted, and what both stages make of the rows of each fold by the
// weighing that the others gave.
func (f *dealer) report(out io.Writer, w *text.Weighing) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format+"\n", args...) }
	say("asked from %.2f, raised from %.3f, taken back below %.3f, of abuse %.3f, an evident trade %.3f", w.From, w.Raise, w.Lower, w.Calm, w.Deny)
	say("%-14s %26s | %26s |", "", "suspected before", "weighed")
	say("%-14s %8s %8s %8s | %8s %8s %8s | %8s", "weights", text.KindOf(0), text.KindOf(1), text.KindOf(2), text.KindOf(0), text.KindOf(1), text.KindOf(2), "wrong")
	line := func(name string, of func(*text.DealBlend) float64) {
		say("%-14s %8.2f %8.2f %8.2f | %8.2f %8.2f %8.2f | %8.2f", name, of(&w.Suspects[0]), of(&w.Suspects[1]), of(&w.Suspects[2]), of(&w.Kinds[0]), of(&w.Kinds[1]), of(&w.Kinds[2]), of(&w.Wrong))
	}
	line("constant", func(b *text.DealBlend) float64 { return b.Constant })
	for s := range text.DealSides {
		line(s.String(), func(b *text.DealBlend) float64 { return b.Weights[s] })
	}
	say("\n%-28s %6s %7s %12s %6s %8s %10s", "flagged, by fold", "rows", "asked", "without", "with", "raised", "taken back")
	for _, g := range f.groups() {
		n := 0
		for i := range f.rows {
			n += int(truth(g.holds(&f.rows[i])))
		}
		say("%-28s %6d %6.1f%% %11.1f%% %5.1f%% %7.1f%% %9.1f%%", g.name, n, 100*f.share(g.holds, func(d *dealing) bool { return d.asked }),
			100*f.share(g.holds, func(d *dealing) bool { return d.before }), 100*f.share(g.holds, func(d *dealing) bool { return d.after }),
			100*f.share(g.holds, func(d *dealing) bool { return d.after && !d.before }), 100*f.share(g.holds, func(d *dealing) bool { return d.before && !d.after }))
	}
	say("\n%-12s %6s %14s %10s %6s   %s", "asked, area", "rows", "first stage", "network", "both", "by probability: rows, mean, share that is so")
	for k := range text.Kinds {
		f.told(say, string(text.KindOf(k)), func(d *dealing) (bool, bool) { return d.known[k], d.is(k) }, headSides[k], text.DealSide(k), func(w *text.Weighing) *text.DealBlend { return &w.Kinds[k] })
	}
	f.told(say, "wrong", func(d *dealing) (bool, bool) { return !d.deals(), d.Toxic }, text.DealHeadAbuse, text.DealAbuse, func(w *text.Weighing) *text.DealBlend { return &w.Wrong })
}

// headSides are what the linear model says of each kind.
var headSides = [text.Kinds]text.DealSide{text.DealHeadSpam, text.DealHeadIllegal, text.DealHeadPrivacy}

// group is some of the rows, as the report tells of them.
type group struct {
	name  string
	holds func(*dealing) bool
}

func (f *dealer) groups() []group {
	var out []group
	for k := range text.Kinds {
		out = append(out, group{"lines of " + string(text.KindOf(k)), func(d *dealing) bool { return d.written && d.is(k) }})
	}
	return append(out,
		group{"lines of abuse alone", func(d *dealing) bool { return d.written && d.Toxic && !d.deals() }},
		group{"innocent lines", func(d *dealing) bool { return d.written && !d.Toxic }},
		group{"rows of deals", func(d *dealing) bool { return !d.written && d.deals() }},
		group{"rows of abuse", func(d *dealing) bool { return !d.written && d.Toxic && !d.deals() }},
		group{"rows that judges call clean", func(d *dealing) bool { return !d.written && !d.Toxic && !d.sure }},
		group{"evident trade", func(d *dealing) bool { return d.Toxic && d.Evident }},
		group{"innocent in such words", func(d *dealing) bool { return !d.Toxic && d.Evident }},
		group{"ordinary chat", func(d *dealing) bool { return d.sure }},
	)
}

// told prints how well the rows that were asked about are told apart, and what the
// probabilities mean.
func (f *dealer) told(say func(string, ...any), name string, of func(*dealing) (known, yes bool), first, network text.DealSide, blend func(*text.Weighing) *text.DealBlend) {
	var by [3][]scored
	var rows []told
	for i := range f.rows {
		d := &f.rows[i]
		known, yes := of(d)
		if !d.asked || !known {
			continue
		}
		both := blend(&f.folds[d.fold]).LogOdds(&d.Deal)
		by[0] = append(by[0], scored{d.Sides[first], yes})
		by[1] = append(by[1], scored{d.Sides[network], yes})
		by[2] = append(by[2], scored{both, yes})
		rows = append(rows, told{1 / (1 + math.Exp(-both)), yes})
	}
	var steps strings.Builder
	for _, s := range reliability(rows) {
		_, _ = fmt.Fprintf(&steps, "  %d: %.2f %.2f", s.n, s.at, s.share()) // into memory
	}
	say("%-12s %6d %14.3f %10.3f %6.3f %s", name, len(rows), area(by[0]), area(by[1]), area(by[2]), steps.String())
}

// reliability sorts rows into fifths of probability: how many, their mean, and how many are so.
func reliability(rows []told) [5]step {
	var out [5]step
	for _, r := range rows {
		s := &out[min(int(r.confidence*5), 4)]
		s.n++
		s.sum += r.confidence
		if r.yes {
			s.yes++
		}
	}
	for i := range out {
		out[i].at = out[i].sum / float64(max(1, out[i].n))
	}
	return out
}
