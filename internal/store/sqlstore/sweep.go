package sqlstore

import (
	"context"
	"log/slog"
	"time"
)

const (
	sweepEvery = time.Minute
	sweepRows  = 1000
	// Tokens stay a while after their end, so that a late use is told apart from
	// a made-up one in the log.
	sweepTokensAfter = 24 * time.Hour
	// Deliveries are to be seen, and sent again, for a while.
	sweepDeliveredAfter = 7 * 24 * time.Hour
	sweepDeadAfter      = 30 * 24 * time.Hour
	// Snoozes and overrides that were taken back stay until every gateway has read that they were.
	sweepSnoozesAfter = 24 * time.Hour
)

// sweep deletes what ran out, a bounded piece at a time so that it never holds
// the writer for long, and keeps the day partitions ahead of the clock.
func (s *Store) sweep(ctx context.Context) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		if err := s.sweepOnce(ctx, time.Now()); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "sweep of the durable store failed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (s *Store) sweepOnce(ctx context.Context, now time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, sweepEvery)
	defer cancel()
	for _, piece := range []struct {
		query  string
		before time.Time
	}{
		{`DELETE FROM seen WHERE seen_key IN (SELECT seen_key FROM seen WHERE expires_ts <= $1 LIMIT $2)`, now},
		{`DELETE FROM login WHERE cookie_sha256 IN (SELECT cookie_sha256 FROM login WHERE expires_ts <= $1 LIMIT $2)`, now},
		{`DELETE FROM password_link WHERE token_sha256 IN (SELECT token_sha256 FROM password_link WHERE expires_ts <= $1 LIMIT $2)`, now},
		{`DELETE FROM api_token WHERE token_sha256 IN (SELECT token_sha256 FROM api_token WHERE expires_ts <= $1 LIMIT $2)`, now.Add(-sweepTokensAfter)},
		{`DELETE FROM webhook_delivery WHERE delivery_id IN (SELECT delivery_id FROM webhook_delivery WHERE state = 'delivered' AND last_ts <= $1 LIMIT $2)`, now.Add(-sweepDeliveredAfter)},
		{`DELETE FROM webhook_delivery WHERE delivery_id IN (SELECT delivery_id FROM webhook_delivery WHERE state = 'dead' AND last_ts <= $1 LIMIT $2)`, now.Add(-sweepDeadAfter)},
		{`DELETE FROM webhook_secret WHERE key_id IN (SELECT key_id FROM webhook_secret WHERE expires_ts > 0 AND expires_ts <= $1 LIMIT $2)`, now},
		{`DELETE FROM economy_snooze WHERE (app_id, rule, player_id) IN
			(SELECT app_id, rule, player_id FROM economy_snooze WHERE until_ts <= $1 LIMIT $2)`, now.Add(-sweepSnoozesAfter)},
		{`DELETE FROM economy_override WHERE (app_id, player_id) IN
			(SELECT app_id, player_id FROM economy_override WHERE until_ts <= $1 LIMIT $2)`, now.Add(-sweepSnoozesAfter)},
	} {
		for {
			n, err := s.execCore(ctx, piece.query, millis(piece.before), sweepRows)
			if err != nil {
				return err
			}
			if n < sweepRows {
				break
			}
		}
	}
	if err := s.sweepStats(ctx, now); err != nil {
		return err
	}
	if s.driver == "postgres" {
		return s.makePartitions(ctx, now)
	}
	return nil
}
