package sqlstore

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// AddPolicyCounts adds counts to those that are stored, and keeps samples as far as
// there is room, all of it or nothing.
func (s *Store) AddPolicyCounts(ctx context.Context, counts []store.PolicyCount, samples []store.PolicySample) error {
	err := s.core.write(ctx, len(counts)+len(samples), func(ctx context.Context, q querier) error {
		for i := range counts {
			c := &counts[i]
			_, err := q.ExecContext(ctx, `INSERT INTO policy_count (app_id, rollout_id, step, arm, category, live, draft, n) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
				ON CONFLICT (app_id, rollout_id, step, arm, category, live, draft) DO UPDATE SET n = policy_count.n + excluded.n`,
				string(c.App), c.Rollout, c.Step, c.Arm, string(c.Category), c.Live, c.Draft, c.N)
			if err != nil {
				return err
			}
		}
		for i := range samples {
			if err := insertSample(ctx, q, &samples[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store policy counts: %w", classify(err))
	}
	return nil
}

func insertSample(ctx context.Context, q querier, one *store.PolicySample) error {
	var n int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM policy_sample WHERE app_id = $1 AND rollout_id = $2 AND step = $3`,
		string(one.App), one.Rollout, one.Step).Scan(&n)
	if err != nil || n >= store.SamplesOfStep {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO policy_sample (app_id, rollout_id, step, request_id, live, draft, arm, category, at_ts)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
		string(one.App), one.Rollout, one.Step, string(one.Request), string(one.Live), string(one.Draft), one.Arm, string(one.Category), one.At)
	return err
}

// PolicyCounts lists the counts of a rollout.
func (s *Store) PolicyCounts(ctx context.Context, app engines.AppID, rollout string) ([]store.PolicyCount, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (c store.PolicyCount, err error) {
		c.App, c.Rollout = app, rollout
		err = row.Scan(&c.Step, &c.Arm, &c.Category, &c.Live, &c.Draft, &c.N)
		return c, err
	}, `SELECT step, arm, category, live, draft, n FROM policy_count WHERE app_id = $1 AND rollout_id = $2 ORDER BY step, arm, category, live, draft`,
		string(app), rollout)
	if err != nil {
		return nil, fmt.Errorf("policy counts: %w", classify(err))
	}
	return list, nil
}

// PolicySamples lists the samples of a rollout, newest first.
func (s *Store) PolicySamples(ctx context.Context, app engines.AppID, rollout string) ([]store.PolicySample, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (p store.PolicySample, err error) {
		p.App, p.Rollout = app, rollout
		err = row.Scan(&p.Step, &p.Request, &p.Live, &p.Draft, &p.Arm, &p.Category, &p.At)
		return p, err
	}, `SELECT step, request_id, live, draft, arm, category, at_ts FROM policy_sample WHERE app_id = $1 AND rollout_id = $2 ORDER BY at_ts DESC, request_id`,
		string(app), rollout)
	if err != nil {
		return nil, fmt.Errorf("policy samples: %w", classify(err))
	}
	return list, nil
}
