package sqlstore

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// reporterMemory is how many of a reporter's last reports count.
const reporterMemory = 200

// ReporterRecord counts how a reporter's last reports have turned out.
func (s *Store) ReporterRecord(ctx context.Context, app engines.AppID, reporter engines.PlayerID) (upheld, dismissed int, err error) {
	err = s.core.read().QueryRowContext(ctx, `SELECT coalesce(sum(CASE WHEN state = 'upheld' THEN 1 ELSE 0 END), 0),
		coalesce(sum(CASE WHEN state = 'dismissed' THEN 1 ELSE 0 END), 0) FROM
		(SELECT state FROM player_report WHERE app_id = $1 AND reporter_id = $2 ORDER BY created_ts DESC LIMIT $3) t`,
		string(app), string(reporter), reporterMemory).Scan(&upheld, &dismissed)
	if err != nil {
		return 0, 0, fmt.Errorf("record of a reporter: %w", classify(err))
	}
	return upheld, dismissed, nil
}

// FileReport adds a report to the case that there is of its message, or of its group
// where that is not closed, or to fresh, which it opens then. A repeat by the same
// reporter is counted and weighs nothing. weigh says how urgent a case is with what
// weighs on it now; a closed case settles the report at once.
func (s *Store) FileReport(ctx context.Context, r store.Report, fresh store.Case, weigh func(*store.Case)) (c store.Case, err error) {
	err = s.core.write(ctx, 2, func(ctx context.Context, q querier) error {
		var err error
		c, err = s.fileReport(ctx, q, r, fresh, weigh)
		return err
	})
	if err != nil {
		return store.Case{}, fmt.Errorf("file report: %w", classify(err))
	}
	return c, nil
}

func (s *Store) fileReport(ctx context.Context, q querier, r store.Report, fresh store.Case, weigh func(*store.Case)) (store.Case, error) {
	if _, err := insertCaseUnless(ctx, q, &r, &fresh); err != nil {
		return store.Case{}, err
	}
	c, err := scanCase(q.QueryRowContext(ctx, caseColumns+reportedCase+s.locked(), string(r.App), string(r.Message), fresh.Group))
	if err != nil {
		return store.Case{}, err
	}
	r.State = map[string]string{"": store.ReportOpen, store.CaseApproved: store.ReportDismissed, store.CaseRejected: store.ReportUpheld}[c.Decision]
	n, err := exec(ctx, q, `INSERT INTO player_report (report_id, app_id, case_id, reporter_id, player_id, message_id, scene_id, reason, detail, content, weight,
		times, state, created_ts, updated_ts) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 1, $12, $13, $13) ON CONFLICT (case_id, reporter_id) DO NOTHING`,
		r.ID, r.App, c.ID, r.Reporter, r.Player, r.Message, r.Scene, r.Reason, []byte(r.Detail), []byte(r.Content), r.Weight, r.State, millis(r.Created))
	if err != nil {
		return store.Case{}, err
	}
	if n == 0 {
		_, err = q.ExecContext(ctx, `UPDATE player_report SET times = times + 1, updated_ts = $1 WHERE case_id = $2 AND reporter_id = $3`,
			millis(r.Created), string(c.ID), string(r.Reporter))
		return c, err
	}
	c.Reporters++
	c.Weight += r.Weight
	if c.State != store.CaseClosed {
		weigh(&c)
	}
	// The version stays: what a moderator decides is not changed by one more report.
	_, err = q.ExecContext(ctx, `UPDATE review_case SET reporters = $1, weight = $2, priority = $3, due_ts = $4 WHERE case_id = $5`,
		c.Reporters, c.Weight, c.Priority, zeroMillis(c.Due), string(c.ID))
	return c, err
}

// reportedCase finds the case of a message, or that of a group which is not closed; it
// says that the group is one, so that its index serves.
const reportedCase = `WHERE case_id = coalesce((SELECT case_id FROM review_case WHERE app_id = $1 AND request_id = $2 AND $2 <> ''),
	(SELECT case_id FROM review_case WHERE app_id = $1 AND report_group = $3 AND report_group <> '' AND state <> 'closed'))`

func insertCaseUnless(ctx context.Context, q querier, r *store.Report, fresh *store.Case) (int64, error) {
	if r.Message != "" {
		var n int
		err := q.QueryRowContext(ctx, `SELECT count(*) FROM review_case WHERE app_id = $1 AND request_id = $2`, string(r.App), string(r.Message)).Scan(&n)
		if err != nil || n > 0 {
			return 0, err
		}
	}
	return insertCase(ctx, q, fresh) // nothing happens where the group has one
}

const reportFields = `report_id, app_id, case_id, reporter_id, player_id, message_id, scene_id, reason, detail, content, weight, times, state, created_ts, updated_ts`

func scanReport(row scanner) (r store.Report, err error) {
	var detail, content []byte
	var created, updated int64
	err = row.Scan(&r.ID, &r.App, &r.Case, &r.Reporter, &r.Player, &r.Message, &r.Scene, &r.Reason, &detail, &content, &r.Weight, &r.Times, &r.State, &created, &updated)
	r.Detail, r.Content, r.Created, r.Updated = string(detail), string(content), fromMillis(created), fromMillis(updated)
	return r, err
}

// Reports lists reports, newest first.
func (s *Store) Reports(ctx context.Context, rq store.ReportQuery) ([]store.Report, error) {
	var w query
	for _, f := range []struct{ column, value string }{
		{"app_id", string(rq.App)}, {"player_id", string(rq.Player)}, {"reporter_id", string(rq.Reporter)}, {"case_id", string(rq.Case)}, {"state", rq.State},
	} {
		if f.value != "" {
			w.and(f.column+` = ?`, f.value)
		}
	}
	w.page("report_id", rq.Before, rq.Limit)
	list, err := collect(ctx, s.core.read(), scanReport, `SELECT `+reportFields+` FROM player_report `+w.text.String(), w.args...)
	if err != nil {
		return nil, fmt.Errorf("reports: %w", classify(err))
	}
	return list, nil
}

// page ends a list that is newest first.
func (w *query) page(id string, before economy.Mark, limit int) {
	if before != (economy.Mark{}) {
		w.and(`created_ts < ? OR created_ts = ? AND `+id+` < ?`, before.At, before.At, before.ID)
	}
	w.add(` ORDER BY created_ts DESC, `+id+` DESC LIMIT ?`, limit)
}
