package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const dayMillis = 86_400_000

// day is the partition of an event time; it rounds down before 1970 too.
func day(ms int64) int64 {
	d := ms / dayMillis
	if ms%dayMillis < 0 {
		d--
	}
	return d
}

// newBatch names a submission: when it was received, in ms, and 20 random bits.
func newBatch(now time.Time) int64 { return now.UnixMilli()<<20 | rand.Int64N(1<<20) }

// entryRow is an entry encoded before it enters the writer, whose time is shared.
type entryRow struct {
	e     *economy.Entry
	extra sql.NullString
	i     int // its place among the entries
}

// PutEntries commits entries of app and says for each whether it is new. One is
// known by log, player, event day and id, within entries or from before; what is
// stored first stays.
func (s *Store) PutEntries(ctx context.Context, app engines.AppID, entries []economy.Entry) (fresh []bool, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	rows, err := entryRows(entries)
	if err != nil {
		return nil, fmt.Errorf("store %d entries: %w", len(entries), err)
	}
	insert := insertEntries
	if s.driver == "postgres" {
		insert = s.insertEntryArrays
	}
	batch := newBatch(time.Now())
	err = s.economy.write(ctx, len(rows), func(ctx context.Context, q querier) error {
		list := make([]bool, len(entries))
		if err := insert(ctx, q, app, batch, rows, list); err != nil {
			return err
		}
		fresh = list
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("store %d entries: %w", len(entries), classify(err))
	}
	return fresh, nil
}

type entryKey struct {
	log    economy.Log
	player engines.PlayerID
	id     string
}

// entryRows encodes entries, the first of those that have one key.
func entryRows(entries []economy.Entry) ([]entryRow, error) {
	rows := make([]entryRow, 0, len(entries))
	seen := make(map[entryKey]struct{}, len(entries))
	for i := range entries {
		e := &entries[i]
		key := entryKey{e.Log, e.Player, e.ID}
		if _, again := seen[key]; again {
			continue
		}
		seen[key] = struct{}{}
		extra, err := encodeExtra(e)
		if err != nil {
			return nil, err
		}
		rows = append(rows, entryRow{e, extra, i})
	}
	return rows, nil
}

const entryColumns = `app_id, day, player_id, log, log_id, batch, event_ts, action, what, amount, after, source, device, ip, extra`

// entryWidth is the number of entryColumns.
const entryWidth = 15

// entriesAtOnce is how many rows one statement inserts into SQLite: each costs a
// third of what a statement of its own does.
const entriesAtOnce = 50

// insertEntries inserts rows in the order of their key, which a b-tree takes best.
func insertEntries(ctx context.Context, q querier, app engines.AppID, batch int64, rows []entryRow, fresh []bool) error {
	// A saved book does not know them.
	if _, err := q.ExecContext(ctx, `DELETE FROM economy_book WHERE app_id = $1`, string(app)); err != nil {
		return err
	}
	for chunk := range slices.Chunk(slices.SortedFunc(slices.Values(rows), byKey), entriesAtOnce) {
		args := make([]any, 0, len(chunk)*entryWidth)
		for _, r := range chunk {
			e := r.e
			args = append(args, string(app), day(e.At), string(e.Player), int64(e.Log), e.ID, batch, e.At,
				string(e.Action), e.What, e.Amount, e.After, e.Source, e.Device, e.IP, r.extra)
		}
		n, err := exec(ctx, q, insertEntriesSQL(len(chunk)), args...)
		if err != nil {
			return err
		}
		for _, r := range chunk {
			if fresh[r.i] = true; int(n) == len(chunk) {
				continue
			}
			// Some were known: those that now stand there from another submission.
			var from int64
			err := q.QueryRowContext(ctx, `SELECT batch FROM economy_log WHERE app_id = $1 AND day = $2 AND player_id = $3 AND log = $4 AND log_id = $5`,
				string(app), day(r.e.At), string(r.e.Player), int64(r.e.Log), r.e.ID).Scan(&from)
			if err != nil {
				return err
			}
			fresh[r.i] = from == batch
		}
	}
	return nil
}

func byKey(a, b entryRow) int {
	return cmp.Or(cmp.Compare(day(a.e.At), day(b.e.At)), cmp.Compare(a.e.Player, b.e.Player), cmp.Compare(a.e.Log, b.e.Log), cmp.Compare(a.e.ID, b.e.ID))
}

// insertEntriesSQL is the statement for n rows; there are as many texts as sizes.
func insertEntriesSQL(n int) string {
	row := ", (?" + strings.Repeat(", ?", entryWidth-1) + ")"
	return `INSERT INTO economy_log (` + entryColumns + `) VALUES ` + strings.Repeat(row, n)[2:] + ` ON CONFLICT (app_id, day, player_id, log, log_id) DO NOTHING`
}

// insertEntryArrays sends columns as arrays: one statement, one round trip, within
// a third of raw COPY, which knows no ON CONFLICT.
func (s *Store) insertEntryArrays(ctx context.Context, q querier, app engines.AppID, batch int64, rows []entryRow, fresh []bool) error {
	n := len(rows)
	days, events, amounts, afters := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	logs := make([]int16, n)
	players, ids, actions, whats := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	sources, devices, ips := make([]string, n), make([]string, n), make([]string, n)
	extras := make([]*string, n)
	for i, r := range rows {
		e := r.e
		days[i], events[i], amounts[i], afters[i] = day(e.At), e.At, e.Amount, e.After
		logs[i], players[i], ids[i] = int16(e.Log), string(e.Player), e.ID
		actions[i], whats[i], sources[i] = string(e.Action), e.What, e.Source
		devices[i], ips[i] = e.Device, e.IP
		if r.extra.Valid {
			extras[i] = &rows[i].extra.String
		}
	}
	// Sorted by key, so that two batches with the same rows can't deadlock.
	took, err := exec(ctx, q, `INSERT INTO economy_log (`+entryColumns+`, node, xid)
		SELECT $1, u.day, u.player_id, u.log, u.log_id, $2, u.event_ts, u.action, u.what, u.amount, u.after, u.source, u.device, u.ip, u.extra, $16, (SELECT pg_current_xact_id()::text::bigint)
		FROM unnest($3::int[], $4::text[], $5::smallint[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::bigint[], $11::bigint[],
			$12::text[], $13::text[], $14::text[], $15::text[])
			AS u (day, player_id, log, log_id, event_ts, action, what, amount, after, source, device, ip, extra)
		ORDER BY u.day, u.player_id, u.log, u.log_id
		ON CONFLICT (app_id, day, player_id, log, log_id) DO NOTHING`,
		string(app), batch, days, players, logs, ids, events, actions, whats, amounts, afters, sources, devices, ips, extras, nodeNumber(s.node))
	if err != nil {
		return err
	}
	if int(took) == n { // nearly always, so that no row has to come back
		for _, r := range rows {
			fresh[r.i] = true
		}
		return nil
	}
	// Some were known: those that now stand there from another submission.
	found, err := q.QueryContext(ctx, `SELECT u.i FROM unnest($3::int[], $4::text[], $5::smallint[], $6::text[]) WITH ORDINALITY AS u (day, player_id, log, log_id, i)
		JOIN economy_log AS e ON e.app_id = $1 AND e.day = u.day AND e.player_id = u.player_id AND e.log = u.log AND e.log_id = u.log_id AND e.batch = $2`,
		string(app), batch, days, players, logs, ids)
	if err != nil {
		return err
	}
	defer func() { _ = found.Close() }() // found.Err has what matters
	for found.Next() {
		var i int
		if err := found.Scan(&i); err != nil {
			return err
		}
		fresh[rows[i-1].i] = true
	}
	return found.Err()
}
