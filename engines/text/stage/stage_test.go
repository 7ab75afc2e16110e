package stage

import (
	"errors"
	"log/slog"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/text/reading"
)

// TestNothingThere: without files there are no networks, the reasons are told by model, and
// whoever asks the rest gets nothing wrong.
func TestNothingThere(t *testing.T) {
	r, missing := Open(t.TempDir(), reading.Within(), slog.New(slog.DiscardHandler))
	for _, id := range IDs() {
		if !errors.Is(missing[id], models.ErrMissing) {
			t.Errorf("%s: %v", id, missing[id])
		}
	}
	if s := r.Stage(); s.Attacks != nil || s.Meaning != nil {
		t.Errorf("the stage has %+v", s)
	}
	if c := r.Counts(); c != (reading.Counts{}) {
		t.Errorf("counts %+v", c)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
