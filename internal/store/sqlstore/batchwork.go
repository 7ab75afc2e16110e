package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// nextBatch finds a batch that has a chunk which nobody works on: of the app whose turn
// is longest ago, the oldest.
const nextBatch = `SELECT b.batch_id, b.app_id FROM batch b WHERE b.state IN ('queued', 'running')
	AND EXISTS (SELECT 1 FROM batch_chunk c WHERE c.batch_id = b.batch_id AND c.open = 1 AND c.until_ts <= $1)
	ORDER BY (SELECT MAX(o.turn_ts) FROM batch o WHERE o.app_id = b.app_id AND o.state IN ('queued', 'running')), b.created_ts, b.batch_id LIMIT 1`

// ClaimChunk takes a chunk of any app for owner and keeps it from others until a time;
// apps take turns. store.ErrNotFound: there is nothing to do.
func (s *Store) ClaimChunk(ctx context.Context, owner string, now, until time.Time) (c store.BatchChunk, err error) {
	// No write where there is nothing to do: this is asked every second.
	if err = s.core.read().QueryRowContext(ctx, nextBatch, millis(now)).Scan(&c.Batch, &c.App); err != nil {
		return c, fmt.Errorf("claim lines: %w", classify(err))
	}
	lock := ""
	if s.driver == "postgres" { // who claims beside us does not wait
		lock = ` FOR UPDATE SKIP LOCKED`
	}
	query := `UPDATE batch_chunk SET owner = $1, until_ts = $2 WHERE batch_id = $3 AND seq = (
		SELECT seq FROM batch_chunk WHERE batch_id = $3 AND open = 1 AND until_ts <= $4 ORDER BY seq LIMIT 1` + lock + `)
		RETURNING seq, first_line, lines, body`
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if err := q.QueryRowContext(ctx, nextBatch, millis(now)).Scan(&c.Batch, &c.App); err != nil {
			return err
		}
		c.Owner = owner
		if err := q.QueryRowContext(ctx, query, owner, millis(until), c.Batch, millis(now)).Scan(&c.Seq, &c.First, &c.Lines, &c.Body); err != nil {
			return err
		}
		_, err := q.ExecContext(ctx, `UPDATE batch SET state = '`+store.BatchRunning+`', turn_ts = $1,
			started_ts = CASE WHEN started_ts = 0 THEN $1 ELSE started_ts END WHERE batch_id = $2 AND state IN ('queued', 'running')`, millis(now), c.Batch)
		return err
	})
	if err != nil {
		return c, fmt.Errorf("claim lines: %w", classify(err))
	}
	return c, nil
}

// RenewChunk keeps a claimed chunk for longer. store.ErrConflict: it is no longer
// its owner's.
func (s *Store) RenewChunk(ctx context.Context, c *store.BatchChunk, until time.Time) error {
	n, err := s.execCore(ctx, `UPDATE batch_chunk SET until_ts = $1 WHERE batch_id = $2 AND seq = $3 AND open = 1 AND owner = $4`,
		millis(until), c.Batch, c.Seq, c.Owner)
	if err == nil && n == 0 {
		err = store.ErrConflict
	}
	if err != nil {
		return fmt.Errorf("keep lines of batch %s: %w", c.Batch, classify(err))
	}
	return nil
}

// FreeChunks gives back what owner has claimed, "" for what anybody has.
func (s *Store) FreeChunks(ctx context.Context, owner string) error {
	_, err := s.execCore(ctx, `UPDATE batch_chunk SET until_ts = 0 WHERE open = 1 AND until_ts > 0 AND ($1 = '' OR owner = $1)`, owner)
	if err != nil {
		return fmt.Errorf("give lines back: %w", classify(err))
	}
	return nil
}

// FinishChunk commits the results of a chunk with their decisions and cases, and with
// the last chunk the end of its batch and what webhooks are to tell of it: all or
// nothing. store.ErrConflict: the chunk is no longer its owner's, or the batch was
// cancelled; nothing is stored then. It returns the batch.
func (s *Store) FinishChunk(ctx context.Context, r store.BatchResult, now time.Time) (b store.Batch, err error) {
	c := &r.Chunk
	rows := make([]decisionRow, len(r.Decisions))
	for i := range r.Decisions {
		if rows[i], err = encodeDecision(&r.Decisions[i]); err != nil {
			return b, fmt.Errorf("finish lines of batch %s: %w", c.Batch, err)
		}
	}
	err = s.core.write(ctx, 1+len(rows), func(ctx context.Context, q querier) error {
		n, err := exec(ctx, q, `UPDATE batch_chunk SET open = 0, body = $1, results = $2 WHERE batch_id = $3 AND seq = $4 AND open = 1 AND owner = $5`,
			[]byte{}, r.Results, c.Batch, c.Seq, c.Owner)
		if err == nil && n == 0 {
			err = store.ErrConflict
		}
		if err != nil {
			return err
		}
		if err := insertJudged(ctx, q, rows, r.Cases); err != nil {
			return err
		}
		b, err = countLines(ctx, q, &r, now)
		if err != nil || b.State != store.BatchDone {
			return err
		}
		return tellBatch(ctx, q, &b)
	})
	if err != nil {
		return b, fmt.Errorf("finish lines of batch %s: %w", c.Batch, classify(err))
	}
	return b, nil
}

func insertJudged(ctx context.Context, q querier, rows []decisionRow, cases []store.Case) error {
	for i := range rows {
		if _, err := rows[i].insert(ctx, q); err != nil {
			return err
		}
	}
	for i := range cases {
		if _, err := insertCase(ctx, q, &cases[i]); err != nil {
			return err
		}
	}
	return nil
}

// countLines adds a chunk's counts to its batch and ends it with the last line.
func countLines(ctx context.Context, q querier, r *store.BatchResult, now time.Time) (b store.Batch, err error) {
	n := &r.Counts
	list, err := collect(ctx, q, scanBatch, `UPDATE batch SET done = done + $1, passed = passed + $2, reviewed = reviewed + $3, blocked = blocked + $4,
		errors = errors + $5, state = CASE WHEN done + $1 >= lines THEN 'done' ELSE state END, ended_ts = CASE WHEN done + $1 >= lines THEN CAST($6 AS BIGINT) ELSE 0 END
		WHERE batch_id = $7 AND state = 'running' RETURNING `+batchFields,
		n.Done, n.Passed, n.Reviewed, n.Blocked, n.Errors, millis(now), r.Chunk.Batch)
	if err != nil {
		return b, err
	}
	if len(list) == 0 {
		return b, store.ErrConflict
	}
	return list[0], nil
}

func tellBatch(ctx context.Context, q querier, b *store.Batch) error {
	fact, err := store.EventFact(b)
	if err != nil {
		return err
	}
	return tell(ctx, q, store.Event{App: b.App, Type: store.EventBatchDone, Fact: fact})
}
