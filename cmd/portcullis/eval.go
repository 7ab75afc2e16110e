package main

import (
	"context"

	"github.com/portcullis-gg/portcullis/internal/eval"
)

// evaluate measures how often the engines are right.
func evaluate(ctx context.Context, args []string, io std) error {
	if len(args) > 0 && args[0] == "image" {
		return evaluateImages(ctx, args[1:], io)
	}
	if len(args) > 0 && args[0] == "audio" && asksFor("phrases", args[1:]) {
		return evaluatePhrases(ctx, args[1:], io)
	}
	if len(args) > 0 && args[0] == "audio" && asksFor("words", args[1:]) {
		return evaluateWords(ctx, args[1:], io)
	}
	return eval.Main(ctx, args, io.out, io.err)
}
