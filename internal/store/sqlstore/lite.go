package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// Rule when full: the caller waits until its context ends.
	liteQueue = 1024
	// A group is what commits together: at most so many writers and so many rows,
	// which bounds how long the others wait (55,000 rows/s were measured).
	liteGroupJobs = 64
	liteGroupRows = 4096
	// How long a write waits for another process that holds the file.
	liteBusyPatience = 30 * time.Second
	liteReaders      = 4
	liteKept         = 2 // see keptReads
	liteSmall        = "cache_size(-512)"
	// The writer's cache takes a group's pages and the upper levels of the trees:
	// with SQLite's 2 MB pages were written and read again within one transaction.
	liteCache = "cache_size(-32768)" // KiB
	// A statement that inserts many rows keeps what their pages were like before, to take
	// itself back. In a file that was a seventh of all that the writer did.
	liteTemp = "temp_store(MEMORY)"
	// Pages of the log until it is copied to the file. Later copies a page that
	// changed often once.
	liteCheckpoint = "wal_autocheckpoint(8000)"
	// Nothing is synced before that: a verdict's fsync waits for those of other files of
	// its disk. When the power goes, the last seconds of this file's commits may be lost.
	liteLazy = "synchronous(NORMAL)"
)

// liteDB is one SQLite file: a pool that only reads and one goroutine that writes.
type liteDB struct {
	name    string
	bulk    bool // its writer gives way to whoever waits for a verdict
	readers *sql.DB
	kept    keptReads
	writer  *sql.DB
	jobs    chan *liteJob
	stop    chan struct{}
	wg      sync.WaitGroup

	// mu is held for reading while a job is handed in, so that close can't pass it.
	mu     sync.RWMutex
	closed bool

	// conn and stmts belong to the writing goroutine.
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

type liteJob struct {
	fn     func(context.Context, querier) error
	weight int
	err    error
	done   chan struct{}

	// mu is held while fn runs. A waiter that leaves takes it to set left, so that
	// fn touches nothing of the waiter's afterwards, and is skipped if not yet run.
	mu   sync.Mutex
	left bool
}

// errLeft is the end of a job that nobody waits for any more. It did nothing.
var errLeft = fmt.Errorf("left: %w", context.Canceled)

func (j *liteJob) run(ctx context.Context, q querier) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.left {
		return errLeft
	}
	return j.fn(ctx, q)
}

func (j *liteJob) leave() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.left = true
}

func (j *liteJob) finish(err error) {
	j.err = classify(err)
	close(j.done)
}

func (s *Store) openLite(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make data directory: %w", err)
	}
	if err := migrateLite(ctx, dir); err != nil {
		return err
	}
	// Its groups are small, and each flagged verdict touches a page of a dozen trees, most
	// of them the ones that the verdict before touched.
	core, err := openLiteDB(filepath.Join(dir, "core.db"), false, liteCheckpoint)
	if err != nil {
		return err
	}
	economy, err := openLiteDB(filepath.Join(dir, "economy.db"), true, liteCache, liteCheckpoint, liteTemp)
	if err != nil {
		return errors.Join(err, core.close())
	}
	history, err := openLiteDB(filepath.Join(dir, "history.db"), true, liteCheckpoint, liteLazy)
	if err != nil {
		return errors.Join(err, core.close(), economy.close())
	}
	s.core, s.economy, s.history, s.driver = core, economy, history, "sqlite"
	return nil
}

// liteDSN names a file with the settings that every connection needs. FULL asks
// for an fsync at each commit: with grouped commits it costs little more than
// NORMAL, which may lose acknowledged commits when the power goes.
func liteDSN(path string, pragmas ...string) string {
	return liteAddress(path, append([]string{
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
	}, pragmas...)...)
}

func liteAddress(path string, pragmas ...string) string {
	v := url.Values{"_pragma": pragmas}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: v.Encode()}).String()
}

func openLiteDB(path string, bulk bool, pragmas ...string) (*liteDB, error) {
	writer, err := sql.Open("sqlite", liteDSN(path, pragmas...))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", filepath.Base(path), err)
	}
	readers, err := sql.Open("sqlite", liteDSN(path, "query_only(1)"))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", filepath.Base(path), err), writer.Close())
	}
	kept, err := sql.Open("sqlite", liteDSN(path, "query_only(1)", liteSmall))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", filepath.Base(path), err), writer.Close(), readers.Close())
	}
	kept.SetMaxOpenConns(liteKept)
	kept.SetMaxIdleConns(liteKept)
	writer.SetMaxOpenConns(1)
	readers.SetMaxOpenConns(liteReaders)
	readers.SetMaxIdleConns(liteReaders)
	d := &liteDB{
		name: filepath.Base(path), bulk: bulk, readers: readers, kept: keptReads{DB: kept}, writer: writer,
		jobs: make(chan *liteJob, liteQueue), stop: make(chan struct{}),
	}
	d.wg.Go(d.run)
	return d, nil
}

func (d *liteDB) read() querier { return d.readers }

func (d *liteDB) often() querier { return &d.kept }

func (d *liteDB) snapshot(ctx context.Context, fn func(context.Context, querier) error) error {
	tx, err := d.readers.BeginTx(ctx, nil) // deferred: the first query begins it
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it wrote nothing
	return fn(ctx, tx)
}

func (d *liteDB) write(ctx context.Context, weight int, fn func(context.Context, querier) error) error {
	job := &liteJob{fn: fn, weight: weight, done: make(chan struct{})}
	if err := d.enqueue(ctx, job); err != nil {
		return err
	}
	select {
	case <-job.done:
		return job.err
	case <-ctx.Done():
		job.leave()
		return fmt.Errorf("%w: commit not seen: %w", store.ErrUnavailable, ctx.Err())
	}
}

func (d *liteDB) enqueue(ctx context.Context, job *liteJob) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.closed {
		return fmt.Errorf("%w: %s is closed", store.ErrUnavailable, d.name)
	}
	select {
	case d.jobs <- job:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: write queue of %s: %w", store.ErrUnavailable, d.name, ctx.Err())
	}
}

func (d *liteDB) close() error {
	d.mu.Lock()
	already := d.closed
	d.closed = true
	d.mu.Unlock()
	if already {
		return nil
	}
	close(d.jobs)
	// The writer may be waiting for another process; it gives up on stop.
	timer := time.AfterFunc(liteBusyPatience, func() { close(d.stop) })
	d.wg.Wait()
	timer.Stop()
	return errors.Join(d.kept.close(), d.readers.Close(), d.writer.Close())
}

func fatal(err error) bool {
	var lite *sqlite.Error
	if !errors.As(err, &lite) {
		return err != nil && (errors.Is(err, sql.ErrConnDone) || lost(err))
	}
	// SQLite rolls the whole transaction back on these, savepoints and all.
	switch lite.Code() & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_INTERRUPT,
		sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN:
		return true
	}
	return false
}

func busy(err error) bool {
	var lite *sqlite.Error
	return errors.As(err, &lite) && lite.Code()&0xff == sqlite3.SQLITE_BUSY
}
