package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// page builds the end of a query for a part of a list, newest first.
type page struct {
	query string
	args  []any
}

func (p *page) and(format string, value any) {
	p.args = append(p.args, value)
	p.query += fmt.Sprintf(" AND "+format, len(p.args))
}

// part adds where the page begins and how long it is; id is the column beside created_ts.
func (p *page) part(id string, before economy.Mark, most int) {
	if before != (economy.Mark{}) {
		n := len(p.args)
		p.query += fmt.Sprintf(` AND (created_ts < $%d OR created_ts = $%d AND %s < $%d)`, n+1, n+1, id, n+2)
		p.args = append(p.args, before.At, before.ID)
	}
	p.query += fmt.Sprintf(` ORDER BY created_ts DESC, %s DESC LIMIT $%d`, id, len(p.args)+1)
	p.args = append(p.args, most)
}

// SettlePenalty notes that nothing is owed about a penalty any more.
func (s *Store) SettlePenalty(ctx context.Context, app engines.AppID, id, owed string) error {
	_, err := s.execCore(ctx, `UPDATE penalty SET owed = '' WHERE app_id = $1 AND penalty_id = $2 AND owed = $3`, string(app), id, owed)
	if err != nil {
		return fmt.Errorf("settle penalty: %w", classify(err))
	}
	return nil
}

// Penalties lists penalties of an app, newest first, and with them the bans that
// were made without one and take the same.
func (s *Store) Penalties(ctx context.Context, q store.PenaltyQuery) ([]store.Penalty, error) {
	p := page{`SELECT ` + penaltyFields + ` FROM penalty WHERE app_id = $1`, []any{string(q.App)}}
	if q.Player != "" {
		p.and("player_id = $%d", string(q.Player))
	}
	if q.Kind != "" {
		p.and("kind = $%d", string(q.Kind))
	}
	if q.Holding {
		p.and("kind <> 'warn' AND lifted_ts = 0 AND ended_ts = 0 AND (expires_ts = 0 OR expires_ts > $%d)", q.Now)
	}
	p.part("penalty_id", q.Before, q.Limit)
	list, err := collect(ctx, s.core.read(), scanPenalty, p.query, p.args...)
	if err != nil {
		return nil, fmt.Errorf("penalties: %w", classify(err))
	}
	bans, err := s.bareBans(ctx, &q)
	if err != nil {
		return nil, fmt.Errorf("penalties: %w", classify(err))
	}
	list = append(list, bans...)
	slices.SortFunc(list, func(a, b store.Penalty) int {
		return cmp.Or(cmp.Compare(b.Created, a.Created), cmp.Compare(b.ID, a.ID))
	})
	return list[:min(len(list), q.Limit)], nil
}

// bareBans lists bans without a penalty, as penalties.
func (s *Store) bareBans(ctx context.Context, q *store.PenaltyQuery) ([]store.Penalty, error) {
	p := page{`SELECT ` + banFields + ` FROM ban WHERE app_id = $1
		AND NOT EXISTS (SELECT 1 FROM penalty WHERE penalty.app_id = ban.app_id AND penalty.penalty_id = ban.ban_id)`, []any{string(q.App)}}
	switch t := q.Kind.BanType(); {
	case t != "":
		p.and("type = $%d", string(t))
	case q.Kind != "":
		return nil, nil
	default:
		p.query += ` AND type IN ('temporary', 'permanent', 'trade')`
	}
	if q.Player != "" {
		p.and("player_id = $%d", string(q.Player))
	}
	if q.Holding {
		p.and("lifted_ts = 0 AND ended_ts = 0 AND (ends_ts = 0 OR ends_ts > $%d)", q.Now)
	}
	p.part("ban_id", q.Before, q.Limit)
	return collect(ctx, s.core.read(), func(row scanner) (store.Penalty, error) {
		b, err := scanBan(row)
		return store.Penalty{
			App: b.App, ID: b.ID, Player: b.Player, Kind: store.PenaltyOf(b.Type), Reason: b.Reason, By: b.By, Created: b.Created, Expires: b.Ends,
			Told: b.Created, Ended: b.Ended, Lifted: b.Lifted, LiftedBy: b.LiftedBy, LiftReason: b.LiftReason,
		}, err
	}, p.query, p.args...)
}

// Strikes lists strikes of a player, newest first, those that were undone too.
func (s *Store) Strikes(ctx context.Context, app engines.AppID, player engines.PlayerID, before economy.Mark, most int) ([]store.Strike, error) {
	p := page{`SELECT ` + strikeFields + ` FROM strike WHERE app_id = $1 AND player_id = $2`, []any{string(app), string(player)}}
	p.part("strike_id", before, most)
	list, err := collect(ctx, s.core.read(), scanStrike, p.query, p.args...)
	if err != nil {
		return nil, fmt.Errorf("strikes: %w", classify(err))
	}
	return list, nil
}
