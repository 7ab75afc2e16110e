package pictures

import (
	"context"
	"slices"
	"time"
)

// Trial says what Evaluate draws.
type Trial struct {
	// Pictures is how many there are of each language, the first of them that of Seed.
	Pictures int
	Seed     uint64
	Langs    []Lang // none: all
	// Empty has every other picture hold no text, as screenshots do.
	Empty bool
	// Options are those of the pictures; Langs and Lines are Evaluate's.
	Options Options
}

// Result is what came of the pictures of one language.
type Result struct {
	Score
	// Took is how long each picture was read, shortest first.
	Took []time.Duration
}

// Mean is the mean time of a picture.
func (r Result) Mean() time.Duration {
	var sum time.Duration
	for _, d := range r.Took {
		sum += d
	}
	return sum / time.Duration(max(1, len(r.Took)))
}

// Percentile is the time that a share of the pictures, 0 to 1, was read within.
func (r Result) Percentile(share float64) time.Duration {
	if len(r.Took) == 0 {
		return 0
	}
	return r.Took[min(len(r.Took)-1, int(share*float64(len(r.Took))))]
}

// Evaluate has r read pictures with three or four lines each, one language after the
// other.
func Evaluate(ctx context.Context, r Reader, t Trial) ([]Result, error) {
	langs := t.Langs
	if len(langs) == 0 {
		langs = Langs
	}
	out := make([]Result, len(langs))
	for l, lang := range langs {
		out[l].Lang = lang
		for i := range t.Pictures {
			o := t.Options
			o.Langs, o.Lines = []Lang{lang}, 3+i/2%2
			if t.Empty && i%2 == 1 {
				o.Lines = 0
			}
			p, err := Screenshot(t.Seed+uint64(i), o) //nolint:gosec // not negative
			if err != nil {
				return nil, err
			}
			got, err := Measure(ctx, r, p)
			if err != nil {
				return nil, err
			}
			out[l].Score = out[l].Add(got.Score)
			out[l].Took = append(out[l].Took, got.Took)
		}
		slices.Sort(out[l].Took)
	}
	return out, nil
}
