package banks

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Store keeps banks. A nil error means that what was given is on disk; errors are those
// of internal/store.
type Store interface {
	Banks
	Imports
	AppendAudit(ctx context.Context, a store.Audit) error
}

// Banks are what is said of banks and what they found.
type Banks interface {
	PutImageBank(ctx context.Context, b store.ImageBank, was int) (store.ImageBank, error)
	ImageBank(ctx context.Context, app engines.AppID, name string) (store.ImageBank, error)
	ImageBanksChanged(ctx context.Context, since int64) ([]store.ImageBank, error)
	AddImageMatches(ctx context.Context, list []store.ImageMatches) error
	ImageMatches(ctx context.Context, bank string, most int) ([]store.ImageMatches, error)
}

// Imports are their hashes.
type Imports interface {
	BeginImageImport(ctx context.Context, i store.ImageImport) error
	PutImageChunk(ctx context.Context, c store.ImageChunk) error
	EndImageImport(ctx context.Context, i store.ImageImport, replace bool) (store.ImageImport, error)
	DropImageImport(ctx context.Context, id string) error
	SweepImageImports(ctx context.Context, begun time.Time) error
	RetireImageImport(ctx context.Context, bank, id, by string) error
	RetireImageEntry(ctx context.Context, e store.ImageEntry, by string) error
	ImageGone(ctx context.Context, bank string) ([]store.ImageEntry, error)
	ImageImports(ctx context.Context, bank string, after int64, most int) ([]store.ImageImport, error)
	ImageHashes(ctx context.Context, id, kind string, each func([][32]byte) error) error
}

// Pictures make hashes of a file: the SHA-256 of its bytes and, of its first frame, PDQ
// with its quality. An error says what is wrong with the file.
type Pictures interface {
	Facts(ctx context.Context, file []byte) (*engines.MediaFacts, error)
}

// Deps is what a Keeper stands on.
type Deps struct {
	Store Store
	// Pictures makes hashes of pictures; nil where this build cannot.
	Pictures Pictures
	// Tell has the other gateways look for changes. It does not wait.
	Tell func()
	// Bare has no hashes read: for tools that list and import, which look nothing up.
	Bare bool
	// Node names the audit chain of tests.
	Node string
	Log  *slog.Logger
	// Now is our clock; nil is time.Now.
	Now func() time.Time
}

// Errors of a Keeper, beside those of the store.
var (
	// ErrMany: the app has as many banks or hashes as it may, or there are as many
	// hashes as fit in memory.
	ErrMany = errors.New("banks: as many banks or hashes as there may be")
	// ErrRetired: the bank takes nothing more.
	ErrRetired = errors.New("banks: the bank is retired")
	// ErrNothing: a list or a picture gave no hash.
	ErrNothing = errors.New("banks: there is no usable hash in it")
	// ErrNoPictures: this build makes no hashes of pictures.
	ErrNoPictures = errors.New("banks: hashes of pictures cannot be made in this build")
)
