package sqlstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// Again counts what became of decisions of an app that somebody looked at once more in
// [from, to), epoch ms: appeals, blind second looks, what was taken back, and reports.
func (s *Store) Again(ctx context.Context, app engines.AppID, from, to int64) (a store.Again, err error) {
	q := s.core.read()
	into := []any{&a.Closed, &a.Granted}
	for i := range a.Waits {
		into = append(into, &a.Waits[i])
	}
	for _, one := range []struct {
		query string
		into  []any
	}{
		{`SELECT count(*) FROM appeal WHERE app_id = $1 AND created_ts >= $2 AND created_ts < $3`, []any{&a.Opened}},
		{`SELECT count(*), COALESCE(sum(CASE WHEN state = '` + store.AppealUpheld + `' THEN 1 ELSE 0 END), 0)` + appealWaits + `
			FROM appeal WHERE app_id = $1 AND decided_ts >= $2 AND decided_ts < $3 AND decided_ts > 0`, into},
		// One who rejects for another category sees it differently, as casework.Agree has it.
		{`SELECT count(*), COALESCE(sum(CASE WHEN first_decision = second_decision AND (first_decision <> '` + store.CaseRejected + `' OR first_category = second_category)
			THEN 1 ELSE 0 END), 0) FROM case_pair WHERE app_id = $1 AND at_ts >= $2 AND at_ts < $3`, []any{&a.Pairs, &a.Agreed}},
		{`SELECT count(*) FROM review_case WHERE app_id = $1 AND updated_ts >= $2 AND updated_ts < $3 AND undone = 1`, []any{&a.Undone}},
		{`SELECT count(*), COALESCE(sum(CASE WHEN state = '` + store.ReportUpheld + `' THEN 1 ELSE 0 END), 0)
			FROM player_report WHERE app_id = $1 AND created_ts >= $2 AND created_ts < $3`, []any{&a.Reports, &a.Upheld}},
	} {
		if err := q.QueryRowContext(ctx, one.query, string(app), from, to).Scan(one.into...); err != nil {
			return store.Again{}, fmt.Errorf("decisions looked at again: %w", classify(err))
		}
	}
	return a, nil
}

// appealWaits counts appeals by how long they had waited.
var appealWaits = waitsBetween("created_ts", "decided_ts")

// waitsBetween counts rows by how long one time is before another.
func waitsBetween(began, ended string) string {
	var b strings.Builder
	wait, low := "("+ended+" - "+began+")", "-1"
	for _, bound := range store.WaitBounds {
		high := strconv.FormatInt(bound.Milliseconds(), 10)
		b.WriteString(", CAST(COALESCE(sum(CASE WHEN " + wait + " > " + low + " AND " + wait + " <= " + high + " THEN 1 ELSE 0 END), 0) AS BIGINT)")
		low = high
	}
	return b.String() + ", CAST(COALESCE(sum(CASE WHEN " + wait + " > " + low + " THEN 1 ELSE 0 END), 0) AS BIGINT)"
}

// AccountTallies counts the penalties that an app's players were given in [from, to),
// and the bans that were made without one.
func (s *Store) AccountTallies(ctx context.Context, app engines.AppID, from, to int64) ([]store.AccountTally, error) {
	const who = ` CASE WHEN made_by LIKE 'app/%' THEN 'app' WHEN made_by = 'ladder' THEN 'ladder' ELSE 'moderator' END AS who, count(*),
		CAST(sum(CASE WHEN lifted_ts > 0 THEN 1 ELSE 0 END) AS BIGINT) `
	list, err := collect(ctx, s.core.read(), func(row scanner) (t store.AccountTally, err error) {
		return t, row.Scan(&t.Kind, &t.By, &t.N, &t.Lifted)
	}, `SELECT kind,`+who+`FROM penalty WHERE app_id = $1 AND created_ts >= $2 AND created_ts < $3 GROUP BY kind, who
		UNION ALL SELECT 'ban/' || type,`+who+`FROM ban WHERE app_id = $1 AND created_ts >= $2 AND created_ts < $3
			AND NOT EXISTS (SELECT 1 FROM penalty p WHERE p.app_id = ban.app_id AND p.penalty_id = ban.ban_id) GROUP BY type, who`, string(app), from, to)
	if err != nil {
		return nil, fmt.Errorf("count penalties: %w", classify(err))
	}
	return accounts(list), nil
}

// BatchTally sums up an app's batches that were sent in [from, to).
func (s *Store) BatchTally(ctx context.Context, app engines.AppID, from, to int64) (t store.BatchTally, err error) {
	err = s.core.read().QueryRowContext(ctx, `SELECT count(*), COALESCE(sum(lines), 0), COALESCE(sum(passed), 0), COALESCE(sum(reviewed), 0),
		COALESCE(sum(blocked), 0), COALESCE(sum(errors), 0) FROM batch WHERE app_id = $1 AND created_ts >= $2 AND created_ts < $3 AND state <> 'receiving'`,
		string(app), from, to).Scan(&t.Batches, &t.Lines, &t.Passed, &t.Reviewed, &t.Blocked, &t.Errors)
	if err != nil {
		return store.BatchTally{}, fmt.Errorf("count batches: %w", classify(err))
	}
	return t, nil
}
