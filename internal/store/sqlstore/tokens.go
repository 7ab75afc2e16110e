package sqlstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// PutToken stores a new bearer token.
func (s *Store) PutToken(ctx context.Context, t store.Token) error {
	_, err := s.execCore(ctx, `INSERT INTO api_token (token_sha256, app_id, scopes, expires_ts, revoked_ts) VALUES ($1, $2, $3, $4, $5)`,
		t.Hash[:], t.App, strings.Join(t.Scopes, " "), millis(t.Expires), revokedAt(t))
	if err != nil {
		return fmt.Errorf("store token: %w", classify(err))
	}
	return nil
}

func revokedAt(t store.Token) any {
	if t.Revoked {
		return millis(time.Now())
	}
	return nil
}

// Token returns the token with this SHA-256, expired and revoked ones included
// for as long as the sweeper leaves them.
func (s *Store) Token(ctx context.Context, hash [32]byte) (store.Token, error) {
	var (
		scopes  string
		expires int64
	)
	t := store.Token{Hash: hash}
	err := s.core.read().QueryRowContext(ctx, `SELECT app_id, scopes, expires_ts, revoked_ts IS NOT NULL FROM api_token WHERE token_sha256 = $1`,
		hash[:]).Scan(&t.App, &scopes, &expires, &t.Revoked)
	if err != nil {
		return store.Token{}, fmt.Errorf("token: %w", classify(err))
	}
	t.Scopes, t.Expires = strings.Fields(scopes), fromMillis(expires)
	return t, nil
}

// RevokeTokens ends every open token of app.
func (s *Store) RevokeTokens(ctx context.Context, app engines.AppID) error {
	_, err := s.execCore(ctx, `UPDATE api_token SET revoked_ts = $1 WHERE app_id = $2 AND revoked_ts IS NULL`, millis(time.Now()), app)
	if err != nil {
		return fmt.Errorf("revoke tokens of app %s: %w", app, classify(err))
	}
	return nil
}
