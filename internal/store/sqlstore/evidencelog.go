package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// EvidenceLinks returns the chain of an item, the first link first.
func (s *Store) EvidenceLinks(ctx context.Context, id string) (store.Evidence, []store.EvidenceLink, error) {
	var e store.Evidence
	var links []store.EvidenceLink
	err := s.core.snapshot(ctx, func(ctx context.Context, q querier) (err error) {
		e, err = scanEvidence(q.QueryRowContext(ctx, `SELECT `+evidenceFields+` FROM evidence WHERE evidence_id = $1`, id))
		if err != nil {
			return err
		}
		first := store.FirstLink(&e)
		rest, err := collect(ctx, q, func(row scanner) (l store.EvidenceLink, err error) {
			var ts int64
			var detail []byte
			l.Evidence = id
			err = row.Scan(&l.Seq, &ts, &l.Actor, &l.Action, &detail, &l.Prev, &l.Hash)
			l.TS, l.Detail = fromMillis(ts), string(detail)
			return l, err
		}, `SELECT seq, ts, actor, action, detail, prev_hash, hash FROM evidence_log WHERE evidence_id = $1 ORDER BY seq`, id)
		links = append([]store.EvidenceLink{first}, rest...)
		return err
	})
	if err != nil {
		return store.Evidence{}, nil, fmt.Errorf("log of evidence %s: %w", id, classify(err))
	}
	return e, links, nil
}

// LinkEvidence adds links to the chains of items and an audit entry for each,
// together. detail is made JSON. store.ErrNotFound: one of them is not there.
func (s *Store) LinkEvidence(ctx context.Context, ids []string, actor, action string, detail any) error {
	now := time.Now()
	err := s.core.write(ctx, len(ids), func(ctx context.Context, q querier) error {
		for _, id := range ids {
			if err := s.link(ctx, q, id, actor, action, detail, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s evidence: %w", action, classify(err))
	}
	return nil
}

// link adds one link. The item's row is taken first: writers of one chain take turns.
func (s *Store) link(ctx context.Context, q querier, id, actor, action string, detail any, now time.Time) error {
	text, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	l := store.EvidenceLink{Evidence: id, TS: fromMillis(millis(now)), Actor: actor, Action: action, Detail: string(text)}
	err = q.QueryRowContext(ctx, `UPDATE evidence SET head_seq = head_seq + 1 WHERE evidence_id = $1 RETURNING head_seq, head_hash`, id).Scan(&l.Seq, &l.Prev)
	if err != nil {
		return err
	}
	l.Hash = l.Sum()
	if _, err := q.ExecContext(ctx, `INSERT INTO evidence_log (evidence_id, seq, ts, actor, action, detail, prev_hash, hash)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, id, l.Seq, millis(now), actor, action, text, l.Prev, l.Hash); err != nil {
		return err
	}
	if _, err := q.ExecContext(ctx, `UPDATE evidence SET head_hash = $1 WHERE evidence_id = $2`, l.Hash, id); err != nil {
		return err
	}
	return appendAudit(ctx, q, store.Audit{Chain: s.node, TS: now, Actor: actor, Action: "evidence." + action, Object: id, Detail: string(text)})
}

// HoldEvidence puts a hold on an item. store.ErrConflict: it has one, or its
// content is gone already.
func (s *Store) HoldEvidence(ctx context.Context, id, by, reason string) (store.Evidence, error) {
	now := time.Now()
	return s.changeEvidence(ctx, id, func(ctx context.Context, q querier) error {
		n, err := exec(ctx, q, `UPDATE evidence SET held = 1, hold_by = $1, hold_reason = $2, hold_ts = $3
			WHERE evidence_id = $4 AND held = 0 AND removed_ts = 0`, by, []byte(reason), millis(now), id)
		if err == nil && n == 0 {
			err = s.evidenceConflict(ctx, q, id)
		}
		if err == nil {
			err = s.link(ctx, q, id, by, store.LinkHeld, map[string]string{"reason": reason}, now)
		}
		return err
	})
}

// ReleaseEvidence ends a hold. What an erasure would have taken meanwhile goes now;
// what is past its retention goes with the next sweep. store.ErrConflict: none is on it.
func (s *Store) ReleaseEvidence(ctx context.Context, id, by, reason string) (store.Evidence, error) {
	now := time.Now()
	return s.changeEvidence(ctx, id, func(ctx context.Context, q querier) error {
		var eraseAs string
		rows, err := collect(ctx, q, func(row scanner) (as string, err error) {
			err = row.Scan(&as)
			return as, err
		}, `UPDATE evidence SET held = 0, hold_by = '', hold_reason = $1, hold_ts = 0 WHERE evidence_id = $2 AND held = 1 RETURNING erase_as`, []byte{}, id)
		switch {
		case err != nil:
			return err
		case len(rows) == 0:
			return s.evidenceConflict(ctx, q, id)
		}
		eraseAs = rows[0]
		if err := s.link(ctx, q, id, by, store.LinkReleased, map[string]string{"reason": reason}, now); err != nil || eraseAs == "" {
			return err
		}
		if _, err := q.ExecContext(ctx, `UPDATE evidence SET player_id = erase_as, erase_as = '' WHERE evidence_id = $1`, id); err != nil {
			return err
		}
		return s.removeContent(ctx, q, id, "erasure", now)
	})
}

// evidenceConflict tells an item that is not there from one in another state.
func (s *Store) evidenceConflict(ctx context.Context, q querier, id string) error {
	var one int
	if err := q.QueryRowContext(ctx, `SELECT 1 FROM evidence WHERE evidence_id = $1`, id).Scan(&one); err != nil {
		return err
	}
	return store.ErrConflict
}

func (s *Store) changeEvidence(ctx context.Context, id string, change func(context.Context, querier) error) (e store.Evidence, err error) {
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) (err error) {
		if err = change(ctx, q); err == nil {
			e, err = scanEvidence(q.QueryRowContext(ctx, `SELECT `+evidenceFields+` FROM evidence WHERE evidence_id = $1`, id))
		}
		return err
	})
	if err != nil {
		return store.Evidence{}, fmt.Errorf("change evidence %s: %w", id, classify(err))
	}
	return e, nil
}

// removeContent takes the content out of an item; a file of it is FreeBlobs' to remove.
func (s *Store) removeContent(ctx context.Context, q querier, id, why string, now time.Time) error {
	n, err := exec(ctx, q, `UPDATE evidence SET content = NULL, removed_ts = $1 WHERE evidence_id = $2 AND removed_ts = 0 AND held = 0`, millis(now), id)
	if err != nil || n == 0 {
		return err
	}
	return s.link(ctx, q, id, "system", store.LinkRemoved, map[string]string{"why": why}, now)
}
