package encoder

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/portcullis-gg/portcullis/engines/models"
)

// Files are those of a network in a folder of models.
type Files struct {
	Model  string // its ID in the manifest
	Layers string // the ONNX file
	Words  string // the table of pieces and their vectors
}

// Open opens the network that files name, once the library was started with onnx.Start. A
// missing file wraps models.ErrMissing, a damaged one models.ErrDamaged. read is given the
// table, which it may keep until the network is closed, and says how many values a vector
// has; answers is how many Read gives. Whoever opens it closes it.
func Open(folder string, files Files, answers int, read func(table io.ReaderAt, size int64) (width int, err error)) (*Network, error) {
	store, entry := models.NewStore(folder), models.Find(files.Model)
	if err := store.Verify(entry); err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	layers, err := store.Read(entry, files.Layers)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	table, err := os.Open(store.Path(&models.File{Name: files.Words}))
	if err != nil {
		return nil, fmt.Errorf("open the table of pieces: %w", err)
	}
	n, err := load(layers, table, answers, read)
	if err != nil {
		return nil, errors.Join(err, table.Close())
	}
	return n, nil
}

// load makes a network of its layers and its table, which it closes once it is closed itself.
func load(layers []byte, table *os.File, answers int, read func(io.ReaderAt, int64) (int, error)) (*Network, error) {
	info, err := table.Stat()
	if err != nil {
		return nil, fmt.Errorf("open the table of pieces: %w", err)
	}
	width, err := read(table, info.Size())
	if err != nil {
		return nil, err
	}
	return newNetwork(layers, table, width, answers)
}
