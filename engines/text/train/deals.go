package train

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// dealing is a row by which the stages are weighed.
type dealing struct {
	row
	text.Deal

	// sure says that the row is of chat which nobody had to judge, ordinary talk in all but a
	// few lines; known is set for each kind that its labels speak of.
	sure  bool
	known [text.Kinds]bool
	// open and doubted say that the network may be asked, and that it is whatever the first
	// stage suspects; asked that it was.
	open, doubted, asked bool
	fold                 int
	// before is whether it is flagged without what is fitted here, after whether it is with it,
	// by a weighing that was not fitted on it; kept whether it was before the cut that is tried.
	before, kept, after bool
}

// item is what the engine is asked about.
func (d *dealing) item() *engines.Item {
	return &engines.Item{Kind: engines.KindText, Text: d.Text, Language: d.Lang}
}

// is reports whether it is of a kind.
func (d *dealing) is(kind int) bool { return slices.Contains(d.Labels, text.KindOf(kind)) }

// deals reports whether it is of any kind.
func (d *dealing) deals() bool { return d.is(0) || d.is(1) || d.is(2) }

// givenWeight is what a row of the data counts beside a written line: those of deals are few, and
// the others say over and over what is no deal.
const givenWeight = 0.3

func (d *dealing) weight() float64 {
	if d.written {
		return 1
	}
	return givenWeight
}

// folds is into how many parts the rows fall; what is told of a part is by weights and cuts
// that the others gave.
const folds = 5

// dealBudgets are what the cuts may cost.
type dealBudgets struct {
	// asked is the share of ordinary chat that the network may be asked about, raised that of
	// innocent lines that it may raise, lost that of what the first stage found that it may
	// take back by one cut, denied that of messages in which words or rules found an evident trade.
	asked, raised, lost, denied float64
}

// deals runs "train text-deals": when the network is asked about deals, how its answers weigh
// beside what the first stage knows, and from where they count. It is fitted on rows that neither
// stage has learnt from: the written lines and rows of data that both leave out.
func deals(ctx context.Context, args []string, open Opener, out, errw io.Writer) error {
	f := flag.NewFlagSet("portcullis train text-deals", flag.ContinueOnError)
	f.SetOutput(errw)
	data := f.String("data", "", "folder of permissive*.jsonl.gz and by-sa*.jsonl.gz")
	lines := f.String("lines", "engines/text/train/lines", "folder of lines written for training, *.yaml")
	folder := f.String("models", "data/models", "folder of models")
	to := f.String("out", "", "weights to write")
	var b dealBudgets
	f.Float64Var(&b.asked, "asked", 0.003, "share of ordinary chat that the network may be asked about")
	f.Float64Var(&b.raised, "raised", 0.01, "share of innocent written lines that it may raise")
	f.Float64Var(&b.lost, "lost", 0.025, "share of what the first stage found that one cut may take back")
	f.Float64Var(&b.denied, "denied", 0.003, "share of messages with an evident trade that it may take back")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if *data == "" || *to == "" || f.NArg() > 0 {
		return fmt.Errorf("%w: train text-deals needs --data and --out", ErrUsage)
	}
	rows, err := dealings(*data, *lines)
	if err != nil {
		return fmt.Errorf("train text-deals: %w", err)
	}
	stage, done, err := open(*folder)
	if err == nil && stage.Meaning == nil {
		err = errors.Join(fmt.Errorf("%s is not there", models.Gist), done())
	}
	if err != nil {
		return fmt.Errorf("train text-deals: %w", err)
	}
	w, err := fitDeals(ctx, rows, stage.Meaning, b, out)
	if err = errors.Join(err, done()); err != nil {
		return fmt.Errorf("train text-deals: %w", err)
	}
	file, err := text.WriteWeighing(w)
	if err == nil {
		err = os.WriteFile(*to, file, 0o644) //nolint:gosec // weights are for everybody to read
	}
	if err != nil {
		return fmt.Errorf("train text-deals: %w", err)
	}
	return nil
}

// dealings are the written lines and the rows that both stages have left out.
func dealings(data, lines string) ([]dealing, error) {
	written, err := readLines(lines, 1, 1, false)
	if err != nil {
		return nil, err
	}
	given, err := readRows(data, wanted)
	if err != nil {
		return nil, err
	}
	sources := survey(given)
	var rows []dealing
	for _, r := range append(written, given...) {
		politics := slices.Equal(r.Labels, []engines.Category{engines.Political}) // neither network knows of it
		if r.Split != "held" || r.Source == narrow || politics {
			continue
		}
		d := dealing{row: r, fold: int(hash(r.Text) >> 16 % folds)}
		src := sources[r.Source]
		d.sure = !r.written && !r.Toxic && (unread[r.Source] || src.cleanOnly())
		for k := range d.known {
			h, _ := text.HeadOf(text.KindOf(k))
			d.known[k] = r.written || !r.Toxic || src.known.has(int(h))
		}
		rows = append(rows, d)
	}
	return rows, nil
}

// remembering asks a network about each text once.
type remembering struct {
	network text.Meaning
	answers map[string][text.Answers]float64
}

func (r *remembering) Read(ctx context.Context, s string) (answers [text.Answers]float64, ok bool) {
	if answers, ok = r.answers[s]; ok {
		return answers, true
	}
	if answers, ok = r.network.Read(ctx, s); ok {
		r.answers[s] = answers
	}
	return answers, ok
}
