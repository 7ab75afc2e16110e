package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// PutLogin stores a new cookie session.
func (s *Store) PutLogin(ctx context.Context, l store.Login) error {
	_, err := s.execCore(ctx, `INSERT INTO login (cookie_sha256, name, created_ts, last_seen_ts, expires_ts) VALUES ($1, $2, $3, $4, $5)`,
		l.Hash[:], l.User, millis(l.Created), millis(l.LastSeen), millis(l.Expires))
	if err != nil {
		return fmt.Errorf("store login: %w", classify(err))
	}
	return nil
}

// Login returns the cookie session with this SHA-256, whether or not it ran out.
func (s *Store) Login(ctx context.Context, hash [32]byte) (store.Login, error) {
	var created, seen, expires int64
	l := store.Login{Hash: hash}
	err := s.core.read().QueryRowContext(ctx, `SELECT name, created_ts, last_seen_ts, expires_ts FROM login WHERE cookie_sha256 = $1`,
		hash[:]).Scan(&l.User, &created, &seen, &expires)
	if err != nil {
		return store.Login{}, fmt.Errorf("login: %w", classify(err))
	}
	l.Created, l.LastSeen, l.Expires = fromMillis(created), fromMillis(seen), fromMillis(expires)
	return l, nil
}

// TouchLogin notes that the session was used; the time never moves back.
// store.ErrNotFound: it is gone.
func (s *Store) TouchLogin(ctx context.Context, hash [32]byte, lastSeen time.Time) error {
	n, err := s.execCore(ctx, `UPDATE login SET last_seen_ts = CASE WHEN last_seen_ts < $1 THEN $1 ELSE last_seen_ts END
		WHERE cookie_sha256 = $2`, millis(lastSeen), hash[:])
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("touch login: %w", classify(err))
	}
	return nil
}

// DeleteLogin ends a cookie session; one that is gone already is no error.
func (s *Store) DeleteLogin(ctx context.Context, hash [32]byte) error {
	if _, err := s.execCore(ctx, `DELETE FROM login WHERE cookie_sha256 = $1`, hash[:]); err != nil {
		return fmt.Errorf("end login: %w", classify(err))
	}
	return nil
}
