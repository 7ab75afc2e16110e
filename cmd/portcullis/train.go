package main

import (
	"context"

	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/train"
	"github.com/portcullis-gg/portcullis/internal/eval"
)

// trainModel makes the weights of a classifier from data.
func trainModel(ctx context.Context, args []string, io std) error {
	open := func(folder string) (text.Second, func() error, error) {
		readers, err := eval.OpenMeaning(folder)
		if err != nil {
			return text.Second{}, nil, err //nolint:wrapcheck // it names itself
		}
		return readers.Stage(), readers.Close, nil
	}
	return train.Main(ctx, args, open, io.out, io.err)
}
