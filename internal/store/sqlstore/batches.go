package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// receiving is the state of a batch whose lines arrive.
const receiving = "receiving"

const batchFields = `batch_id, app_id, state, lines, bytes, done, passed, reviewed, blocked, errors, made_by, created_ts, started_ts, ended_ts`

func scanBatch(row scanner) (b store.Batch, err error) {
	var created, started, ended int64
	err = row.Scan(&b.ID, &b.App, &b.State, &b.Lines, &b.Bytes, &b.Done, &b.Passed, &b.Reviewed, &b.Blocked, &b.Errors, &b.By, &created, &started, &ended)
	b.Created, b.Started, b.Ended = fromMillis(created), someMillis(started), someMillis(ended)
	return b, err
}

// BeginBatch makes a batch that nobody sees until QueueBatch.
func (s *Store) BeginBatch(ctx context.Context, b store.Batch) error {
	_, err := s.execCore(ctx, `INSERT INTO batch (`+batchFields+`, turn_ts) VALUES ($1, $2, '`+receiving+`', 0, 0, 0, 0, 0, 0, 0, $3, $4, 0, 0, 0)`,
		b.ID, string(b.App), b.By, millis(b.Created))
	if err != nil {
		return fmt.Errorf("begin batch %s: %w", b.ID, classify(err))
	}
	return nil
}

// PutBatchChunk stores lines of a batch that is being received.
func (s *Store) PutBatchChunk(ctx context.Context, c store.BatchChunk) error {
	_, err := s.execCore(ctx, `INSERT INTO batch_chunk (batch_id, seq, first_line, lines, open, owner, until_ts, body) VALUES ($1, $2, $3, $4, 1, '', 0, $5)`,
		c.Batch, c.Seq, c.First, c.Lines, c.Body)
	if err != nil {
		return fmt.Errorf("store lines of batch %s: %w", c.Batch, classify(err))
	}
	return nil
}

// QueueBatch makes a batch that was received one that is done; it is on disk then. A
// batch of the same key and body is returned in its place, and the new one goes. One of
// the same key and another body is store.ErrConflict, and too much of the app's is
// store.ErrBatchesAtOnce or store.ErrBatchLines: the new one stays, for DropBatch.
func (s *Store) QueueBatch(ctx context.Context, o store.BatchOrder) (b store.Batch, again bool, err error) {
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		again = false
		// Taking the app's row keeps two of its batches from passing each other.
		if _, err := q.ExecContext(ctx, `UPDATE app SET version = version + 1 WHERE app_id = $1`, string(o.Batch.App)); err != nil {
			return err
		}
		if o.Key != "" {
			var err error
			if b, err = keyedBatch(ctx, q, &o); err == nil {
				again = true
				return dropBatch(ctx, q, o.Batch.ID)
			} else if !errors.Is(classify(err), store.ErrNotFound) {
				return err
			}
		}
		if err := withinQuota(ctx, q, &o); err != nil {
			return err
		}
		list, err := collect(ctx, q, scanBatch, `UPDATE batch SET state = '`+store.BatchQueued+`', idem_key = NULLIF($1, ''), body_sha256 = $2, lines = $3, bytes = $4
			WHERE batch_id = $5 AND state = '`+receiving+`' RETURNING `+batchFields, o.Key, o.SHA256[:], o.Batch.Lines, o.Batch.Bytes, o.Batch.ID)
		if err == nil && len(list) == 0 {
			err = store.ErrNotFound // it took so long to arrive that it was swept
		}
		if err == nil {
			b = list[0]
		}
		return err
	})
	if err != nil {
		return store.Batch{}, false, fmt.Errorf("queue batch %s: %w", o.Batch.ID, classify(err))
	}
	return b, again, nil
}

// keyedBatch finds the batch that an app sent under a key before.
func keyedBatch(ctx context.Context, q querier, o *store.BatchOrder) (store.Batch, error) {
	var sum []byte
	var id string
	err := q.QueryRowContext(ctx, `SELECT batch_id, body_sha256 FROM batch WHERE app_id = $1 AND idem_key = $2`, string(o.Batch.App), o.Key).Scan(&id, &sum)
	if err != nil {
		return store.Batch{}, err
	}
	if string(sum) != string(o.SHA256[:]) {
		return store.Batch{}, fmt.Errorf("%w: the key is another batch's", store.ErrConflict)
	}
	return scanBatch(q.QueryRowContext(ctx, `SELECT `+batchFields+` FROM batch WHERE batch_id = $1`, id))
}

func withinQuota(ctx context.Context, q querier, o *store.BatchOrder) error {
	open, today, err := batchUse(ctx, q, o.Batch.App, o.Batch.Created)
	switch {
	case err != nil:
		return err
	case open >= o.AtOnce:
		return store.ErrBatchesAtOnce
	case today+o.Batch.Lines > o.LinesADay:
		return store.ErrBatchLines
	}
	return nil
}

// batchUse says how many batches of an app are unfinished, and how many lines it has
// sent since midnight.
func batchUse(ctx context.Context, q querier, app engines.AppID, now time.Time) (open, today int, err error) {
	err = q.QueryRowContext(ctx, `SELECT COUNT(CASE WHEN state IN ('queued', 'running') THEN 1 END),
		COALESCE(SUM(CASE WHEN created_ts >= $1 THEN lines ELSE 0 END), 0) FROM batch WHERE app_id = $2 AND state <> '`+receiving+`'`,
		millis(now.UTC().Truncate(24*time.Hour)), string(app)).Scan(&open, &today)
	return open, today, err
}

