package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

const (
	// decidedFor is how long a decision about a player's risk stands: the model's
	// evidence has faded by half then.
	decidedFor = 14 * 24 * time.Hour
	// topPriority is that of a critical risk.
	topPriority = 1
	// systemName signs what nobody did.
	systemName = "system"
	// economyQueue is where alerts wait, and alertDue how long at the most.
	economyQueue = "economy"
	alertDue     = 24 * time.Hour
)

// OpenAlert opens a case for an alert and tells of it, and reports whether it did:
// there is one case for each pair of players that a ban links, ever, and one open
// one for a player's risk. A risk that has become critical moves its case up.
func (s *Store) OpenAlert(ctx context.Context, a economy.Alert) (of economy.AlertCase, opened bool, err error) {
	c, err := caseOfAlert(&a)
	if err != nil {
		return of, false, fmt.Errorf("open case: %w", err)
	}
	err = s.core.write(ctx, 1, func(ctx context.Context, q querier) error {
		opened = false
		if a.Kind == economy.HighRisk {
			settled, err := riskSettled(ctx, q, &a, c)
			if err != nil || settled {
				return err
			}
		}
		n, err := insertCase(ctx, q, c)
		if err != nil || n == 0 {
			return err
		}
		opened = true
		if err := s.voiceLinked(ctx, q, &a, c); err != nil {
			return err
		}
		return tell(ctx, q, store.Event{App: a.App, Type: store.EventEconomyCase, Case: c})
	})
	if err != nil {
		return of, false, fmt.Errorf("open case: %w", classify(err))
	}
	return alertCase(c), opened, nil
}

func alertCase(c *store.Case) economy.AlertCase {
	return economy.AlertCase{ID: c.ID, State: c.State, Version: c.Version, Alert: *c.Alert}
}

// caseOfAlert makes the case. Its request names what there may be one case of.
func caseOfAlert(a *economy.Alert) (*store.Case, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	request := id
	if a.Link != nil {
		x, y := min(a.Player, a.Link.Banned), max(a.Player, a.Link.Banned)
		request = uuid.NewSHA1(uuid.NameSpaceURL, []byte("ban_evasion\n"+string(a.App)+"\n"+string(x)+"\n"+string(y)))
	}
	at := time.Now().UTC().Truncate(time.Millisecond)
	c := &store.Case{
		ID: engines.CaseID(id.String()), App: a.App, Request: engines.RequestID(request.String()), Player: a.Player, State: store.CaseOpen,
		Queue: economyQueue, Due: at.Add(alertDue), Kind: string(a.Kind), Alert: a, Version: 1, Created: at, Updated: at,
	}
	if a.Kind == economy.HighRisk && a.Level == economy.Critical {
		c.Priority = topPriority
	}
	return c, nil
}

// riskSettled reports whether a player's risk has its case: an open one, or one
// that was decided lately.
func riskSettled(ctx context.Context, q querier, a *economy.Alert, c *store.Case) (bool, error) {
	const mine = ` app_id = $1 AND player_id = $2 AND kind = 'risk'`
	if c.Priority > 0 {
		_, err := q.ExecContext(ctx, `UPDATE review_case SET priority = $3 WHERE`+mine+` AND state <> 'closed' AND priority < $3`, string(a.App), string(a.Player), c.Priority)
		if err != nil {
			return false, err
		}
	}
	// What was closed because the risk fell was decided by nobody.
	since := time.Now().Add(-decidedFor)
	if a.Rose {
		since = time.Now().Add(time.Hour) // what was decided is not about this
	}
	var n int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM review_case WHERE`+mine+` AND (state <> 'closed' OR updated_ts > $3 AND decided_by <> '`+systemName+`')`,
		string(a.App), string(a.Player), millis(since)).Scan(&n)
	return n > 0, err
}

func encodeAlert(a *economy.Alert) ([]byte, error) {
	if a == nil {
		return nil, nil
	}
	return json.Marshal(a)
}

func decodeAlert(b []byte) *economy.Alert {
	var a economy.Alert
	if len(b) == 0 || json.Unmarshal(b, &a) != nil {
		return nil
	}
	return &a
}
