package evidence

import (
	"context"
	"fmt"
	"io"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Shown is the content of a picture or a sound as moderators see or hear it: its pixels
// or samples in a file that we made, so that nothing of the sender's file reaches their
// programs. The file as it was sent is in an export.
type Shown struct {
	MIME string
	File []byte
}

// shownAtOnce is how many are made at once; each holds its file and what is made of it.
// Full-rule: the next moderator waits.
const shownAtOnce = 4

// Shown makes what is shown of content that Read returned, and closes it; nil of kinds
// that are shown as they are, whose content it leaves alone.
func (s *Service) Shown(ctx context.Context, e *store.Evidence, content io.ReadCloser) (*Shown, error) {
	var show func(context.Context, []byte) (*Shown, error)
	switch e.Kind {
	case engines.KindImage:
		show = s.picture
	case engines.KindAudio:
		show = s.sound
	case engines.KindText, engines.KindName, engines.KindVideo, engines.KindTrade:
		return nil, nil //nolint:nilnil // as it is
	default:
		return nil, nil //nolint:nilnil // as it is
	}
	select {
	case s.shows <- struct{}{}:
		defer func() { <-s.shows }()
	case <-ctx.Done():
		_ = content.Close() // read only
		return nil, ctx.Err()
	}
	data, err := io.ReadAll(io.LimitReader(content, s.cfg.MaxFile+1))
	if closed := content.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, fmt.Errorf("read evidence %s: %w", e.ID, err)
	}
	shown, err := show(ctx, data)
	if err != nil {
		return nil, fmt.Errorf("show evidence %s: %w", e.ID, err)
	}
	return shown, nil
}
