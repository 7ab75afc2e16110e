package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	pgPoolConns   = 16
	pgSmallPool   = 4 // where one at a time writes
	pgDialTimeout = 5 * time.Second
)

// pgDB is one pool of a PostgreSQL database.
type pgDB struct {
	pool *pgxpool.Pool
	db   *sql.DB
}

func (s *Store) openPostgres(ctx context.Context, address string) error {
	core, err := openPool(ctx, address, "core", pgPoolConns)
	if err != nil {
		return err
	}
	if err := migratePostgres(ctx, core.db); err != nil {
		return errors.Join(err, core.close())
	}
	economy, err := openPool(ctx, address, "economy", pgPoolConns)
	if err != nil {
		return errors.Join(err, core.close())
	}
	history, err := openPool(ctx, address, "history", pgSmallPool)
	if err != nil {
		return errors.Join(err, core.close(), economy.close())
	}
	s.core, s.economy, s.history, s.driver = core, economy, history, "postgres"
	return nil
}

func openPool(ctx context.Context, address, role string, conns int32) (*pgDB, error) {
	cfg, err := pgxpool.ParseConfig(address)
	if err != nil {
		// pgx masks the password in what it says.
		return nil, fmt.Errorf("database.url: %w", err)
	}
	cfg.MaxConns = conns
	cfg.ConnConfig.ConnectTimeout = pgDialTimeout
	if cfg.ConnConfig.RuntimeParams["application_name"] == "" {
		cfg.ConnConfig.RuntimeParams["application_name"] = "portcullis-" + role
	}
	// An acknowledged row is on disk, whatever the server's default says.
	cfg.ConnConfig.RuntimeParams["synchronous_commit"] = "on"
	// To compile a statement takes longer than to run any of ours: a statistic that reads
	// 50 ms worth of rows took 100 more for it in each of its workers.
	if _, said := cfg.ConnConfig.RuntimeParams["jit"]; !said {
		cfg.ConnConfig.RuntimeParams["jit"] = "off"
	}
	cfg.AfterConnect = useColumnArrays
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	return &pgDB{pool: pool, db: stdlib.OpenDBFromPool(pool)}, nil
}

func (d *pgDB) read() querier { return d.db }

func (d *pgDB) often() querier { return d.db } // pgx keeps every statement

func (d *pgDB) snapshot(ctx context.Context, fn func(context.Context, querier) error) error {
	tx, err := d.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it wrote nothing
	return fn(ctx, tx)
}

func (d *pgDB) close() error {
	err := d.db.Close()
	d.pool.Close()
	return err
}

func (d *pgDB) write(ctx context.Context, _ int, fn func(context.Context, querier) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return classify(err)
	}
	if err := fn(ctx, tx); err != nil {
		_ = tx.Rollback() // what fn said is what matters
		return classify(err)
	}
	return classify(tx.Commit())
}

// lost reports errors of a connection rather than of a statement.
func lost(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}
