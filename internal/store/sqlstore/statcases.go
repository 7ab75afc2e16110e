package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// CasesChanged lists cases that were changed after a mark (a time, epoch ms, and of
// that time an id), in that order, each with the decision that opened it. Blind second
// looks are left out: of content the first one speaks.
func (s *Store) CasesChanged(ctx context.Context, at int64, after engines.CaseID, most int) ([]store.ChangedCase, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (c store.ChangedCase, err error) {
		var (
			created, updated, decided   int64
			verdict, signals, statement *string
		)
		err = row.Scan(&c.ID, &c.App, &c.Request, &c.State, &c.Kind, &c.Category, &c.SubLabel, &c.Case.Decision, &c.By, &created, &updated, &decided,
			&verdict, &signals, &statement)
		if err != nil {
			return c, err
		}
		c.Created, c.Updated, c.Decided = fromMillis(created), fromMillis(updated), someMillis(decided)
		if verdict == nil || signals == nil || statement == nil {
			return c, nil
		}
		if c.Opened.Verdict, err = decodeVerdict([]byte(*verdict)); err == nil {
			c.Opened.Signals, err = decodeSignals([]byte(*signals))
		}
		if err == nil {
			c.Opened.Statements, err = decodeStatements(*statement)
		}
		c.Opened.Request = c.Request
		return c, err
	}, `SELECT c.case_id, c.app_id, c.request_id, c.state, c.kind, c.category, c.sub_label, c.decision, c.decided_by, c.created_ts, c.updated_ts,
			c.decided_ts, d.verdict, d.signals, d.statement
		FROM review_case c LEFT JOIN decision d ON d.app_id = c.app_id AND d.request_id = c.request_id
		WHERE (c.updated_ts, c.case_id) > ($1, $2) AND c.second = 0 ORDER BY c.updated_ts, c.case_id LIMIT $3`, at, string(after), most)
	if err != nil {
		return nil, fmt.Errorf("changed cases: %w", classify(err))
	}
	return list, nil
}

// PutCaseFacts stores what statistics keep of cases instead of what they kept, and
// how far the cases are known now, all or nothing.
func (s *Store) PutCaseFacts(ctx context.Context, facts []store.CaseFact, reached int64) error {
	facts = slices.Clone(facts)
	slices.SortFunc(facts, func(a, b store.CaseFact) int { return cmp.Or(cmp.Compare(a.App, b.App), cmp.Compare(a.ID, b.ID)) })
	err := s.core.write(ctx, 1+4*len(facts), func(ctx context.Context, q querier) error {
		for i := range facts {
			if err := putCaseFact(ctx, q, &facts[i]); err != nil {
				return err
			}
		}
		_, err := q.ExecContext(ctx, `UPDATE stat_job SET reached_ts = $1 WHERE name = 'cases' AND reached_ts < $1`, reached)
		return err
	})
	if err != nil {
		return fmt.Errorf("statistics of cases: %w", classify(err))
	}
	return nil
}

func putCaseFact(ctx context.Context, q querier, f *store.CaseFact) error {
	known, err := collect(ctx, q, func(row scanner) (at int64, err error) { return at, row.Scan(&at) },
		`DELETE FROM stat_case WHERE app_id = $1 AND case_id = $2 RETURNING closed_ts`, string(f.App), string(f.ID))
	if err != nil {
		return err
	}
	for _, at := range known {
		if _, err := q.ExecContext(ctx, `DELETE FROM stat_case_mark WHERE app_id = $1 AND closed_ts = $2 AND case_id = $3`, string(f.App), at, string(f.ID)); err != nil {
			return err
		}
	}
	if f.Closed.IsZero() {
		return nil
	}
	// Two gateways that look at once write the same.
	_, err = q.ExecContext(ctx, `INSERT INTO stat_case (app_id, closed_ts, case_id, opened_ts, kind, mode, suggestion, action, decision, decided_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`, string(f.App), millis(f.Closed), string(f.ID), millis(f.Opened), f.Kind,
		string(f.Mode), string(f.Suggestion), string(f.Action), f.Decision, f.By)
	if err != nil {
		return err
	}
	for _, m := range f.Marks {
		_, err := q.ExecContext(ctx, `INSERT INTO stat_case_mark (app_id, closed_ts, case_id, what, name, decision) VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT DO NOTHING`, string(f.App), millis(f.Closed), string(f.ID), m.What, textual(m.Name), f.Decision)
		if err != nil {
			return err
		}
	}
	return nil
}

