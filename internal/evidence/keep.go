package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Of makes the evidence of a flagged item, nil where none is kept. It is committed with
// the decision. The bytes of media are on the disk when it returns.
func (s *Service) Of(ctx context.Context, item *engines.Item, o engines.Outcome) (*store.Evidence, error) {
	switch {
	case !s.keeps(&o.Verdict):
		return nil, nil //nolint:nilnil // none is kept
	case item.Media != nil:
		return s.ofMedia(ctx, item, &o)
	case item.Text == "":
		return nil, nil //nolint:nilnil // as above
	}
	e := s.about(item, &o)
	sum := sha256.Sum256([]byte(item.Text))
	e.MIME, e.SHA256, e.Bytes, e.Content = "text/plain; charset=utf-8", hex.EncodeToString(sum[:]), int64(len(item.Text)), []byte(item.Text)
	return e, nil
}

// keeps reports whether evidence is kept of a verdict. What was observed where nobody
// may act on it counts like what was blocked.
func (s *Service) keeps(v *engines.Verdict) bool {
	return slices.Contains(s.cfg.Keep, keepBlocked) && v.Found().Suggestion == engines.Block ||
		slices.Contains(s.cfg.Keep, keepCases) && v.Case
}

// about is what the evidence of an item says beside its content.
func (s *Service) about(item *engines.Item, o *engines.Outcome) *store.Evidence {
	now := s.now()
	found := o.Verdict.Found()
	e := &store.Evidence{
		ID:  uuid.Must(uuid.NewV7()).String(), // fails only without random numbers
		App: item.App, Request: item.RequestID, Case: o.CaseID, Scene: item.Scene, Player: item.Player, Kind: item.Kind,
		Suggestion: found.Suggestion, Created: now.UTC().Truncate(time.Millisecond),
	}
	if l := engines.Gravest(found.Labels); l != nil {
		e.Category, e.SubLabel, e.Severity = l.Category, l.SubLabel, l.Severity
	}
	e.Locked = slices.ContainsFunc(found.Labels, func(l engines.Label) bool { return engines.AboutChildren(l.Category, l.SubLabel) })
	e.Expires = s.cfg.until(e.Category, e.SubLabel, e.Created)
	return e
}
