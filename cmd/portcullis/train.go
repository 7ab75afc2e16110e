package main

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/train"
	"github.com/portcullis-gg/portcullis/internal/eval"
)

// trainModel makes the weights of a classifier from data.
func trainModel(ctx context.Context, args []string, io std) error {
	open := func(folder string) (text.Meaning, func() error, error) { return eval.OpenMeaning(folder) }
	return train.Main(ctx, args, open, io.out, io.err)
}
