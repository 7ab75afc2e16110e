package eval

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"

	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/engines/text/gist"
	"github.com/portcullis-gg/portcullis/engines/text/reading"
)

// ModelsFolder is where commands that measure look for models by default.
func ModelsFolder() string { return cmp.Or(os.Getenv("PORTCULLIS_MODELS"), "data/models") }

// OpenMeaning opens the text engine's second stage from a folder of models, to be waited for.
// The caller calls done once nobody asks any more.
func OpenMeaning(folder string) (r *reading.Reader[[text.Answers]float64], done func() error, err error) {
	path, err := onnx.Find(folder)
	if err == nil {
		err = onnx.Start(path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("gist of messages: %w", err)
	}
	m, err := gist.Open(folder)
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // it names itself
	}
	r = reading.New(m.Read, reading.Patient(), slog.New(slog.DiscardHandler))
	return r, func() error {
		r.Close()
		return m.Close()
	}, nil
}
