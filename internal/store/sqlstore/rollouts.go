package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const rolloutFields = `app_id, rollout_id, layer, name, version, state, details, made_by, created_ts, changed_ts`

func scanRollout(row scanner) (r store.Rollout, err error) {
	var details []byte
	err = row.Scan(&r.App, &r.ID, &r.Layer, &r.Name, &r.Version, &r.State, &details, &r.By, &r.Created, &r.Changed)
	if err == nil {
		err = decodeRollout(&r, details)
	}
	return r, err
}

// PutRollout stores a rollout that was at a version, 0 for a new one, with its audit
// entry by who, and with the version of its layer that it becomes where publish is
// given. It returns both as stored. One that stops by its bounds (its Why is told,
// by is "") is told of to webhooks. store.ErrConflict: it has changed, or its layer
// has where publish is given; store.ErrRunning: another one of the app holds.
func (s *Store) PutRollout(ctx context.Context, r store.Rollout, was int, by string, publish *store.Policy) (store.Rollout, error) {
	r.Version, r.Changed = was+1, millis(time.Now())
	if was == 0 {
		r.Created = r.Changed
	}
	if n := len(r.Steps); n > 0 && r.Steps[n-1].At == 0 {
		r.Steps[n-1].At = r.Changed
	}
	details, err := encodeRollout(&r)
	if err != nil {
		return store.Rollout{}, fmt.Errorf("store rollout %s: %w", r.ID, err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		if err := s.writeRollout(ctx, q, &r, was, details); err != nil {
			return err
		}
		if publish != nil {
			publish.Changed = r.Changed
			if err := s.insertPolicy(ctx, q, publish); err != nil {
				return err
			}
		}
		if by == "" {
			by = "portcullis"
			if err := tell(ctx, q, store.Event{App: r.App, Type: store.EventPolicyStopped, Rollout: &r}); err != nil {
				return err
			}
		}
		return s.auditPolicy(ctx, q, "rollout", by, &r.PolicyKey, map[string]any{
			"rollout": r.ID, "version": r.Version, "state": r.State, "share": r.Share, "why": r.Why, "approved_by": r.Approved, "backtest": r.Backtest,
		})
	})
	if err != nil {
		return store.Rollout{}, fmt.Errorf("store rollout %s: %w", r.ID, conflict(err))
	}
	return r, nil
}

func (s *Store) writeRollout(ctx context.Context, q querier, r *store.Rollout, was int, details []byte) error {
	if r.State.Holds() {
		var n int
		err := q.QueryRowContext(ctx, `SELECT count(*) FROM policy_rollout WHERE app_id = $1 AND holds = 1 AND rollout_id <> $2`, string(r.App), r.ID).Scan(&n)
		if err != nil {
			return err
		}
		if n > 0 {
			return store.ErrRunning
		}
	}
	if was == 0 {
		_, err := q.ExecContext(ctx, `INSERT INTO policy_rollout (app_id, rollout_id, layer, name, version, state, holds, details, made_by, created_ts, changed_ts)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			string(r.App), r.ID, r.Layer, r.Name, r.Version, string(r.State), flag(r.State.Holds()), details, r.By, r.Created, r.Changed)
		return err
	}
	n, err := exec(ctx, q, `UPDATE policy_rollout SET version = $1, state = $2, holds = $3, details = $4, changed_ts = $5
		WHERE app_id = $6 AND rollout_id = $7 AND version = $8`,
		r.Version, string(r.State), flag(r.State.Holds()), details, r.Changed, string(r.App), r.ID, was)
	if err == nil && n == 0 {
		err = store.ErrConflict
	}
	return err
}

// Rollout returns one; store.ErrNotFound where the app has none of this id.
func (s *Store) Rollout(ctx context.Context, app engines.AppID, id string) (store.Rollout, error) {
	r, err := scanRollout(s.core.read().QueryRowContext(ctx, `SELECT `+rolloutFields+` FROM policy_rollout WHERE app_id = $1 AND rollout_id = $2`, string(app), id))
	if err != nil {
		return store.Rollout{}, fmt.Errorf("rollout %s: %w", id, classify(err))
	}
	return r, nil
}

// Rollouts lists rollouts, newest first.
func (s *Store) Rollouts(ctx context.Context, w store.RolloutQuery) ([]store.Rollout, error) {
	list, err := collect(ctx, s.core.read(), scanRollout, `SELECT `+rolloutFields+` FROM policy_rollout WHERE app_id = $1
		AND ($2 = '' OR layer = $2) AND ($3 = '' OR name = $3) AND ($4 = '' OR state = $4)
		AND (CAST($5 AS BIGINT) = 0 OR created_ts < $5 OR created_ts = $5 AND rollout_id < $6) ORDER BY created_ts DESC, rollout_id DESC LIMIT $7`,
		string(w.App), w.Layer, w.Name, string(w.State), w.Before, w.BeforeID, w.Most)
	if err != nil {
		return nil, fmt.Errorf("rollouts: %w", classify(err))
	}
	return list, nil
}

// RolloutsChanged lists the rollouts of all apps that changed at or after since by our
// clock, epoch ms; at 0 those that hold.
func (s *Store) RolloutsChanged(ctx context.Context, since int64) ([]store.Rollout, error) {
	where, args := `holds = 1`, []any(nil)
	if since > 0 {
		where, args = `changed_ts >= $1`, []any{since}
	}
	list, err := collect(ctx, s.core.read(), scanRollout, `SELECT `+rolloutFields+` FROM policy_rollout WHERE `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("changed rollouts: %w", classify(err))
	}
	return list, nil
}
