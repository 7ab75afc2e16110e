package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const scheduleFields = `app_id, kind, period, zone, next_ts, made_by, changed_ts`

func scanSchedule(row scanner) (r store.ReportSchedule, err error) {
	var next, changed int64
	err = row.Scan(&r.App, &r.Kind, &r.Period, &r.Zone, &next, &r.By, &changed)
	r.Next, r.Changed = fromMillis(next), fromMillis(changed)
	return r, err
}

// PutSchedules replaces the schedules of an app, with an audit entry. One that was
// there already keeps its turn unless its zone has changed.
func (s *Store) PutSchedules(ctx context.Context, app engines.AppID, list []store.ReportSchedule, by string, now time.Time) error {
	kept := make([]map[string]any, len(list))
	for i, r := range list {
		kept[i] = map[string]any{"kind": r.Kind, "period": r.Period, "time_zone": r.Zone}
	}
	detail, err := json.Marshal(map[string]any{"app_id": app, "schedules": kept})
	if err != nil {
		return fmt.Errorf("store report schedules: %w", err)
	}
	entry := store.Audit{Chain: s.node, TS: now, Actor: by, Action: "reports", Object: "app/" + string(app), Detail: string(detail)}
	err = s.core.write(ctx, 2+len(list), func(ctx context.Context, q querier) error {
		old, err := collect(ctx, q, scanSchedule, `DELETE FROM report_schedule WHERE app_id = $1 RETURNING `+scheduleFields, string(app))
		if err != nil {
			return err
		}
		for _, r := range list {
			for _, was := range old {
				if was.Kind == r.Kind && was.Period == r.Period && was.Zone == r.Zone {
					r.Next = was.Next
				}
			}
			_, err := q.ExecContext(ctx, `INSERT INTO report_schedule (`+scheduleFields+`) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
				string(app), r.Kind, r.Period, r.Zone, millis(r.Next), by, millis(now))
			if err != nil {
				return err
			}
		}
		return appendAudit(ctx, q, entry)
	})
	if err != nil {
		return fmt.Errorf("store report schedules: %w", classify(err))
	}
	return nil
}

// Schedules lists the schedules of an app.
func (s *Store) Schedules(ctx context.Context, app engines.AppID) ([]store.ReportSchedule, error) {
	return s.schedules(ctx, `WHERE app_id = $1 ORDER BY kind, period`, string(app))
}

// DueSchedules lists schedules of all apps whose turn has come, the longest due first.
func (s *Store) DueSchedules(ctx context.Context, now time.Time, most int) ([]store.ReportSchedule, error) {
	return s.schedules(ctx, `WHERE next_ts <= $1 ORDER BY next_ts, app_id, kind, period LIMIT $2`, millis(now), most)
}

func (s *Store) schedules(ctx context.Context, where string, args ...any) ([]store.ReportSchedule, error) {
	list, err := collect(ctx, s.core.read(), scanSchedule, `SELECT `+scheduleFields+` FROM report_schedule `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("report schedules: %w", classify(err))
	}
	return list, nil
}

// PutReport stores the report of a schedule's turn, moves the turn on, and tells of
// the report, all or nothing. Of two gateways that made it, one stores it; false: the
// other did, or the schedule is no more what it was.
func (s *Store) PutReport(ctx context.Context, r store.ReportRun, turn store.ReportSchedule, next time.Time) (stored bool, err error) {
	told := r
	told.Body = nil // it is asked for by its id
	fact, err := store.EventFact(told)
	if err != nil {
		return false, fmt.Errorf("store report: %w", err)
	}
	err = s.core.write(ctx, 3, func(ctx context.Context, q querier) error {
		stored = false
		n, err := exec(ctx, q, `UPDATE report_schedule SET next_ts = $1 WHERE app_id = $2 AND kind = $3 AND period = $4 AND zone = $5 AND next_ts = $6`,
			millis(next), string(turn.App), turn.Kind, turn.Period, turn.Zone, millis(turn.Next))
		if err != nil || n == 0 {
			return err
		}
		_, err = q.ExecContext(ctx, `INSERT INTO report_run (`+runFields+`, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			string(r.App), r.ID, r.Kind, r.Period, r.Zone, millis(r.From), millis(r.To), r.By, millis(r.Created), r.Body)
		if err != nil {
			return err
		}
		stored = true
		return tell(ctx, q, store.Event{App: r.App, Type: store.EventReport, Fact: fact})
	})
	if err != nil {
		return false, fmt.Errorf("store report: %w", classify(err))
	}
	return stored, nil
}

// SkipReport moves a schedule's turn on without a report.
func (s *Store) SkipReport(ctx context.Context, turn store.ReportSchedule, next time.Time) error {
	_, err := s.execCore(ctx, `UPDATE report_schedule SET next_ts = $1 WHERE app_id = $2 AND kind = $3 AND period = $4 AND next_ts = $5`,
		millis(next), string(turn.App), turn.Kind, turn.Period, millis(turn.Next))
	if err != nil {
		return fmt.Errorf("skip report: %w", classify(err))
	}
	return nil
}

const runFields = `app_id, report_id, kind, period, zone, from_ts, to_ts, made_by, created_ts`

func scanRun(body *[]byte) func(row scanner) (store.ReportRun, error) {
	return func(row scanner) (r store.ReportRun, err error) {
		var from, to, created int64
		into := []any{&r.App, &r.ID, &r.Kind, &r.Period, &r.Zone, &from, &to, &r.By, &created}
		if body != nil {
			into = append(into, body)
		}
		err = row.Scan(into...)
		r.From, r.To, r.Created = fromMillis(from), fromMillis(to), fromMillis(created)
		return r, err
	}
}

// ReportRuns lists reports of an app without their bodies, newest first; kind "" is any.
func (s *Store) ReportRuns(ctx context.Context, app engines.AppID, kind string, before economy.Mark, most int) ([]store.ReportRun, error) {
	list, err := collect(ctx, s.core.read(), scanRun(nil), `SELECT `+runFields+` FROM report_run
		WHERE app_id = $1 AND ($2 = '' OR kind = $2) AND (CAST($3 AS BIGINT) = 0 OR (created_ts, report_id) < ($3, $4))
		ORDER BY created_ts DESC, report_id DESC LIMIT $5`, string(app), kind, before.At, before.ID, most)
	if err != nil {
		return nil, fmt.Errorf("reports: %w", classify(err))
	}
	return list, nil
}

// ReportRun returns a report; store.ErrNotFound where the app has none of this id.
func (s *Store) ReportRun(ctx context.Context, app engines.AppID, id string) (store.ReportRun, error) {
	var body []byte
	r, err := scanRun(&body)(s.core.read().QueryRowContext(ctx, `SELECT `+runFields+`, body FROM report_run WHERE app_id = $1 AND report_id = $2`, string(app), id))
	if err = classify(err); errors.Is(err, store.ErrNotFound) {
		return r, fmt.Errorf("report %s: %w", id, store.ErrNotFound)
	}
	if err != nil {
		return r, fmt.Errorf("report %s: %w", id, err)
	}
	r.Body = body
	return r, nil
}
