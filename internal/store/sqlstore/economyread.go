package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// replayRows is how many entries a replay hands on at once.
	replayRows = 1000
	// One page of a timeline looks at so many days at most, some at a time: a day is
	// a range of the key, whatever the others hold.
	timelineDays = 400
	daysAtOnce   = 8
)

const entryFields = `player_id, log, log_id, event_ts, action, what, amount, after, source, device, ip, extra`

func scanEntry(row scanner) (e economy.Entry, err error) {
	var extra sql.NullString
	err = row.Scan(&e.Player, &e.Log, &e.ID, &e.At, &e.Action, &e.What, &e.Amount, &e.After, &e.Source, &e.Device, &e.IP, &extra)
	if err == nil {
		err = decodeExtra(&e, extra)
	}
	return e, err
}

// EconomyApps lists the apps that have entries.
func (s *Store) EconomyApps(ctx context.Context) ([]engines.AppID, error) {
	var apps []engines.AppID
	for app := ""; ; { // from one to the next: a DISTINCT would read every row
		var next sql.NullString
		err := s.economy.read().QueryRowContext(ctx, `SELECT min(app_id) FROM economy_log WHERE app_id > $1`, app).Scan(&next)
		if err != nil {
			return nil, fmt.Errorf("apps with entries: %w", classify(err))
		}
		if !next.Valid {
			return apps, nil
		}
		app = next.String
		apps = append(apps, engines.AppID(app))
	}
}

// Newest is the end of the newest day that has an entry of a log of app, epoch ms;
// 0 where none has. Adverts are no log: chat goes on while old logs are played.
func (s *Store) Newest(ctx context.Context, app engines.AppID) (int64, error) {
	var newest int64
	err := s.economy.read().QueryRowContext(ctx, `SELECT day FROM economy_log WHERE app_id = $1 AND log <> $2 ORDER BY day DESC LIMIT 1`,
		string(app), int64(economy.Advert)).Scan(&newest)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("newest day: %w", classify(err))
	}
	return (newest+1)*dayMillis - 1, nil
}

func (s *Store) days(ctx context.Context, app engines.AppID) (oldest, newest sql.NullInt64, err error) {
	for _, end := range []struct {
		query string
		to    *sql.NullInt64
	}{{`SELECT min(day) FROM economy_log WHERE app_id = $1`, &oldest}, {`SELECT max(day) FROM economy_log WHERE app_id = $1`, &newest}} {
		if err := s.economy.read().QueryRowContext(ctx, end.query, string(app)).Scan(end.to); err != nil {
			return oldest, newest, classify(err)
		}
	}
	return oldest, newest, nil
}

// Replay hands on the entries of app with an event time of from or later, as they
// stand at the place with which began is called, day by day. each keeps nothing of
// what it gets.
func (s *Store) Replay(ctx context.Context, app engines.AppID, from int64, began func(economy.Place), each func([]economy.Entry)) error {
	err := s.economy.snapshot(ctx, func(ctx context.Context, q querier) error {
		// The view begins with the first row that is read, or looked for.
		var n int
		if err := q.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM economy_log LIMIT 1) AS one`).Scan(&n); err != nil {
			return err
		}
		place, err := s.place(ctx, q)
		if err != nil {
			return err
		}
		began(place)
		return eachEntry(ctx, q, always(each), `SELECT `+entryFields+` FROM economy_log WHERE app_id = $1 AND day >= $2 AND event_ts >= $3`, string(app), day(from), from)
	})
	if err != nil {
		return fmt.Errorf("replay: %w", classify(err))
	}
	return nil
}

// entryMark tells entries of one time apart: two logs may use one id.
const entryMark = `log_id || ':' || CAST(log AS TEXT)`

// Timeline returns a page of the entries of a player, newest first; next is the
// zero Mark where nothing follows. A page may be shorter than most, or empty,
// where many days have nothing.
func (s *Store) Timeline(ctx context.Context, app engines.AppID, player engines.PlayerID, before economy.Mark, most int) (page []economy.Entry, next economy.Mark, err error) {
	oldest, newest, err := s.days(ctx, app)
	if err != nil || !newest.Valid {
		return nil, economy.Mark{}, err
	}
	if before == (economy.Mark{}) {
		before = economy.Mark{At: math.MaxInt64}
	}
	last := min(newest.Int64, day(before.At))
	for d, looked := last, 0; d >= oldest.Int64; d, looked = d-daysAtOnce, looked+daysAtOnce {
		if looked >= timelineDays {
			return page, economy.Mark{At: (d + 1) * dayMillis}, nil
		}
		args := []any{string(app), string(player), before.At, before.ID, most - len(page) + 1}
		for i := range int64(daysAtOnce) {
			args = append(args, d-i)
		}
		part, err := collect(ctx, s.economy.read(), scanEntry, `SELECT `+entryFields+` FROM economy_log
			WHERE app_id = $1 AND day IN ($6, $7, $8, $9, $10, $11, $12, $13) AND player_id = $2
			AND (event_ts < $3 OR event_ts = $3 AND `+entryMark+` < $4)
			ORDER BY event_ts DESC, `+entryMark+` DESC LIMIT $5`, args...)
		if err != nil {
			return nil, economy.Mark{}, fmt.Errorf("timeline: %w", classify(err))
		}
		if page = append(page, part...); len(page) > most {
			page = page[:most]
			end := page[most-1]
			return page, economy.Mark{At: end.At, ID: end.ID + ":" + strconv.Itoa(int(end.Log))}, nil
		}
	}
	return page, economy.Mark{}, nil
}
