package sqlstore

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// insertColumns sends columns as arrays: one statement, one round trip, within
// a third of raw COPY. A part of its own follows.
const insertColumns = `INSERT INTO economy_log (` + entryColumns + `, node, xid)
	SELECT $1, u.day, u.player_id, u.log, u.log_id, $2, u.event_ts, u.action, u.what, u.amount, u.after, u.source, u.device, u.ip, u.extra, $16, (SELECT pg_current_xact_id()::text::bigint)
	FROM unnest($3::int[], $4::text[], $5::smallint[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::bigint[], $11::bigint[],
		$12::text[], $13::text[], $14::text[], $15::text[])
		AS u (day, player_id, log, log_id, event_ts, action, what, amount, after, source, device, ip, extra)`

// insertKnown leaves out what is stored already.
const insertKnown = insertColumns + ` ON CONFLICT (app_id, day, player_id, log, log_id) DO NOTHING`

// entryArrays are the columns of entries, which are in the order of their keys: two
// submissions with the same rows can't deadlock then.
type entryArrays struct {
	days, events, amounts, afters                             []int64
	logs                                                      []int16
	players, ids, actions, whats, sources, devices, addresses []string
	extras                                                    []*string
}

// columns sorts rows and takes them apart.
func columns(rows []entryRow) *entryArrays {
	slices.SortFunc(rows, byKey)
	a := newEntryArrays(len(rows))
	for i := range rows {
		a.add(&rows[i])
	}
	return a
}

func newEntryArrays(n int) *entryArrays {
	numbers, texts := make([]int64, 4*n), make([]string, 7*n)
	number := func(i int) []int64 { return numbers[i*n : i*n : (i+1)*n] }
	text := func(i int) []string { return texts[i*n : i*n : (i+1)*n] }
	return &entryArrays{
		days: number(0), events: number(1), amounts: number(2), afters: number(3), logs: make([]int16, 0, n),
		players: text(0), ids: text(1), actions: text(2), whats: text(3), sources: text(4), devices: text(5), addresses: text(6),
		extras: make([]*string, 0, n),
	}
}

func (a *entryArrays) add(r *entryRow) {
	e := r.e
	a.days, a.events, a.amounts, a.afters = append(a.days, day(e.At)), append(a.events, e.At), append(a.amounts, e.Amount), append(a.afters, e.After)
	a.logs, a.players, a.ids = append(a.logs, int16(e.Log)), append(a.players, string(e.Player)), append(a.ids, e.ID)
	a.actions, a.whats, a.sources = append(a.actions, string(e.Action)), append(a.whats, e.What), append(a.sources, e.Source)
	a.devices, a.addresses = append(a.devices, e.Device), append(a.addresses, e.IP)
	if r.extra.Valid {
		a.extras = append(a.extras, &r.extra.String)
	} else {
		a.extras = append(a.extras, nil)
	}
}

// args are those of insertColumns.
func (a *entryArrays) args(app engines.AppID, batch, node int64) []any {
	return []any{string(app), batch, a.days, a.players, a.logs, a.ids, a.events, a.actions, a.whats, a.amounts, a.afters, a.sources, a.devices, a.addresses, a.extras, node}
}

// carefulFor is for how long insertNew is not tried again after it failed: each time
// costs a part of the work and a line in the server's log.
const carefulFor = time.Minute

// insertNew stores entries of which none is stored yet, as it nearly always is: to look
// for each first takes a third of the server's time. Where one is known, or another
// gateway stores the same ones at this moment, none is stored and it returns false.
func (s *Store) insertNew(ctx context.Context, app engines.AppID, batch int64, entries []economy.Entry) (done bool, err error) {
	now := time.Now().UnixNano()
	if now < s.careful.Load() {
		return false, nil
	}
	rows := make([]entryRow, len(entries))
	for i := range entries {
		extra, err := encodeExtra(&entries[i])
		if err != nil {
			return false, err
		}
		rows[i] = entryRow{&entries[i], extra, i}
	}
	_, err = exec(ctx, s.economy.read(), insertColumns, columns(rows).args(app, batch, nodeNumber(s.node))...)
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && (pg.Code == "23505" || pg.Code == "40P01") { // known, or a deadlock
		s.careful.Store(now + int64(carefulFor))
		return false, nil
	}
	return err == nil, err
}

// insertArrays is insertEntries for PostgreSQL.
func (s *Store) insertArrays(ctx context.Context, q querier, app engines.AppID, batch int64, rows []entryRow, fresh []bool) error {
	a := columns(rows)
	took, err := exec(ctx, q, insertKnown, a.args(app, batch, nodeNumber(s.node))...)
	if err != nil {
		return err
	}
	if int(took) == len(rows) { // mostly, so that no row has to come back
		for _, r := range rows {
			fresh[r.i] = true
		}
		return nil
	}
	// Some were known: those that now stand there from another submission.
	found, err := q.QueryContext(ctx, `SELECT u.i FROM unnest($3::int[], $4::text[], $5::smallint[], $6::text[]) WITH ORDINALITY AS u (day, player_id, log, log_id, i)
		JOIN economy_log AS e ON e.app_id = $1 AND e.day = u.day AND e.player_id = u.player_id AND e.log = u.log AND e.log_id = u.log_id AND e.batch = $2`,
		string(app), batch, a.days, a.players, a.logs, a.ids)
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
