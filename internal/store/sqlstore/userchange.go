package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// SetUser replaces the password, role, standing and bounds of a moderator and ends all
// logins of that name, so that a lost role is lost at once.
func (s *Store) SetUser(ctx context.Context, u store.User) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error { return setUser(ctx, q, u) })
	if err != nil {
		return fmt.Errorf("change user %s: %w", u.Name, classify(err))
	}
	return nil
}

func setUser(ctx context.Context, q querier, u store.User) error {
	n, err := exec(ctx, q, `UPDATE moderator SET password_hash = $1, role = $2, disabled = $3, queues = $4, categories = $5 WHERE name = $6`,
		u.PasswordHash, u.Role, flag(u.Disabled), encodeWords(u.Queues), encodeWords(u.Categories), u.Name)
	if err != nil {
		return err
	}
	if n == 0 {
		return store.ErrNotFound
	}
	_, err = q.ExecContext(ctx, `DELETE FROM login WHERE name = $1`, u.Name)
	return err
}

// AddUser adds a moderator who has no password yet, with the one-time link to set one
// and an audit entry. store.ErrExists: the name is taken.
func (s *Store) AddUser(ctx context.Context, u store.User, link store.PasswordLink) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		err := lockModerators(ctx, q)
		if err == nil {
			err = insertUser(ctx, q, u)
		}
		if err == nil {
			err = putLink(ctx, q, link)
		}
		if err == nil {
			err = s.auditUser(ctx, q, link.By, "user.create", &u)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("add user %s: %w", u.Name, classify(err))
	}
	return nil
}

// ChangeUser gives a moderator another role, standing and bounds, ends the logins of
// that name and notes it. The last admin who can log in stays one: store.ErrConflict.
func (s *Store) ChangeUser(ctx context.Context, u store.User, by string) (store.User, error) {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if err := lockModerators(ctx, q); err != nil {
			return err
		}
		was, err := scanUser(q.QueryRowContext(ctx, userColumns+`WHERE name = $1`, u.Name))
		if err != nil {
			return err
		}
		u.PasswordHash, u.Created = was.PasswordHash, was.Created
		if err := setUser(ctx, q, u); err != nil {
			return err
		}
		if err := mustHaveAdmin(ctx, q, &was); err != nil {
			return err
		}
		return s.auditUser(ctx, q, by, "user.change", &u)
	})
	if err != nil {
		return store.User{}, fmt.Errorf("change user %s: %w", u.Name, classify(err))
	}
	return u, nil
}

// mustHaveAdmin refuses a change of an admin that leaves nobody who can administer.
func mustHaveAdmin(ctx context.Context, q querier, was *store.User) error {
	if was.Role != roleAdmin || was.Disabled {
		return nil
	}
	var left int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM moderator WHERE role = $1 AND disabled = 0`, roleAdmin).Scan(&left)
	if err == nil && left == 0 {
		err = fmt.Errorf("%w: the last admin", store.ErrConflict)
	}
	return err
}

func (s *Store) auditUser(ctx context.Context, q querier, by, action string, u *store.User) error {
	detail, err := json.Marshal(map[string]any{"role": u.Role, "disabled": u.Disabled, "queues": json.RawMessage(encodeWords(u.Queues)), "categories": json.RawMessage(encodeWords(u.Categories))})
	if err != nil {
		return err
	}
	return appendAudit(ctx, q, store.Audit{Chain: s.node, TS: time.Now(), Actor: by, Action: action, Object: u.Name, Detail: string(detail)})
}
