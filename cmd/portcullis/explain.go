package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/reading"
)

const explainUsage = `Usage: portcullis explain TEXT [flags]

Says what the text engine finds in a text and what the policy makes of it. With -
the text is read from standard input.

`

// explain shows one verdict with all that it rests on.
func explain(ctx context.Context, args []string, std std) (err error) {
	f := newFlags("explain", std)
	lang := f.String("lang", "", "the `language` that the caller would name (BCP 47)")
	strict := f.Int("strict", 0, "strictness 1 to 5 in place of the policy's")
	file := f.String("config", "", "configuration `file`, for its policy and word lists")
	scene := f.String("scene", "", "the `scene` whose policy counts")
	region := f.String("region", "", "the player's `region` or country")
	segment := f.String("segment", "", "the player's `segment`: minor, standard, trusted")
	name := f.Bool("name", false, "the text is a player's name")
	asJSON := f.Bool("json", false, "print JSON")
	f.Usage = func() { std.note("%s", explainUsage); f.PrintDefaults() }
	content, err := parseText(f, args, std.in)
	if err != nil {
		return err
	}
	if *strict < 0 || *strict > policy.MaxStrictness {
		return badUsage("--strict: must be 1 to %d", policy.MaxStrictness)
	}
	cfg, err := loadConfig(*file, os.Environ())
	if err != nil {
		return err
	}
	item := &engines.Item{Kind: engines.KindText, Text: content, Language: *lang, StrictLevel: *strict, Scene: engines.SceneID(*scene), Region: *region, Segment: *segment}
	if *name {
		item.Kind = engines.KindName
	}
	cfg.data = "data"
	var second meaningParts
	if keeper := newModelKeeper(cfg.Models, cfg.data, slog.New(slog.DiscardHandler)); cfg.Text.Meaning {
		for _, err := range second.open(keeper, reading.Patient(), keeper.log) {
			// Who fetched nothing has chosen that.
			if !errors.Is(err, models.ErrMissing) && !errors.Is(err, onnx.ErrNoLibrary) {
				std.note("a network that reads messages as a whole is not used: %v\n", err)
			}
		}
		defer func() { err = errors.Join(err, second.close()) }()
	}
	e, err := newExplainer(&cfg, second.stage()) //nolint:contextcheck // the lists test themselves, which is short
	if err != nil {
		return err
	}
	out, err := e.explain(ctx, item)
	if err != nil {
		return err
	}
	return out.print(std.out, *asJSON)
}

// parseText reads the text and the flags, which may stand behind it.
func parseText(f *flag.FlagSet, args []string, in io.Reader) (string, error) {
	var texts []string
	for len(args) > 0 {
		if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
			return "", err
		} else if err != nil {
			return "", badUsage("%v", err)
		}
		if args = f.Args(); len(args) > 0 {
			texts = append(texts, args[0])
			args = args[1:]
		}
	}
	if len(texts) != 1 {
		return "", badUsage("explain: give one text, in quotes")
	}
	if texts[0] != "-" {
		return strings.ToValidUTF8(texts[0], "\uFFFD"), nil
	}
	const most = 1 << 20
	data, err := io.ReadAll(io.LimitReader(in, most))
	if err != nil {
		return "", fmt.Errorf("explain: read the text: %w", err)
	}
	return strings.ToValidUTF8(strings.TrimRight(string(data), "\r\n"), "\uFFFD"), nil
}

// explainer holds the engine and the policy that a gateway of the same
// configuration would have.
type explainer struct {
	engine *text.Engine
	rules  func(app engines.AppID) *policy.Set
}

func newExplainer(cfg *config, second text.Second) (*explainer, error) {
	engine, err := cfg.Text.engine(second)
	if err != nil {
		return nil, err
	}
	rules, err := compilePolicy(cfg.Policy)
	if err != nil {
		return nil, err
	}
	return &explainer{engine, func(engines.AppID) *policy.Set { return rules }}, nil
}

// Explain is the explanation as JSON, for the demo and the console.
func (e *explainer) Explain(ctx context.Context, item *engines.Item) ([]byte, error) {
	x, err := e.explain(ctx, item)
	if err != nil {
		return nil, err
	}
	return json.Marshal(x)
}
