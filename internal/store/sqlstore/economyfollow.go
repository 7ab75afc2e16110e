package sqlstore

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// followBack is by how much the clocks of two gateways may differ, and how long
// before its commit a row may have been received. It keeps rows out that another
// server numbered: those of a restored dump.
const followBack = 10 * time.Minute

// nodeNumber stands for a gateway in the rows that it stores.
func nodeNumber(node string) int64 {
	sum := sha256.Sum256([]byte(node))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

// place is what a transaction sees: when it looked, in ms, and PostgreSQL's
// snapshot. The same rows are seen by all that come after, and whether a row is new
// does not depend on the order in which transactions end. SQLite has none: there,
// one gateway stores all.
func (s *Store) place(ctx context.Context, q querier) (economy.Place, error) {
	if s.driver != "postgres" {
		return "", nil
	}
	var snapshot string
	err := q.QueryRowContext(ctx, `SELECT pg_current_snapshot()::text`).Scan(&snapshot)
	return economy.Place(strconv.FormatInt(millis(time.Now()), 10) + "/" + snapshot), err
}

// cutPlace takes a place apart: when, its snapshot, and the oldest transaction that
// it might not see.
func cutPlace(p economy.Place) (at int64, snapshot string, oldest int64, err error) {
	when, snapshot, ok := strings.Cut(string(p), "/")
	xmin, _, ok2 := strings.Cut(snapshot, ":")
	if !ok || !ok2 {
		return 0, "", 0, fmt.Errorf("place %q: not one of this store", p)
	}
	if at, err = strconv.ParseInt(when, 10, 64); err == nil {
		oldest, err = strconv.ParseInt(xmin, 10, 64)
	}
	return at, snapshot, oldest, err
}

// Follow hands on the entries of app with an event time of from or later that other
// gateways stored and since does not see, and returns the place that sees them.
// Where it fails, some may have been handed on.
func (s *Store) Follow(ctx context.Context, app engines.AppID, since economy.Place, from int64, each func([]economy.Entry)) (economy.Place, error) {
	if s.driver != "postgres" {
		return since, nil
	}
	at, seen, oldest, err := cutPlace(since)
	if err != nil {
		return since, fmt.Errorf("follow: %w", err)
	}
	var next economy.Place
	err = s.economy.snapshot(ctx, func(ctx context.Context, q querier) (err error) {
		if next, err = s.place(ctx, q); err != nil {
			return err
		}
		return eachEntry(ctx, q, always(each), `SELECT `+entryFields+` FROM economy_log
			WHERE app_id = $1 AND day >= $2 AND event_ts >= $3 AND xid >= $4 AND node <> $5 AND batch >= $6
			AND NOT pg_visible_in_snapshot(xid::text::xid8, $7::text::pg_snapshot)`,
			string(app), day(from), from, oldest, nodeNumber(s.node), (at-followBack.Milliseconds())<<20, seen)
	})
	if err != nil {
		return since, fmt.Errorf("follow: %w", classify(err))
	}
	return next, nil
}

// eachEntry hands on the entries that a query finds, replayRows at once, until each
// returns an error.
func eachEntry(ctx context.Context, q querier, each func([]economy.Entry) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err has what matters
	list := make([]economy.Entry, 0, replayRows)
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			return err
		}
		if list = append(list, e); len(list) == replayRows {
			if err := each(list); err != nil {
				return err
			}
			list = list[:0]
		}
	}
	if err := rows.Err(); err != nil || len(list) == 0 {
		return err
	}
	return each(list)
}

// always is each where it cannot end the reading.
func always(each func([]economy.Entry)) func([]economy.Entry) error {
	return func(list []economy.Entry) error {
		each(list)
		return nil
	}
}
