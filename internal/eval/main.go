package eval

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/reading"
)

// Main is `portcullis eval`: args are what follows that word. Figures go to
// stdout, progress to stderr.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		_, _ = io.WriteString(stderr, usage) // nothing to do for a closed stderr
		return errors.New("eval: say what to measure: text, audio or economy")
	}
	switch args[0] {
	case "text":
	case "audio":
		if slices.ContainsFunc(args[1:], func(s string) bool { return strings.TrimLeft(s, "-") == "linked" }) {
			return linkedMain(ctx, args[1:], stdout, stderr)
		}
		return audioMain(ctx, args[1:], stdout, stderr)
	case "economy":
		return economyMain(ctx, args[1:], stdout, stderr)
	default:
		return fmt.Errorf("eval: unknown measurement %q: there are text, audio and economy", args[0])
	}
	o, err := parseOptions(args[1:], stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	return o.run(ctx, stdout, stderr)
}

func (o *options) run(ctx context.Context, stdout, stderr io.Writer) (err error) {
	var second text.Second
	var read func() reading.Counts
	if o.meaning {
		readers, missing := OpenMeaning(o.models)
		if missing != nil {
			_, _ = fmt.Fprintf(stderr, "without a second stage: %v\n", missing) // nothing to do for a closed stderr
		} else {
			second, read = readers.Stage(), readers.Counts
			defer func() { err = errors.Join(err, readers.Close()) }()
		}
	}
	setup, err := o.setup(second) //nolint:contextcheck // the lists test themselves, which is short
	if err != nil {
		return err
	}
	rows, err := Read(ctx, o.files, o.filter())
	if err != nil {
		return fmt.Errorf("eval text: %w", err)
	}
	if len(rows) == 0 {
		return errors.New("eval text: no rows are left")
	}
	began := time.Now()
	results, rules, err := Run(ctx, setup, rows)
	if err != nil {
		return fmt.Errorf("eval text: %w", err)
	}
	took := time.Since(began)
	report := o.report(rows, results)
	report.Seconds = took.Seconds()
	if read != nil {
		report.Read = read().Read
	}
	if o.rules > 0 {
		report.Rules = worstRules(rules, o.rules)
	}
	return errors.Join(o.write(report, rows, results), o.print(report, stdout))
}

// report makes the figures of the results.
func (o *options) report(rows []Row, results []Result) *Report {
	positive := engines.Suggestion(o.positive)
	r := &Report{
		Rows: len(rows), Strictness: o.strict, Positive: positive,
		Groups: tally(rows, results, positive, o.minConf), Calibration: calibrate(rows, results),
	}
	r.Macro = macro(r.Groups["lang"])
	if o.sweep {
		r.Sweep = sweep(rows, results, positive)
	}
	return r
}

// write writes the files that were asked for.
func (o *options) write(r *Report, rows []Row, results []Result) error {
	var errs []error
	if o.errors != "" {
		errs = append(errs, writeErrors(o.errors, rows, results, r.Positive))
	}
	if o.json != "" {
		errs = append(errs, r.write(o.json))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("eval text: %w", err)
	}
	return nil
}

// print prints the report; a sweep that falls is an error.
func (o *options) print(r *Report, stdout io.Writer) error {
	var b strings.Builder
	r.text(&b, o.calibration)
	if _, err := io.WriteString(stdout, b.String()); err != nil {
		return fmt.Errorf("eval text: print: %w", err)
	}
	if err := risesWithStrictness(r.Sweep); err != nil {
		return fmt.Errorf("eval text: %w", err)
	}
	return nil
}

// setup builds the engine and the policy as the gateway has them by default.
func (o *options) setup(second text.Second) (Setup, error) {
	lists := text.Config{NoRules: o.noRules, Second: second}
	if o.lexicons != "" {
		lists.Lexicons = os.DirFS(o.lexicons)
	}
	engine, err := text.New(lists)
	if err != nil {
		return Setup{}, fmt.Errorf("eval text: %w", err)
	}
	rules, err := policy.Compile(policy.Config{}, nil, policy.Words{})
	if err != nil {
		return Setup{}, fmt.Errorf("eval text: %w", err)
	}
	return Setup{
		Engine: engine, Rules: rules.Resolve(&engines.Item{}, time.Time{}), Strict: o.strict, Kind: engines.Kind(o.kind), NoLang: o.noLang,
		Keep: o.errors != "", Sweep: o.sweep,
	}, nil
}
