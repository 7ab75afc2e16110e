package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// What people do to apps, each with its audit entry in the same transaction.

// RegisterApp is CreateApp in somebody's name.
func (s *Store) RegisterApp(ctx context.Context, app engines.AppID, keyID, secret, by string) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if err := s.createApp(ctx, q, app, keyID, secret); err != nil {
			return err
		}
		return s.auditApp(ctx, q, by, "app.create", app, keyID)
	})
	if err != nil {
		return fmt.Errorf("create app %s: %w", app, classify(err))
	}
	return nil
}

// RotateSecret is AddSecret in somebody's name.
func (s *Store) RotateSecret(ctx context.Context, secret store.Secret, oldExpires time.Time, by string) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if err := s.addSecret(ctx, q, secret, oldExpires); err != nil {
			return err
		}
		return s.auditApp(ctx, q, by, "app.rotate", secret.App, secret.KeyID)
	})
	if err != nil {
		return fmt.Errorf("rotate the secret of app %s: %w", secret.App, classify(err))
	}
	return nil
}

// EndSecrets ends secrets of an app in somebody's name, and all its tokens: one that
// was minted with a secret must not outlive it. store.ErrNotFound: one is not live.
func (s *Store) EndSecrets(ctx context.Context, app engines.AppID, keyIDs []string, by string) error {
	now := millis(time.Now())
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		for _, id := range keyIDs {
			n, err := exec(ctx, q, `UPDATE app_secret SET expires_ts = $1 WHERE app_id = $2 AND key_id = $3
				AND (expires_ts IS NULL OR expires_ts > $1)`, now, string(app), id)
			if err != nil {
				return err
			}
			if n == 0 {
				return fmt.Errorf("%w: secret %s", store.ErrNotFound, id)
			}
		}
		if _, err := q.ExecContext(ctx, `UPDATE api_token SET revoked_ts = $1 WHERE app_id = $2 AND revoked_ts IS NULL`, now, string(app)); err != nil {
			return err
		}
		return s.auditApp(ctx, q, by, "app.revoke", app, keyIDs...)
	})
	if err != nil {
		return fmt.Errorf("revoke secrets of app %s: %w", app, classify(err))
	}
	return nil
}

func (s *Store) auditApp(ctx context.Context, q querier, by, action string, app engines.AppID, keyIDs ...string) error {
	detail, err := json.Marshal(map[string]any{"key_ids": keyIDs})
	if err != nil {
		return err
	}
	return appendAudit(ctx, q, store.Audit{Chain: s.node, TS: time.Now(), Actor: by, Action: action, Object: string(app), Detail: string(detail)})
}
