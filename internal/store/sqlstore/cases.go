package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// insertCase reports how many cases were new: one or none.
func insertCase(ctx context.Context, q querier, c *store.Case) (int64, error) {
	details, err := encodeAlert(c.Alert)
	if err != nil {
		return 0, err
	}
	return exec(ctx, q, `INSERT INTO review_case (case_id, app_id, request_id, player_id, scene_id, state, held, decision, decided_by,
		reason, version, created_ts, updated_ts, kind, priority, details) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
		ON CONFLICT DO NOTHING`, c.ID, c.App, c.Request, c.Player, c.Scene, c.State, flag(c.Held), c.Decision, c.By,
		[]byte(c.Reason), c.Version, millis(c.Created), millis(c.Updated), c.Kind, c.Priority, details)
}

const caseColumns = `SELECT case_id, app_id, request_id, player_id, scene_id, state, held, decision, decided_by, reason, version,
	created_ts, updated_ts, kind, priority, details FROM review_case `

func scanCase(row scanner) (c store.Case, err error) {
	var (
		held             int
		reason, details  []byte
		created, updated int64
	)
	err = row.Scan(&c.ID, &c.App, &c.Request, &c.Player, &c.Scene, &c.State, &held, &c.Decision, &c.By, &reason, &c.Version, &created, &updated,
		&c.Kind, &c.Priority, &details)
	c.Held, c.Reason, c.Created, c.Updated = held != 0, string(reason), fromMillis(created), fromMillis(updated)
	c.Alert = decodeAlert(details)
	return c, err
}

// Cases lists up to limit cases in this state, those of a higher priority first,
// then the oldest; app "" means all.
func (s *Store) Cases(ctx context.Context, app engines.AppID, state string, limit int) ([]store.Case, error) {
	cases, err := collect(ctx, s.core.read(), scanCase, caseColumns+`WHERE state = $1 AND ($2 = '' OR app_id = $2)
		ORDER BY priority DESC, created_ts, case_id LIMIT $3`, state, string(app), limit)
	if err != nil {
		return nil, fmt.Errorf("list cases: %w", classify(err))
	}
	return cases, nil
}

// Case returns one case.
func (s *Store) Case(ctx context.Context, id engines.CaseID) (store.Case, error) {
	c, err := scanCase(s.core.read().QueryRowContext(ctx, caseColumns+`WHERE case_id = $1`, id))
	if err != nil {
		return store.Case{}, fmt.Errorf("case %s: %w", id, classify(err))
	}
	return c, nil
}

// DecideCase closes an open case that still has the version the moderator saw,
// and returns it as stored. store.ErrConflict: somebody was faster.
func (s *Store) DecideCase(ctx context.Context, id engines.CaseID, version int, decision, by, reason string, now time.Time) (store.Case, error) {
	var c store.Case
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		n, err := exec(ctx, q, `UPDATE review_case SET state = $1, decision = $2, decided_by = $3, reason = $4, updated_ts = $5, version = version + 1
			WHERE case_id = $6 AND version = $7 AND state = $8`,
			store.CaseClosed, decision, by, []byte(reason), millis(now), id, version, store.CaseOpen)
		if err != nil {
			return err
		}
		c, err = scanCase(q.QueryRowContext(ctx, caseColumns+`WHERE case_id = $1`, id))
		if err == nil && n == 0 {
			err = store.ErrConflict
		}
		return err
	})
	if err != nil {
		return store.Case{}, fmt.Errorf("decide case %s: %w", id, classify(err))
	}
	return c, nil
}
