package audio

import (
	"context"
	"errors"

	"github.com/portcullis-gg/portcullis/engines"
)

// Reader is the audio engine as a gateway has it: what listens may be elsewhere, and
// knows nothing of an operator's own words or of what was said before. It is safe for
// concurrent use.
type Reader struct{ inner, text engines.Engine }

// NewReader makes a reader. inner is an Engine without Text, or what asks one
// elsewhere; text judges what was said.
func NewReader(inner, text engines.Engine) (*Reader, error) {
	if inner == nil || text == nil {
		return nil, errors.New("audio reader: an engine is nil")
	}
	return &Reader{inner, text}, nil
}

// Inspect has the sound listened to, and what was said judged.
func (r *Reader) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if item.Media == nil {
		return out, errors.New("audio reader: an item without a sound")
	}
	out, err := r.inner.Inspect(ctx, item, out)
	facts := item.Media.Facts()
	if facts == nil {
		return out, err //nolint:wrapcheck // the engine's
	}
	out, failed := judge(ctx, r.text, item, facts, out)
	return out, errors.Join(err, failed)
}
