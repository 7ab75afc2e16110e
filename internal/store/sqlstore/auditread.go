package sqlstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// AuditList returns a part of the audit log, newest first.
func (s *Store) AuditList(ctx context.Context, aq store.AuditQuery) ([]store.Audit, error) {
	w := where{}
	w.equal("chain", aq.Chain)
	w.equal("actor", aq.Actor)
	w.equal("object", aq.Object)
	if prefix, ok := strings.CutSuffix(aq.Action, "*"); ok {
		w.add(`substr(action, 1, ` + w.arg(len(prefix)) + `) = ` + w.arg(prefix))
	} else {
		w.equal("action", aq.Action)
	}
	if !aq.From.IsZero() {
		w.add(`ts >= ` + w.arg(millis(aq.From)))
	}
	if !aq.To.IsZero() {
		w.add(`ts < ` + w.arg(millis(aq.To)))
	}
	if !aq.Before.IsZero() {
		at, chain, seq := w.arg(millis(aq.Before)), w.arg(aq.AfterChain), w.arg(aq.AfterSeq)
		w.add(`(ts < ` + at + ` OR ts = ` + at + ` AND (chain < ` + chain + ` OR chain = ` + chain + ` AND seq < ` + seq + `))`)
	}
	list, err := collect(ctx, s.core.read(), func(row scanner) (a store.Audit, err error) {
		var ts int64
		var detail []byte
		err = row.Scan(&a.Chain, &a.Seq, &ts, &a.Actor, &a.Action, &a.Object, &detail, &a.Prev, &a.Hash)
		a.TS, a.Detail = fromMillis(ts), string(detail)
		return a, err
	}, `SELECT chain, seq, ts, actor, action, object, detail, prev_hash, hash FROM audit_log`+w.text()+
		` ORDER BY ts DESC, chain DESC, seq DESC LIMIT `+w.arg(aq.Limit), w.args...)
	if err != nil {
		return nil, fmt.Errorf("audit log: %w", classify(err))
	}
	return list, nil
}

// AuditChains lists every chain that a head, an entry or a checkpoint names.
func (s *Store) AuditChains(ctx context.Context) ([]string, error) {
	chains, err := collect(ctx, s.core.read(), scanID,
		`SELECT chain FROM audit_chain UNION SELECT chain FROM audit_log UNION SELECT chain FROM audit_checkpoint ORDER BY chain`)
	if err != nil {
		return nil, fmt.Errorf("audit chains: %w", classify(err))
	}
	return chains, nil
}

// AuditAhead lists the chains that have grown since their last checkpoint.
func (s *Store) AuditAhead(ctx context.Context) ([]store.AuditHead, error) {
	heads, err := collect(ctx, s.core.read(), func(row scanner) (h store.AuditHead, err error) {
		err = row.Scan(&h.Chain, &h.Seq, &h.Hash)
		return h, err
	}, `SELECT chain, seq, hash FROM audit_chain AS c WHERE seq > 0
		AND NOT EXISTS (SELECT 1 FROM audit_checkpoint AS p WHERE p.chain = c.chain AND p.seq = c.seq) ORDER BY chain`)
	if err != nil {
		return nil, fmt.Errorf("audit heads: %w", classify(err))
	}
	return heads, nil
}

// AuditHash is the hash that an entry has. store.ErrNotFound: it is not there.
func (s *Store) AuditHash(ctx context.Context, chain string, seq int64) (hash string, err error) {
	err = s.core.read().QueryRowContext(ctx, `SELECT hash FROM audit_log WHERE chain = $1 AND seq = $2`, chain, seq).Scan(&hash)
	if err != nil {
		return "", fmt.Errorf("audit entry %d of %s: %w", seq, chain, classify(err))
	}
	return hash, nil
}

// PutCheckpoint stores a checkpoint; one of the same entry stays as it is.
func (s *Store) PutCheckpoint(ctx context.Context, c store.Checkpoint) error {
	_, err := s.execCore(ctx, `INSERT INTO audit_checkpoint (chain, seq, hash, ts, public_key, signature) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (chain, seq) DO NOTHING`, c.Chain, c.Seq, c.Hash, millis(c.TS), c.Key, c.Signature)
	if err != nil {
		return fmt.Errorf("store audit checkpoint: %w", classify(err))
	}
	return nil
}

const checkpointFields = `SELECT chain, seq, hash, ts, public_key, signature FROM audit_checkpoint `

func scanCheckpoint(row scanner) (c store.Checkpoint, err error) {
	var ts int64
	err = row.Scan(&c.Chain, &c.Seq, &c.Hash, &ts, &c.Key, &c.Signature)
	c.TS = fromMillis(ts)
	return c, err
}

// LastCheckpoint is the newest of a chain. store.ErrNotFound: it has none.
func (s *Store) LastCheckpoint(ctx context.Context, chain string) (store.Checkpoint, error) {
	c, err := scanCheckpoint(s.core.read().QueryRowContext(ctx, checkpointFields+`WHERE chain = $1 ORDER BY seq DESC LIMIT 1`, chain))
	if err != nil {
		return store.Checkpoint{}, fmt.Errorf("audit checkpoint of %s: %w", chain, classify(err))
	}
	return c, nil
}

// Checkpoints lists those of a chain, oldest first.
func (s *Store) Checkpoints(ctx context.Context, chain string) ([]store.Checkpoint, error) {
	list, err := collect(ctx, s.core.read(), scanCheckpoint, checkpointFields+`WHERE chain = $1 ORDER BY seq`, chain)
	if err != nil {
		return nil, fmt.Errorf("audit checkpoints of %s: %w", chain, classify(err))
	}
	return list, nil
}

// newestCheckpoints is how many chains NewestCheckpoints tells of: each run of a
// gateway has its own.
const newestCheckpoints = 1000

// NewestCheckpoints lists the newest of each chain, the latest chains first.
func (s *Store) NewestCheckpoints(ctx context.Context) ([]store.Checkpoint, error) {
	list, err := collect(ctx, s.core.read(), scanCheckpoint, `SELECT chain, seq, hash, ts, public_key, signature FROM audit_checkpoint AS c
		WHERE seq = (SELECT max(seq) FROM audit_checkpoint AS p WHERE p.chain = c.chain) ORDER BY ts DESC, chain LIMIT $1`, newestCheckpoints)
	if err != nil {
		return nil, fmt.Errorf("audit checkpoints: %w", classify(err))
	}
	return list, nil
}
