package audit

import (
	"context"
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// Log is the audit log as a check of it reads it.
type Log interface {
	// AuditChains lists every chain that a head, an entry or a checkpoint names.
	AuditChains(ctx context.Context) ([]string, error)
	// VerifyAudit returns an error that names the first entry that is changed, missing
	// or out of place.
	VerifyAudit(ctx context.Context, chain string) error
	AuditHash(ctx context.Context, chain string, seq int64) (string, error)
	// Checkpoints hands on those of a chain, oldest first.
	Checkpoints(ctx context.Context, chain string) ([]store.Checkpoint, error)
}

// Report is what a check found.
type Report struct {
	Chains      int
	Checkpoints int
	Faults      []error // one for each chain or checkpoint that does not hold
}

// Verify checks all chains, and every checkpoint of the store and of more against
// them. An error other than the report's faults is of the store.
func Verify(ctx context.Context, log Log, key string, more []store.Checkpoint) (r Report, err error) {
	chains, err := log.AuditChains(ctx)
	if err != nil {
		return r, err
	}
	r.Chains = len(chains)
	for _, chain := range chains {
		switch err := log.VerifyAudit(ctx, chain); {
		case errors.Is(err, store.ErrUnavailable):
			return r, err
		case err != nil:
			r.Faults = append(r.Faults, err)
		}
		list, err := log.Checkpoints(ctx, chain)
		if err != nil {
			return r, err
		}
		if err := r.hold(ctx, log, key, list); err != nil {
			return r, err
		}
	}
	return r, r.hold(ctx, log, key, more)
}

// hold holds checkpoints against the log.
func (r *Report) hold(ctx context.Context, log Log, key string, list []store.Checkpoint) error {
	for i := range list {
		c := &list[i]
		r.Checkpoints++
		if !Genuine(c, key) {
			r.Faults = append(r.Faults, fmt.Errorf("checkpoint of %s at entry %d: not signed with this installation's key", c.Chain, c.Seq))
			continue
		}
		hash, err := log.AuditHash(ctx, c.Chain, c.Seq)
		switch {
		case errors.Is(err, store.ErrNotFound):
			r.Faults = append(r.Faults, fmt.Errorf("checkpoint of %s at entry %d: the entry is missing", c.Chain, c.Seq))
		case err != nil:
			return err
		case hash != c.Hash:
			r.Faults = append(r.Faults, fmt.Errorf("checkpoint of %s at entry %d: the entry is another one", c.Chain, c.Seq))
		}
	}
	return nil
}
