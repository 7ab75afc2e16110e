package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// AddRuleCounts adds counts to those that are stored, all of them or none.
func (s *Store) AddRuleCounts(ctx context.Context, counts []economy.RuleCount) error {
	err := s.core.write(ctx, len(counts), func(ctx context.Context, q querier) error {
		for i := range counts {
			c := &counts[i]
			_, err := q.ExecContext(ctx, `INSERT INTO economy_rule_count (app_id, rule, version, day, evaluations, hits, errors, snoozed,
					pass_review, pass_block, review_block, raised) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
				ON CONFLICT (app_id, rule, version, day) DO UPDATE SET evaluations = economy_rule_count.evaluations + excluded.evaluations,
					hits = economy_rule_count.hits + excluded.hits, errors = economy_rule_count.errors + excluded.errors,
					snoozed = economy_rule_count.snoozed + excluded.snoozed, pass_review = economy_rule_count.pass_review + excluded.pass_review,
					pass_block = economy_rule_count.pass_block + excluded.pass_block, review_block = economy_rule_count.review_block + excluded.review_block,
					raised = economy_rule_count.raised + excluded.raised`,
				string(c.App), c.Rule, c.Version, c.Day, c.Evaluations, c.Hits, c.Errors, c.Snoozed, c.PassReview, c.PassBlock, c.ReviewBlock, c.Raised)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store rule counts: %w", classify(err))
	}
	return nil
}

// RuleCounts lists the counts of a rule from a day on, newest day first.
func (s *Store) RuleCounts(ctx context.Context, app engines.AppID, rule string, from int64) ([]economy.RuleCount, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (c economy.RuleCount, err error) {
		c.App, c.Rule = app, rule
		err = row.Scan(&c.Version, &c.Day, &c.Evaluations, &c.Hits, &c.Errors, &c.Snoozed, &c.PassReview, &c.PassBlock, &c.ReviewBlock, &c.Raised)
		return c, err
	}, `SELECT version, day, evaluations, hits, errors, snoozed, pass_review, pass_block, review_block, raised FROM economy_rule_count
		WHERE app_id = $1 AND rule = $2 AND day >= $3 ORDER BY day DESC, version DESC`, string(app), rule, from)
	if err != nil {
		return nil, fmt.Errorf("rule counts: %w", classify(err))
	}
	return list, nil
}

const backtestFields = `app_id, backtest_id, rule, subject, version, print, state, from_ts, to_ts, reached_ts, made_by, why, result, created_ts, changed_ts`

func scanBacktest(row scanner) (b economy.Backtest, err error) {
	var result string
	err = row.Scan(&b.App, &b.ID, &b.Rule, &b.On, &b.Version, &b.Print, &b.State, &b.From, &b.To, &b.Reached, &b.By, &b.Why, &result, &b.Created, &b.Changed)
	if err == nil {
		err = decodeResult(&b.BacktestResult, result)
	}
	return b, err
}

// PutBacktest stores a back-test as it is now.
func (s *Store) PutBacktest(ctx context.Context, b economy.Backtest) error {
	result, err := encodeResult(&b.BacktestResult)
	if err != nil {
		return fmt.Errorf("store back-test %s: %w", b.ID, err)
	}
	_, err = s.execCore(ctx, `INSERT INTO economy_backtest (`+backtestFields+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
		ON CONFLICT (app_id, backtest_id) DO UPDATE SET state = excluded.state, from_ts = excluded.from_ts, to_ts = excluded.to_ts,
			reached_ts = excluded.reached_ts, why = excluded.why, result = excluded.result, changed_ts = excluded.changed_ts`,
		string(b.App), b.ID, b.Rule, string(b.On), b.Version, b.Print, string(b.State), b.From, b.To, b.Reached, b.By, b.Why, result, b.Created, millis(time.Now()))
	if err != nil {
		return fmt.Errorf("store back-test %s: %w", b.ID, classify(err))
	}
	return nil
}

// Backtest returns a back-test of a rule. economy.ErrNoBacktest where there is none.
func (s *Store) Backtest(ctx context.Context, app engines.AppID, rule, id string) (economy.Backtest, error) {
	b, err := scanBacktest(s.core.read().QueryRowContext(ctx, `SELECT `+backtestFields+` FROM economy_backtest
		WHERE app_id = $1 AND backtest_id = $2 AND rule = $3`, string(app), id, rule))
	switch err = classify(err); {
	case errors.Is(err, store.ErrNotFound):
		return economy.Backtest{}, fmt.Errorf("back-test %s: %w", id, economy.ErrNoBacktest)
	case err != nil:
		return economy.Backtest{}, fmt.Errorf("back-test %s: %w", id, err)
	}
	return b, nil
}

// Backtested reports whether a back-test of a rule that prints so was done.
func (s *Store) Backtested(ctx context.Context, app engines.AppID, rule, deed string) (bool, error) {
	var n int
	err := s.core.read().QueryRowContext(ctx, `SELECT count(*) FROM economy_backtest WHERE app_id = $1 AND rule = $2 AND print = $3 AND state = $4`,
		string(app), rule, deed, string(economy.BacktestDone)).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("back-tests of rule %s: %w", rule, classify(err))
	}
	return n > 0, nil
}

// DayOf hands on the entries of an app of one day of event time, in its order, some
// at once; of one time the trades come first, since their legs follow from them.
// each keeps nothing of what it gets, and ends it with an error.
func (s *Store) DayOf(ctx context.Context, app engines.AppID, day int64, each func([]economy.Entry) error) error {
	err := s.economy.snapshot(ctx, func(ctx context.Context, q querier) error {
		return eachEntry(ctx, q, each, `SELECT `+entryFields+` FROM economy_log WHERE app_id = $1 AND day = $2
			ORDER BY event_ts, log DESC, player_id, log_id`, string(app), day)
	})
	if err != nil {
		return fmt.Errorf("entries of a day: %w", classify(err))
	}
	return nil
}
