package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// LeadStats takes, or keeps, the lease of what one gateway does for all, until a
// time; false where another one has it. It saves work and guards nothing: whatever
// is done under it may be done twice.
func (s *Store) LeadStats(ctx context.Context, now, until time.Time) (bool, error) {
	n, err := s.execCore(ctx, `UPDATE stat_job SET owner = $1, until_ts = $2 WHERE name = 'lead' AND (owner = $1 OR until_ts <= $3)`,
		s.node, millis(until), millis(now))
	if err != nil {
		return false, fmt.Errorf("lead statistics: %w", classify(err))
	}
	return n == 1, nil
}

// StatReached says how far the cases were followed, epoch ms of their change.
func (s *Store) StatReached(ctx context.Context) (reached int64, err error) {
	err = s.core.read().QueryRowContext(ctx, `SELECT reached_ts FROM stat_job WHERE name = 'cases'`).Scan(&reached)
	if err != nil {
		return 0, fmt.Errorf("statistics of cases: %w", classify(err))
	}
	return reached, nil
}

// OpenAnomaly stores an anomaly and tells of it, and reports whether it was new: one
// of the same app and category whose newest hour is at most gap before this one's
// goes on, and takes over what is worse.
func (s *Store) OpenAnomaly(ctx context.Context, a store.Anomaly, gap time.Duration) (opened bool, err error) {
	fact, err := store.EventFact(a)
	if err != nil {
		return false, fmt.Errorf("store anomaly: %w", err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		opened = false
		if _, err := q.ExecContext(ctx, `UPDATE store_lock SET n = n + 1 WHERE name = 'anomalies'`); err != nil {
			return err
		}
		n, err := exec(ctx, q, `UPDATE stat_anomaly SET last_ts = CASE WHEN last_ts > $3 THEN last_ts ELSE $3 END,
				found = CASE WHEN ratio >= $4 THEN found ELSE $5 END, verdicts = CASE WHEN ratio >= $4 THEN verdicts ELSE $6 END,
				share = CASE WHEN ratio >= $4 THEN share ELSE $7 END, usual = CASE WHEN ratio >= $4 THEN usual ELSE $8 END,
				p = CASE WHEN ratio >= $4 THEN p ELSE $9 END, ratio = CASE WHEN ratio >= $4 THEN ratio ELSE $4 END
			WHERE app_id = $1 AND category = $2 AND last_ts >= $10 AND began_ts <= $11`,
			string(a.App), a.Category, a.Last, a.Ratio, a.Found, a.Verdicts, a.Share, a.Usual, a.P,
			a.Last-gap.Milliseconds(), a.Last+gap.Milliseconds())
		if err != nil || n > 0 {
			return err
		}
		_, err = q.ExecContext(ctx, `INSERT INTO stat_anomaly (`+anomalyFields+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			string(a.App), a.Category, a.Began, a.Last, a.Found, a.Verdicts, a.Share, a.Usual, a.Ratio, a.P, millis(a.Seen))
		if err != nil {
			return err
		}
		opened = true
		return tell(ctx, q, store.Event{App: a.App, Type: store.EventAnomaly, Fact: fact})
	})
	if err != nil {
		return false, fmt.Errorf("store anomaly: %w", classify(err))
	}
	return opened, nil
}

const anomalyFields = `app_id, category, began_ts, last_ts, found, verdicts, share, usual, ratio, p, found_ts`

// Anomalies lists those of an app that were seen in [from, to), newest first.
func (s *Store) Anomalies(ctx context.Context, app engines.AppID, from, to int64, most int) ([]store.Anomaly, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (a store.Anomaly, err error) {
		var seen int64
		err = row.Scan(&a.App, &a.Category, &a.Began, &a.Last, &a.Found, &a.Verdicts, &a.Share, &a.Usual, &a.Ratio, &a.P, &seen)
		a.Seen = fromMillis(seen)
		return a, err
	}, `SELECT `+anomalyFields+` FROM stat_anomaly WHERE app_id = $1 AND last_ts >= $2 AND began_ts < $3
		ORDER BY last_ts DESC, category LIMIT $4`, string(app), from, to, most)
	if err != nil {
		return nil, fmt.Errorf("anomalies: %w", classify(err))
	}
	return list, nil
}
