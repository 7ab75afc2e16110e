package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// classify gives a driver's error the name that callers tell apart. An error
// that has one already keeps it.
func classify(err error) error {
	switch {
	case err == nil, named(err):
		return err
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("%w: %w", store.ErrNotFound, err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		return classifyLite(lite)
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return classifyPostgres(pg)
	}
	if lost(err) {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

func named(err error) bool {
	return errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrExists) ||
		errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrUnavailable)
}

func classifyLite(err *sqlite.Error) error {
	switch err.Code() {
	case sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return fmt.Errorf("%w: %w", store.ErrExists, err)
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return fmt.Errorf("%w: %w", store.ErrNotFound, err)
	}
	switch err.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PROTOCOL:
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

func classifyPostgres(err *pgconn.PgError) error {
	switch err.Code {
	case "23505":
		return fmt.Errorf("%w: %w", store.ErrExists, err)
	case "23503":
		return fmt.Errorf("%w: %w", store.ErrNotFound, err)
	case "25006": // a primary that became a standby
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	switch err.Code[:min(2, len(err.Code))] {
	// Connection, authorisation and role gone, rollback by the server (deadlock),
	// resources, operator intervention, system error.
	case "08", "28", "40", "53", "55", "57", "58":
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}