// BatchUse says how many batches of an app are unfinished, and how many lines it has
// sent since midnight (UTC).
func (s *Store) BatchUse(ctx context.Context, app engines.AppID, now time.Time) (open, today int, err error) {
	open, today, err = batchUse(ctx, s.core.read(), app, now)
	if err != nil {
		return 0, 0, fmt.Errorf("batches of app %s: %w", app, classify(err))
	}
	return open, today, nil
}

// DropBatch removes a batch that was not received to its end; another stays.
func (s *Store) DropBatch(ctx context.Context, id string) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var n int
		err := q.QueryRowContext(ctx, `SELECT COUNT(*) FROM batch WHERE batch_id = $1 AND state = '`+receiving+`'`, id).Scan(&n)
		if err != nil || n == 0 {
			return err
		}
		return dropBatch(ctx, q, id)
	})
	if err != nil {
		return fmt.Errorf("drop batch %s: %w", id, classify(err))
	}
	return nil
}

func dropBatch(ctx context.Context, q querier, id string) error {
	_, err := q.ExecContext(ctx, `DELETE FROM batch_chunk WHERE batch_id = $1`, id)
	if err == nil {
		_, err = q.ExecContext(ctx, `DELETE FROM batch WHERE batch_id = $1`, id)
	}
	return err
}

// Batch returns one batch of an app.
func (s *Store) Batch(ctx context.Context, app engines.AppID, id string) (store.Batch, error) {
	b, err := scanBatch(s.core.read().QueryRowContext(ctx, `SELECT `+batchFields+` FROM batch WHERE batch_id = $1 AND app_id = $2 AND state <> '`+receiving+`'`, id, string(app)))
	if err != nil {
		return store.Batch{}, fmt.Errorf("batch %s: %w", id, classify(err))
	}
	return b, nil
}

// Batches lists those of an app, newest first; state "" is any.
func (s *Store) Batches(ctx context.Context, app engines.AppID, state string, before economy.Mark, most int) ([]store.Batch, error) {
	query := `SELECT ` + batchFields + ` FROM batch WHERE app_id = $1 AND state <> '` + receiving + `' AND ($2 = '' OR state = $2)`
	args := []any{string(app), state}
	if before != (economy.Mark{}) {
		query += ` AND (created_ts < $3 OR created_ts = $3 AND batch_id < $4)`
		args = append(args, before.At, before.ID)
	}
	query += fmt.Sprintf(` ORDER BY created_ts DESC, batch_id DESC LIMIT $%d`, len(args)+1)
	list, err := collect(ctx, s.core.read(), scanBatch, query, append(args, most)...)
	if err != nil {
		return nil, fmt.Errorf("batches: %w", classify(err))
	}
	return list, nil
}

// CancelBatch ends a batch, with an audit entry; what has a result keeps it. One that
// has ended already is returned as it is.
func (s *Store) CancelBatch(ctx context.Context, app engines.AppID, id, by string, now time.Time) (b store.Batch, err error) {
	detail, err := json.Marshal(map[string]any{"app_id": app})
	if err != nil {
		return b, fmt.Errorf("cancel batch %s: %w", id, err)
	}
	entry := store.Audit{Chain: s.node, TS: now, Actor: by, Action: "batch.cancel", Object: "batch/" + id, Detail: string(detail)}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if b, err = scanBatch(q.QueryRowContext(ctx, `SELECT `+batchFields+` FROM batch WHERE batch_id = $1 AND app_id = $2 AND state <> '`+receiving+`'`, id, string(app))); err != nil {
			return err
		}
		if b.State == store.BatchDone || b.State == store.BatchCancelled {
			return nil
		}
		// Chunks before their batch, as workers take them: nobody waits for the other.
		if _, err := q.ExecContext(ctx, `DELETE FROM batch_chunk WHERE batch_id = $1 AND open = 1`, id); err != nil {
			return err
		}
		list, err := collect(ctx, q, scanBatch, `UPDATE batch SET state = '`+store.BatchCancelled+`', ended_ts = $1 WHERE batch_id = $2
			AND state IN ('queued', 'running') RETURNING `+batchFields, millis(now), id)
		if err == nil && len(list) == 0 {
			err = store.ErrConflict // it ended meanwhile; nothing was deleted then
		}
		if err != nil {
			return err
		}
		b = list[0]
		return appendAudit(ctx, q, entry)
	})
	if err != nil {
		return b, fmt.Errorf("cancel batch %s: %w", id, classify(err))
	}
	return b, nil
}

// BatchPart returns the results of the chunk that holds a line. store.ErrNotFound:
// there is none yet, or no such line.
func (s *Store) BatchPart(ctx context.Context, id string, line int) (p store.BatchPart, err error) {
	err = s.core.read().QueryRowContext(ctx, `SELECT first_line, lines, results FROM batch_chunk
		WHERE batch_id = $1 AND open = 0 AND first_line <= $2 AND first_line + lines > $2`, id, line).Scan(&p.First, &p.Lines, &p.Results)
	if err != nil {
		return p, fmt.Errorf("results of batch %s: %w", id, classify(err))
	}
	return p, nil
}

// SweepBatches removes some batches that ended before a time, and those that began to
// arrive before another and did not end arriving. It returns how many.
func (s *Store) SweepBatches(ctx context.Context, ended, begun time.Time, most int) (int, error) {
	ids, err := collect(ctx, s.core.read(), func(row scanner) (id string, err error) { return id, row.Scan(&id) },
		`SELECT batch_id FROM batch WHERE ended_ts > 0 AND ended_ts <= $1 OR state = '`+receiving+`' AND created_ts <= $2 LIMIT $3`, millis(ended), millis(begun), most)
	for _, id := range ids {
		if err == nil {
			err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error { return dropBatch(ctx, q, id) })
		}
	}
	if err != nil {
		return 0, fmt.Errorf("sweep batches: %w", classify(err))
	}
	return len(ids), nil
}
