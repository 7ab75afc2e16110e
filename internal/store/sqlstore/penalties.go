package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const penaltyFields = `app_id, penalty_id, player_id, kind, category, reason, made_by, strike_id, step, window_ms, created_ts, expires_ts, owed, told_ts,
	ended_ts, lifted_ts, lifted_by, lift_reason, counted`

func scanPenalty(row scanner) (p store.Penalty, err error) {
	err = row.Scan(&p.App, &p.ID, &p.Player, &p.Kind, &p.Category, &p.Reason, &p.By, &p.Strike, &p.Step, &p.Window, &p.Created, &p.Expires, &p.Owed, &p.Told,
		&p.Ended, &p.Lifted, &p.LiftedBy, &p.LiftReason, &p.Counted)
	return p, err
}

// PutPenalty commits a penalty with its audit entry and what webhooks are to tell,
// and returns it as stored and whether it is new: an earlier one of the same app and
// id stays as it is.
func (s *Store) PutPenalty(ctx context.Context, p store.Penalty) (stored store.Penalty, fresh bool, err error) {
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if err := lockPlayer(ctx, q, p.App, p.Player); err != nil {
			return err
		}
		var err error
		if fresh, err = s.insertPenalty(ctx, q, &p); err != nil {
			return err
		}
		stored, err = scanPenalty(q.QueryRowContext(ctx, `SELECT `+penaltyFields+` FROM penalty WHERE app_id = $1 AND penalty_id = $2`, string(p.App), p.ID))
		return err
	})
	if err != nil {
		return store.Penalty{}, false, fmt.Errorf("store penalty: %w", classify(err))
	}
	return stored, fresh, nil
}

func (s *Store) insertPenalty(ctx context.Context, q querier, p *store.Penalty) (fresh bool, err error) {
	n, err := exec(ctx, q, `INSERT INTO penalty (`+penaltyFields+`, changed_ts)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, '', '', $16, $17) ON CONFLICT (app_id, penalty_id) DO NOTHING`,
		string(p.App), p.ID, string(p.Player), string(p.Kind), string(p.Category), p.Reason, p.By, p.Strike, p.Step, p.Window, p.Created, p.Expires,
		p.Owed, p.Told, p.Ended, p.Counted, millis(time.Now()))
	if err != nil || n == 0 {
		return false, err
	}
	if p.Kind == store.PenaltyWarn { // its player is to be told
		if err := touchCard(ctx, q, p.App, p.Player); err != nil {
			return false, err
		}
	}
	return true, s.penaltyChanged(ctx, q, "penalty", p.By, store.EventPenaltyCreated, p)
}

// penaltyChanged adds the audit entry of a change and what webhooks are to tell.
func (s *Store) penaltyChanged(ctx context.Context, q querier, action, by, event string, p *store.Penalty) error {
	detail, err := json.Marshal(map[string]any{
		"app_id": p.App, "player_id": p.Player, "penalty_id": p.ID, "kind": p.Kind, "category": p.Category, "reason": p.Reason,
		"strike_id": p.Strike, "step": p.Step, "expires": p.Expires, "lift_reason": p.LiftReason,
	})
	if err != nil {
		return err
	}
	err = appendAudit(ctx, q, store.Audit{
		Chain: s.node, TS: time.Now(), Actor: by, Action: action, Object: "player/" + string(p.App) + "/" + string(p.Player), Detail: string(detail),
	})
	if err != nil {
		return err
	}
	fact, err := store.EventFact(p)
	if err != nil {
		return err
	}
	return tell(ctx, q, store.Event{App: p.App, Type: event, Fact: fact})
}

// LiftPenalty lifts a penalty of a player that holds, with its audit entry and what
// webhooks are to tell; store.ErrNotFound where none of this id does. A warning is
// taken back.
func (s *Store) LiftPenalty(ctx context.Context, app engines.AppID, player engines.PlayerID, id, by, reason string, at int64) (p store.Penalty, err error) {
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		var n int
		err := q.QueryRowContext(ctx, `SELECT count(*) FROM penalty WHERE app_id = $1 AND penalty_id = $2 AND player_id = $3`, string(app), id, string(player)).Scan(&n)
		if err == nil && n == 0 {
			err = store.ErrNotFound
		}
		if err == nil {
			p, err = s.liftPenalty(ctx, q, app, id, by, reason, at)
		}
		return err
	})
	if err != nil {
		return store.Penalty{}, fmt.Errorf("lift penalty: %w", classify(err))
	}
	return p, nil
}

