package sqlstore

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// PutPending stores an accepted check, so that it outlives the process. One that
// is stored already changes nothing.
func (s *Store) PutPending(ctx context.Context, p store.Pending) error {
	item, err := encodeItem(p.Item)
	if err != nil {
		return fmt.Errorf("store pending check %s: %w", p.Request, err)
	}
	_, err = s.execCore(ctx, `INSERT INTO pending_check (app_id, request_id, item, created_ts) VALUES ($1, $2, $3, $4)
		ON CONFLICT (app_id, request_id) DO NOTHING`, p.App, p.Request, item, millis(p.Created))
	if err != nil {
		return fmt.Errorf("store pending check %s: %w", p.Request, classify(err))
	}
	return nil
}

// FinishPending commits the decision, its case if any, the end of its being
// pending and what webhooks are to tell of it together: a check is never both, nor neither. Safe to repeat.
func (s *Store) FinishPending(ctx context.Context, d store.Decision, c *store.Case) error {
	row, err := encodeDecision(&d)
	if err != nil {
		return fmt.Errorf("finish check %s: %w", d.Request, err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if _, err := q.ExecContext(ctx, `DELETE FROM pending_check WHERE app_id = $1 AND request_id = $2`, d.App, d.Request); err != nil {
			return err
		}
		fresh, err := row.insert(ctx, q)
		if err != nil || !fresh {
			return err
		}
		if c != nil {
			if _, err := insertCase(ctx, q, c); err != nil {
				return err
			}
		}
		return tell(ctx, q, store.Event{App: d.App, Type: store.EventCheckDone, Check: d.Request})
	})
	if err != nil {
		return fmt.Errorf("finish check %s: %w", d.Request, classify(err))
	}
	return nil
}

// Pendings lists the pending checks of all apps, oldest first.
func (s *Store) Pendings(ctx context.Context) ([]store.Pending, error) {
	ps, err := collect(ctx, s.core.read(), func(row scanner) (p store.Pending, err error) {
		var item []byte
		var created int64
		if err := row.Scan(&p.App, &p.Request, &item, &created); err != nil {
			return p, err
		}
		p.Created = fromMillis(created)
		p.Item, err = decodeItem(item)
		return p, err
	}, `SELECT app_id, request_id, item, created_ts FROM pending_check ORDER BY created_ts, request_id`)
	if err != nil {
		return nil, fmt.Errorf("pending checks: %w", classify(err))
	}
	return ps, nil
}

// PendingExists reports whether the check is still pending.
func (s *Store) PendingExists(ctx context.Context, app engines.AppID, request engines.RequestID) (bool, error) {
	var n int
	err := s.core.read().QueryRowContext(ctx, `SELECT count(*) FROM pending_check WHERE app_id = $1 AND request_id = $2`, app, request).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("pending check %s: %w", request, classify(err))
	}
	return n > 0, nil
}