// waitSums counts by how long a case had waited.
var waitSums = waitsBetween("opened_ts", "closed_ts")

// CaseTallies counts the cases that were closed in [from, to), by a step of
// store.StatHour or store.StatDay, or 0; waits has their waits counted, which costs
// more than all the rest.
func (s *Store) CaseTallies(ctx context.Context, app engines.AppID, from, to int64, step time.Duration, waits bool) ([]store.CaseTally, error) {
	at := "0"
	if step > 0 {
		ms := strconv.FormatInt(step.Milliseconds(), 10)
		at = "closed_ts - closed_ts % " + ms
	}
	sums := ""
	if waits {
		sums = waitSums
	}
	list, err := collect(ctx, s.core.read(), func(row scanner) (t store.CaseTally, err error) {
		into := []any{&t.At, &t.Kind, &t.Mode, &t.Suggestion, &t.Action, &t.Decision, &t.N}
		if waits {
			for i := range t.Waits {
				into = append(into, &t.Waits[i])
			}
		}
		return t, row.Scan(into...)
	}, `SELECT `+at+` AS began, kind, mode, suggestion, action, decision, count(*)`+sums+` FROM stat_case
		WHERE app_id = $1 AND closed_ts >= $2 AND closed_ts < $3 GROUP BY began, kind, mode, suggestion, action, decision
		ORDER BY began, kind, mode, suggestion, action, decision`, string(app), from, to)
	if err != nil {
		return nil, fmt.Errorf("closed cases: %w", classify(err))
	}
	return list, nil
}

// MarkTallies counts what the cases that were closed in [from, to) were about.
func (s *Store) MarkTallies(ctx context.Context, app engines.AppID, from, to int64) ([]store.MarkTally, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (t store.MarkTally, err error) {
		return t, row.Scan(&t.What, &t.Name, &t.Decision, &t.N)
	}, `SELECT what, name, decision, count(*) FROM stat_case_mark WHERE app_id = $1 AND closed_ts >= $2 AND closed_ts < $3
		GROUP BY what, name, decision ORDER BY what, name, decision`, string(app), from, to)
	if err != nil {
		return nil, fmt.Errorf("closed cases: %w", classify(err))
	}
	return list, nil
}

// WaitingCases counts the cases of an app that are not closed, by state.
func (s *Store) WaitingCases(ctx context.Context, app engines.AppID) ([]store.Waiting, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (w store.Waiting, err error) {
		var oldest int64
		err = row.Scan(&w.State, &w.N, &oldest)
		w.Oldest = fromMillis(oldest)
		return w, err
	}, `SELECT state, count(*), min(created_ts) FROM review_case WHERE app_id = $1 AND state <> $2 GROUP BY state ORDER BY state`,
		string(app), store.CaseClosed)
	if err != nil {
		return nil, fmt.Errorf("waiting cases: %w", classify(err))
	}
	return list, nil
}

// OpenedCases counts the cases of an app that were opened in [from, to).
func (s *Store) OpenedCases(ctx context.Context, app engines.AppID, from, to int64) (n int64, err error) {
	err = s.core.read().QueryRowContext(ctx, `SELECT (SELECT count(*) FROM review_case WHERE app_id = $1 AND state = 'closed' AND created_ts >= $2 AND created_ts < $3)
		+ (SELECT count(*) FROM review_case WHERE app_id = $1 AND state <> 'closed' AND created_ts >= $2 AND created_ts < $3)`, string(app), from, to).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("opened cases: %w", classify(err))
	}
	return n, nil
}

// BanTallies counts the bans of an app that were made in [from, to) of its time.
func (s *Store) BanTallies(ctx context.Context, app engines.AppID, from, to int64) ([]store.BanTally, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (t store.BanTally, err error) {
		return t, row.Scan(&t.Type, &t.By, &t.N, &t.Lifted)
	}, `SELECT type, CASE WHEN made_by LIKE 'app/%' THEN 'app' ELSE 'moderator' END AS who, count(*),
			CAST(sum(CASE WHEN lifted_ts > 0 THEN 1 ELSE 0 END) AS BIGINT)
		FROM ban WHERE app_id = $1 AND created_ts >= $2 AND created_ts < $3 GROUP BY type, who ORDER BY type, who`, string(app), from, to)
	if err != nil {
		return nil, fmt.Errorf("count bans: %w", classify(err))
	}
	return list, nil
}