func (s *Store) liftPenalty(ctx context.Context, q querier, app engines.AppID, id, by, reason string, at int64) (store.Penalty, error) {
	// A ban that was not made yet is not lifted either: PutBan sees that it is too late.
	p, err := scanPenalty(q.QueryRowContext(ctx, `UPDATE penalty SET lifted_ts = $1, lifted_by = $2, lift_reason = $3, changed_ts = $4, told_ts = CASE WHEN told_ts = 0 THEN $1 ELSE told_ts END,
		owed = CASE WHEN kind IN ('trade_lock', 'suspend', 'ban') AND owed = '' THEN 'lift' ELSE '' END
		WHERE app_id = $5 AND penalty_id = $6 AND lifted_ts = 0 AND (kind = 'warn' OR ended_ts = 0 AND (expires_ts = 0 OR expires_ts > $1))
		RETURNING `+penaltyFields, at, by, reason, millis(time.Now()), string(app), id))
	if err != nil {
		return p, err
	}
	return p, s.penaltyChanged(ctx, q, "penalty.lift", by, store.EventPenaltyLifted, &p)
}

// EndPenalties notes which penalties have ended by themselves, those behind a ban
// aside, each once whoever asks, and returns them to the one who noted it.
func (s *Store) EndPenalties(ctx context.Context, now int64) (ended []store.Penalty, err error) {
	const due = ` lifted_ts = 0 AND ended_ts = 0 AND expires_ts > 0 AND expires_ts <= $1 AND kind IN ('mute_text', 'mute_voice')`
	type key struct{ app, id string }
	keys, err := collect(ctx, s.core.read(), func(row scanner) (k key, err error) {
		err = row.Scan(&k.app, &k.id)
		return k, err
	}, `SELECT app_id, penalty_id FROM penalty WHERE`+due+` ORDER BY expires_ts, app_id, penalty_id LIMIT $2`, now, expireAtOnce)
	if err != nil {
		return nil, fmt.Errorf("penalties that ended: %w", classify(err))
	}
	if len(keys) == 0 {
		return nil, nil // no write: this is asked every second
	}
	err = s.core.write(ctx, len(keys), func(ctx context.Context, q querier) error {
		ended = nil
		for _, k := range keys {
			list, err := collect(ctx, q, scanPenalty, `UPDATE penalty SET ended_ts = $1, changed_ts = $2 WHERE app_id = $3 AND penalty_id = $4
				AND lifted_ts = 0 AND ended_ts = 0 RETURNING `+penaltyFields, now, millis(time.Now()), k.app, k.id)
			if err != nil {
				return err
			}
			for i := range list {
				if err := s.penaltyChanged(ctx, q, "penalty.expire", "system", store.EventPenaltyExpired, &list[i]); err != nil {
					return err
				}
			}
			ended = append(ended, list...)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("end penalties: %w", classify(err))
	}
	return ended, nil
}

// PenaltiesChanged lists the penalties of all apps that changed at or after since by
// our clock, epoch ms; at 0 the mutes that hold at now.
func (s *Store) PenaltiesChanged(ctx context.Context, since, now int64) ([]store.Penalty, error) {
	query, args := `SELECT `+penaltyFields+` FROM penalty WHERE changed_ts >= $1 ORDER BY changed_ts`, []any{since}
	if since == 0 {
		query = `SELECT ` + penaltyFields + ` FROM penalty WHERE kind IN ('mute_text', 'mute_voice') AND lifted_ts = 0 AND ended_ts = 0 AND (expires_ts = 0 OR expires_ts > $1)`
		args = []any{now}
	}
	list, err := collect(ctx, s.core.read(), scanPenalty, query, args...)
	if err != nil {
		return nil, fmt.Errorf("changed penalties: %w", classify(err))
	}
	return list, nil
}

// OwedPenalties lists penalties about which the economy has still something to do,
// those of before a time, oldest first.
func (s *Store) OwedPenalties(ctx context.Context, before int64) ([]store.Penalty, error) {
	list, err := collect(ctx, s.core.read(), scanPenalty, `SELECT `+penaltyFields+` FROM penalty WHERE owed <> '' AND created_ts <= $1
		ORDER BY created_ts LIMIT $2`, before, expireAtOnce)
	if err != nil {
		return nil, fmt.Errorf("owed penalties: %w", classify(err))
	}
	return list, nil
}

// UntoldWarnings lists the warnings that a player has not seen, oldest first.
func (s *Store) UntoldWarnings(ctx context.Context, app engines.AppID, player engines.PlayerID) ([]store.Penalty, error) {
	list, err := collect(ctx, s.core.read(), scanPenalty, `SELECT `+penaltyFields+` FROM penalty WHERE app_id = $1 AND player_id = $2 AND told_ts = 0
		ORDER BY created_ts, penalty_id`, string(app), string(player))
	if err != nil {
		return nil, fmt.Errorf("untold warnings: %w", classify(err))
	}
	return list, nil
}

// TellWarning notes that a warning reaches its player; false where somebody else
// tells it, or it was taken back.
func (s *Store) TellWarning(ctx context.Context, app engines.AppID, id string, at int64) (bool, error) {
	n, err := s.execCore(ctx, `UPDATE penalty SET told_ts = $1 WHERE app_id = $2 AND penalty_id = $3 AND told_ts = 0 AND lifted_ts = 0`, at, string(app), id)
	if err != nil {
		return false, fmt.Errorf("tell warning: %w", classify(err))
	}
	return n == 1, nil
}
