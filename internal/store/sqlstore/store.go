package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// database is what the methods need of a driver.
type database interface {
	// write runs fn in a transaction and returns when it is committed. fn may be
	// run again after a failure, so it sets its results and never adds to them.
	write(ctx context.Context, weight int, fn func(ctx context.Context, q querier) error) error
	// read gives connections that need not see writes that are not yet acknowledged.
	read() querier
	// often is read for queries of constant text that are asked all the time: they are
	// kept compiled.
	often() querier
	// snapshot runs fn on one view of the database, as of fn's first query.
	snapshot(ctx context.Context, fn func(ctx context.Context, q querier) error) error
	close() error
}

type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Store is an open durable store. Close it once, after its last caller returned.
type Store struct {
	core, economy database
	history       database // of scenes: no verdict waits for it
	secrets       sealer
	hashes        sealer   // of image banks
	pseudonyms    [32]byte // the key of Pseudonym
	node          string
	driver        string
	careful       atomic.Int64 // until when entries may be known, ns; see insertNew
	stop          context.CancelFunc
	wg            sync.WaitGroup
}

// Open opens the store that cfg names, makes or upgrades its schema, and starts
// the sweeper of what ran out. Two processes may open one store at the same time.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	seal, err := newSealer(cfg.MasterKey)
	if err != nil {
		return nil, err
	}
	hashes, err := newSealer(DeriveKey(cfg.MasterKey, "hashes of image banks"))
	if err != nil {
		return nil, err
	}
	s := &Store{secrets: seal, hashes: hashes, pseudonyms: DeriveKey(cfg.MasterKey, "pseudonyms of erased players"), node: cfg.Node}
	if cfg.URL == "" {
		err = s.openLite(ctx, cfg.Dir)
	} else {
		err = s.openPostgres(ctx, cfg.URL)
	}
	if err != nil {
		return nil, err
	}
	sweepCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.wg.Go(func() { s.sweep(sweepCtx) })
	return s, nil
}

// Close commits what is queued and closes the files or pools.
func (s *Store) Close() error {
	s.stop()
	s.wg.Wait()
	return errors.Join(s.core.close(), s.economy.close(), s.history.close())
}

// Driver is "sqlite" or "postgres".
func (s *Store) Driver() string { return s.driver }

// Ping commits one row in each of the files or pools, so that it fails exactly
// when writes would: a full disk, a read-only replica, a lost server. The history of
// scenes is left out: a gateway that cannot write it still does all that is asked of it.
func (s *Store) Ping(ctx context.Context) error {
	now := time.Now().UnixMilli()
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO core_probe (node, ts) VALUES ($1, $2)
			ON CONFLICT (node) DO UPDATE SET ts = excluded.ts`, s.node, now)
		return err
	})
	if err != nil {
		return fmt.Errorf("probe core: %w", classify(err))
	}
	err = s.economy.write(ctx, 1, func(ctx context.Context, q querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO economy_probe (node, ts) VALUES ($1, $2)
			ON CONFLICT (node) DO UPDATE SET ts = excluded.ts`, s.node, now)
		return err
	})
	if err != nil {
		return fmt.Errorf("probe economy: %w", classify(err))
	}
	return nil
}

// execCore runs one statement in core and returns how many rows it changed.
func (s *Store) execCore(ctx context.Context, query string, args ...any) (int64, error) {
	var n int64
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var err error
		n, err = exec(ctx, q, query, args...)
		return err
	})
	return n, err
}

func exec(ctx context.Context, q querier, query string, args ...any) (int64, error) {
	res, err := q.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// collect reads every row with scan.
func collect[T any](ctx context.Context, q querier, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has what matters
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

type scanner interface{ Scan(dest ...any) error }

func millis(t time.Time) int64 { return t.UnixMilli() }

func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// nullMillis is NULL for the zero time.
func nullMillis(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: !t.IsZero()}
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
