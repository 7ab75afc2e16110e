package main

import (
	"context"
	"fmt"
	"os"

	load "github.com/portcullis-gg/portcullis/internal/bench"
)

// say speaks a file into a scene.
func say(ctx context.Context, args []string, io std) error {
	return load.Say(ctx, args, io.out, io.err) //nolint:wrapcheck // it names itself
}

// bench measures a gateway from a process of its own.
func bench(ctx context.Context, args []string, io std) error {
	if len(args) > 0 && args[0] == "image" {
		return benchImages(ctx, args[1:], io)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("bench: find this binary: %w", err)
	}
	return load.Main(ctx, args, io.out, io.err, self)
}
