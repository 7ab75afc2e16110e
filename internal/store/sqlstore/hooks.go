package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const hookFields = `app_id, webhook_id, url, events, enabled, off_reason, failing_ts, created_ts, updated_ts`

func scanHook(row scanner) (h store.Hook, err error) {
	var events string
	var enabled int
	var failing, created, updated int64
	err = row.Scan(&h.App, &h.ID, &h.URL, &events, &enabled, &h.OffReason, &failing, &created, &updated)
	h.Events, h.Enabled = strings.Fields(events), enabled != 0
	h.Failing, h.Created, h.Updated = someMillis(failing), fromMillis(created), fromMillis(updated)
	return h, err
}

// Hooks lists the endpoints of an app, oldest first, with their secrets.
func (s *Store) Hooks(ctx context.Context, app engines.AppID) ([]store.Hook, error) {
	list, err := collect(ctx, s.core.read(), scanHook, `SELECT `+hookFields+` FROM webhook WHERE app_id = $1 ORDER BY created_ts, webhook_id`, string(app))
	if err == nil {
		err = s.addSecrets(ctx, list)
	}
	if err != nil {
		return nil, fmt.Errorf("webhooks of app %s: %w", app, classify(err))
	}
	return list, nil
}

// DueHooks lists the endpoints that have something to send, with their secrets.
func (s *Store) DueHooks(ctx context.Context, now time.Time) ([]store.Hook, error) {
	list, err := collect(ctx, s.core.read(), scanHook, `SELECT `+hookFields+` FROM webhook w WHERE enabled = 1 AND EXISTS (
		SELECT 1 FROM webhook_delivery d WHERE d.webhook_id = w.webhook_id AND d.state = 'pending' AND d.next_ts <= $1)`, millis(now))
	if err == nil {
		err = s.addSecrets(ctx, list)
	}
	if err != nil {
		return nil, fmt.Errorf("due webhooks: %w", classify(err))
	}
	return list, nil
}

// addSecrets gives each endpoint its secrets that have not run out.
func (s *Store) addSecrets(ctx context.Context, list []store.Hook) error {
	now := millis(time.Now())
	for i := range list {
		h := &list[i]
		var err error
		h.Secrets, err = collect(ctx, s.core.read(), func(row scanner) (k store.HookSecret, err error) {
			var sealed []byte
			var expires int64
			if err = row.Scan(&k.KeyID, &sealed, &expires); err == nil {
				k.Expires = someMillis(expires)
				k.Secret, err = s.secrets.open(h.App, k.KeyID, sealed)
			}
			return k, err
		}, `SELECT key_id, secret_enc, expires_ts FROM webhook_secret WHERE webhook_id = $1 AND (expires_ts = 0 OR expires_ts > $2)
			ORDER BY CASE WHEN expires_ts = 0 THEN 0 ELSE 1 END, created_ts DESC, key_id`, h.ID, now)
		if err != nil {
			return err
		}
	}
	return nil
}

// CountDeliveries says of each endpoint of an app how many deliveries wait and how
// many were given up.
func (s *Store) CountDeliveries(ctx context.Context, app engines.AppID) (pending, dead map[string]int, err error) {
	pending, dead = map[string]int{}, map[string]int{}
	type count struct {
		hook, state string
		n           int
	}
	list, err := collect(ctx, s.core.read(), func(row scanner) (c count, err error) {
		err = row.Scan(&c.hook, &c.state, &c.n)
		return c, err
	}, `SELECT d.webhook_id, d.state, count(*) FROM webhook w JOIN webhook_delivery d ON d.webhook_id = w.webhook_id
		WHERE w.app_id = $1 AND d.state IN ('pending', 'dead') GROUP BY d.webhook_id, d.state`, string(app))
	if err != nil {
		return nil, nil, fmt.Errorf("count deliveries: %w", classify(err))
	}
	for _, c := range list {
		if c.state == store.DeliveryPending {
			pending[c.hook] = c.n
		} else {
			dead[c.hook] = c.n
		}
	}
	return pending, dead, nil
}

