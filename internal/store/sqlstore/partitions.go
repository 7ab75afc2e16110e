package sqlstore

import (
	"context"
	"fmt"
	"time"
)

const (
	partitionsBehind = 1
	partitionsAhead  = 3
	// Any number that nothing else here locks by.
	partitionLock     = 7_236_501_184
	partitionPatience = "2s"
)

// makePartitions sees to it that the days around now have a partition each; what
// none covers goes to the default one. A day that has rows there already stays
// there: moving them would stop ingestion, and reads find them all the same.
func (s *Store) makePartitions(ctx context.Context, now time.Time) error {
	today := day(millis(now))
	for d := today - partitionsBehind; d <= today+partitionsAhead; d++ {
		if err := s.makePartition(ctx, d); err != nil {
			return fmt.Errorf("make partition of day %d: %w", d, classify(err))
		}
	}
	return nil
}

func (s *Store) makePartition(ctx context.Context, d int64) error {
	name := fmt.Sprintf("economy_log_d%d", d)
	known := func(q querier, query string, args ...any) (bool, error) {
		var yes bool
		err := q.QueryRowContext(ctx, query, args...).Scan(&yes)
		return yes, err
	}
	const have = `SELECT to_regclass($1) IS NOT NULL`
	if yes, err := known(s.economy.read(), have, name); yes || err != nil {
		return err
	}
	return s.economy.write(ctx, 1, func(ctx context.Context, q querier) error {
		// Whoever waits for the table's lock has all others wait behind it: better to
		// give up beside a long transaction and come again at the next round.
		if _, err := q.ExecContext(ctx, `SET LOCAL lock_timeout = '`+partitionPatience+`'`); err != nil {
			return err
		}
		if _, err := q.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(partitionLock)); err != nil {
			return err
		}
		if yes, err := known(q, have, name); yes || err != nil {
			return err
		}
		yes, err := known(q, `SELECT EXISTS (SELECT 1 FROM economy_log_default WHERE day = $1)`, d)
		if yes || err != nil {
			return err
		}
		_, err = q.ExecContext(ctx, fmt.Sprintf(`CREATE TABLE IF NOT EXISTS %s PARTITION OF economy_log FOR VALUES FROM (%d) TO (%d)`, name, d, d+1))
		return err
	})
}
