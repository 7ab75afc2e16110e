package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// keptReads has the queries compiled that are asked all the time: to compile one takes
// SQLite longer than to answer it. Their texts are constants, so there are few. It is
// safe for concurrent use.
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

// QueryContext asks a query.
func (r *keptReads) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := r.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// QueryRowContext asks a query of one row.
func (r *keptReads) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := r.prepared(ctx, query)
	if err != nil {
		return r.DB.QueryRowContext(ctx, query, args...) // which says why
	}
	return stmt.QueryRowContext(ctx, args...)
}

func (r *keptReads) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, stmt := range r.stmts {
		errs = append(errs, stmt.Close())
	}
	r.stmts = nil
	return errors.Join(errs...)
}
