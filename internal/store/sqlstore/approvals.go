package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// errSame keeps a person from agreeing with themselves.
var errSame = errors.New("a second person has to agree")

const approvalFields = `approval_id, kind, app_id, object, detail, asked_by, asked_ts, state, decided_by, decided_ts, reason`

func scanApproval(row scanner) (a store.Approval, err error) {
	var asked, decided int64
	var detail, reason []byte
	err = row.Scan(&a.ID, &a.Kind, &a.App, &a.Object, &detail, &a.AskedBy, &asked, &a.State, &a.By, &decided, &reason)
	a.Detail, a.Reason, a.Asked, a.At = string(detail), string(reason), fromMillis(asked), fromZero(decided)
	return a, err
}

// AskApproval stores that somebody asks for a second person's agreement, with an audit
// entry. store.ErrExists: the id is taken.
func (s *Store) AskApproval(ctx context.Context, a store.Approval) error {
	err := s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO approval (`+approvalFields+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', 0, $9)`,
			a.ID, a.Kind, a.App, a.Object, []byte(a.Detail), a.AskedBy, millis(a.Asked), store.ApprovalAsked, []byte{})
		if err != nil {
			return err
		}
		return appendAudit(ctx, q, store.Audit{Chain: s.node, TS: a.Asked, Actor: a.AskedBy, Action: "approval.ask", Object: a.ID, Detail: a.Detail})
	})
	if err != nil {
		return fmt.Errorf("ask for approval %s: %w", a.ID, classify(err))
	}
	return nil
}

// DecideApproval agrees, or refuses, in the name of a second person, with an audit
// entry. store.ErrConflict: it is decided already, or the person is who asked.
func (s *Store) DecideApproval(ctx context.Context, id, by, reason string, agree bool, now time.Time) (a store.Approval, err error) {
	state := store.ApprovalRefused
	if agree {
		state = store.ApprovalGiven
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) (err error) {
		n, err := exec(ctx, q, `UPDATE approval SET state = $1, decided_by = $2, decided_ts = $3, reason = $4
			WHERE approval_id = $5 AND state = $6 AND asked_by <> $2`, state, by, millis(now), []byte(reason), id, store.ApprovalAsked)
		if err != nil {
			return err
		}
		a, err = scanApproval(q.QueryRowContext(ctx, `SELECT `+approvalFields+` FROM approval WHERE approval_id = $1`, id))
		switch {
		case err != nil:
			return err
		case n == 0 && a.AskedBy == by && a.State == store.ApprovalAsked:
			return fmt.Errorf("%w: %w", store.ErrConflict, errSame)
		case n == 0:
			return store.ErrConflict
		}
		return appendAudit(ctx, q, store.Audit{Chain: s.node, TS: now, Actor: by, Action: "approval." + state, Object: id, Detail: a.Detail})
	})
	if err != nil {
		return store.Approval{}, fmt.Errorf("decide approval %s: %w", id, classify(err))
	}
	return a, nil
}

// Approvals lists what was asked in a state, oldest first; app "" is all.
func (s *Store) Approvals(ctx context.Context, app, state string, limit int) ([]store.Approval, error) {
	list, err := collect(ctx, s.core.read(), scanApproval, `SELECT `+approvalFields+` FROM approval
		WHERE state = $1 AND ($2 = '' OR app_id = $2) ORDER BY asked_ts, approval_id LIMIT $3`, state, app, limit)
	if err != nil {
		return nil, fmt.Errorf("approvals: %w", classify(err))
	}
	return list, nil
}

// Approval returns one of them.
func (s *Store) Approval(ctx context.Context, id string) (store.Approval, error) {
	a, err := scanApproval(s.core.read().QueryRowContext(ctx, `SELECT `+approvalFields+` FROM approval WHERE approval_id = $1`, id))
	if err != nil {
		return store.Approval{}, fmt.Errorf("approval %s: %w", id, classify(err))
	}
	return a, nil
}
