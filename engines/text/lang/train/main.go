// Command train makes the table of engines/text/lang from labelled sentences and
// reports how often it is right on sentences that it did not see. The same data
// gives the same table.
//
//	go run ./engines/text/lang/train -data DIR -out engines/text/lang/weights/lang.bin
//
// DIR holds gzipped JSON lines with the keys text, lang, source, split and lic.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("train", flag.ContinueOnError)
	dir := flags.String("data", "", "folder of *.jsonl.gz")
	out := flags.String("out", "", "file to write the table to; none writes nothing")
	epochs := flags.Int("epochs", 8, "passes over the data")
	only := flags.Bool("report", false, "measure the built-in table and train nothing")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("read flags: %w", err)
	}
	train, dev, err := readRows(*dir)
	if err != nil {
		return err
	}
	if *only {
		report(os.Stdout, dev)
		return nil
	}
	m := newModel(train)
	m.choose(train)
	for e := range *epochs {
		loss := m.epoch(train, e)
		fmt.Printf("epoch %d: loss %.3f\n", e+1, loss)
	}
	data := m.encode(dev)
	if *out == "" {
		return nil
	}
	if err := os.WriteFile(*out, data, 0o644); err != nil { //nolint:gosec // weights are public
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}
