package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// labelsFile names the file in a folder of pictures that says what they are.
const labelsFile = "labels.jsonl"

// labelled looks at the pictures that the lines of a labelsFile name.
func (r *imageRun) labelled(ctx context.Context, dir string, labels []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err //nolint:wrapcheck // Images wraps it
	}
	defer func() { _ = root.Close() }() // only read from
	for i, row := range bytes.Split(labels, []byte("\n")) {
		if row = bytes.TrimSpace(row); len(row) == 0 {
			continue
		}
		var l struct {
			File  string `json:"file"`
			Label string `json:"label"`
		}
		if err := json.Unmarshal(row, &l); err != nil {
			return fmt.Errorf("%s:%d: %w", labelsFile, i+1, err)
		}
		if l.File == "" || l.Label == "" {
			return fmt.Errorf("%s:%d: file and label are needed", labelsFile, i+1)
		}
		file, err := root.ReadFile(filepath.FromSlash(l.File))
		if err != nil {
			return fmt.Errorf("%s:%d: %w", labelsFile, i+1, err)
		}
		if err := r.one(ctx, l.Label, l.File, file); err != nil {
			return err
		}
	}
	return nil
}
