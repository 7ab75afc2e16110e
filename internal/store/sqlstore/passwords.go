package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

func putLink(ctx context.Context, q querier, l store.PasswordLink) error {
	// A new link makes an older one worthless.
	if _, err := q.ExecContext(ctx, `DELETE FROM password_link WHERE name = $1`, l.User); err != nil {
		return err
	}
	_, err := q.ExecContext(ctx, `INSERT INTO password_link (token_sha256, name, made_by, expires_ts) VALUES ($1, $2, $3, $4)`,
		l.Hash[:], l.User, l.By, millis(l.Expires))
	return err
}

// PutPasswordLink stores a one-time link for a moderator to set a password, instead of
// an older one, with an audit entry. store.ErrNotFound: there is no such moderator.
func (s *Store) PutPasswordLink(ctx context.Context, l store.PasswordLink) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var one int
		err := q.QueryRowContext(ctx, `SELECT 1 FROM moderator WHERE name = $1`, l.User).Scan(&one)
		if err == nil {
			err = putLink(ctx, q, l)
		}
		if err == nil {
			err = appendAudit(ctx, q, store.Audit{Chain: s.node, TS: time.Now(), Actor: l.By, Action: "user.reset", Object: l.User, Detail: "{}"})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("password link of %s: %w", l.User, classify(err))
	}
	return nil
}

// PasswordLinkOf is whose link it is, for as long as it is good. store.ErrNotFound:
// there is none, or it has run out.
func (s *Store) PasswordLinkOf(ctx context.Context, hash [32]byte, now time.Time) (name string, err error) {
	err = s.core.read().QueryRowContext(ctx, `SELECT name FROM password_link WHERE token_sha256 = $1 AND expires_ts > $2`, hash[:], millis(now)).Scan(&name)
	if err != nil {
		return "", fmt.Errorf("password link: %w", classify(err))
	}
	return name, nil
}

// UsePasswordLink sets the password of whose link it is, uses the link up and ends the
// logins of that name. store.ErrNotFound: there is none, or it has run out.
func (s *Store) UsePasswordLink(ctx context.Context, hash [32]byte, passwordHash string, now time.Time) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var name string
		err := q.QueryRowContext(ctx, `DELETE FROM password_link WHERE token_sha256 = $1 AND expires_ts > $2 RETURNING name`, hash[:], millis(now)).Scan(&name)
		if err != nil {
			return err
		}
		if _, err := q.ExecContext(ctx, `UPDATE moderator SET password_hash = $1 WHERE name = $2`, passwordHash, name); err != nil {
			return err
		}
		if _, err := q.ExecContext(ctx, `DELETE FROM login WHERE name = $1`, name); err != nil {
			return err
		}
		return appendAudit(ctx, q, store.Audit{Chain: s.node, TS: now, Actor: name, Action: "user.password", Object: name, Detail: "{}"})
	})
	if err != nil {
		return fmt.Errorf("use password link: %w", classify(err))
	}
	return nil
}

// LoginsOf lists the cookie sessions of a moderator, the newest first.
func (s *Store) LoginsOf(ctx context.Context, name string) ([]store.Login, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (l store.Login, err error) {
		var hash []byte
		var created, seen, expires int64
		err = row.Scan(&hash, &created, &seen, &expires)
		copy(l.Hash[:], hash)
		l.User, l.Created, l.LastSeen, l.Expires = name, fromMillis(created), fromMillis(seen), fromMillis(expires)
		return l, err
	}, `SELECT cookie_sha256, created_ts, last_seen_ts, expires_ts FROM login WHERE name = $1 ORDER BY created_ts DESC, cookie_sha256`, name)
	if err != nil {
		return nil, fmt.Errorf("logins of %s: %w", name, classify(err))
	}
	return list, nil
}

// EndLogins ends cookie sessions of a moderator, with an audit entry: the one whose
// hash it is, or all where that is nil. It says how many.
func (s *Store) EndLogins(ctx context.Context, name string, hash *[32]byte, by string) (ended int64, err error) {
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) (err error) {
		if hash == nil {
			ended, err = exec(ctx, q, `DELETE FROM login WHERE name = $1`, name)
		} else {
			ended, err = exec(ctx, q, `DELETE FROM login WHERE name = $1 AND cookie_sha256 = $2`, name, hash[:])
		}
		if err != nil || ended == 0 {
			return err
		}
		return appendAudit(ctx, q, store.Audit{
			Chain: s.node, TS: time.Now(), Actor: by, Action: "user.logout", Object: name, Detail: fmt.Sprintf(`{"logins":%d}`, ended),
		})
	})
	if err != nil {
		return 0, fmt.Errorf("end logins of %s: %w", name, classify(err))
	}
	return ended, nil
}
