package audit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// Store keeps chains and checkpoints.
type Store interface {
	// AuditAhead lists the chains that have grown since their last checkpoint.
	AuditAhead(ctx context.Context) ([]store.AuditHead, error)
	// LastCheckpoint is the newest of a chain; store.ErrNotFound: it has none.
	LastCheckpoint(ctx context.Context, chain string) (store.Checkpoint, error)
	// AuditHash is the hash that an entry has; store.ErrNotFound: it is not there.
	AuditHash(ctx context.Context, chain string, seq int64) (string, error)
	PutCheckpoint(ctx context.Context, c store.Checkpoint) error
}

// Config says how often checkpoints are made. It stands in portcullis.yaml under audit.
type Config struct {
	// Checkpoint is how often the chains that have grown are signed.
	Checkpoint time.Duration `yaml:"checkpoint"`
}

// Default returns the settings that serve starts with.
func Default() Config { return Config{Checkpoint: time.Minute} }

// Validate returns every fault, each naming its key.
func (c *Config) Validate() error {
	if c.Checkpoint < time.Second {
		return errors.New("audit.checkpoint: must be at least 1s")
	}
	return nil
}

// Keeper signs the chains of the store.
type Keeper struct {
	cfg   Config
	store Store
	key   Key
	log   *slog.Logger
}

// NewKeeper makes a keeper.
func NewKeeper(cfg Config, s Store, key Key, log *slog.Logger) *Keeper {
	return &Keeper{cfg: cfg, store: s, key: key, log: log}
}

// Serve signs every so often, and once more at the end, until ctx ends.
func (k *Keeper) Serve(ctx context.Context) {
	tick := time.NewTicker(k.cfg.Checkpoint)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWithin)
			defer cancel()
			k.sign(last)
			return
		case <-tick.C:
			k.sign(ctx)
		}
	}
}

// lastWithin bounds what the end of the process waits for.
const lastWithin = 2 * time.Second

func (k *Keeper) sign(ctx context.Context) {
	made, err := k.Checkpoint(ctx)
	if err != nil && ctx.Err() == nil {
		k.log.ErrorContext(ctx, "audit: no checkpoint", "err", err)
	}
	for _, c := range made {
		// This line, kept elsewhere, is what shows that a chain was made anew.
		k.log.InfoContext(ctx, "audit checkpoint", "chain", c.Chain, "seq", c.Seq, "hash", c.Hash, "ts", c.TS.UnixMilli(),
			"public_key", c.Key, "signature", c.Signature)
	}
}

// Checkpoint signs every chain that has grown since its last checkpoint. A chain that
// no longer has what the last one says is not signed: store.ErrChainBroken names it.
func (k *Keeper) Checkpoint(ctx context.Context) (made []store.Checkpoint, err error) {
	heads, err := k.store.AuditAhead(ctx)
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, h := range heads {
		if err := k.holds(ctx, h.Chain); err != nil {
			faults = append(faults, err)
			continue
		}
		c := store.Checkpoint{AuditHead: h, TS: time.UnixMilli(time.Now().UnixMilli()).UTC()}
		c.Key, c.Signature = k.key.Sign(statement(&c))
		if err := k.store.PutCheckpoint(ctx, c); err != nil {
			faults = append(faults, err)
			continue
		}
		made = append(made, c)
	}
	return made, errors.Join(faults...)
}

// holds checks that a chain still has what its last checkpoint says.
func (k *Keeper) holds(ctx context.Context, chain string) error {
	last, err := k.store.LastCheckpoint(ctx, chain)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	hash, err := k.store.AuditHash(ctx, chain, last.Seq)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if hash != last.Hash {
		return fmt.Errorf("audit chain %s at entry %d: %w", chain, last.Seq, store.ErrChainBroken)
	}
	return nil
}
