package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/decode"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// system is who acts where nobody did.
const system = "system"

// ofMedia puts the bytes of a picture or a sound on the disk and makes the evidence of it. What a
// bank of child-safety material knows is held from the first moment: the law asks that
// it be preserved (18 U.S.C. 2258A(h)), and no sweep may come first.
func (s *Service) ofMedia(ctx context.Context, item *engines.Item, o *engines.Outcome) (*store.Evidence, error) {
	if len(item.Media.Bytes) == 0 {
		return nil, nil //nolint:nilnil // there is nothing to keep
	}
	e := s.about(item, o)
	e.MIME, e.Blob = typeOf(item.Media), true
	var err error
	if e.SHA256, e.Bytes, err = s.deps.Files.Put(ctx, bytes.NewReader(contentOf(item.Media))); err != nil {
		return nil, fmt.Errorf("evidence: %w", err)
	}
	if known(o.Verdict.Found().Labels) {
		e.Hold = &store.Hold{By: system, Reason: "known to a child-safety bank: to be preserved and reported", Since: e.Created}
	}
	return e, nil
}

// known reports whether a bank knew the picture as child-safety material.
func known(labels []engines.Label) bool {
	return slices.ContainsFunc(labels, func(l engines.Label) bool {
		return l.Source == engines.SourceHash && engines.AboutChildren(l.Category, l.SubLabel)
	})
}

// soundTypes are the media types of sounds.
var soundTypes = map[string]string{decode.WAV: "audio/wav", decode.MP3: "audio/mpeg", decode.FLAC: "audio/flac", decode.OggOpus: "audio/ogg"}

// mimeOf is the media type of what the content is, whatever it was said to be.
func mimeOf(f *engines.MediaFacts) string {
	switch {
	case f == nil || f.Format == "":
		return "application/octet-stream"
	case soundTypes[f.Format] != "":
		return soundTypes[f.Format]
	}
	return "image/" + f.Format
}

// Kept puts the file of a committed item on the disk again where a sweep has removed the
// same bytes meanwhile, as another item's that ran out; from here on none does. Of what
// is held it puts the hold and the record for the authority on the chain.
func (s *Service) Kept(ctx context.Context, item *engines.Item, e *store.Evidence) error {
	f, err := s.deps.Files.Open(e.SHA256)
	switch {
	case err == nil:
		err = f.Close()
	case errors.Is(err, store.ErrNotFound):
		_, _, err = s.deps.Files.Put(ctx, bytes.NewReader(contentOf(item.Media)))
	}
	if err != nil || e.Hold == nil {
		return wrap(err)
	}
	ids := []string{e.ID}
	if err := s.deps.Store.LinkEvidence(ctx, ids, system, store.LinkHeld, map[string]string{"reason": e.Hold.Reason}); err != nil {
		return wrap(err)
	}
	return wrap(s.deps.Store.LinkEvidence(ctx, ids, system, store.LinkTransfer, map[string]string{
		"authority": s.cfg.Authority, "reference": "", "state": "prepared: nobody has sent it yet",
	}))
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("evidence: %w", err)
}
