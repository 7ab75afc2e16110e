package train

import (
	"cmp"
	"context"
	"math"
	"sort"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// steps is how finely the cuts are tried, in steps of a probability.
const steps = 200

// least is the step of the lowest probability from which something may be raised, and of the
// highest below which something may be taken back: .55, where policy acts.
const least = steps * 11 / 20

// never is a probability that nothing is raised from.
const never = 1.0

// bounded is a cut below which something is taken back, and by what it is bound, see cheap.
type bounded struct {
	cut    *float64
	groups int
}

// bound are those of a weighing in the order in which they are chosen.
func bound(w *text.Weighing) [3]bounded {
	return [...]bounded{{&w.Lower, allGroups}, {&w.Calm, abuseGroups}, {&w.Deny, allGroups}}
}

// abuseGroups are lines and rows of abuse, allGroups those of deals too.
const (
	abuseGroups = 2
	allGroups   = 4
)

// cut chooses the cuts, by what they do to the rows of each fold under the weighing of the
// others: the highest under which what is loose of the kinds, then of abuse, then an evident trade
// is taken back and each loses no more than allowed (of abuse that of abuse alone: a deal that the
// first stage took for abuse was found by mistake), then the lowest from which a kind is raised
// and no more innocent lines, and no more of ordinary chat than before, are flagged.
func (f *dealer) cut(ctx context.Context, w *text.Weighing) error {
	var err error
	for i := range f.rows {
		d := &f.rows[i]
		*f.live = text.Weighing{From: math.Inf(1), Raise: never} // and nothing is lowered
		if d.before, err = f.flagged(ctx, d); err != nil {
			return err
		}
		d.after = d.before
	}
	w.Raise = never
	for _, c := range bound(w) {
		cut := c.cut
		for i := range f.rows {
			f.rows[i].kept = f.rows[i].after
		}
		dear := func(n int) bool {
			*cut = float64(n) / steps
			err = cmp.Or(err, f.run(ctx, w))
			return !f.cheap(f.budgets.lost, c.groups)
		}
		n := sort.Search(least+1, dear) // at 0 nothing is taken back
		*cut = float64(max(0, n-1)) / steps
		if err = cmp.Or(err, f.run(ctx, w)); err != nil {
			return err
		}
	}
	n := least + sort.Search(steps-least, func(n int) bool { // at 1 nothing is raised
		w.Raise = float64(least+n) / steps
		err = cmp.Or(err, f.run(ctx, w))
		return f.modest()
	})
	w.Raise = float64(n) / steps
	return cmp.Or(err, f.run(ctx, w))
}

// run tells of all rows that were asked about what both stages make of them by these cuts.
func (f *dealer) run(ctx context.Context, w *text.Weighing) (err error) {
	for i := range f.rows {
		d := &f.rows[i]
		if !d.asked {
			continue
		}
		*f.live = f.folds[d.fold]
		f.live.Raise, f.live.Lower, f.live.Calm, f.live.Deny = w.Raise, w.Lower, w.Calm, w.Deny
		if d.after, err = f.flagged(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// flagged reports whether policy would act on a row at the default strictness.
func (f *dealer) flagged(ctx context.Context, d *dealing) (bool, error) {
	found, err := f.engine.Inspect(ctx, d.item(), nil)
	if err != nil {
		return false, err //nolint:wrapcheck // the caller says what for
	}
	for i := range found {
		if g := &found[i]; g.Confidence >= reviewAt && g.Category != engines.Political {
			return true, nil
		}
	}
	return false, nil
}

// share is that of the rows that are counted among those that group takes.
func (f *dealer) share(group, counted func(*dealing) bool) float64 {
	all, n := 0, 0
	for i := range f.rows {
		if d := &f.rows[i]; group(d) {
			all++
			if counted(d) {
				n++
			}
		}
	}
	return float64(n) / float64(max(1, all))
}

// cheap reports whether the cut that is tried loses no more than most of what the first stage
// found: of abuse and, where groups is allGroups, of deals, of lines and of rows each, and less where a
// trade was evident.
func (f *dealer) cheap(most float64, groups int) bool {
	lost := func(d *dealing) bool { return d.kept && !d.after }
	for group := range groups {
		found := func(d *dealing) bool {
			return d.Toxic && d.before && d.written == (group&1 != 0) && d.deals() == (group&2 != 0)
		}
		if f.share(found, lost) > most {
			return false
		}
	}
	told := func(d *dealing) bool { return d.deals() && d.before && d.Evident }
	return f.share(told, lost) <= f.budgets.denied
}

// modest reports whether few innocent lines are raised, and no more chat is flagged than was.
func (f *dealer) modest() bool {
	innocent := func(d *dealing) bool { return d.written && !d.Toxic }
	raised := f.share(innocent, func(d *dealing) bool { return d.after && !d.before })
	sure := func(d *dealing) bool { return d.sure }
	before, after := f.share(sure, func(d *dealing) bool { return d.before }), f.share(sure, func(d *dealing) bool { return d.after })
	return raised <= f.budgets.raised && after <= before
}
