package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// bookPart is how many bytes of a book one row holds.
	bookPart = 1 << 20
	// bookLeft is after how long parts are taken for what a save left that did not end.
	bookLeft = time.Hour
)

// SaveBook keeps what write writes as the book of app, instead of an earlier one.
func (s *Store) SaveBook(ctx context.Context, app engines.AppID, b economy.SavedBook, write func(io.Writer) error) error {
	parts := &bookWriter{s: s, ctx: ctx, app: app, save: newBatch(time.Now())}
	err := write(parts)
	if err == nil {
		err = parts.flush()
	}
	if err != nil {
		return fmt.Errorf("save book of app %s: %w", app, classify(err))
	}
	left := newBatch(time.Now().Add(-bookLeft))
	err = s.economy.write(ctx, 1, func(ctx context.Context, q querier) error {
		if _, err := q.ExecContext(ctx, `DELETE FROM economy_book_part WHERE app_id = $1 AND save_id <> $2
			AND (save_id < $3 OR save_id = (SELECT save_id FROM economy_book WHERE app_id = $1))`, string(app), parts.save, left); err != nil {
			return err
		}
		_, err := q.ExecContext(ctx, `INSERT INTO economy_book (app_id, save_id, place, from_ts, made_ts) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (app_id) DO UPDATE SET save_id = excluded.save_id, place = excluded.place, from_ts = excluded.from_ts, made_ts = excluded.made_ts`,
			string(app), parts.save, string(b.Place), b.From, b.Made)
		return err
	})
	if err != nil {
		return fmt.Errorf("save book of app %s: %w", app, classify(err))
	}
	return nil
}

// bookWriter stores what is written in parts, each in a transaction of its own.
type bookWriter struct {
	s    *Store
	ctx  context.Context //nolint:containedctx // of the one call that it lives for
	app  engines.AppID
	save int64
	n    int
	buf  []byte
}

func (w *bookWriter) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		n := min(len(rest), bookPart-len(w.buf))
		w.buf, rest = append(w.buf, rest[:n]...), rest[n:]
		if len(w.buf) == bookPart {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
	}
	return len(b), nil
}

func (w *bookWriter) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	err := w.s.economy.write(w.ctx, 1, func(ctx context.Context, q querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO economy_book_part (app_id, save_id, part, body) VALUES ($1, $2, $3, $4)`, string(w.app), w.save, w.n, w.buf)
		return err
	})
	w.n, w.buf = w.n+1, w.buf[:0]
	return err
}

// LoadBook hands the saved book of app to read and reports whether there is one. With
// SQLite it is one of all that is stored: any entry that comes later takes it away.
func (s *Store) LoadBook(ctx context.Context, app engines.AppID, read func(economy.SavedBook, io.Reader) error) (bool, error) {
	var b economy.SavedBook
	parts := &bookReader{ctx: ctx, q: s.economy.read(), app: app}
	err := s.economy.read().QueryRowContext(ctx, `SELECT save_id, place, from_ts, made_ts FROM economy_book WHERE app_id = $1`, string(app)).
		Scan(&parts.save, &b.Place, &b.From, &b.Made)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = read(b, parts)
	}
	if err != nil {
		return false, fmt.Errorf("load book of app %s: %w", app, classify(err))
	}
	return true, nil
}

type bookReader struct {
	ctx  context.Context //nolint:containedctx // of the one call that it lives for
	q    querier
	app  engines.AppID
	save int64
	n    int
	rest []byte
}

func (r *bookReader) Read(b []byte) (int, error) {
	for len(r.rest) == 0 {
		err := r.q.QueryRowContext(r.ctx, `SELECT body FROM economy_book_part WHERE app_id = $1 AND save_id = $2 AND part = $3`, string(r.app), r.save, r.n).Scan(&r.rest)
		if errors.Is(err, sql.ErrNoRows) {
			return 0, io.EOF
		}
		if err != nil {
			return 0, err
		}
		r.n++
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
