package batch

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Store is what batches need of the durable store, part by part below. What is not the
// app's is store.ErrNotFound.
type Store interface {
	Intake
	Work
	Shelf
}

// Intake stores a batch as it arrives.
type Intake interface {
	BatchUse(ctx context.Context, app engines.AppID, now time.Time) (open, today int, err error)
	BeginBatch(ctx context.Context, b store.Batch) error
	PutBatchChunk(ctx context.Context, c store.BatchChunk) error
	// QueueBatch returns the batch of the same key and body instead, where there is one.
	QueueBatch(ctx context.Context, o store.BatchOrder) (b store.Batch, again bool, err error)
	DropBatch(ctx context.Context, id string) error
}

// Work gives chunks to workers.
type Work interface {
	ClaimChunk(ctx context.Context, owner string, now, until time.Time) (store.BatchChunk, error)
	RenewChunk(ctx context.Context, c *store.BatchChunk, until time.Time) error
	FreeChunks(ctx context.Context, owner string) error
	FinishChunk(ctx context.Context, r store.BatchResult, now time.Time) (store.Batch, error)
}

// Shelf has what was received until it is swept.
type Shelf interface {
	Batch(ctx context.Context, app engines.AppID, id string) (store.Batch, error)
	Batches(ctx context.Context, app engines.AppID, state string, before economy.Mark, most int) ([]store.Batch, error)
	CancelBatch(ctx context.Context, app engines.AppID, id, by string, now time.Time) (store.Batch, error)
	BatchPart(ctx context.Context, id string, line int) (store.BatchPart, error)
	SweepBatches(ctx context.Context, ended, begun time.Time, most int) (int, error)
}

// Desk decides; internal/review has the one there is.
type Desk interface {
	Judge(ctx context.Context, item *engines.Item) review.Judged
	Stand(ctx context.Context, list []review.Judged)
	// Live has grown since it was asked last where somebody waits for verdicts.
	Live() uint64
}

// Deps is what a Service stands on.
type Deps struct {
	Store  Store
	Desk   Desk
	Limits wire.Limits // of one line, as of any check
	// Accept refuses a picture or a sound by its headers, before anybody looks at it.
	Accept func(kind engines.Kind, file []byte, claim string) error
	// Reserved is the names that an app keeps for itself, which no name of a line may
	// bear; nil is none.
	Reserved func(ctx context.Context, app engines.AppID) ([]string, error)
	// Node names this process among those that share the store; Alone says that there
	// is no other, so that what one before it left needs no waiting for.
	Node  string
	Alone bool
	// Named hears which players a batch is about, and Ended that one has ended. Both may
	// be nil; neither may wait.
	Named    func(app engines.AppID, player engines.PlayerID)
	Ended    func()
	Registry prometheus.Registerer // nil keeps the metrics to the service
	Log      *slog.Logger
	Now      func() time.Time // nil is time.Now
}
