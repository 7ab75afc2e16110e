package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// expireAtOnce is how many bans are ended in one transaction.
const expireAtOnce = 256

// EndBans notes which bans have ended by themselves: of all apps those whose end by
// our clock has come, and those that the caller names by app and id, since its
// app's time has come to their end. Each is noted once, whoever asks, with an audit
// entry and what webhooks are to tell, and returned to the one who noted it.
func (s *Store) EndBans(ctx context.Context, now int64, named []economy.BanKey) ([]economy.Ban, error) {
	due, err := collect(ctx, s.core.read(), func(row scanner) (k economy.BanKey, err error) {
		err = row.Scan(&k.App, &k.ID)
		return k, err
	}, `SELECT app_id, ban_id FROM ban WHERE lifted_ts = 0 AND ended_ts = 0 AND ends_ts > 0 AND ends_ts <= $1 ORDER BY ends_ts LIMIT $2`, now, expireAtOnce)
	if err != nil {
		return nil, fmt.Errorf("bans that ended: %w", classify(err))
	}
	due = append(due, named[:min(len(named), expireAtOnce)]...)
	if len(due) == 0 {
		return nil, nil // no write: this is asked every few seconds
	}
	// In one order everywhere, so that two gateways do not wait for each other.
	slices.SortFunc(due, func(x, y economy.BanKey) int { return cmp.Or(cmp.Compare(x.App, y.App), cmp.Compare(x.ID, y.ID)) })
	var ended []economy.Ban
	err = s.core.write(ctx, len(due), func(ctx context.Context, q querier) error {
		ended = nil
		for _, k := range due {
			list, err := collect(ctx, q, scanBan, `UPDATE ban SET ended_ts = $1, changed_ts = $2 WHERE app_id = $3 AND ban_id = $4
				AND lifted_ts = 0 AND ended_ts = 0 AND expires_ts > 0 RETURNING `+banFields, now, millis(time.Now()), string(k.App), k.ID)
			if err != nil {
				return err
			}
			for i := range list {
				if err := s.ended(ctx, q, &list[i]); err != nil {
					return err
				}
			}
			ended = append(ended, list...)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("end bans: %w", classify(err))
	}
	return ended, nil
}

func (s *Store) ended(ctx context.Context, q querier, b *economy.Ban) error {
	entry, err := s.banAudit("expire", "system", b)
	if err == nil {
		err = appendAudit(ctx, q, entry)
	}
	if err == nil {
		err = tell(ctx, q, store.Event{App: b.App, Type: store.EventBanExpired, Ban: b})
	}
	if err == nil {
		err = s.penaltyExpired(ctx, q, b)
	}
	return err
}
