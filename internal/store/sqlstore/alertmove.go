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

const openRisk = ` app_id = $1 AND kind = 'risk' AND state <> 'closed'`

// OpenRisks lists open cases of players' risks, by player, those after one.
func (s *Store) OpenRisks(ctx context.Context, app engines.AppID, after engines.PlayerID, most int) ([]economy.OpenRisk, error) {
	rows, err := s.core.read().QueryContext(ctx, `SELECT player_id, details FROM review_case WHERE`+openRisk+` AND player_id > $2 ORDER BY player_id LIMIT $3`,
		string(app), string(after), most)
	if err != nil {
		return nil, fmt.Errorf("open risks: %w", classify(err))
	}
	defer func() { _ = rows.Close() }() // read to its end, or the error is another
	var list []economy.OpenRisk
	for rows.Next() {
		var (
			r       economy.OpenRisk
			details []byte
		)
		if err := rows.Scan(&r.Player, &details); err != nil {
			return nil, fmt.Errorf("open risks: %w", classify(err))
		}
		if a := decodeAlert(details); a != nil && a.Now != nil {
			r.Fallen = a.Now.Fallen
		}
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("open risks: %w", classify(err))
	}
	return list, nil
}

// MoveAlert notes on the open case of a player's risk that it has fallen or risen
// again, with a step in its history and an audit entry, and tells of it. Where Close is
// set and the case waits for anybody, it is closed as nothing to do. moved is false
// where there is no such case, or it says so already.
func (s *Store) MoveAlert(ctx context.Context, m economy.AlertMove) (of economy.AlertCase, moved bool, err error) {
	err = s.core.write(ctx, 2, func(ctx context.Context, q querier) error {
		moved = false
		was, err := scanCase(q.QueryRowContext(ctx, caseColumns+`WHERE`+openRisk+` AND player_id = $2`+s.locked(), string(m.App), string(m.Player)))
		if errors.Is(classify(err), store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		if was.Alert == nil || m.Now.Fallen == (was.Alert.Now != nil && was.Alert.Now.Fallen) {
			return nil
		}
		x, err := alertChange(&was, &m)
		if err != nil {
			return err
		}
		details, err := encodeAlert(x.Case.Alert)
		if err != nil {
			return err
		}
		if err := s.applyCase(ctx, q, &was, x); err != nil {
			return err
		}
		if _, err := q.ExecContext(ctx, `UPDATE review_case SET details = $1 WHERE case_id = $2`, details, string(was.ID)); err != nil {
			return err
		}
		moved, of = true, alertCase(&x.Case)
		return tell(ctx, q, store.Event{App: m.App, Type: store.EventEconomyCase, Case: &x.Case})
	})
	if err != nil {
		return economy.AlertCase{}, false, fmt.Errorf("move case: %w", classify(err))
	}
	return of, moved, nil
}

// alertChange is what a move makes of a case.
func alertChange(was *store.Case, m *economy.AlertMove) (*store.CaseChange, error) {
	at := time.Now().UTC().Truncate(time.Millisecond)
	c, a := *was, *was.Alert
	now := m.Now
	a.Now, c.Alert = &now, &a
	c.Version, c.Updated = was.Version+1, at
	if m.Close && was.State == store.CaseOpen {
		c.State, c.Decision, c.By, c.Decided = store.CaseClosed, store.CaseApproved, systemName, at
		c.Reason = fmt.Sprintf("the risk fell to %d", now.Score)
	}
	detail, err := json.Marshal(map[string]any{"app_id": c.App, "risk_score": now.Score, "risk_level": now.Level})
	if err != nil {
		return nil, err
	}
	action := "risk_" + a.Change()
	return &store.CaseChange{
		Case:  c,
		Event: store.CaseEvent{Version: c.Version, At: at, Actor: systemName, Action: action, State: c.State, Detail: string(detail)},
		Audit: store.Audit{TS: at, Actor: systemName, Action: "case." + action, Object: "case/" + string(c.ID), Detail: string(detail)},
	}, nil
}
