package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

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
	media, blob, err := encodePendingMedia(p.Media)
	if err != nil {
		return fmt.Errorf("store pending check %s: %w", p.Request, err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if blob != "" { // see FreeBlobs
			if err := lockEvidence(ctx, q); err != nil {
				return err
			}
		}
		_, err := q.ExecContext(ctx, `INSERT INTO pending_check (app_id, request_id, item, created_ts, owner, until_ts, media, blob) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (app_id, request_id) DO NOTHING`, p.App, p.Request, item, millis(p.Created), p.Owner, zeroMillis(p.Until), media, blob)
		return err
	})
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
		if _, err := dropPending(ctx, q, d.App, d.Request); err != nil {
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

// dropPending ends the wait of a check, and says how many there were. The file that it
// needed is loose from here on.
func dropPending(ctx context.Context, q querier, app engines.AppID, request engines.RequestID) (int64, error) {
	blobs, err := collect(ctx, q, scanID, `DELETE FROM pending_check WHERE app_id = $1 AND request_id = $2 RETURNING blob`, string(app), string(request))
	for _, sum := range blobs {
		if err == nil && sum != "" {
			_, err = q.ExecContext(ctx, `INSERT INTO loose_blob (sha256) VALUES ($1) ON CONFLICT (sha256) DO NOTHING`, sum)
		}
	}
	return int64(len(blobs)), err
}

// ClaimPendings takes up to most pending checks of all apps that nobody works on, the
// oldest first, and keeps them from others until a time.
func (s *Store) ClaimPendings(ctx context.Context, owner string, now, until time.Time, most int) ([]store.Pending, error) {
	var left bool // no write where there is nothing to do: this is asked every few seconds
	err := s.core.read().QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pending_check WHERE until_ts <= $1)`, millis(now)).Scan(&left)
	if err != nil || !left {
		return nil, s.claiming(err)
	}
	lock := ""
	if s.driver == "postgres" { // who claims beside us does not wait
		lock = ` FOR UPDATE SKIP LOCKED`
	}
	query := `UPDATE pending_check SET owner = $1, until_ts = $2 WHERE (app_id, request_id) IN (
		SELECT app_id, request_id FROM pending_check WHERE until_ts <= $3 ORDER BY created_ts, request_id LIMIT $4` + lock + `)
		RETURNING ` + pendingFields
	var ps []store.Pending
	err = s.core.write(ctx, most, func(ctx context.Context, q querier) (err error) {
		ps, err = collect(ctx, q, scanPending, query, owner, millis(until), millis(now), most)
		return err
	})
	if err != nil {
		return nil, s.claiming(err)
	}
	slices.SortFunc(ps, func(x, y store.Pending) int {
		return cmp.Or(x.Created.Compare(y.Created), cmp.Compare(x.Request, y.Request))
	})
	return ps, nil
}

func (*Store) claiming(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("claim pending checks: %w", classify(err))
}

const pendingFields = `app_id, request_id, item, created_ts, owner, until_ts, media`

func scanPending(row scanner) (p store.Pending, err error) {
	var item []byte
	var created, until int64
	var media string
	if err := row.Scan(&p.App, &p.Request, &item, &created, &p.Owner, &until, &media); err != nil {
		return p, err
	}
	if p.Media, err = decodePendingMedia(media); err != nil {
		return p, err
	}
	p.Created, p.Until = fromMillis(created), someMillis(until)
	p.Item, err = decodeItem(item)
	return p, err
}

// KeepPendings keeps what owner has for longer; a time that has passed gives it back.
func (s *Store) KeepPendings(ctx context.Context, owner string, until time.Time) error {
	_, err := s.execCore(ctx, `UPDATE pending_check SET until_ts = $1 WHERE owner = $2`, millis(until), owner)
	if err != nil {
		return fmt.Errorf("keep pending checks: %w", classify(err))
	}
	return nil
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
