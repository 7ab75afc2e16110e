package sqlstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// CaseQueues says how the queues stand, by name; app "" means of all apps.
func (s *Store) CaseQueues(ctx context.Context, app engines.AppID, now time.Time) ([]store.CaseQueue, error) {
	at := map[string]*store.CaseQueue{}
	rows, err := s.core.read().QueryContext(ctx, `SELECT queue, CASE WHEN until_ts > $1 THEN state ELSE 'open' END, CASE WHEN until_ts > $1 THEN assignee ELSE '' END,
		count(*), sum(CASE WHEN due_ts <= $1 THEN 1 ELSE 0 END), min(created_ts)
		FROM review_case WHERE state IN ('open', 'claimed', 'held', 'escalated') AND ($2 = '' OR app_id = $2) GROUP BY 1, 2, 3`, millis(now), string(app))
	if err != nil {
		return nil, fmt.Errorf("queues: %w", classify(err))
	}
	defer func() { _ = rows.Close() }() // rows.Err has what matters
	for rows.Next() {
		var name, state, owner string
		var n, overdue int
		var oldest int64
		if err := rows.Scan(&name, &state, &owner, &n, &overdue, &oldest); err != nil {
			return nil, fmt.Errorf("queues: %w", classify(err))
		}
		q := at[name]
		if q == nil {
			q = &store.CaseQueue{Queue: name, Oldest: fromMillis(oldest)}
			at[name] = q
		}
		switch state {
		case store.CaseClaimed:
			q.Claimed += n
		case store.CaseHeld:
			q.Held += n
		default:
			q.Open += n
		}
		q.Overdue += overdue
		if t := fromMillis(oldest); t.Before(q.Oldest) {
			q.Oldest = t
		}
		if owner != "" {
			if i := slices.IndexFunc(q.Owners, func(o store.CaseOwner) bool { return o.Name == owner }); i >= 0 {
				q.Owners[i].Cases += n
			} else {
				q.Owners = append(q.Owners, store.CaseOwner{Name: owner, Cases: n})
			}
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("queues: %w", classify(err))
	}
	list := make([]store.CaseQueue, 0, len(at))
	for _, q := range at {
		slices.SortFunc(q.Owners, func(a, b store.CaseOwner) int { return cmp.Compare(a.Name, b.Name) })
		list = append(list, *q)
	}
	slices.SortFunc(list, func(a, b store.CaseQueue) int { return cmp.Compare(a.Queue, b.Queue) })
	return list, nil
}

// CasePairs lists what two have decided without knowing of each other, from
// (inclusive) to (exclusive); app "" means of all apps.
func (s *Store) CasePairs(ctx context.Context, app engines.AppID, from, to time.Time, most int) ([]store.CasePair, error) {
	list, err := collect(ctx, s.core.read(), func(row scanner) (p store.CasePair, err error) {
		var at int64
		err = row.Scan(&p.Second, &p.First, &p.App, &p.FirstBy, &p.SecondBy, &p.FirstDecision, &p.SecondDecision, &p.FirstCategory, &p.SecondCategory, &at)
		p.At = fromMillis(at)
		return p, err
	}, `SELECT second_id, first_id, app_id, first_by, second_by, first_decision, second_decision, first_category, second_category, at_ts FROM case_pair
		WHERE at_ts >= $1 AND at_ts < $2 AND ($3 = '' OR app_id = $3) ORDER BY at_ts, second_id LIMIT $4`, millis(from), millis(to), string(app), most)
	if err != nil {
		return nil, fmt.Errorf("pairs of cases: %w", classify(err))
	}
	return list, nil
}

// Preferences returns a moderator's own; one who has set none has the zero ones.
func (s *Store) Preferences(ctx context.Context, name string) (store.Preferences, error) {
	p := store.Preferences{Name: name}
	var optOut string
	err := s.core.read().QueryRowContext(ctx, `SELECT opt_out, exposure_limit FROM moderator_preference WHERE name = $1`, name).Scan(&optOut, &p.ExposureLimit)
	if errors.Is(classify(err), store.ErrNotFound) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(optOut), &p.OptOut)
	}
	if err != nil {
		return p, fmt.Errorf("preferences: %w", classify(err))
	}
	return p, nil
}

// PutPreferences replaces a moderator's own.
func (s *Store) PutPreferences(ctx context.Context, p store.Preferences) error {
	optOut, err := json.Marshal(p.OptOut)
	if err == nil {
		_, err = s.execCore(ctx, `INSERT INTO moderator_preference (name, opt_out, exposure_limit) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET opt_out = excluded.opt_out, exposure_limit = excluded.exposure_limit`, p.Name, string(optOut), p.ExposureLimit)
	}
	if err != nil {
		return fmt.Errorf("store preferences: %w", classify(err))
	}
	return nil
}

// Exposure counts the cases of these categories that a person has claimed or decided
// since a time.
func (s *Store) Exposure(ctx context.Context, name string, since time.Time, categories []engines.Category) (int, error) {
	if len(categories) == 0 {
		return 0, nil
	}
	var w query
	w.add(`SELECT count(DISTINCT e.case_id) FROM case_event e JOIN review_case c ON c.case_id = e.case_id WHERE e.actor = ? AND e.at_ts >= ?
		AND e.action IN ('claim', 'decide') AND c.category IN (`, name, millis(since))
	for i, category := range categories {
		if i > 0 {
			w.add(", ")
		}
		w.add("?", string(category))
	}
	w.add(")")
	var n int
	if err := s.core.read().QueryRowContext(ctx, w.text.String(), w.args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("exposure: %w", classify(err))
	}
	return n, nil
}
