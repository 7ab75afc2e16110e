package train

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/classify"
)

// The confidence that is reported is that of lists, rules, frames and the model
// together. What it is worth is counted in the end, on the held-out rows in the mix
// in which they come: isotonic regression (Ayer and others 1955, pool adjacent
// violators) of abuse on the highest confidence of a row, for each head by itself.
//
// The points at which policy acts by default stay where they are, for they were set
// by what clean chat may reach them; in between the curve is free. Heads that may
// block keep what is beyond their point of blocking, so that stricter and more
// lenient levels find what they are there for.

// told is a row with what the engine said of it.
type told struct {
	confidence float64
	yes        bool
}

// fewest is how many rows a step of a curve stands for, at least.
const fewest = 150

// settle fits the last curve of each head with the model as it is so far.
func settle(ctx context.Context, t *classify.Trained, cfg text.Config, held []sample, say func(string, ...any)) error {
	m, err := classify.Parse(classify.Encode(t))
	if err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	cfg.NoModel, cfg.Model = false, m
	engine, err := text.New(cfg) //nolint:contextcheck // a list's tests have no context
	if err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	found, err := ask(ctx, engine, held)
	if err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	for h := range classify.Heads {
		t.Final[h] = isotonic(found[h], h != int(classify.Abuse) && h <= int(classify.Illegal))
		say("%-10s %6d held-out rows, final curve %.2f", classify.Head(h), len(found[h]), t.Final[h])
	}
	return nil
}

// ask runs the engine over the rows of data sets and sorts what it says by the head
// of the surest signal.
func ask(ctx context.Context, engine *text.Engine, held []sample) ([classify.Heads][]told, error) {
	top := make([]engines.Signal, len(held))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < len(held); from += chunk {
		g.Go(func() error {
			to := min(from+chunk, len(held))
			return surest(ctx, engine, held[from:to], top[from:to])
		})
	}
	var all [classify.Heads][]told
	if err := g.Wait(); err != nil {
		return all, err
	}
	for i := range held {
		if h, ok := text.HeadOf(top[i].Category); ok && !held[i].written && held[i].source != narrow {
			all[h] = append(all[h], told{top[i].Confidence, held[i].yes != 0})
		}
	}
	return all, nil
}

// surest puts the signal of most confidence of each row into top.
func surest(ctx context.Context, engine *text.Engine, held []sample, top []engines.Signal) error {
	var out []engines.Signal
	for i := range held {
		var err error
		if out, err = engine.Inspect(ctx, &engines.Item{Kind: engines.KindText, Text: held[i].text, Language: held[i].lang}, out[:0]); err != nil {
			return fmt.Errorf("a row of %s: %w", held[i].source, err)
		}
		for k := range out {
			if out[k].Confidence > top[i].Confidence {
				top[i] = out[k]
			}
		}
	}
	return nil
}

// isotonic fits a curve that rises through the points at which policy acts.
func isotonic(rows []told, blocks bool) [][2]float32 {
	if len(rows) < 2*fewest {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b told) int { return cmp.Compare(a.confidence, b.confidence) })
	curve := [][2]float32{{0, 0}}
	ends := []float64{reviewAt, 1.01}
	if blocks {
		ends = []float64{reviewAt, blockAt}
	}
	from, low := 0, 0.0
	for _, high := range ends {
		to := from
		for to < len(rows) && rows[to].confidence < high {
			to++
		}
		for _, s := range pool(rows[from:to]) {
			x, y := float32(s.at), float32(min(max(s.share(), low), min(high, 1)-0.001))
			if last := curve[len(curve)-1]; x > last[0]+0.005 {
				curve = append(curve, [2]float32{x, max(y, last[1])})
			}
		}
		if high <= 1 {
			for len(curve) > 1 && curve[len(curve)-1][0] >= float32(high)-0.005 {
				curve = curve[:len(curve)-1]
			}
			curve = append(curve, [2]float32{float32(high), float32(high)})
		}
		from, low = to, high
	}
	if blocks {
		curve = append(curve, [2]float32{1, 1})
	}
	return curve
}

// step is rows of about one confidence.
type step struct {
	sum, at float64
	yes, n  int
}

func (s *step) share() float64 { return float64(s.yes) / float64(max(1, s.n)) }

// pool joins rows in order into steps whose shares rise.
func pool(rows []told) []step {
	var steps []step
	for from := 0; from < len(rows); {
		to := min(from+max(fewest, len(rows)/12), len(rows))
		if len(rows)-to < fewest {
			to = len(rows)
		}
		var s step
		for _, r := range rows[from:to] {
			s.sum, s.n = s.sum+r.confidence, s.n+1
			if r.yes {
				s.yes++
			}
		}
		from = to
		for len(steps) > 0 && steps[len(steps)-1].share() >= s.share() {
			last := steps[len(steps)-1]
			steps = steps[:len(steps)-1]
			s = step{sum: s.sum + last.sum, yes: s.yes + last.yes, n: s.n + last.n}
		}
		steps = append(steps, s)
	}
	for i := range steps {
		steps[i].at = steps[i].sum / float64(steps[i].n)
	}
	return steps
}
