package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const banFields = `app_id, ban_id, player_id, type, reason, made_by, created_ts, expires_ts, ends_ts, request_id,
	lifted_ts, lifted_by, lift_reason, lift_key, lift_request, ended_ts`

func scanBan(row scanner) (b economy.Ban, err error) {
	err = row.Scan(&b.App, &b.ID, &b.Player, &b.Type, &b.Reason, &b.By, &b.Created, &b.Expires, &b.Ends, &b.Request,
		&b.Lifted, &b.LiftedBy, &b.LiftReason, &b.LiftKey, &b.LiftRequest, &b.Ended)
	return b, err
}

// PutBan commits a ban with its audit entry and what webhooks are to tell of it, and
// returns it as stored: an earlier one of the same app and id stays as it is, and
// nothing else is added.
func (s *Store) PutBan(ctx context.Context, b economy.Ban) (stored economy.Ban, err error) {
	entry, err := s.banAudit("ban", b.By, &b)
	if err != nil {
		return economy.Ban{}, fmt.Errorf("store ban: %w", err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		n, err := exec(ctx, q, `INSERT INTO ban (`+banFields+`, changed_ts)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, '', '', '', '', 0, $11) ON CONFLICT (app_id, ban_id) DO NOTHING`,
			string(b.App), b.ID, string(b.Player), string(b.Type), b.Reason, b.By, b.Created, b.Expires, b.Ends, string(b.Request), millis(time.Now()))
		if err == nil && n == 1 {
			err = appendAudit(ctx, q, entry)
		}
		if err == nil && n == 1 {
			err = tell(ctx, q, store.Event{App: b.App, Type: store.EventBanCreated, Ban: &b})
		}
		if err == nil {
			err = penaltyBanned(ctx, q, &b)
		}
		if err != nil {
			return err
		}
		stored, err = scanBan(q.QueryRowContext(ctx, `SELECT `+banFields+` FROM ban WHERE app_id = $1 AND ban_id = $2`, string(b.App), b.ID))
		return err
	})
	if err != nil {
		return economy.Ban{}, fmt.Errorf("store ban: %w", classify(err))
	}
	return stored, nil
}

// banAudit makes the audit entry of a change of a ban.
func (s *Store) banAudit(action, by string, b *economy.Ban) (store.Audit, error) {
	detail, err := json.Marshal(map[string]any{
		"app_id": b.App, "player_id": b.Player, "ban_id": b.ID, "ban_type": b.Type, "reason": b.Reason, "expires": b.Expires, "lift_reason": b.LiftReason,
	})
	return store.Audit{
		Chain: s.node, TS: time.Now(), Actor: by, Action: action, Object: "player/" + string(b.App) + "/" + string(b.Player), Detail: string(detail),
	}, err
}

// LiftBans lifts the bans of a player that match l and hold, each with an audit
// entry, and returns them. What the same key lifted before comes back as it is.
func (s *Store) LiftBans(ctx context.Context, l economy.Lift) (lifted []economy.Ban, err error) {
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var err error
		lifted, err = s.liftBans(ctx, q, l)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lift bans: %w", classify(err))
	}
	return lifted, nil
}

func (s *Store) liftBans(ctx context.Context, q querier, l economy.Lift) ([]economy.Ban, error) {
	const again = `SELECT ` + banFields + ` FROM ban WHERE app_id = $1 AND player_id = $2 AND lift_key = $3 ORDER BY created_ts, ban_id`
	if before, err := collect(ctx, q, scanBan, again, string(l.App), string(l.Player), l.Key); err != nil || len(before) > 0 {
		return before, err
	}
	// Of two that lift at once, one finds nothing left.
	const lift = `UPDATE ban SET lifted_ts = $1, lifted_by = $2, lift_reason = $3, lift_key = $4, lift_request = $5, changed_ts = $6
		WHERE app_id = $7 AND player_id = $8 AND ($9 = '' OR ban_id = $9) AND ($10 = '' OR type = $10)
		AND lifted_ts = 0 AND ended_ts = 0 AND (expires_ts = 0 OR expires_ts > $12) AND (ends_ts = 0 OR ends_ts > $11)`
	_, err := exec(ctx, q, lift, l.At, l.By, l.Reason, l.Key, string(l.Request), millis(time.Now()), string(l.App), string(l.Player), l.ID, string(l.Type), l.Now, l.Ending)
	if err != nil {
		return nil, err
	}
	lifted, err := collect(ctx, q, scanBan, again, string(l.App), string(l.Player), l.Key)
	for i := range lifted {
		entry, err := s.banAudit("lift", l.By, &lifted[i])
		if err == nil {
			err = appendAudit(ctx, q, entry)
		}
		if err == nil {
			err = tell(ctx, q, store.Event{App: l.App, Type: store.EventBanLifted, Ban: &lifted[i]})
		}
		if err == nil {
			err = s.penaltyUnbanned(ctx, q, &lifted[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return lifted, err
}

// Bans lists bans of an app, newest first.
func (s *Store) Bans(ctx context.Context, q economy.BanQuery) ([]economy.Ban, error) {
	query := `SELECT ` + banFields + ` FROM ban WHERE app_id = $1 AND ($2 = '' OR player_id = $2)`
	args := []any{string(q.App), string(q.Player)}
	if q.Player != "" { // so that its index is used
		query = `SELECT ` + banFields + ` FROM ban WHERE app_id = $1 AND player_id = $2`
	}
	if q.Holding {
		query += fmt.Sprintf(` AND lifted_ts = 0 AND ended_ts = 0 AND (expires_ts = 0 OR expires_ts > $%d) AND (ends_ts = 0 OR ends_ts > $%d)`, len(args)+1, len(args)+2)
		args = append(args, q.At, q.Now)
	}
	if q.Before != (economy.Mark{}) {
		query += fmt.Sprintf(` AND (created_ts < $%d OR created_ts = $%d AND ban_id < $%d)`, len(args)+1, len(args)+1, len(args)+2)
		args = append(args, q.Before.At, q.Before.ID)
	}
	query += ` ORDER BY created_ts DESC, ban_id DESC`
	if q.Limit > 0 {
		query += fmt.Sprintf(` LIMIT $%d`, len(args)+1)
		args = append(args, q.Limit)
	}
	list, err := collect(ctx, s.core.read(), scanBan, query, args...)
	if err != nil {
		return nil, fmt.Errorf("bans: %w", classify(err))
	}
	return list, nil
}

// BansChanged lists the bans of all apps that were made or lifted at or after
// since by our clock, epoch ms; at 0 those not lifted that end after now.
func (s *Store) BansChanged(ctx context.Context, since, now int64) ([]economy.Ban, error) {
	query, args := `SELECT `+banFields+` FROM ban WHERE changed_ts >= $1 ORDER BY changed_ts`, []any{since}
	if since == 0 {
		query, args = `SELECT `+banFields+` FROM ban WHERE lifted_ts = 0 AND ended_ts = 0 AND (ends_ts = 0 OR ends_ts > $1)`, []any{now}
	}
	list, err := collect(ctx, s.core.read(), scanBan, query, args...)
	if err != nil {
		return nil, fmt.Errorf("changed bans: %w", classify(err))
	}
	return list, nil
}
