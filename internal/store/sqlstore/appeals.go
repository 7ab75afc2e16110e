package sqlstore

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// OpenAppeal stores an appeal with the case that it opens. store.ErrExists: the
// player has contested this before, whatever came of it.
func (s *Store) OpenAppeal(ctx context.Context, a store.Appeal, c store.Case, entry store.Audit) error {
	entry.Chain = s.node
	err := s.core.write(ctx, 2, func(ctx context.Context, q querier) error {
		n, err := exec(ctx, q, `INSERT INTO appeal (appeal_id, app_id, player_id, case_id, against_id, penalty_id, words, state, statement, filed_by, created_ts, decided_ts)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0) ON CONFLICT DO NOTHING`, a.ID, a.App, a.Player, a.Case, a.Against, a.Penalty,
			[]byte(a.Words), a.State, []byte{}, a.By, millis(a.Created))
		if err == nil && n == 0 {
			err = store.ErrExists
		}
		if err == nil {
			_, err = insertCase(ctx, q, &c)
		}
		if err == nil {
			err = appendAudit(ctx, q, entry)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("open appeal: %w", classify(err))
	}
	return nil
}

const appealColumns = `SELECT appeal_id, app_id, player_id, case_id, against_id, penalty_id, words, state, statement, filed_by, created_ts, decided_ts FROM appeal `

func scanAppeal(row scanner) (a store.Appeal, err error) {
	var words, statement []byte
	var created, decided int64
	err = row.Scan(&a.ID, &a.App, &a.Player, &a.Case, &a.Against, &a.Penalty, &words, &a.State, &statement, &a.By, &created, &decided)
	a.Words, a.Statement, a.Created, a.Decided = string(words), string(statement), fromMillis(created), someMillis(decided)
	return a, err
}

// Appeals lists appeals, newest first.
func (s *Store) Appeals(ctx context.Context, aq store.AppealQuery) ([]store.Appeal, error) {
	var w query
	for _, f := range []struct{ column, value string }{{"app_id", string(aq.App)}, {"player_id", string(aq.Player)}, {"state", aq.State}} {
		if f.value != "" {
			w.and(f.column+` = ?`, f.value)
		}
	}
	w.page("appeal_id", aq.Before, aq.Limit)
	list, err := collect(ctx, s.core.read(), scanAppeal, appealColumns+w.text.String(), w.args...)
	if err != nil {
		return nil, fmt.Errorf("appeals: %w", classify(err))
	}
	return list, nil
}

// Appeal returns an app's appeal by its id, or by the case that it opened.
func (s *Store) Appeal(ctx context.Context, app engines.AppID, id string) (store.Appeal, error) {
	a, err := scanAppeal(s.core.read().QueryRowContext(ctx, appealColumns+`WHERE app_id = $1 AND (appeal_id = $2 OR case_id = $2)`, string(app), id))
	if err != nil {
		return store.Appeal{}, fmt.Errorf("appeal %s: %w", id, classify(err))
	}
	return a, nil
}
