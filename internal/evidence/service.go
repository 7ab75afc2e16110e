package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Store keeps the rows. Errors are the store's.
type Store interface {
	PutEvidence(ctx context.Context, e store.Evidence) error
	Evidence(ctx context.Context, id string) (store.Evidence, error)
	EvidenceContent(ctx context.Context, id string) ([]byte, error)
	EvidenceList(ctx context.Context, q store.EvidenceQuery) ([]store.Evidence, error)
	EvidenceLinks(ctx context.Context, id string) (store.Evidence, []store.EvidenceLink, error)
	// LinkEvidence adds a link and an audit entry to each item, all or nothing.
	LinkEvidence(ctx context.Context, ids []string, actor, action string, detail any) error
	HoldEvidence(ctx context.Context, id, by, reason string) (store.Evidence, error)
	ReleaseEvidence(ctx context.Context, id, by, reason string) (store.Evidence, error)
	Sweeper
}

// Sweeper removes what is past its retention.
type Sweeper interface {
	SweepEvidence(ctx context.Context, now time.Time) (removed int, err error)
	FreeBlobs(ctx context.Context, remove func(sha256 string) error) error
	SweepDecisionContent(ctx context.Context, before time.Time) (scrubbed int, err error)
}

// Files keeps bytes by their SHA-256; internal/store/blobs does.
type Files interface {
	Put(ctx context.Context, r io.Reader) (sum string, size int64, err error)
	Open(sum string) (io.ReadSeekCloser, error)
	Delete(sum string) error
}

// Deps is what a Service stands on.
type Deps struct {
	Store Store
	Files Files
	Sign  Signer
	Log   *slog.Logger
	// Now is our clock; nil is time.Now.
	Now func() time.Time
}

// Service keeps evidence. Its methods are safe for concurrent use.
type Service struct {
	cfg  Config
	deps Deps
	now  func() time.Time
	// shows is full while as many files are made for moderators as may be.
	shows chan struct{}
}

// New makes a service. Serve sweeps.
func New(cfg Config, deps Deps) (*Service, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.Log == nil {
		deps.Log = slog.Default()
	}
	return &Service{cfg: cfg, deps: deps, now: deps.Now, shows: make(chan struct{}, shownAtOnce)}, nil
}

// Add keeps evidence whose content is a file: an image, a clip. It is for engines of
// media, behind the answer; content may be read twice.
func (s *Service) Add(ctx context.Context, item *engines.Item, o *engines.Outcome, mime string, content io.ReadSeeker) (store.Evidence, error) {
	e := s.about(item, o)
	e.MIME, e.Blob = mime, true
	var err error
	if e.SHA256, e.Bytes, err = s.deps.Files.Put(ctx, content); err != nil {
		return store.Evidence{}, fmt.Errorf("evidence: %w", err)
	}
	if err := s.deps.Store.PutEvidence(ctx, *e); err != nil {
		return store.Evidence{}, fmt.Errorf("evidence: %w", err)
	}
	// A sweep may have removed the same bytes between the two, as another item's that
	// ran out. From here on none does.
	f, err := s.deps.Files.Open(e.SHA256)
	if err == nil {
		return *e, f.Close()
	}
	if !errors.Is(err, store.ErrNotFound) {
		return store.Evidence{}, fmt.Errorf("evidence: %w", err)
	}
	if _, err = content.Seek(0, io.SeekStart); err == nil {
		_, _, err = s.deps.Files.Put(ctx, content)
	}
	if err != nil {
		return store.Evidence{}, fmt.Errorf("evidence: %w", err)
	}
	return *e, nil
}

// ErrLocked says that the content is shown to few, and to them when they ask twice.
var ErrLocked = errors.New("evidence: locked")

// Reader is who asks for content: what for, and whether a locked item may be shown.
type Reader struct {
	Name   string
	Unlock bool // may see locked content, and has asked for it expressly
}

// Read hands out the content of an item, which the caller closes, after it has put
// the reading on the item's chain. Errors: ErrLocked; store.ErrNotFound where the item
// is not there or its content is gone.
func (s *Service) Read(ctx context.Context, id string, who Reader) (store.Evidence, io.ReadCloser, error) {
	e, err := s.deps.Store.Evidence(ctx, id)
	if err != nil {
		return e, nil, err
	}
	if e.Locked && !who.Unlock {
		return e, nil, ErrLocked
	}
	body, err := s.content(ctx, &e)
	if err != nil {
		return e, nil, err
	}
	if err := s.deps.Store.LinkEvidence(ctx, []string{id}, who.Name, store.LinkRead, map[string]bool{"locked": e.Locked}); err != nil {
		return e, nil, errors.Join(err, body.Close())
	}
	return e, body, nil
}

func (s *Service) content(ctx context.Context, e *store.Evidence) (io.ReadCloser, error) {
	if !e.Removed.IsZero() {
		return nil, fmt.Errorf("content of evidence %s: %w", e.ID, store.ErrNotFound)
	}
	if e.Blob {
		return s.deps.Files.Open(e.SHA256)
	}
	text, err := s.deps.Store.EvidenceContent(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

// List is a part of the evidence, newest first, without content.
func (s *Service) List(ctx context.Context, q store.EvidenceQuery) ([]store.Evidence, error) {
	return s.deps.Store.EvidenceList(ctx, q)
}

// Chain is an item with its links, checked: the error is store.ErrChainBroken where
// they are not what was written; the item and its links come with it.
func (s *Service) Chain(ctx context.Context, id string) (store.Evidence, []store.EvidenceLink, error) {
	e, links, err := s.deps.Store.EvidenceLinks(ctx, id)
	if err != nil {
		return e, links, err
	}
	return e, links, store.VerifyChain(e.SHA256, e.HeadHash, links)
}

// Hold keeps an item from retention and erasure. store.ErrConflict: it is held, or
// its content is gone.
func (s *Service) Hold(ctx context.Context, id, by, reason string) (store.Evidence, error) {
	return s.deps.Store.HoldEvidence(ctx, id, by, reason)
}

// Release ends a hold. store.ErrConflict: none is on it.
func (s *Service) Release(ctx context.Context, id, by, reason string) (store.Evidence, error) {
	return s.deps.Store.ReleaseEvidence(ctx, id, by, reason)
}

// sweepEvery is how often what ran out is looked for.
const sweepEvery = time.Minute

// Serve removes what ran out, until ctx ends.
func (s *Service) Serve(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
			s.deps.Log.WarnContext(ctx, "evidence: sweep failed", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Service) sweep(ctx context.Context) error {
	now := s.now()
	removed, err := s.deps.Store.SweepEvidence(ctx, now)
	err = errors.Join(err, s.deps.Store.FreeBlobs(ctx, s.deps.Files.Delete))
	scrubbed := 0
	if s.cfg.DecisionContent > 0 {
		var failed error
		scrubbed, failed = s.deps.Store.SweepDecisionContent(ctx, now.Add(-time.Duration(s.cfg.DecisionContent)*day))
		err = errors.Join(err, failed)
	}
	if removed > 0 || scrubbed > 0 {
		s.deps.Log.InfoContext(ctx, "evidence: retention", "evidence", removed, "decisions", scrubbed)
	}
	return err
}
