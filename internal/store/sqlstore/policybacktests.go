package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const policyBacktestFields = `app_id, backtest_id, rollout_id, state, drafts, from_ts, to_ts, seen, reached_ts, made_by, why, result, created_ts, changed_ts`

func scanPolicyBacktest(row scanner) (b store.PolicyBacktest, err error) {
	var drafts, result []byte
	err = row.Scan(&b.App, &b.ID, &b.Rollout, &b.State, &drafts, &b.From, &b.To, &b.Seen, &b.Reached, &b.By, &b.Why, &result, &b.Created, &b.Changed)
	if err == nil {
		err = decodeDiff(&b.Result, result)
	}
	b.Drafts = string(drafts)
	return b, err
}

// StartPolicyBacktest stores a new back-test. store.ErrRunning: another one of the app
// goes on; one that was not heard of since lost, epoch ms, does not count.
func (s *Store) StartPolicyBacktest(ctx context.Context, b store.PolicyBacktest, lost int64) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		_, err := q.ExecContext(ctx, `UPDATE policy_backtest SET goes_on = 0, state = $1 WHERE app_id = $2 AND goes_on = 1 AND changed_ts < $3`,
			store.PolicyBacktestLost, string(b.App), lost)
		if err != nil {
			return err
		}
		var n int
		if err := q.QueryRowContext(ctx, `SELECT count(*) FROM policy_backtest WHERE app_id = $1 AND goes_on = 1`, string(b.App)).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return store.ErrRunning
		}
		now := millis(time.Now())
		_, err = q.ExecContext(ctx, `INSERT INTO policy_backtest (app_id, backtest_id, rollout_id, state, goes_on, drafts, from_ts, to_ts, seen, reached_ts, made_by, why, result,
			created_ts, changed_ts) VALUES ($1, $2, $3, $4, 1, $5, $6, $7, 0, $8, $9, '', $10, $11, $11)`,
			string(b.App), b.ID, b.Rollout, b.State, []byte(b.Drafts), b.From, b.To, b.From, b.By, []byte{}, now)
		return err
	})
	if err = classify(err); errors.Is(err, store.ErrExists) {
		err = fmt.Errorf("%w: %w", store.ErrRunning, err)
	}
	if err != nil {
		return fmt.Errorf("store back-test %s: %w", b.ID, err)
	}
	return nil
}

// PutPolicyBacktest stores a back-test that goes on, or its end. One that was given up
// for lost stays so.
func (s *Store) PutPolicyBacktest(ctx context.Context, b store.PolicyBacktest) error {
	result, err := encodeDiff(&b.Result)
	if err == nil {
		_, err = s.execCore(ctx, `UPDATE policy_backtest SET state = $1, goes_on = $2, seen = $3, reached_ts = $4, why = $5, result = $6, changed_ts = $7
			WHERE app_id = $8 AND backtest_id = $9 AND goes_on = 1`,
			b.State, flag(b.GoesOn()), b.Seen, b.Reached, b.Why, result, millis(time.Now()), string(b.App), b.ID)
	}
	if err != nil {
		return fmt.Errorf("store back-test %s: %w", b.ID, classify(err))
	}
	return nil
}

// PolicyBacktest returns one; store.ErrNotFound where the app has none of this id.
func (s *Store) PolicyBacktest(ctx context.Context, app engines.AppID, id string) (store.PolicyBacktest, error) {
	b, err := scanPolicyBacktest(s.core.read().QueryRowContext(ctx, `SELECT `+policyBacktestFields+` FROM policy_backtest
		WHERE app_id = $1 AND backtest_id = $2`, string(app), id))
	if err != nil {
		return store.PolicyBacktest{}, fmt.Errorf("back-test %s: %w", id, classify(err))
	}
	return b, nil
}

// PolicyBacktests lists the newest ones of an app.
func (s *Store) PolicyBacktests(ctx context.Context, app engines.AppID, most int) ([]store.PolicyBacktest, error) {
	list, err := collect(ctx, s.core.read(), scanPolicyBacktest, `SELECT `+policyBacktestFields+` FROM policy_backtest
		WHERE app_id = $1 ORDER BY created_ts DESC, backtest_id DESC LIMIT $2`, string(app), most)
	if err != nil {
		return nil, fmt.Errorf("back-tests: %w", classify(err))
	}
	return list, nil
}
