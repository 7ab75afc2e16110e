package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/portcullis-gg/portcullis/internal/store"
)

const roleAdmin = "admin"

// CreateUser adds a moderator in somebody's name. store.ErrExists: the name is taken.
func (s *Store) CreateUser(ctx context.Context, u store.User, by string) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if err := lockModerators(ctx, q); err != nil {
			return err
		}
		if err := insertUser(ctx, q, u); err != nil {
			return err
		}
		return s.auditUser(ctx, q, by, "user.create", &u)
	})
	if err != nil {
		return fmt.Errorf("create user %s: %w", u.Name, classify(err))
	}
	return nil
}

// CreateFirstAdmin adds the first admin and no other: of many callers one wins.
// store.ErrExists: there is an admin, or the name is taken.
func (s *Store) CreateFirstAdmin(ctx context.Context, u store.User) error {
	u.Role = roleAdmin
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if err := lockModerators(ctx, q); err != nil {
			return err
		}
		n, err := countAdmins(ctx, q)
		if err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("%w: an admin", store.ErrExists)
		}
		if err := insertUser(ctx, q, u); err != nil {
			return err
		}
		return s.auditUser(ctx, q, "setup", "user.create", &u)
	})
	if err != nil {
		return fmt.Errorf("create first admin: %w", classify(err))
	}
	return nil
}

// lockModerators makes those who add moderators take turns.
func lockModerators(ctx context.Context, q querier) error {
	_, err := q.ExecContext(ctx, `UPDATE store_lock SET n = n + 1 WHERE name = 'moderators'`)
	return err
}

func insertUser(ctx context.Context, q querier, u store.User) error {
	_, err := q.ExecContext(ctx, `INSERT INTO moderator (name, password_hash, role, disabled, created_ts, queues, categories) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		u.Name, u.PasswordHash, u.Role, flag(u.Disabled), millis(u.Created), encodeWords(u.Queues), encodeWords(u.Categories))
	return err
}

// CountAdmins counts the admins, disabled ones too: the set-up link closes for
// ever once one exists.
func (s *Store) CountAdmins(ctx context.Context) (int, error) {
	n, err := countAdmins(ctx, s.core.read())
	if err != nil {
		return 0, fmt.Errorf("count admins: %w", classify(err))
	}
	return n, nil
}

func countAdmins(ctx context.Context, q querier) (n int, err error) {
	err = q.QueryRowContext(ctx, `SELECT count(*) FROM moderator WHERE role = $1`, roleAdmin).Scan(&n)
	return n, err
}

const userColumns = `SELECT name, password_hash, role, disabled, created_ts, queues, categories FROM moderator `

func scanUser(row scanner) (u store.User, err error) {
	var created int64
	var disabled int
	var queues, categories string
	err = row.Scan(&u.Name, &u.PasswordHash, &u.Role, &disabled, &created, &queues, &categories)
	if err == nil {
		u.Queues, err = decodeWords(queues)
	}
	if err == nil {
		u.Categories, err = decodeWords(categories)
	}
	u.Disabled, u.Created = disabled != 0, fromMillis(created)
	return u, err
}

// User returns the moderator of this name.
func (s *Store) User(ctx context.Context, name string) (store.User, error) {
	u, err := scanUser(s.core.read().QueryRowContext(ctx, userColumns+`WHERE name = $1`, name))
	if err != nil {
		return store.User{}, fmt.Errorf("user: %w", classify(err))
	}
	return u, nil
}

// Users lists the moderators by name.
func (s *Store) Users(ctx context.Context) ([]store.User, error) {
	users, err := collect(ctx, s.core.read(), scanUser, userColumns+`ORDER BY name`)
	if err != nil {
		return nil, fmt.Errorf("list users: %w", classify(err))
	}
	return users, nil
}

// encodeWords is a list of words as it is stored. They are words of ours and valid
// UTF-8, so that nothing can fail.
func encodeWords(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	b, _ := json.Marshal(list) //nolint:errchkjson // strings always marshal
	return string(b)
}

func decodeWords(text string) (list []string, err error) {
	if text != "[]" {
		err = json.Unmarshal([]byte(text), &list)
	}
	return list, err
}
