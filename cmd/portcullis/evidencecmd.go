package main

import (
	"context"
	"errors"
	"flag"
	"os"

	"github.com/portcullis-gg/portcullis/internal/evidence"
)

// evidenceRole checks archives of evidence. It needs neither store nor key.
func evidenceRole(_ context.Context, args []string, io std) error {
	if len(args) == 0 || args[0] != "verify" {
		return badUsage("evidence verify [--key BASE64] FILE.zip")
	}
	f := newFlags("evidence verify", io)
	key := f.String("key", "", "the public key that must have signed it, as portcullis audit key prints it")
	if err := f.Parse(args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return badUsage("%v", err)
	}
	if f.NArg() != 1 {
		return badUsage("evidence verify: one FILE.zip")
	}
	file, err := os.Open(f.Arg(0))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return err
	}
	c, err := evidence.Verify(file, info.Size(), *key)
	if err != nil {
		return err
	}
	io.say("%d items in %d files hold, %d withheld\nmade at %s by %s: %s\nsigned with %s\n", c.Items, c.Files, c.Withheld,
		c.Made.Format("2006-01-02T15:04:05Z"), c.By, c.Reason, c.Key)
	if *key == "" {
		io.note("The key is the archive's own word: compare it with what portcullis audit key prints, or give --key.\n")
	}
	return nil
}
