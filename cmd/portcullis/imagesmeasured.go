package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/portcullis-gg/portcullis/configs/policies"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
	load "github.com/portcullis-gg/portcullis/internal/bench"
	"github.com/portcullis-gg/portcullis/internal/eval"
)

// measuredImages builds the image engine as a gateway without a configuration has it,
// beside one that reads no text. The caller calls done.
func measuredImages() (all, quiet engines.Engine, has, lacks []string, done func() error, err error) {
	cfg, err := loadConfig("", os.Environ())
	if err != nil {
		return nil, nil, nil, nil, nil, err
	}
	cfg.data = "data"
	words, err := cfg.Text.engine(text.Second{})
	if err != nil {
		return nil, nil, nil, nil, nil, err
	}
	keeper := newModelKeeper(cfg.Models, cfg.data, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	p := newImageParts(&cfg.Image, keeper)
	p.closers = append(p.closers, keeper.close)
	reader := func(c image.Config) (engines.Engine, error) {
		c.Limits, c.Memory = cfg.Image.limits(), cfg.Image.Memory
		inner, err := image.New(c)
		if err != nil {
			return nil, err
		}
		return image.NewReader(image.ReaderConfig{Inner: inner, Text: words, Remembered: -1})
	}
	silent := p.Config
	silent.Text = nil
	all, failed := reader(p.Config)
	quiet, err = reader(silent)
	return all, quiet, p.has, p.lacks, p.close, errors.Join(failed, err)
}

func benchImages(ctx context.Context, args []string, std std) (err error) {
	all, quiet, has, lacks, done, err := measuredImages() //nolint:contextcheck // loads lists, which nobody cancels
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	return load.Images(ctx, load.ImageEngines{All: all, Quiet: quiet, Has: has, Lacks: lacks}, args, std.out, std.err)
}

func evaluateImages(ctx context.Context, args []string, std std) (err error) {
	all, _, _, _, done, err := measuredImages() //nolint:contextcheck // loads lists, which nobody cancels
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	layers, words, err := readPolicies(policies.Files)
	if err != nil {
		return err
	}
	set, err := policy.Compile(policy.Config{}, layers, words)
	if err != nil {
		return err
	}
	return eval.Images(ctx, all, set, args, std.out, std.err)
}