// PutHooks makes the endpoints of an app those of the change, with an audit entry.
// One that is switched on again begins anew; one that goes takes its deliveries
// along. An endpoint's Secrets[0], where there is one, is a new secret.
func (s *Store) PutHooks(ctx context.Context, c store.HookChange) error {
	names := make([]string, len(c.Put))
	for i := range c.Put {
		names[i] = c.Put[i].ID
	}
	detail, err := json.Marshal(map[string]any{"app_id": c.App, "webhooks": names})
	if err != nil {
		return fmt.Errorf("store webhooks: %w", err)
	}
	entry := store.Audit{Chain: s.node, TS: time.Now(), Actor: c.By, Action: "webhooks", Object: "app/" + string(c.App), Detail: string(detail)}
	err = s.core.write(ctx, 1+len(c.Put), func(ctx context.Context, q querier) error {
		// Taking the app's row keeps two changes from passing each other.
		if _, err := q.ExecContext(ctx, `UPDATE app SET version = version + 1 WHERE app_id = $1`, string(c.App)); err != nil {
			return err
		}
		if err := dropOthers(ctx, q, c.App, names); err != nil {
			return err
		}
		for i := range c.Put {
			if err := s.putHook(ctx, q, &c, &c.Put[i]); err != nil {
				return err
			}
		}
		return appendAudit(ctx, q, entry)
	})
	if err != nil {
		return fmt.Errorf("store webhooks: %w", classify(err))
	}
	return nil
}

// dropOthers removes the endpoints of an app that are not named.
func dropOthers(ctx context.Context, q querier, app engines.AppID, names []string) error {
	list, err := collect(ctx, q, scanHook, `SELECT `+hookFields+` FROM webhook WHERE app_id = $1`, string(app))
	if err != nil {
		return err
	}
	for i := range list {
		if slices.Contains(names, list[i].ID) {
			continue
		}
		if err := dropHook(ctx, q, list[i].ID); err != nil {
			return err
		}
	}
	return nil
}

func dropHook(ctx context.Context, q querier, id string) error {
	for _, query := range []string{
		`DELETE FROM webhook_delivery WHERE webhook_id = $1`, `DELETE FROM webhook_secret WHERE webhook_id = $1`, `DELETE FROM webhook WHERE webhook_id = $1`,
	} {
		if _, err := q.ExecContext(ctx, query, id); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) putHook(ctx context.Context, q querier, c *store.HookChange, h *store.Hook) error {
	at := millis(c.At)
	_, err := q.ExecContext(ctx, `INSERT INTO webhook (`+hookFields+`) VALUES ($1, $2, $3, $4, $5, '', 0, $6, $6)
		ON CONFLICT (webhook_id) DO UPDATE SET url = excluded.url, events = excluded.events, updated_ts = excluded.updated_ts,
		failing_ts = CASE WHEN webhook.enabled = 0 AND excluded.enabled = 1 THEN 0 ELSE webhook.failing_ts END,
		off_reason = CASE WHEN excluded.enabled = 1 THEN '' ELSE webhook.off_reason END, enabled = excluded.enabled`,
		string(c.App), h.ID, h.URL, strings.Join(h.Events, " "), flag(h.Enabled), at)
	if err != nil || len(h.Secrets) == 0 {
		return err
	}
	_, err = q.ExecContext(ctx, `UPDATE webhook_secret SET expires_ts = $1 WHERE webhook_id = $2 AND expires_ts = 0`, millis(c.Until), h.ID)
	if err != nil {
		return err
	}
	k := h.Secrets[0]
	_, err = q.ExecContext(ctx, `INSERT INTO webhook_secret (webhook_id, key_id, app_id, secret_enc, expires_ts, created_ts) VALUES ($1, $2, $3, $4, 0, $5)`,
		h.ID, k.KeyID, string(c.App), s.secrets.seal(c.App, k.KeyID, k.Secret), at)
	return err
}
