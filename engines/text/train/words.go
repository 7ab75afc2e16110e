package train

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// trusted are sets of ordinary sentences, names and places. Others call a row clean
// that holds an insult.
var trusted = map[string]bool{
	"tatoeba-laser": true, "songys-chatbot": true, "dr5hn-places": true, "tanaka-enja": true, "chatterbot": true,
	"pokeapi-names": true, "warframe-i18n": true, "dariusk-corpora": true, "names-cjk": true, "terasology-i18n": true, "showdown-i18n": true,
	"dota-items": true, "medquad": true, "names-th": true, "names-it": true, "code-lines": true,
}

// words runs "train words": the table of ordinary words, from clean rows in which
// the lists find nothing. Rows for measuring are not read.
func words(ctx context.Context, args []string, out, errw io.Writer) error {
	f := flag.NewFlagSet("portcullis train words", flag.ContinueOnError)
	f.SetOutput(errw)
	data := f.String("data", "", "folder of permissive*.jsonl.gz, by-sa*.jsonl.gz and evasion.jsonl.gz")
	to := f.String("out", "", "table to write")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if *data == "" || *to == "" || f.NArg() > 0 {
		return fmt.Errorf("%w: train words needs --data and --out", ErrUsage)
	}
	engine, err := text.New(text.Config{NoModel: true}) //nolint:contextcheck // loads lists, which nobody cancels
	if err != nil {
		return fmt.Errorf("train words: %w", err)
	}
	rows, err := readData(*data)
	if err != nil {
		return fmt.Errorf("train words: %w", err)
	}
	gathered := text.NewWords()
	for i := range rows {
		r := &rows[i]
		if r.Toxic {
			continue
		}
		found, err := engine.Inspect(ctx, &engines.Item{Kind: engines.KindText, Text: r.Text}, nil)
		if err != nil {
			return fmt.Errorf("train words: %w", err)
		}
		if len(found) == 0 || r.Source == "dr5hn-places" { // towns are called what they are called
			gathered.Add(r.Text, trusted[r.Source])
		}
	}
	table, n := gathered.Table()
	if err := os.WriteFile(*to, table, 0o644); err != nil { //nolint:gosec // data for everybody to read
		return fmt.Errorf("train words: %w", err)
	}
	_, _ = fmt.Fprintf(out, "%d words in %s\n", n, *to)
	return nil
}
