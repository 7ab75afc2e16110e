package sqlstore

import (
	"context"
	"fmt"
	"time"
)

// evidenceAtOnce is how many items one transaction of a sweep takes.
const evidenceAtOnce = 100

// SweepEvidence removes the content of items past their retention that no hold
// keeps, a bounded piece at a time, and says of how many.
func (s *Store) SweepEvidence(ctx context.Context, now time.Time) (removed int, err error) {
	for {
		due, err := collect(ctx, s.core.read(), scanID, `SELECT evidence_id FROM evidence
			WHERE held = 0 AND removed_ts = 0 AND expires_ts > 0 AND expires_ts <= $1 ORDER BY expires_ts LIMIT $2`, millis(now), evidenceAtOnce)
		if err != nil {
			return removed, fmt.Errorf("sweep evidence: %w", classify(err))
		}
		if len(due) == 0 {
			return removed, nil
		}
		err = s.core.write(ctx, len(due), func(ctx context.Context, q querier) error {
			for _, id := range due {
				if err := s.removeContent(ctx, q, id, "retention", now); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return removed, fmt.Errorf("sweep evidence: %w", classify(err))
		}
		removed += len(due)
	}
}

func scanID(row scanner) (id string, err error) {
	err = row.Scan(&id)
	return id, err
}

// FreeBlobs has the files deleted that no item of evidence and no accepted check needs
// any more. remove is called while nobody can add one, and may be called again for the same file.
func (s *Store) FreeBlobs(ctx context.Context, remove func(sha256 string) error) error {
	for {
		sums, err := collect(ctx, s.core.read(), scanID, `SELECT sha256 FROM loose_blob UNION
			SELECT sha256 FROM evidence WHERE in_file = 1 AND removed_ts > 0 LIMIT $1`, evidenceAtOnce)
		if err != nil {
			return fmt.Errorf("free files of evidence: %w", classify(err))
		}
		for _, sum := range sums {
			if err := s.freeBlob(ctx, sum, remove); err != nil {
				return fmt.Errorf("free files of evidence: %w", classify(err))
			}
		}
		if len(sums) < evidenceAtOnce {
			return nil
		}
	}
}

func (s *Store) freeBlob(ctx context.Context, sum string, remove func(sha256 string) error) error {
	return s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if err := lockEvidence(ctx, q); err != nil {
			return err
		}
		var live int
		err := q.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM evidence WHERE sha256 = $1 AND in_file = 1 AND removed_ts = 0)
			+ (SELECT count(*) FROM pending_check WHERE blob = $1)`, sum).Scan(&live)
		if err == nil && live == 0 {
			err = remove(sum)
		}
		if err == nil {
			_, err = q.ExecContext(ctx, `DELETE FROM loose_blob WHERE sha256 = $1`, sum)
		}
		if err == nil {
			_, err = q.ExecContext(ctx, `UPDATE evidence SET in_file = 0 WHERE sha256 = $1 AND in_file = 1 AND removed_ts > 0`, sum)
		}
		return err
	})
}
