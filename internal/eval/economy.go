package eval

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/portcullis-gg/portcullis/economy/risk"
)

const economyUsage = `Usage: portcullis eval economy --data DIR [--data DIR ...] [flags]
       portcullis eval economy --own SEED [--own SEED ...] [flags]

Replays labelled streams of a game's economy (stream.jsonl, labels.jsonl and
meta.json in a directory) through the risk model, in the order of arrival, and
prints how well it tells bad players and trades from others. That is in this
process, or, with --url and --keys, over HTTP: in an app that has no logs yet.

With --own the streams are of worlds that are played for it, one a seed. Their
villains and look-alikes are others than those of the shared simulator.

`

// economyOptions are the flags of `eval economy`.
type economyOptions struct {
	dirs     []string
	own      own
	json     string
	features string
	strip    bool
	hours    int
	misses   int
	url      string
	keys     string
}

func parseEconomy(args []string, stderr io.Writer) (*economyOptions, error) {
	o := &economyOptions{}
	f := flag.NewFlagSet("eval economy", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { _, _ = io.WriteString(stderr, economyUsage); f.PrintDefaults() } // nothing to do for a closed stderr
	f.Func("data", "a `directory` with a stream; may be given more than once", func(s string) error {
		o.dirs = append(o.dirs, s)
		return nil
	})
	o.own.flags(f)
	f.StringVar(&o.json, "json", "", "write all figures to this `file`")
	f.StringVar(&o.features, "features", "", "write the final features of every player to this `file`, a JSON object a line")
	f.BoolVar(&o.strip, "strip-optional", false, "leave out every field that the logs may leave out")
	f.IntVar(&o.hours, "checkpoint-hours", 12, "how often bad players are looked at, in hours of event time")
	f.IntVar(&o.misses, "misses", 0, "print this many bad players that are missed, and others that are flagged")
	f.StringVar(&o.url, "url", "", "send the stream to the gateway at this `address`")
	f.StringVar(&o.keys, "keys", "", "`file` with what `keys create --json` printed, for --url")
	if err := f.Parse(args); err != nil {
		return nil, fmt.Errorf("eval economy: %w", err)
	}
	o.dirs = append(o.dirs, f.Args()...)
	if (o.url == "") != (o.keys == "") {
		return nil, errors.New("eval economy: --url and --keys: name both or none")
	}
	streams := len(o.dirs) + len(o.own.seeds)
	if o.url != "" && streams > 1 {
		return nil, errors.New("eval economy: --url: one stream an app, so one --data or --own")
	}
	if streams == 0 {
		return nil, errors.New("eval economy: --data or --own: name a directory or a seed")
	}
	if err := o.own.validate(); err != nil {
		return nil, fmt.Errorf("eval economy: %w", err)
	}
	if o.hours < 1 {
		return nil, errors.New("eval economy: --checkpoint-hours: must be positive")
	}
	return o, nil
}

func economyMain(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseEconomy(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	var features io.WriteCloser
	if o.features != "" {
		if features, err = os.Create(o.features); err != nil {
			return fmt.Errorf("eval economy: %w", err)
		}
	}
	var reports []*EconomyReport
	note := func(dir string) error {
		r, err := o.measure(ctx, dir, features)
		if err != nil {
			return fmt.Errorf("eval economy: %s: %w", dir, err)
		}
		reports = append(reports, r)
		_, _ = fmt.Fprintf(stderr, "%s: %d entries, %.0f a second\n", r.Data, r.Entries, r.Rate) // progress
		return nil
	}
	for _, dir := range o.dirs {
		if err := note(dir); err != nil {
			return err
		}
	}
	if err := o.own.each(ctx, note); err != nil {
		return err
	}
	if features != nil {
		err = features.Close()
	}
	var b strings.Builder
	printEconomy(&b, reports)
	if o.misses > 0 {
		printMisses(&b, reports, o.misses)
	}
	_, werr := io.WriteString(stdout, b.String())
	err = errors.Join(err, werr)
	if o.json != "" {
		text, jerr := json.MarshalIndent(reports, "", " ")
		err = errors.Join(err, jerr, os.WriteFile(o.json, append(text, '\n'), 0o600))
	}
	if err != nil {
		return fmt.Errorf("eval economy: %w", err)
	}
	return nil
}

// measure replays one directory.
func (o *economyOptions) measure(ctx context.Context, dir string, features io.Writer) (*EconomyReport, error) {
	labels, err := readLabels(filepath.Join(dir, "labels.jsonl"))
	if err != nil {
		return nil, err
	}
	meta, err := readMeta(filepath.Join(dir, "meta.json"))
	if err != nil {
		return nil, err
	}
	run := &economyRun{labels: labels, meta: meta, every: int64(o.hours) * 3_600_000, seen: map[string][]checkpoint{}}
	if o.url == "" {
		run.book = risk.New(risk.Config{Fresh: -1, Measure: true})
		run.taker = &inProcess{book: run.book, strip: o.strip, known: map[string]struct{}{}}
	} else {
		keys, err := readKeys(o.keys)
		if err != nil {
			return nil, fmt.Errorf("--keys: %w", err)
		}
		run.taker = &overHTTP{base: o.url, keys: keys, strip: o.strip, logs: map[string][]json.RawMessage{}}
	}
	if err := run.replay(ctx, filepath.Join(dir, "stream.jsonl")); err != nil {
		return nil, err
	}
	r := run.report()
	r.Data = filepath.Base(dir)
	if features != nil {
		if err := run.dump(features, r.Data); err != nil {
			return nil, err
		}
	}
	return r, nil
}
