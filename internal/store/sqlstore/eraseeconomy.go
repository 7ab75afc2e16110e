package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// eachDay runs fn for every day of which the app has entries.
func (s *Store) eachDay(ctx context.Context, e *store.Erasure, fn func(day int64) error) error {
	oldest, newest, err := s.days(ctx, e.App)
	if err != nil || !newest.Valid {
		return err
	}
	for d := oldest.Int64; d <= newest.Int64; d++ {
		if err := fn(d); err != nil {
			return err
		}
	}
	return nil
}

// eraseEntries gives a player's entries the pseudonym and takes device and address
// off them: sums of the economy stay what they were.
func (s *Store) eraseEntries(ctx context.Context, e *store.Erasure) error {
	return s.eachDay(ctx, e, func(d int64) error {
		var n int64
		err := s.economy.write(ctx, eraseAtOnce, func(ctx context.Context, q querier) (err error) {
			args := []any{string(e.App), d, string(e.Player), string(e.Pseudonym)}
			// An entry that came again after an earlier erasure is there already.
			if _, err = q.ExecContext(ctx, `DELETE FROM economy_log WHERE app_id = $1 AND day = $2 AND player_id = $3 AND EXISTS
				(SELECT 1 FROM economy_log AS was WHERE was.app_id = $1 AND was.day = $2 AND was.player_id = $4
				AND was.log = economy_log.log AND was.log_id = economy_log.log_id)`, args...); err != nil {
				return err
			}
			n, err = exec(ctx, q, `UPDATE economy_log SET player_id = $4, device = '', ip = '' WHERE app_id = $1 AND day = $2 AND player_id = $3`, args...)
			return err
		})
		if err != nil {
			return err
		}
		return s.countApart(ctx, e, "entries", n)
	})
}

// countApart counts what was changed in the economy's database, which may be another
// file: a crash between the two leaves it out.
func (s *Store) countApart(ctx context.Context, e *store.Erasure, kind string, n int64) error {
	if n == 0 {
		return nil
	}
	return s.core.write(ctx, 1, func(ctx context.Context, q querier) error { return s.count(ctx, q, e, kind, n) })
}

// erasePartners takes the player out of the entries of those it traded with.
func (s *Store) erasePartners(ctx context.Context, e *store.Erasure) error {
	needle, err := json.Marshal(extraRecord{Counterparty: e.Player})
	if err != nil {
		return err
	}
	// The member as it stands in the text: "cp":"…"
	like := `%` + likeEscape.Replace(strings.Trim(string(needle), "{}")) + `%`
	return s.eachDay(ctx, e, func(d int64) error {
		list, err := collect(ctx, s.economy.read(), func(row scanner) (k partnerEntry, err error) {
			err = row.Scan(&k.player, &k.log, &k.id, &k.extra)
			return k, err
		}, `SELECT player_id, log, log_id, extra FROM economy_log WHERE app_id = $1 AND day = $2 AND extra LIKE $3 ESCAPE '!'`, string(e.App), d, like)
		if err != nil {
			return err
		}
		for piece := range slices.Chunk(list, eraseAtOnce) {
			if err := s.erasePartnersOf(ctx, e, d, piece); err != nil {
				return err
			}
		}
		return nil
	})
}

// partnerEntry is an entry that may name the player as its other side.
type partnerEntry struct {
	player, id string
	log        int64
	extra      sql.NullString
}

func (s *Store) erasePartnersOf(ctx context.Context, e *store.Erasure, d int64, piece []partnerEntry) error {
	var n int64
	err := s.economy.write(ctx, len(piece), func(ctx context.Context, q querier) error {
		n = 0
		for _, k := range piece {
			var entry economy.Entry
			if err := decodeExtra(&entry, k.extra); err != nil {
				return err
			}
			if entry.Counterparty != e.Player { // LIKE does not tell large letters from small ones everywhere
				continue
			}
			entry.Counterparty = e.Pseudonym
			extra, err := encodeExtra(&entry)
			if err != nil {
				return err
			}
			changed, err := exec(ctx, q, `UPDATE economy_log SET extra = $1 WHERE app_id = $2 AND day = $3 AND player_id = $4 AND log = $5 AND log_id = $6`,
				extra, string(e.App), d, k.player, k.log, k.id)
			if err != nil {
				return err
			}
			n += changed
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.countApart(ctx, e, "partners", n)
}

var likeEscape = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// eraseBooks removes the saved book of the app, which knows the player; it is made
// again from the log.
func (s *Store) eraseBooks(ctx context.Context, e *store.Erasure) error {
	return s.economy.write(ctx, 1, func(ctx context.Context, q querier) error {
		_, err := q.ExecContext(ctx, `DELETE FROM economy_book WHERE app_id = $1`, string(e.App))
		if err == nil {
			_, err = q.ExecContext(ctx, `DELETE FROM economy_book_part WHERE app_id = $1`, string(e.App))
		}
		return err
	})
}
