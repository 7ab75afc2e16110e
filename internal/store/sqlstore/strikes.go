package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const strikeFields = `app_id, strike_id, player_id, category, sub_label, severity, weight, case_id, request_id, made_by, automatic, turn,
	created_ts, undone_ts, undone_by`

func scanStrike(row scanner) (st store.Strike, err error) {
	var automatic int
	err = row.Scan(&st.App, &st.ID, &st.Player, &st.Category, &st.SubLabel, &st.Severity, &st.Weight, &st.Case, &st.Request, &st.By, &automatic, &st.Turn,
		&st.Created, &st.Undone, &st.UndoneBy)
	st.Automatic = automatic != 0
	return st, err
}

// lockPlayer notes that a player was named, and has those who change its strikes or
// penalties take turns until the transaction ends.
func lockPlayer(ctx context.Context, q querier, app engines.AppID, player engines.PlayerID) error {
	_, err := q.ExecContext(ctx, `INSERT INTO player (app_id, player_id, first_ts) VALUES ($1, $2, $3)
		ON CONFLICT (app_id, player_id) DO UPDATE SET first_ts = player.first_ts`, string(app), string(player), millis(time.Now()))
	return err
}

// Strike gives a strike and the penalties that decide makes of the player's strikes
// that stand since w.Since, this one among them, oldest first; all or nothing, with
// audit entries and what webhooks are to tell. A strike that stands already stays as
// it is. decide may be called again.
func (s *Store) Strike(ctx context.Context, w store.StrikeWish, decide func(now store.Strike, standing []store.Strike) []store.Penalty) (out store.Struck, err error) {
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		out = store.Struck{Strike: w.Strike}
		if err := lockPlayer(ctx, q, w.Strike.App, w.Strike.Player); err != nil {
			return err
		}
		var err error
		if out.Fresh, err = giveStrike(ctx, q, &w, &out.Strike); err != nil || !out.Fresh {
			return err
		}
		if err := s.strikeAudit(ctx, q, "strike", out.Strike.By, &out.Strike); err != nil {
			return err
		}
		if err := touchCard(ctx, q, w.Strike.App, w.Strike.Player); err != nil {
			return err
		}
		standing, err := collect(ctx, q, scanStrike, `SELECT `+strikeFields+` FROM strike WHERE app_id = $1 AND player_id = $2 AND undone_ts = 0
			AND created_ts >= $3 ORDER BY created_ts, strike_id`, string(w.Strike.App), string(w.Strike.Player), w.Since)
		if err != nil {
			return err
		}
		for _, p := range decide(out.Strike, standing) {
			if _, err := s.insertPenalty(ctx, q, &p); err != nil {
				return err
			}
			out.Penalties = append(out.Penalties, p)
		}
		return nil
	})
	if err != nil {
		return store.Struck{}, fmt.Errorf("strike: %w", classify(err))
	}
	return out, nil
}

