package eval

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

// levels are how many strictness levels there are, each with a place in a result.
const levels = policy.MaxStrictness

// Setup says how rows are asked.
type Setup struct {
	Engine engines.Engine
	Rules  *policy.Resolved
	// Strict is the strictness, 1 to 5.
	Strict int
	Kind   engines.Kind
	// NoLang leaves the language hint out.
	NoLang bool
	// Keep keeps the signals of rows, for Result.Signals.
	Keep bool
	// Sweep decides at every strictness, for Result.Levels.
	Sweep bool
}

// Result is what came of one row.
type Result struct {
	Suggestion engines.Suggestion
	// Labels are the confidences of the verdict, by index in engines.TextCategories.
	Labels [8]float64
	// Top is the highest confidence of any signal, also of those too weak for a label.
	Top float64
	// Signals is all that fired; nil unless Setup.Keep.
	Signals []engines.Signal
	// Levels are the suggestions at strictness 1 to 5; empty unless Setup.Sweep.
	Levels [levels]engines.Suggestion
}

// Run asks for every row on all cores. Results are in the order of rows; rules
// counts what fired.
func Run(ctx context.Context, s Setup, rows []Row) ([]Result, map[string]*RuleCount, error) {
	const step = 128
	results := make([]Result, len(rows))
	var next atomic.Int64
	cores := runtime.GOMAXPROCS(0)
	counts := make([]map[string]*RuleCount, cores)
	group, ctx := errgroup.WithContext(ctx)
	for n := range cores {
		group.Go(func() error {
			w := worker{Setup: s, rules: make(map[string]*RuleCount)}
			counts[n] = w.rules
			for {
				from := int(next.Add(step)) - step
				if from >= len(rows) {
					return nil
				}
				for i := from; i < min(from+step, len(rows)); i++ {
					if err := w.ask(ctx, &rows[i], &results[i]); err != nil {
						return fmt.Errorf("row %d (%s): %w", i+1, rows[i].Source, err)
					}
				}
			}
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	rules := counts[0]
	for _, more := range counts[1:] {
		mergeRules(rules, more)
	}
	return results, rules, nil
}

// worker is one core's state.
type worker struct {
	Setup

	signals []engines.Signal
	rules   map[string]*RuleCount
	seen    []fired
}

func (w *worker) ask(ctx context.Context, row *Row, out *Result) (err error) {
	item := engines.Item{Kind: w.Kind, Text: row.Text, Language: row.Lang, StrictLevel: w.Strict}
	if w.NoLang {
		item.Language = ""
	}
	if w.signals, err = w.Engine.Inspect(ctx, &item, w.signals[:0]); err != nil {
		return err
	}
	v := w.decide(&item, w.signals)
	out.Suggestion = v.Suggestion
	for _, l := range v.Labels {
		if i := slices.Index(engines.TextCategories, l.Category); i >= 0 {
			out.Labels[i] = max(out.Labels[i], l.Confidence)
		}
	}
	if w.Sweep {
		w.sweep(item, out)
	}
	if len(w.signals) == 0 {
		return nil
	}
	for i := range w.signals {
		out.Top = max(out.Top, min(w.signals[i].Confidence, 1))
	}
	w.countRules(&item, row)
	if w.Keep {
		out.Signals = slices.Clone(w.signals)
	}
	return nil
}

func (w *worker) decide(item *engines.Item, signals []engines.Signal) engines.Verdict {
	return policy.Decide(item, signals, nil, engines.Standing{}, w.Rules)
}

func (w *worker) sweep(item engines.Item, out *Result) {
	for i := range out.Levels {
		item.StrictLevel = i + 1
		v := w.decide(&item, w.signals)
		out.Levels[i] = v.Suggestion
	}
}
