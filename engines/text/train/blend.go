package train

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// Opener opens the second stage of the text engine from a folder of models; done closes it.
type Opener func(folder string) (stage text.Second, done func() error, err error)

// blendWeight is how much a row of a source weighs in the blend, 1 unless it stands here. Sets
// of nearly nothing but abuse say little of where it ends, and the judges of mlma called what
// others call clean an attack.
var blendWeight = map[string]float64{
	"davidson": 0.5, "edos": 0.7, "measuring-hate": 0.3, "toxic-spans": 0.3, "mlma": 0.1, "paradetox": 3,
}

// doubted is a row that the second stage is asked about.
type doubted struct {
	text.Doubt

	source string
	// toxic and hate are its labels, check says that it is of the half that is not fitted on.
	toxic, hate, check bool
}

// yes is what the blend is to say of a row: an attack where a group is named, for whatever is
// said against somebody there is one; and hate where none is, since the lists know the rest.
func (d *doubted) yes() bool { return d.hate || d.Named && d.toxic }

func (d *doubted) weight() float64 {
	if w, ok := blendWeight[d.source]; ok {
		return w
	}
	return 1
}

// regressBlend fits the regression of rows that are asked about.
func regressBlend(rows []doubted) (b text.Blend) {
	examples := make([]observed, len(rows))
	for i := range rows {
		d := &rows[i]
		examples[i] = observed{append(d.Sides[:len(d.Sides):len(d.Sides)], 1), d.yes(), d.weight()}
	}
	w := regress(examples, int(text.Sides)+1)
	b.Constant = w[text.Sides]
	copy(b.Weights[:], w)
	return b
}

// blend runs "train text-blend": the regressions of both stages of the text engine, fitted on
// every second English row (by hash) of the split dev that the second stage is asked about. The
// network has learnt of the rows of the split train, and is surer of them than of any others.
func blend(ctx context.Context, args []string, open Opener, out, errw io.Writer) error {
	f := flag.NewFlagSet("portcullis train text-blend", flag.ContinueOnError)
	f.SetOutput(errw)
	data := f.String("data", "", "folder of permissive*.jsonl.gz and by-sa*.jsonl.gz")
	folder := f.String("models", "data/models", "folder of models")
	to := f.String("out", "", "weights to write")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if *data == "" || *to == "" || f.NArg() > 0 {
		return fmt.Errorf("%w: train text-blend needs --data and --out", ErrUsage)
	}
	stage, done, err := open(*folder)
	if err == nil && stage.Attacks == nil {
		err = errors.Join(fmt.Errorf("%s is not there", models.Meaning), done())
	}
	if err != nil {
		return fmt.Errorf("train text-blend: %w", err)
	}
	rows, err := doubts(ctx, *data, stage.Attacks)
	if err := errors.Join(err, done()); err != nil {
		return fmt.Errorf("train text-blend: %w", err)
	}
	var blends [2]text.Blend
	for i := range blends {
		var fit []doubted
		for k := range rows {
			if rows[k].Named == (i == 1) && !rows[k].check {
				fit = append(fit, rows[k])
			}
		}
		blends[i] = regressBlend(fit)
	}
	reportBlend(out, rows, &blends)
	b, err := text.WriteBlends(blends)
	if err == nil {
		err = os.WriteFile(*to, b, 0o644) //nolint:gosec // weights are for everybody to read
	}
	if err != nil {
		return fmt.Errorf("train text-blend: %w", err)
	}
	return nil
}

// doubts are the English rows of the split dev that the second stage is asked about.
func doubts(ctx context.Context, dir string, stage text.Attacks) ([]doubted, error) {
	engine, err := text.New(text.Config{}) //nolint:contextcheck // loads lists, which nobody cancels
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller says what for
	}
	english := func(r *row) bool {
		return r.Sub != "request" && r.Text != "" && r.Split == "dev" && (r.Lang == "en" || strings.HasPrefix(r.Lang, "en-"))
	}
	rows, err := readRows(dir, english)
	if err != nil {
		return nil, err
	}
	var out []doubted
	for i := range rows {
		r := &rows[i]
		d, asked, err := engine.Doubt(ctx, &engines.Item{Kind: engines.KindText, Text: r.Text, Language: r.Lang}, stage)
		if err != nil {
			return nil, err //nolint:wrapcheck // the caller says what for
		}
		if asked {
			out = append(out, doubted{d, r.Source, r.Toxic, slices.Contains(r.Labels, engines.Hate), hash(r.Text)%2 == 1})
		}
	}
	return out, nil
}

// reportBlend prints what was fitted, and for each source how well it tells the rows apart
// that were fitted on and those that were not, beside the network alone.
func reportBlend(out io.Writer, rows []doubted, blends *[2]text.Blend) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format+"\n", args...) }
	for i, name := range [...]string{"nobody named", "a group named"} {
		say("%s: constant %.2f", name, blends[i].Constant)
		for s := range text.Sides {
			say("  %-10s %6.2f", s, blends[i].Weights[s])
		}
	}
	by := map[string][]doubted{}
	for i := range rows {
		by[rows[i].source] = append(by[rows[i].source], rows[i])
	}
	say("%-20s %22s %22s", "area under the curve", "fitted: network, both", "others: network, both")
	for _, source := range slices.Sorted(maps.Keys(by)) {
		halves := make([]string, 0, 2)
		for _, check := range [...]bool{false, true} {
			var network, both []scored
			for i := range by[source] {
				d := &by[source][i]
				if d.check != check {
					continue
				}
				n := 0
				if d.Named {
					n = 1
				}
				network = append(network, scored{d.Sides[text.SideMeaning], d.yes()})
				both = append(both, scored{blends[n].LogOdds(&d.Doubt), d.yes()})
			}
			halves = append(halves, fmt.Sprintf("%5d: %.3f, %.3f", len(network), area(network), area(both)))
		}
		say("%-20s %22s %22s", source, halves[0], halves[1])
	}
}

// scored is a row with a score.
type scored struct {
	score float64
	yes   bool
}

// area is the share of pairs of a row that is and one that is not in which the first scores
// higher, half of those that score alike; .5 where there are no pairs.
func area(rows []scored) float64 {
	slices.SortFunc(rows, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	won, no, yes := 0.0, 0, 0
	for i := 0; i < len(rows); {
		k, y := i, 0
		for ; k < len(rows) && rows[k].score == rows[i].score; k++ {
			if rows[k].yes {
				y++
			}
		}
		alike := k - i - y
		won += float64(y) * (float64(no) + float64(alike)/2)
		no, yes, i = no+alike, yes+y, k
	}
	if no == 0 || yes == 0 {
		return 0.5
	}
	return won / float64(no) / float64(yes)
}
