package main

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines/text/train"
)

// trainModel makes the weights of a classifier from data.
func trainModel(ctx context.Context, args []string, io std) error {
	return train.Main(ctx, args, io.out, io.err)
}