// giveStrike stores the strike unless it stands already or is one too many.
func giveStrike(ctx context.Context, q querier, w *store.StrikeWish, st *store.Strike) (fresh bool, err error) {
	before, err := scanStrike(q.QueryRowContext(ctx, `SELECT `+strikeFields+` FROM strike WHERE app_id = $1 AND strike_id = $2`, string(st.App), st.ID))
	err = classify(err)
	switch {
	case errors.Is(err, store.ErrNotFound):
		st.Turn = 1
	case err != nil:
		return false, err
	case before.Undone == 0 || st.Automatic: // what a person took back a machine does not give again
		*st = before
		return false, nil
	default:
		st.Turn = before.Turn + 1
	}
	if st.Automatic && w.Pause > 0 {
		var n int
		err := q.QueryRowContext(ctx, `SELECT count(*) FROM strike WHERE app_id = $1 AND player_id = $2 AND created_ts > $3 AND automatic = 1`,
			string(st.App), string(st.Player), w.Pause).Scan(&n)
		if err != nil || n > 0 {
			return false, err
		}
	}
	_, err = q.ExecContext(ctx, `INSERT INTO strike (`+strikeFields+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, '')
		ON CONFLICT (app_id, strike_id) DO UPDATE SET category = excluded.category, sub_label = excluded.sub_label, severity = excluded.severity,
		weight = excluded.weight, case_id = excluded.case_id, made_by = excluded.made_by, automatic = excluded.automatic, turn = excluded.turn,
		created_ts = excluded.created_ts, undone_ts = 0, undone_by = ''`,
		string(st.App), st.ID, string(st.Player), string(st.Category), st.SubLabel, st.Severity, st.Weight, string(st.Case), string(st.Request),
		st.By, flag(st.Automatic), st.Turn, st.Created)
	return err == nil, err
}

// UndoStrike takes a strike back and lifts the penalties of the player's ladder that
// rests says do not stand without it; store.ErrNotFound where it does not stand.
// rests gets the player's strikes that stand, oldest first, and may be called again.
func (s *Store) UndoStrike(ctx context.Context, app engines.AppID, id, by string, at int64, rests func(p *store.Penalty, standing []store.Strike) bool) (out store.Struck, err error) {
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		out = store.Struck{}
		var player engines.PlayerID
		err := q.QueryRowContext(ctx, `SELECT player_id FROM strike WHERE app_id = $1 AND strike_id = $2`, string(app), id).Scan(&player)
		if err != nil {
			return err
		}
		if err := lockPlayer(ctx, q, app, player); err != nil {
			return err
		}
		out.Strike, err = scanStrike(q.QueryRowContext(ctx, `UPDATE strike SET undone_ts = $1, undone_by = $2 WHERE app_id = $3 AND strike_id = $4
			AND undone_ts = 0 RETURNING `+strikeFields, at, by, string(app), id))
		if err != nil {
			return err
		}
		if err := s.strikeAudit(ctx, q, "strike.undo", by, &out.Strike); err != nil {
			return err
		}
		if err := touchCard(ctx, q, app, player); err != nil {
			return err
		}
		out.Penalties, err = s.liftUnfounded(ctx, q, &out.Strike, by, at, rests)
		return err
	})
	if err != nil {
		return store.Struck{}, fmt.Errorf("undo strike: %w", classify(err))
	}
	return out, nil
}

func (s *Store) liftUnfounded(ctx context.Context, q querier, st *store.Strike, by string, at int64, rests func(p *store.Penalty, standing []store.Strike) bool) (lifted []store.Penalty, err error) {
	standing, err := collect(ctx, q, scanStrike, `SELECT `+strikeFields+` FROM strike WHERE app_id = $1 AND player_id = $2 AND undone_ts = 0
		ORDER BY created_ts, strike_id`, string(st.App), string(st.Player))
	if err != nil {
		return nil, err
	}
	given, err := collect(ctx, q, scanPenalty, `SELECT `+penaltyFields+` FROM penalty WHERE app_id = $1 AND player_id = $2 AND strike_id <> ''
		AND lifted_ts = 0 AND (ended_ts = 0 OR kind = 'warn') ORDER BY created_ts, penalty_id`, string(st.App), string(st.Player))
	if err != nil {
		return nil, err
	}
	for i := range given {
		if rests(&given[i], standing) {
			continue
		}
		p, err := s.liftPenalty(ctx, q, given[i].App, given[i].ID, by, "ruling undone", at)
		if errors.Is(classify(err), store.ErrNotFound) { // its end came first
			continue
		}
		if err != nil {
			return nil, err
		}
		lifted = append(lifted, p)
	}
	return lifted, nil
}

func (s *Store) strikeAudit(ctx context.Context, q querier, action, by string, st *store.Strike) error {
	detail, err := json.Marshal(map[string]any{
		"app_id": st.App, "player_id": st.Player, "strike_id": st.ID, "category": st.Category, "sub_label": st.SubLabel, "severity": st.Severity,
		"weight": st.Weight, "case_id": st.Case, "request_id": st.Request, "automatic": st.Automatic,
	})
	if err != nil {
		return err
	}
	return appendAudit(ctx, q, store.Audit{
		Chain: s.node, TS: time.Now(), Actor: by, Action: action, Object: "player/" + string(st.App) + "/" + string(st.Player), Detail: string(detail),
	})
}
