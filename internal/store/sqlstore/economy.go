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

// entryRow is an entry encoded before it enters a writer whose time is shared.
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
	batch, insert := newBatch(time.Now()), insertEntries
	if s.driver == "postgres" {
		insert = s.insertArrays
		done, err := s.insertNew(ctx, app, batch, entries)
		if err != nil {
			return nil, fmt.Errorf("store %d entries: %w", len(entries), classify(err))
		}
		if done {
			return slices.Repeat([]bool{true}, len(entries)), nil
		}
	}
	rows, err := entryRows(entries)
	if err != nil {
		return nil, fmt.Errorf("store %d entries: %w", len(entries), err)
	}
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
	x, y := a.e, b.e
	if c := cmp.Compare(day(x.At), day(y.At)); c != 0 {
		return c
	}
	if c := cmp.Compare(x.Player, y.Player); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(x.Log, y.Log), cmp.Compare(x.ID, y.ID))
}

// insertEntriesSQL is the statement for n rows; there are as many texts as sizes.
func insertEntriesSQL(n int) string {
	row := ", (?" + strings.Repeat(", ?", entryWidth-1) + ")"
	return `INSERT INTO economy_log (` + entryColumns + `) VALUES ` + strings.Repeat(row, n)[2:] + ` ON CONFLICT (app_id, day, player_id, log, log_id) DO NOTHING`
}
