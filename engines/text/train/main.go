package train

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/classify"
)

// ErrUsage is a call that was not understood.
var ErrUsage = errors.New("usage")

// options are the flags of the command.
type options struct {
	data, lines, out string
	lexicons         string
	seed             uint64
	bits             uint
	epochs           int
	rate             float64
	hard             float64
	repeat           int
	all              bool
}

// Main runs "train words", "train text", "train text-blend" or "train text-deals": it reads the
// data, trains, calibrates and writes the weights file. It prints counts of rows and the SHA-256
// of the weights. The second stage, which the last two weigh, is opened by open.
func Main(ctx context.Context, args []string, open Opener, out, errw io.Writer) error {
	switch {
	case len(args) > 0 && args[0] == "text-blend":
		return blend(ctx, args[1:], open, out, errw)
	case len(args) > 0 && args[0] == "text-deals":
		return deals(ctx, args[1:], open, out, errw)
	case len(args) > 0 && args[0] == "words":
		return words(ctx, args[1:], out, errw)
	case len(args) == 0 || args[0] != "text":
		return fmt.Errorf("%w: train text|text-blend|text-deals|words --data DIR --out FILE", ErrUsage)
	}
	var o options
	f := flag.NewFlagSet("portcullis train text", flag.ContinueOnError)
	f.SetOutput(errw)
	f.StringVar(&o.data, "data", "", "folder of permissive*.jsonl.gz, by-sa*.jsonl.gz and evasion.jsonl.gz")
	f.StringVar(&o.lines, "lines", "engines/text/train/lines", "folder of lines written for training, *.yaml")
	f.StringVar(&o.lexicons, "lexicons", "", "folder of lists in place of the built-in ones")
	f.StringVar(&o.out, "out", "", "weights file to write")
	f.Uint64Var(&o.seed, "seed", 1, "seed of every choice")
	f.UintVar(&o.bits, "bits", 20, "logarithm of the rows of the table")
	f.IntVar(&o.epochs, "epochs", 4, "passes over the rows")
	f.Float64Var(&o.rate, "rate", 0.15, "learning rate of AdaGrad")
	f.Float64Var(&o.hard, "hard", 20, "weight of a row of a clean source that scores high")
	f.IntVar(&o.repeat, "repeat", 12, "times that each written line is seen")
	f.BoolVar(&o.all, "all-lines", false, "train on all written lines, holding none back to calibrate")
	if err := f.Parse(args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if o.data == "" || o.out == "" || f.NArg() > 0 {
		return fmt.Errorf("%w: train text needs --data and --out", ErrUsage)
	}
	return run(ctx, o, out)
}

func run(ctx context.Context, o options, out io.Writer) error {
	begun := time.Now()
	say := func(format string, args ...any) {
		_, _ = fmt.Fprintf(out, "%6.1fs  "+format+"\n", append([]any{time.Since(begun).Seconds()}, args...)...)
	}
	cfg := text.Config{NoModel: true}
	if o.lexicons != "" {
		cfg.Lexicons = os.DirFS(o.lexicons)
	}
	engine, err := text.New(cfg) //nolint:contextcheck // a list's tests have no context
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	rows, err := readData(o.data)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	lines, err := readLines(o.lines, o.seed, o.repeat, o.all)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	examples, err := exampleRows(cfg.Lexicons, o.repeat)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	lines = append(lines, examples...)
	sources := survey(rows)
	say("%d rows of %d sources, %d written lines with their variants", len(rows), len(sources), len(lines))
	p := preparer{engine: engine, sources: sources, seed: o.seed, balance: balance(rows), lined: map[string]bool{}, judged: map[string]int{}}
	for i := range lines {
		p.lined[lines[i].Lang] = true
	}
	for i := range rows {
		if !rows[i].Toxic && !sources[rows[i].Source].cleanOnly() {
			p.judged[rows[i].Lang]++
		}
	}
	set, err := p.prepare(ctx, append(rows, lines...))
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	set.report(say)
	net, err := learn(ctx, set.train, o, say)
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	trained := net.quantise()
	contrast(trained, set, o.seed, say)
	if err := calibrate(trained, set.held, say); err != nil {
		return fmt.Errorf("train: %w", err)
	}
	if err := settle(ctx, trained, cfg, set.held, say); err != nil {
		return fmt.Errorf("train: %w", err)
	}
	data := classify.Encode(trained)
	m, err := classify.Parse(data)
	if err != nil {
		return fmt.Errorf("train: read back: %w", err)
	}
	if err := os.WriteFile(o.out, data, 0o644); err != nil { //nolint:gosec // weights are for everybody to read
		return fmt.Errorf("train: %w", err)
	}
	say("%s: %d bytes, sha256 %x", o.out, len(data), m.Sum())
	return nil
}
