package image

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/remember"
)

// ReaderConfig says what a Reader works with.
type ReaderConfig struct {
	// Inner looks at the picture: an Engine, or what asks one elsewhere. It must have
	// the media learn its facts.
	Inner engines.Engine
	// Version names what Inner looks with; what another version found is not used.
	Version string
	// Text reads the lines and the contents of codes; nil leaves them unread.
	Text engines.Engine
	// Banks may be nil.
	Banks Banks
	// Remembered is how many bytes what is known of pictures may take; 0 is 32 MiB,
	// less than 0 none. Full-rule: who was asked for longest ago goes.
	Remembered int
}

// Reader is the image engine as a gateway has it. It is safe for concurrent use.
type Reader struct {
	cfg    ReaderConfig
	memory *remember.Findings[lookedKey]
}

// lookedKey is a picture and what it was looked at with. A skin is looked at in one way
// more than others.
type lookedKey struct {
	sum     [32]byte
	skin    bool
	version string
}

// NewReader makes a reader.
func NewReader(cfg ReaderConfig) (*Reader, error) {
	if cfg.Inner == nil {
		return nil, errors.New("image reader: Inner is nil")
	}
	if cfg.Remembered == 0 {
		cfg.Remembered = 32 << 20
	}
	return &Reader{cfg, remember.New[lookedKey](cfg.Remembered)}, nil
}

// Inspect has the picture looked at, or remembers it, and appends what it shows, which
// banks know it, and what is written in it.
func (r *Reader) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	if item.Media == nil {
		return out, errors.New("image reader: an item without a picture")
	}
	key := lookedKey{sum: sha256.Sum256(item.Media.Bytes), skin: item.Media.Use == engines.UseSkin, version: r.cfg.Version}
	facts, signals, known := r.memory.Get(key)
	var err error
	if known {
		item.Media.Learn(facts)
		out = append(out, signals...)
	} else {
		before := len(out)
		if out, err = r.cfg.Inner.Inspect(ctx, item, out); err == nil {
			r.memory.Put(key, item.Media.Facts(), out[before:])
		}
		facts = item.Media.Facts()
	}
	if facts == nil {
		return out, err //nolint:wrapcheck // the engine's
	}
	if r.cfg.Banks != nil {
		out = r.cfg.Banks.Known(item.App, facts, out)
	}
	if r.cfg.Text != nil {
		var failed error
		out, failed = r.words(ctx, item, facts, out)
		err = errors.Join(err, failed)
	}
	return out, err //nolint:wrapcheck // the engine's
}
