package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// keptReads has the queries compiled that are asked all the time: to compile one takes
// SQLite longer than to answer it. Their texts are constants, so there are few. It has
// connections of its own, so that a verdict's look at its player does not stand in line
// behind somebody's statistics. It is safe for concurrent use.
type keptReads struct {
	*sql.DB
	mu    sync.RWMutex
	stmts map[string]*sql.Stmt
}

func (r *keptReads) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	r.mu.RLock()
	stmt := r.stmts[query]
	r.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if stmt := r.stmts[query]; stmt != nil {
		return stmt, nil // somebody else was as fast
	}
	stmt, err := r.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if r.stmts == nil {
		r.stmts = map[string]*sql.Stmt{}
	}
	r.stmts[query] = stmt
	return stmt, nil
}

// QueryContext asks a query. One that has begun is not given up: it is answered sooner
// than the goroutines would be started that the driver and its pool watch a context with.
func (r *keptReads) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	stmt, err := r.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(context.WithoutCancel(ctx), args...)
}

// QueryRowContext asks a query of one row, see QueryContext.
func (r *keptReads) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := r.prepared(ctx, query)
	if err != nil || ctx.Err() != nil {
		return r.DB.QueryRowContext(ctx, query, args...) // which says why not
	}
	return stmt.QueryRowContext(context.WithoutCancel(ctx), args...)
}

func (r *keptReads) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, stmt := range r.stmts {
		errs = append(errs, stmt.Close())
	}
	r.stmts = nil
	return errors.Join(append(errs, r.Close())...)
}
