package evidence

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// HandOff is what a report to an authority needs to say, without the content: who
// reports it decides how that reaches the authority.
type HandOff struct {
	store.Evidence

	Authority string
	Reference string // the authority's, or the case's there
	By        string
	At        time.Time
	Links     []store.EvidenceLink // up to the one that says that this record was made
}

// heldFor is the reason of the hold that a hand-off puts on an item.
const heldFor = "handed to "

// Transfer prepares the record of an item for an authority, holds the item and puts
// both on its chain.
func (s *Service) Transfer(ctx context.Context, id, by, authority, reference string) (HandOff, error) {
	e, err := s.deps.Store.Evidence(ctx, id)
	if err != nil {
		return HandOff{}, err
	}
	if e.Hold == nil && e.Removed.IsZero() {
		if _, err := s.deps.Store.HoldEvidence(ctx, id, by, heldFor+authority); err != nil {
			return HandOff{}, err
		}
	}
	at := s.now().UTC()
	err = s.deps.Store.LinkEvidence(ctx, []string{id}, by, store.LinkTransfer, map[string]string{"authority": authority, "reference": reference})
	if err != nil {
		return HandOff{}, err
	}
	e, links, err := s.Chain(ctx, id)
	if err != nil {
		return HandOff{}, err
	}
	return HandOff{Evidence: e, Authority: authority, Reference: reference, By: by, At: at, Links: links}, nil
}
