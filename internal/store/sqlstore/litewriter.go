package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/internal/giveway"
)

// run commits what waits, group by group, until the queue is closed and empty.
func (d *liteDB) run() {
	if d.bulk {
		giveway.Now()
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d.wg.Go(func() {
		select {
		case <-d.stop:
			cancel()
		case <-ctx.Done():
		}
	})
	defer d.dropConn()
	var next *liteJob
	for {
		if next == nil {
			var ok bool
			if next, ok = <-d.jobs; !ok {
				return
			}
		}
		var group []*liteJob
		group, next = d.gather(next)
		d.commit(ctx, group)
	}
}

// gather takes what waits already, without waiting for more: while one group
// commits the next one forms. It returns the job that did not fit, if any.
func (d *liteDB) gather(first *liteJob) (group []*liteJob, next *liteJob) {
	group = append(make([]*liteJob, 0, liteGroupJobs), first)
	rows := first.weight
	for len(group) < liteGroupJobs {
		select {
		case job, ok := <-d.jobs:
			if !ok {
				return group, nil
			}
			if rows += job.weight; rows > liteGroupRows {
				return group, job
			}
			group = append(group, job)
		default:
			return group, nil
		}
	}
	return group, nil
}

// commit runs a group in one transaction. A job that fails is told so, and the rest
// is done again without it; when the transaction itself fails, each job gets one of
// its own, so that only a guilty one fails.
func (d *liteDB) commit(ctx context.Context, group []*liteJob) {
	for len(group) > 0 {
		guilty, err := d.transact(ctx, group)
		switch {
		case err == nil:
			for _, job := range group {
				job.finish(job.err)
			}
			return
		case guilty >= 0:
			group[guilty].finish(err)
			group = slices.Delete(group, guilty, guilty+1)
		case len(group) == 1:
			group[0].finish(err)
			return
		default:
			for _, job := range group {
				d.commit(ctx, []*liteJob{job})
			}
			return
		}
	}
}

// transact commits a group, or nothing of it: one job that fails rolls all back, and
// is named unless what failed is the store itself (-1). It goes without savepoints,
// which would copy each page that a job touches first.
func (d *liteDB) transact(ctx context.Context, group []*liteJob) (guilty int, err error) {
	if err := d.begin(ctx); err != nil {
		d.dropConn()
		return -1, fmt.Errorf("begin: %w", err)
	}
	// Nothing waits for another process from here on. For a context that can end the
	// driver starts a goroutine with each statement, to interrupt it.
	ctx = context.WithoutCancel(ctx)
	for i, job := range group {
		if job.err = job.run(ctx, d); job.err == nil || errors.Is(job.err, errLeft) {
			continue
		}
		if !fatal(job.err) {
			if _, err := d.ExecContext(ctx, "ROLLBACK"); err == nil {
				return i, job.err
			}
		}
		// The connection goes too: after a full disk or an I/O error its state is
		// not worth reasoning about, and opening one takes a millisecond.
		d.dropConn()
		return -1, job.err
	}
	if _, err := d.ExecContext(ctx, "COMMIT"); err != nil {
		d.dropConn()
		return -1, fmt.Errorf("commit: %w", err)
	}
	return -1, nil
}

// begin takes the write lock at once, so that no statement can meet SQLITE_BUSY
// halfway. Another process may hold it for longer than one busy_timeout.
func (d *liteDB) begin(ctx context.Context) error {
	until := time.Now().Add(liteBusyPatience)
	for {
		err := d.connect(ctx)
		if err == nil {
			_, err = d.ExecContext(ctx, "BEGIN IMMEDIATE")
		}
		if !busy(err) || time.Now().After(until) || ctx.Err() != nil {
			return err
		}
	}
}

func (d *liteDB) connect(ctx context.Context) error {
	if d.conn != nil {
		return nil
	}
	conn, err := d.writer.Conn(ctx)
	if err != nil {
		return err
	}
	d.conn, d.stmts = conn, make(map[string]*sql.Stmt)
	return nil
}

// dropConn closes the writing connection, which ends any transaction on it.
func (d *liteDB) dropConn() {
	if d.conn == nil {
		return
	}
	for _, stmt := range d.stmts {
		_ = stmt.Close()
	}
	// ErrBadConn keeps the pool from giving the connection out again.
	_ = d.conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = d.conn.Close()
	d.conn, d.stmts = nil, nil
}

// prepared keeps the compiled form of each statement; the texts are constants,
// so there are few.
func (d *liteDB) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := d.stmts[query]; ok {
		return stmt, nil
	}
	stmt, err := d.conn.PrepareContext(ctx, query)
	if err == nil {
		d.stmts[query] = stmt
	}
	return stmt, err
}

// ExecContext runs a statement on the writing connection, for jobs.
func (d *liteDB) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := d.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

// QueryContext runs a query on the writing connection, for jobs.
func (d *liteDB) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := d.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRowContext runs a query of one row on the writing connection, for jobs.
func (d *liteDB) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := d.prepared(ctx, query)
	if err != nil {
		return d.conn.QueryRowContext(ctx, query, args...)
	}
	return stmt.QueryRowContext(ctx, args...)
}
