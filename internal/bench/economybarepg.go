package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// barePgTable is laid out like the gateway's: partitions by day, of which those of
// the rows are made before. The gateway's own days are made as it starts.
const barePgTable = `CREATE TABLE bare_log (app_id TEXT NOT NULL, day INTEGER NOT NULL, player_id TEXT NOT NULL, log SMALLINT NOT NULL,
	log_id TEXT NOT NULL, batch BIGINT NOT NULL, event_ts BIGINT NOT NULL, action TEXT NOT NULL, what TEXT NOT NULL, amount BIGINT NOT NULL,
	after BIGINT NOT NULL, source TEXT NOT NULL, device TEXT NOT NULL, ip TEXT NOT NULL, extra TEXT NULL,
	PRIMARY KEY (app_id, day, player_id, log, log_id)) PARTITION BY RANGE (day);
	CREATE TABLE bare_log_default PARTITION OF bare_log DEFAULT`

const barePgInsert = `INSERT INTO bare_log SELECT $1, u.day, u.player_id, u.log, u.log_id, $2, u.event_ts, u.action, u.what, u.amount, u.after, u.source, u.device, '', u.extra
	FROM unnest($3::int[], $4::text[], $5::smallint[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::text[], $13::text[], $14::text[])
		AS u (day, player_id, log, log_id, event_ts, action, what, amount, after, source, device, extra)`

// bareArrays stores the rows of batches in PostgreSQL, one statement and one commit a
// batch, over so many connections, and returns rows a second.
func bareArrays(ctx context.Context, address string, conns int, batches []economyBatch) (perSecond float64, err error) {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return 0, fmt.Errorf("bare insert: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	ddl := strings.Split(barePgTable, ";")
	for d := batches[0].rows[0].at / 86_400_000; d <= time.Now().UnixMilli()/86_400_000; d++ {
		ddl = append(ddl, fmt.Sprintf("CREATE TABLE bare_log_d%d PARTITION OF bare_log FOR VALUES FROM (%d) TO (%d)", d, d, d+1))
	}
	for _, statement := range ddl {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return 0, fmt.Errorf("bare insert: %w", err)
		}
	}
	began, rows := time.Now(), 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(conns)
	for i := range batches {
		rows += len(batches[i].rows)
		group.Go(func() error {
			_, err := db.ExecContext(ctx, barePgInsert, bareArgs(&batches[i], began)...)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return 0, fmt.Errorf("bare insert: %w", err)
	}
	return float64(rows) / time.Since(began).Seconds(), nil
}

// bareArgs are the columns of a batch as arrays.
func bareArgs(b *economyBatch, received time.Time) []any {
	n := len(b.rows)
	days, events, amounts, afters := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	logs, extras := make([]int16, n), make([]*string, n)
	players, ids, actions, whats := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	sources, devices := make([]string, n), make([]string, n)
	for i := range b.rows {
		r := &b.rows[i]
		days[i], events[i], amounts[i], afters[i] = r.at/86_400_000, r.at, r.amount, r.after
		logs[i], players[i], ids[i], actions[i], whats[i] = int16(r.log), r.player, r.id, r.action, r.what //nolint:gosec // 1 to 3
		sources[i], devices[i] = r.source, r.device
		if r.extra != "" {
			extras[i] = &r.extra
		}
	}
	return []any{"bench", received.UnixMilli(), days, players, logs, ids, events, actions, whats, amounts, afters, sources, devices, extras}
}
