package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// PutOverride commits an override in the place of an earlier one of the same player,
// with its audit entry.
func (s *Store) PutOverride(ctx context.Context, o economy.Override) error {
	detail, err := json.Marshal(map[string]any{"score": o.Score, "until": o.Until, "reason": o.Reason})
	if err != nil {
		return fmt.Errorf("store override: %w", err)
	}
	entry := store.Audit{
		Chain: s.node, TS: time.Now(), Actor: o.By, Action: "override", Object: "player/" + string(o.App) + "/" + string(o.Player), Detail: string(detail),
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO economy_override (app_id, player_id, score, until_ts, made_by, reason, changed_ts)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (app_id, player_id)
			DO UPDATE SET score = excluded.score, until_ts = excluded.until_ts, made_by = excluded.made_by, reason = excluded.reason, changed_ts = excluded.changed_ts`,
			string(o.App), string(o.Player), o.Score, o.Until, o.By, o.Reason, o.Changed)
		if err != nil {
			return err
		}
		return appendAudit(ctx, q, entry)
	})
	if err != nil {
		return fmt.Errorf("store override: %w", classify(err))
	}
	return nil
}

// OverridesChanged lists the overrides of all apps that were stored at or after since by
// our clock, epoch ms; at 0 those that end after now.
func (s *Store) OverridesChanged(ctx context.Context, since, now int64) ([]economy.Override, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (o economy.Override, err error) {
		err = row.Scan(&o.App, &o.Player, &o.Score, &o.Until, &o.By, &o.Reason, &o.Changed)
		return o, err
	}, `SELECT app_id, player_id, score, until_ts, made_by, reason, changed_ts FROM economy_override
		WHERE changed_ts >= $1 AND ($1 > 0 OR until_ts > $2)`, since, now)
	if err != nil {
		return nil, fmt.Errorf("changed overrides: %w", classify(err))
	}
	return list, nil
}
