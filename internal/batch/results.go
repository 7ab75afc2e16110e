package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Batch returns one batch of an app; store.ErrNotFound where it has none such.
func (s *Service) Batch(ctx context.Context, app engines.AppID, id string) (store.Batch, error) {
	return s.deps.Store.Batch(ctx, app, id)
}

// Batches lists those of an app, newest first; state "" is any.
func (s *Service) Batches(ctx context.Context, app engines.AppID, state string, before economy.Mark, most int) ([]store.Batch, error) {
	return s.deps.Store.Batches(ctx, app, state, before, most)
}

// Cancel ends a batch; to end one that has ended changes nothing.
func (s *Service) Cancel(ctx context.Context, app engines.AppID, id, by string) (store.Batch, error) {
	b, err := s.deps.Store.CancelBatch(ctx, app, id, by, s.deps.Now())
	if errors.Is(err, store.ErrConflict) { // its last chunk was committed meanwhile
		return s.deps.Store.Batch(ctx, app, id)
	}
	if err == nil && b.State == store.BatchCancelled {
		s.m.batches.WithLabelValues(store.BatchCancelled).Inc()
		s.deps.Log.InfoContext(ctx, "batch cancelled", "batch", id, "app", app, "by", by, "done", b.Done, "lines", b.Lines)
	}
	return b, err
}

// Results writes the results after a line, in order, as far as they have come: up to the
// first line whose result is not there yet.
func (s *Service) Results(ctx context.Context, id string, after int, w io.Writer) error {
	for next := after + 1; ; {
		p, err := s.deps.Store.BatchPart(ctx, id, next)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		results := p.Results
		for range next - p.First { // each line has one
			_, results, _ = bytes.Cut(results, []byte("\n"))
		}
		if _, err := w.Write(results); err != nil {
			return fmt.Errorf("send results: %w", err)
		}
		next = p.First + p.Lines
	}
}
