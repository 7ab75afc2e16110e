package eval

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/portcullis-gg/portcullis/internal/eval/worlds"
)

// own are the worlds of our own that are played for a measurement.
type own struct {
	seeds         []uint64
	players, days int
	dir           string
}

func (o *own) flags(f *flag.FlagSet) {
	f.Func("own", "play a world of our own with this `seed`; may be given more than once", func(s string) error {
		seed, err := strconv.ParseUint(s, 10, 64)
		o.seeds = append(o.seeds, seed)
		return err
	})
	f.IntVar(&o.players, "own-players", 1500, "legitimate players of --own, about")
	f.IntVar(&o.days, "own-days", 12, "days that a world of --own takes")
	f.StringVar(&o.dir, "own-dir", "", "keep the worlds of --own in this `directory`")
}

func (o *own) validate() error {
	switch {
	case o.players < 100 || o.players > 100_000:
		return errors.New("--own-players: must be 100 to 100,000")
	case o.days < 4 || o.days > 60:
		return errors.New("--own-days: must be 4 to 60")
	}
	return nil
}

// each plays one world after the other and calls f with where it lies.
func (o *own) each(ctx context.Context, f func(dir string) error) error {
	for _, seed := range o.seeds {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := o.play(seed, f); err != nil {
			return err
		}
	}
	return nil
}

func (o *own) play(seed uint64, f func(dir string) error) (err error) {
	parent := o.dir
	if parent == "" {
		if parent, err = os.MkdirTemp("", "portcullis-worlds-"); err != nil {
			return fmt.Errorf("eval economy: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(parent)) }()
	}
	dir := filepath.Join(parent, "own-"+strconv.FormatUint(seed, 10))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("eval economy: %w", err)
	}
	if err := worlds.New(worlds.Config{Seed: seed, Players: o.players, Days: o.days}).Write(dir); err != nil {
		return fmt.Errorf("eval economy: %w", err)
	}
	return f(dir)
}
