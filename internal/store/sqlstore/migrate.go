package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var migrations embed.FS

const (
	migratePatience = 60 // seconds that a start waits for another process's migration
	lockFile        = "migrate.lock.db"
)

func migrateLite(ctx context.Context, dir string) (err error) {
	// SQLite would make them readable to all; its -wal and -shm files follow suit.
	for _, name := range []string{"core.db", "economy.db", "history.db", lockFile} {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return fmt.Errorf("make %s: %w", name, err)
		}
		if err := f.Close(); err != nil {
			return fmt.Errorf("make %s: %w", name, err)
		}
	}
	unlock, err := lockLite(ctx, dir)
	if err != nil {
		return fmt.Errorf("wait for another process's migration: %w", classify(err))
	}
	defer func() { err = errors.Join(err, unlock()) }()
	for _, name := range []string{"core", "economy", "history"} {
		db, err := sql.Open("sqlite", liteDSN(filepath.Join(dir, name+".db")))
		if err != nil {
			return fmt.Errorf("migrate %s: %w", name, err)
		}
		err = migrate(ctx, goose.DialectSQLite3, db, name)
		if err := errors.Join(err, db.Close()); err != nil {
			return err
		}
	}
	return nil
}

// lockLite takes a lock that ends with the process, however it ends: the write
// lock of a database that holds nothing else.
func lockLite(ctx context.Context, dir string) (unlock func() error, err error) {
	db, err := sql.Open("sqlite", liteAddress(filepath.Join(dir, lockFile), "busy_timeout(1000)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	until := time.Now().Add(migratePatience * time.Second)
	for {
		_, err = db.ExecContext(ctx, "BEGIN EXCLUSIVE")
		if err == nil {
			return db.Close, nil
		}
		if !busy(err) || time.Now().After(until) {
			return nil, errors.Join(err, db.Close())
		}
	}
}

func migratePostgres(ctx context.Context, db *sql.DB) error {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, migratePatience))
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return migrate(ctx, goose.DialectPostgres, db, "postgres", goose.WithSessionLocker(locker))
}

func migrate(ctx context.Context, dialect goose.Dialect, db *sql.DB, dir string, opts ...goose.ProviderOption) error {
	files, err := fs.Sub(migrations, "migrations/"+dir)
	if err != nil {
		return fmt.Errorf("migrate %s: %w", dir, err)
	}
	provider, err := goose.NewProvider(dialect, db, files, append(opts, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return fmt.Errorf("migrate %s: %w", dir, classify(err))
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate %s: %w", dir, classify(err))
	}
	return nil
}
