package sqlstore

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// A penalty that is a ban has its ban's id. What becomes of the ban becomes of the
// penalty in the same transaction, so that there is one truth about both.

// penaltyBanned notes that the ban of a penalty is made. A penalty that was lifted
// meanwhile owes its ban's lift.
func penaltyBanned(ctx context.Context, q querier, b *economy.Ban) error {
	_, err := q.ExecContext(ctx, `UPDATE penalty SET owed = CASE WHEN lifted_ts > 0 THEN 'lift' ELSE '' END
		WHERE app_id = $1 AND penalty_id = $2`, string(b.App), b.ID)
	return err
}

// penaltyUnbanned notes that the ban of a penalty is lifted, and the penalty with it
// where somebody lifted the ban itself.
func (s *Store) penaltyUnbanned(ctx context.Context, q querier, b *economy.Ban) error {
	if _, err := q.ExecContext(ctx, `UPDATE penalty SET owed = '' WHERE app_id = $1 AND penalty_id = $2`, string(b.App), b.ID); err != nil {
		return err
	}
	now := millis(time.Now())
	list, err := collect(ctx, q, scanPenalty, `UPDATE penalty SET lifted_ts = $1, lifted_by = $2, lift_reason = $3, changed_ts = $1
		WHERE app_id = $4 AND penalty_id = $5 AND lifted_ts = 0 AND ended_ts = 0 RETURNING `+penaltyFields, now, b.LiftedBy, b.LiftReason, string(b.App), b.ID)
	for i := range list {
		if err == nil {
			err = s.penaltyChanged(ctx, q, "penalty.lift", b.LiftedBy, store.EventPenaltyLifted, &list[i])
		}
	}
	return err
}

// penaltyExpired notes that the ban of a penalty has ended by itself.
func (s *Store) penaltyExpired(ctx context.Context, q querier, b *economy.Ban) error {
	now := millis(time.Now())
	list, err := collect(ctx, q, scanPenalty, `UPDATE penalty SET ended_ts = $1, owed = '', changed_ts = $1
		WHERE app_id = $2 AND penalty_id = $3 AND lifted_ts = 0 AND ended_ts = 0 RETURNING `+penaltyFields, now, string(b.App), b.ID)
	for i := range list {
		if err == nil {
			err = s.penaltyChanged(ctx, q, "penalty.expire", "system", store.EventPenaltyExpired, &list[i])
		}
	}
	return err
}
