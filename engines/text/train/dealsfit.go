package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/portcullis-gg/portcullis/engines/text"
)

// dealer fits the weighing of both stages.
type dealer struct {
	rows    []dealing
	budgets dealBudgets
	// live is the weighing that engine asks by; whoever runs the engine sets it.
	live    *text.Weighing
	engine  *text.Engine
	network *remembering
	folds   [folds]text.Weighing
}

// fitDeals fits the weighing and prints what it is worth.
func fitDeals(ctx context.Context, rows []dealing, network text.Meaning, b dealBudgets, out io.Writer) (*text.Weighing, error) {
	f := &dealer{rows: rows, budgets: b, live: &text.Weighing{}, network: &remembering{network, map[string][text.Answers]float64{}}}
	var err error
	if f.engine, err = text.New(text.Config{Second: text.Second{Meaning: f.network}, Weighing: f.live}); err != nil { //nolint:contextcheck // loads lists, which nobody cancels
		return nil, err //nolint:wrapcheck // the caller says what for
	}
	whole := &text.Weighing{}
	if err := f.suspect(ctx, whole); err != nil {
		return nil, err
	}
	if err := f.ask(ctx, whole); err != nil {
		return nil, err
	}
	f.weigh(whole, func(*dealing) bool { return true })
	for n := range f.folds {
		f.folds[n] = *whole
		f.weigh(&f.folds[n], func(d *dealing) bool { return d.fold != n })
	}
	if err := f.cut(ctx, whole); err != nil {
		return nil, err
	}
	f.report(out, whole)
	return whole, nil
}

// suspect fits what the first stage suspects, and from where on the network is asked: as much
// as the budget of ordinary chat allows.
func (f *dealer) suspect(ctx context.Context, w *text.Weighing) error {
	for i := range f.rows {
		d := &f.rows[i]
		var err error
		f.live.From = math.Inf(1)
		if d.Deal, d.doubted, err = f.engine.Deal(ctx, d.item(), nil); err != nil {
			return err //nolint:wrapcheck // the caller says what for
		}
		f.live.From = math.Inf(-1)
		if _, d.open, err = f.engine.Deal(ctx, d.item(), nil); err != nil {
			return err //nolint:wrapcheck // the caller says what for
		}
	}
	for k, rows := range f.suspected() {
		w.Suspects[k] = regressDeal(rows)
	}
	w.From = f.from(w)
	if math.IsInf(w.From, 0) {
		return errors.New("no ordinary chat to count how much would be asked")
	}
	return nil
}

// suspected are the rows of each kind that suspicion is fitted on, as they were before the network
// answered: deals of the kind, innocent lines and ordinary chat.
func (f *dealer) suspected() (rows [text.Kinds][]observed) {
	for i := range f.rows {
		d := &f.rows[i]
		if !d.open || d.Evident || !d.deals() && (d.Toxic || !d.written && !d.sure) {
			continue // whether abuse, and what judges called clean, is a deal too was not asked
		}
		x := d.x()
		for s := range text.DealSides {
			if s.OfNetwork() {
				x[s] = 0 // nobody answered yet
			}
		}
		for k := range rows {
			if d.is(k) || !d.deals() {
				rows[k] = append(rows[k], observed{x, d.is(k), d.weight()})
			}
		}
	}
	return rows
}

// from is the least log-odds with which no more ordinary chat than allowed is asked about.
func (f *dealer) from(w *text.Weighing) float64 {
	var scores []float64
	left := 0.0
	for i := range f.rows {
		switch d := &f.rows[i]; {
		case !d.sure:
		case d.doubted:
			left--
		case d.open:
			scores = append(scores, w.Suspicion(&d.Deal))
		}
		left += truth(f.rows[i].sure) * f.budgets.asked
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	n := min(max(0, int(left)), len(scores)-1)
	if n < 0 {
		return math.Inf(1)
	}
	return scores[n] + 1e-9
}

// ask has the network read what the first stage suspects.
func (f *dealer) ask(ctx context.Context, w *text.Weighing) error {
	*f.live = *w
	for i := range f.rows {
		d := &f.rows[i]
		var err error
		if d.Deal, d.asked, err = f.engine.Deal(ctx, d.item(), f.network); err != nil {
			return err //nolint:wrapcheck // the caller says what for
		}
		if d.asked && !d.Answered {
			return fmt.Errorf("the network did not answer about a row of %s", d.Source)
		}
	}
	return nil
}

// x are a row's numbers and the constant's.
func (d *dealing) x() []float64 { return append(slices.Clone(d.Sides[:]), 1) }

// regressDeal fits one regression.
func regressDeal(rows []observed) (b text.DealBlend) {
	w := regress(rows, int(text.DealSides)+1)
	b.Constant = w[text.DealSides]
	copy(b.Weights[:], w)
	return b
}

// weigh fits the regressions over the rows that were asked about and that take lets in.
func (f *dealer) weigh(w *text.Weighing, take func(*dealing) bool) {
	var byKind [text.Kinds][]observed
	var wrong []observed
	for i := range f.rows {
		d := &f.rows[i]
		if !d.asked || !take(d) {
			continue
		}
		for k := range byKind {
			if d.known[k] {
				byKind[k] = append(byKind[k], observed{d.x(), d.is(k), d.weight()})
			}
		}
		if !d.deals() {
			wrong = append(wrong, observed{d.x(), d.Toxic, d.weight()})
		}
	}
	for k := range byKind {
		w.Kinds[k] = regressDeal(byKind[k])
	}
	w.Wrong = regressDeal(wrong)
}
