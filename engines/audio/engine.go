package audio

import (
	"context"
	"errors"

	"github.com/portcullis-gg/portcullis/engines"
)

// Engine looks at sound. It is safe for concurrent use. Its errors are engines.Refusal
// where the sound can't be looked at.
type Engine struct {
	cfg      Config
	partials partials
	guesses  guesses
}

// Inspect learns the media's facts and appends what is heard. When the time ends before
// all was listened to, it returns what was found with ctx's error.
func (e *Engine) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	switch {
	case item.Media == nil:
		return out, errors.New("audio engine: an item without a sound")
	case item.Media.Sound != nil:
		return e.window(ctx, item, out)
	}
	return e.file(ctx, item, out)
}
