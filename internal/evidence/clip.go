package evidence

import (
	"bytes"
	"context"

	"github.com/portcullis-gg/portcullis/engines"
)

// contentOf is what is kept of media: the file, or of a live call's window the call
// around it.
func contentOf(m *engines.Media) []byte {
	if m.Sound != nil && m.Sound.Clip != nil {
		if clip := m.Sound.Clip(); len(clip) > 0 {
			return clip
		}
	}
	return m.Bytes
}

// typeOf is the media type of what is kept. The file of a live call's window is our
// own, and so what it says it is.
func typeOf(m *engines.Media) string {
	if m.Sound != nil && m.Type != "" {
		return m.Type
	}
	return mimeOf(m.Facts())
}

// AddClip keeps a clip of a call, with the seconds after what it was flagged for,
// beside the one that was kept with the verdict. It keeps none where none is kept of
// the verdict.
func (s *Service) AddClip(ctx context.Context, item *engines.Item, o engines.Outcome, mime string, clip []byte) error {
	if !s.keeps(&o.Verdict) {
		return nil
	}
	_, err := s.Add(ctx, item, &o, mime, bytes.NewReader(clip))
	return err
}
