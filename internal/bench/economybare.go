package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the store that a gateway without configuration has
)

// bareColumns are those of the gateway's log table; bareTable is laid out like it.
const (
	bareColumns = 15
	bareTable   = `CREATE TABLE log (app_id TEXT NOT NULL, day INTEGER NOT NULL, player_id TEXT NOT NULL, log INTEGER NOT NULL,
		log_id TEXT NOT NULL, batch BIGINT NOT NULL, event_ts BIGINT NOT NULL, action TEXT NOT NULL, what TEXT NOT NULL, amount BIGINT NOT NULL,
		after BIGINT NOT NULL, source TEXT NOT NULL, device TEXT NOT NULL, ip TEXT NOT NULL, extra TEXT,
		PRIMARY KEY (app_id, day, player_id, log, log_id)) WITHOUT ROWID`
)

// bareInsert stores the rows of batches with one multi-row insert and one commit
// (WAL, synchronous FULL) a batch, and returns rows a second.
func bareInsert(ctx context.Context, file string, batches []economyBatch) (perSecond float64, err error) {
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		return 0, fmt.Errorf("bare insert: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, bareTable); err != nil {
		return 0, fmt.Errorf("bare insert: %w", err)
	}
	prepared := map[int]*sql.Stmt{}
	began, rows := time.Now(), 0
	for _, b := range batches {
		n := len(b.rows)
		if prepared[n] == nil {
			values := strings.Repeat(",(?"+strings.Repeat(",?", bareColumns-1)+")", n)[1:]
			if prepared[n], err = db.PrepareContext(ctx, "INSERT INTO log VALUES "+values); err != nil {
				return 0, fmt.Errorf("bare insert: %w", err)
			}
		}
		args := make([]any, 0, n*bareColumns)
		for _, r := range b.rows {
			args = append(args, "bench", r.at/86_400_000, r.player, r.log, r.id, began.UnixMilli(), r.at, r.action, r.what, r.amount, r.after, r.source,
				r.device, "", r.extra)
		}
		if _, err := prepared[n].ExecContext(ctx, args...); err != nil {
			return 0, fmt.Errorf("bare insert: %w", err)
		}
		rows += n
	}
	return float64(rows) / time.Since(began).Seconds(), nil
}
