package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// maxLiveSecrets lets a client move from one secret to the next and no more.
const maxLiveSecrets = 2

// CreateApp registers app with its first secret. store.ErrExists: it is there already.
func (s *Store) CreateApp(ctx context.Context, app engines.AppID, keyID, secret string) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error { return s.createApp(ctx, q, app, keyID, secret) })
	if err != nil {
		return fmt.Errorf("create app %s: %w", app, classify(err))
	}
	return nil
}

func (s *Store) createApp(ctx context.Context, q querier, app engines.AppID, keyID, secret string) error {
	now := millis(time.Now())
	if _, err := q.ExecContext(ctx, `INSERT INTO app (app_id, created_ts) VALUES ($1, $2)`, app, now); err != nil {
		return err
	}
	return s.insertSecret(ctx, q, store.Secret{App: app, KeyID: keyID, Secret: secret, NotBefore: fromMillis(now), Created: fromMillis(now)})
}

// Apps lists the apps by id.
func (s *Store) Apps(ctx context.Context) ([]store.App, error) {
	apps, err := collect(ctx, s.core.read(), func(row scanner) (a store.App, err error) {
		var created int64
		err = row.Scan(&a.ID, &created)
		a.Created = fromMillis(created)
		return a, err
	}, `SELECT app_id, created_ts FROM app ORDER BY app_id`)
	if err != nil {
		return nil, fmt.Errorf("list apps: %w", classify(err))
	}
	return apps, nil
}

// Secrets returns the secrets of app that have not run out, oldest first; those
// whose NotBefore is still to come are among them. store.ErrNotFound: no such app.
// An app whose secrets were all revoked has none, which is no error.
func (s *Store) Secrets(ctx context.Context, app engines.AppID) ([]store.Secret, error) {
	secrets, err := collect(ctx, s.core.read(), s.scanSecret,
		`SELECT app_id, key_id, secret_enc, not_before, expires_ts, created_ts FROM app_secret
		WHERE app_id = $1 AND (expires_ts IS NULL OR expires_ts > $2) ORDER BY created_ts, key_id`, app, millis(time.Now()))
	if err == nil && len(secrets) == 0 {
		var one int
		err = s.core.read().QueryRowContext(ctx, `SELECT 1 FROM app WHERE app_id = $1`, app).Scan(&one)
	}
	if err != nil {
		return nil, fmt.Errorf("secrets of app %s: %w", app, classify(err))
	}
	return secrets, nil
}

func (s *Store) scanSecret(row scanner) (store.Secret, error) {
	var (
		secret             store.Secret
		sealed             []byte
		notBefore, created int64
		expires            sql.NullInt64
	)
	if err := row.Scan(&secret.App, &secret.KeyID, &sealed, &notBefore, &expires, &created); err != nil {
		return secret, err
	}
	secret.NotBefore, secret.Created = fromMillis(notBefore), fromMillis(created)
	if expires.Valid {
		secret.Expires = fromMillis(expires.Int64)
	}
	var err error
	secret.Secret, err = s.secrets.open(secret.App, secret.KeyID, sealed)
	return secret, err
}

// AddSecret gives an app its next secret and lets the others run out at
// oldExpires at the latest. store.ErrConflict: it has two live ones already;
// store.ErrNotFound: no such app.
func (s *Store) AddSecret(ctx context.Context, secret store.Secret, oldExpires time.Time) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error { return s.addSecret(ctx, q, secret, oldExpires) })
	if err != nil {
		return fmt.Errorf("add secret to app %s: %w", secret.App, classify(err))
	}
	return nil
}

func (s *Store) addSecret(ctx context.Context, q querier, secret store.Secret, oldExpires time.Time) error {
	now := millis(time.Now())
	// Taking the app's row keeps two rotations from passing each other.
	n, err := exec(ctx, q, `UPDATE app SET version = version + 1 WHERE app_id = $1`, secret.App)
	if err != nil {
		return err
	}
	if n == 0 {
		return store.ErrNotFound
	}
	var live int
	err = q.QueryRowContext(ctx, `SELECT count(*) FROM app_secret WHERE app_id = $1 AND (expires_ts IS NULL OR expires_ts > $2)`,
		secret.App, now).Scan(&live)
	if err != nil {
		return err
	}
	if live >= maxLiveSecrets {
		return fmt.Errorf("%w: %d secrets are live", store.ErrConflict, live)
	}
	_, err = q.ExecContext(ctx, `UPDATE app_secret SET expires_ts = $1 WHERE app_id = $2 AND (expires_ts IS NULL OR expires_ts > $1)`,
		millis(oldExpires), secret.App)
	if err != nil {
		return err
	}
	return s.insertSecret(ctx, q, secret)
}

func (s *Store) insertSecret(ctx context.Context, q querier, secret store.Secret) error {
	_, err := q.ExecContext(ctx, `INSERT INTO app_secret (app_id, key_id, secret_enc, not_before, expires_ts, created_ts)
		VALUES ($1, $2, $3, $4, $5, $6)`, secret.App, secret.KeyID, s.secrets.seal(secret.App, secret.KeyID, secret.Secret),
		millis(secret.NotBefore), nullMillis(secret.Expires), millis(secret.Created))
	return err
}

// RevokeSecret ends one secret now. store.ErrNotFound: no such live secret.
func (s *Store) RevokeSecret(ctx context.Context, app engines.AppID, keyID string) error {
	n, err := s.execCore(ctx, `UPDATE app_secret SET expires_ts = $1 WHERE app_id = $2 AND key_id = $3
		AND (expires_ts IS NULL OR expires_ts > $1)`, millis(time.Now()), app, keyID)
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("revoke secret %s of app %s: %w", keyID, app, classify(err))
	}
	return nil
}
