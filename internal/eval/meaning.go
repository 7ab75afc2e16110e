package eval

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/onnx"
	"github.com/portcullis-gg/portcullis/engines/text/reading"
	"github.com/portcullis-gg/portcullis/engines/text/stage"
)

// ModelsFolder is where commands that measure look for models by default.
func ModelsFolder() string { return cmp.Or(os.Getenv("PORTCULLIS_MODELS"), "data/models") }

// OpenMeaning opens the text engine's second stage from a folder of models, to be waited for: as
// much of it as is there. The caller closes it once nobody asks any more.
func OpenMeaning(folder string) (*stage.Readers, error) {
	path, err := onnx.Find(folder)
	if err == nil {
		err = onnx.Start(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read messages as a whole: %w", err)
	}
	readers, missing := stage.Open(folder, reading.Patient(), slog.New(slog.DiscardHandler))
	var errs []error
	for _, id := range stage.IDs() {
		// What was not fetched is not there; what is damaged would be measured without saying so.
		if err := missing[id]; err != nil && (!errors.Is(err, models.ErrMissing) || len(missing) == len(stage.IDs())) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, readers.Close())
	}
	return readers, nil
}
