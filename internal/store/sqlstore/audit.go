package sqlstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// ErrAuditBroken says that an audit chain is not what was written.
var ErrAuditBroken = errors.New("audit chain is broken")

const auditPage = 1000

// auditHash ties an entry to the one before it. The canonical JSON has its
// members sorted, no spaces, and no HTML escapes.
func auditHash(a *store.Audit) (string, error) {
	var canonical bytes.Buffer
	enc := json.NewEncoder(&canonical)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Action string `json:"action"`
		Actor  string `json:"actor"`
		Chain  string `json:"chain"`
		Detail string `json:"detail"`
		Object string `json:"object"`
		Seq    int64  `json:"seq"`
		TS     int64  `json:"ts"`
	}{a.Action, a.Actor, a.Chain, a.Detail, a.Object, a.Seq, millis(a.TS)})
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "portcullis-audit-v1\n%s\n%s", a.Prev, bytes.TrimSuffix(canonical.Bytes(), []byte("\n")))
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// AppendAudit adds an entry to the end of its chain; Seq, Prev and Hash are
// given here. Writers of one chain take turns.
func (s *Store) AppendAudit(ctx context.Context, a store.Audit) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error { return appendAudit(ctx, q, a) })
	if err != nil {
		return fmt.Errorf("append to audit chain %s: %w", a.Chain, classify(err))
	}
	return nil
}

func appendAudit(ctx context.Context, q querier, entry store.Audit) error {
	if _, err := q.ExecContext(ctx, `INSERT INTO audit_chain (chain, seq, hash) VALUES ($1, 0, '') ON CONFLICT (chain) DO NOTHING`, entry.Chain); err != nil {
		return err
	}
	err := q.QueryRowContext(ctx, `UPDATE audit_chain SET seq = seq + 1 WHERE chain = $1 RETURNING seq, hash`, entry.Chain).Scan(&entry.Seq, &entry.Prev)
	if err != nil {
		return err
	}
	if entry.Hash, err = auditHash(&entry); err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO audit_log (chain, seq, ts, actor, action, object, detail, prev_hash, hash)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, entry.Chain, entry.Seq, millis(entry.TS), entry.Actor, entry.Action, entry.Object,
		[]byte(entry.Detail), entry.Prev, entry.Hash)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `UPDATE audit_chain SET hash = $1 WHERE chain = $2`, entry.Hash, entry.Chain)
	return err
}

// VerifyAudit reads a whole chain and returns ErrAuditBroken, naming the first
// entry that is changed, missing or out of place. An empty chain is whole. What
// it can't see is a chain that was rebuilt from its start.
func (s *Store) VerifyAudit(ctx context.Context, chain string) error {
	head := store.Audit{Chain: chain}
	// The head is read first: entries that are added meanwhile are not checked.
	err := classify(s.core.read().QueryRowContext(ctx, `SELECT seq, hash FROM audit_chain WHERE chain = $1`, chain).Scan(&head.Seq, &head.Hash))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("verify audit chain %s: %w", chain, err)
	}
	last := store.Audit{Chain: chain}
	for {
		page, err := s.auditPage(ctx, chain, last.Seq, head.Seq)
		if err != nil {
			return fmt.Errorf("verify audit chain %s: %w", chain, classify(err))
		}
		for i := range page {
			if err := follows(&last, &page[i]); err != nil {
				return err
			}
			last = page[i]
		}
		if len(page) < auditPage {
			break
		}
	}
	if last.Seq != head.Seq || last.Hash != head.Hash {
		return fmt.Errorf("%w: %s ends at %d, its head is %d", ErrAuditBroken, chain, last.Seq, head.Seq)
	}
	return nil
}

func (s *Store) auditPage(ctx context.Context, chain string, after, upTo int64) ([]store.Audit, error) {
	return collect(ctx, s.core.read(), func(row scanner) (store.Audit, error) {
		var ts int64
		var detail []byte
		a := store.Audit{Chain: chain}
		err := row.Scan(&a.Seq, &ts, &a.Actor, &a.Action, &a.Object, &detail, &a.Prev, &a.Hash)
		a.TS, a.Detail = fromMillis(ts), string(detail)
		return a, err
	}, `SELECT seq, ts, actor, action, object, detail, prev_hash, hash FROM audit_log
		WHERE chain = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4`, chain, after, upTo, auditPage)
}

func follows(last, a *store.Audit) error {
	want, err := auditHash(a)
	if err != nil {
		return err
	}
	if a.Seq != last.Seq+1 || a.Prev != last.Hash || a.Hash != want {
		return fmt.Errorf("%w: %s at entry %d", ErrAuditBroken, a.Chain, last.Seq+1)
	}
	return nil
}
