package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// MoveCase has step decide what becomes of a case, while nobody else can move it,
// and commits that: the case, its history, the audit entry, what webhooks are to
// tell and what is to be done outside. An error of step is returned as it is, and
// nothing has happened then. A key that has moved the case before moves nothing:
// the case comes back as it is, store.ErrConflict where the key asked for another
// action, or had another digest behind it.
func (s *Store) MoveCase(ctx context.Context, id engines.CaseID, action, key string, step func(store.CaseFacts) (store.CaseChange, error)) (store.Case, []store.Effect, error) {
	var (
		change  store.CaseChange
		refused error
	)
	err := s.core.write(ctx, 2, func(ctx context.Context, q querier) error {
		change, refused = store.CaseChange{}, nil
		facts, err := s.caseFacts(ctx, q, id)
		if err != nil {
			return err
		}
		if key != "" {
			done, err := keyUsed(ctx, q, id, action, key)
			if err != nil || done {
				change.Case = facts.Case
				return err
			}
		}
		if change, refused = step(facts); refused != nil {
			return nil //nolint:nilerr // nothing was written: those who commit with us need not begin again
		}
		return s.applyCase(ctx, q, &facts.Case, &change)
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return store.Case{}, nil, fmt.Errorf("%s case %s: %w", action, id, classify(err))
	}
	return change.Case, change.Effects, nil
}

// locked ends a query whose row nobody may change until the transaction ends;
// SQLite has one writer anyway.
func (s *Store) locked() string {
	if s.driver == "postgres" {
		return ` FOR UPDATE`
	}
	return ""
}

func (s *Store) caseFacts(ctx context.Context, q querier, id engines.CaseID) (f store.CaseFacts, err error) {
	f.Case, err = scanCase(q.QueryRowContext(ctx, caseColumns+`WHERE case_id = $1`+s.locked(), string(id)))
	if err != nil {
		return f, err
	}
	if f.Case.Scene != "" {
		m, err := s.saidInScene(ctx, q, f.Case.App, f.Case.Scene, f.Case.About())
		switch {
		case err == nil:
			f.Message = &m
		case !errors.Is(classify(err), store.ErrNotFound):
			return f, err
		}
	}
	if f.Case.Parent != "" {
		p, err := scanCase(q.QueryRowContext(ctx, caseColumns+`WHERE case_id = $1`, string(f.Case.Parent)))
		switch {
		case err == nil:
			f.Parent = &p
		case !errors.Is(classify(err), store.ErrNotFound):
			return f, err
		}
	}
	return f, nil
}

func keyUsed(ctx context.Context, q querier, id engines.CaseID, action, key string) (bool, error) {
	var was, whole string
	name, _, _ := strings.Cut(key, store.KeyDigest)
	name += store.KeyDigest
	err := q.QueryRowContext(ctx, `SELECT action, request_key FROM case_event WHERE case_id = $1 AND (request_key = $2 OR substr(request_key, 1, $3) = $4)`,
		string(id), key, utf8.RuneCountInString(name), name).Scan(&was, &whole)
	switch {
	case errors.Is(classify(err), store.ErrNotFound):
		return false, nil
	case err == nil && (was != action || whole != key):
		return false, store.ErrConflict
	}
	return err == nil, err
}

func (s *Store) applyCase(ctx context.Context, q querier, was *store.Case, x *store.CaseChange) error {
	c := &x.Case
	n, err := exec(ctx, q, `UPDATE review_case SET state = $1, held = $2, queue = $3, category = $4, sub_label = $5, severity = $6, priority = $7, due_ts = $8,
		assignee = $9, until_ts = $10, level = $11, barred = $12, decision = $13, decided_by = $14, policy = $15, reason = $16, note = $17,
		decided_ts = $18, undone = $19, version = $20, updated_ts = $21 WHERE case_id = $22 AND version = $23`,
		c.State, flag(c.Held), c.Queue, c.Category, c.SubLabel, c.Severity, c.Priority, zeroMillis(c.Due), c.Assignee, zeroMillis(c.Until), c.Level,
		strings.Join(c.Barred, "\n"), c.Decision, c.By, c.Policy, []byte(c.Reason), []byte(c.Note), zeroMillis(c.Decided), flag(c.Undone),
		c.Version, millis(c.Updated), string(c.ID), was.Version)
	if err == nil && n == 0 {
		err = store.ErrConflict
	}
	if err != nil || x.Silent {
		return err
	}
	e := &x.Event
	_, err = q.ExecContext(ctx, `INSERT INTO case_event (case_id, version, at_ts, actor, action, state, detail, request_key) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		string(c.ID), e.Version, millis(e.At), e.Actor, e.Action, e.State, []byte(e.Detail), e.Key)
	if err != nil {
		return err
	}
	for _, follow := range []func(context.Context, querier, *store.CaseChange) error{
		s.changeMessage, putEffects, openCases, putPair, settleReports, settleAppeal, putReasons,
	} {
		if err := follow(ctx, q, x); err != nil {
			return err
		}
	}
	for _, typ := range x.Tells {
		if err := tellCase(ctx, q, typ, c); err != nil {
			return err
		}
	}
	entry := x.Audit
	entry.Chain = s.node
	return appendAudit(ctx, q, entry)
}

func (s *Store) changeMessage(ctx context.Context, q querier, x *store.CaseChange) error {
	if x.Message == "" {
		return nil
	}
	err := s.changeSceneMessage(ctx, q, x.Case.App, x.Case.Scene, x.Case.About(), x.Message)
	if errors.Is(err, store.ErrNotFound) { // of no scene, or past its retention
		return nil
	}
	return err
}

func openCases(ctx context.Context, q querier, x *store.CaseChange) error {
	for i := range x.Opens {
		if _, err := insertCase(ctx, q, &x.Opens[i]); err != nil {
			return err
		}
	}
	return nil
}

func putPair(ctx context.Context, q querier, x *store.CaseChange) error {
	p := x.Pair
	if p == nil {
		return nil
	}
	_, err := q.ExecContext(ctx, `INSERT INTO case_pair (second_id, first_id, app_id, first_by, second_by, first_decision, second_decision, first_category,
		second_category, at_ts) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (second_id) DO UPDATE SET second_by = excluded.second_by,
		second_decision = excluded.second_decision, second_category = excluded.second_category, at_ts = excluded.at_ts`,
		p.Second, p.First, p.App, p.FirstBy, p.SecondBy, p.FirstDecision, p.SecondDecision, p.FirstCategory, p.SecondCategory, millis(p.At))
	return err
}

func settleReports(ctx context.Context, q querier, x *store.CaseChange) error {
	if x.Reports == "" {
		return nil
	}
	_, err := q.ExecContext(ctx, `UPDATE player_report SET state = $1, updated_ts = $2 WHERE case_id = $3`, x.Reports, millis(x.Case.Updated), string(x.Case.ID))
	return err
}

// putReasons adds to the statements of the decision that the case is about. A report may
// be about what was never checked here.
func putReasons(ctx context.Context, q querier, x *store.CaseChange) error {
	for i := range x.States {
		err := statePerson(ctx, q, x.Case.App, x.Case.About(), &x.States[i])
		if errors.Is(classify(err), store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func settleAppeal(ctx context.Context, q querier, x *store.CaseChange) error {
	if x.Appeal == "" {
		return nil
	}
	decided := int64(0)
	if x.Appeal != store.AppealOpen {
		decided = millis(x.Case.Updated)
	}
	_, err := q.ExecContext(ctx, `UPDATE appeal SET state = $1, statement = $2, decided_ts = $3 WHERE case_id = $4`,
		x.Appeal, []byte(x.Statement), decided, string(x.Case.ID))
	return err
}
