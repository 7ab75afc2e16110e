package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// eraseRule says what becomes of a player's rows in a table that has no step of its
// own. Where there is no rule either, the pseudonym takes the player's place.
type eraseRule struct {
	drop  bool     // the rows go
	clear []string // free text that goes, with the pseudonym in the player's place
	// stands are the rows that stay, as SQL; they are counted as kept. $3 is now.
	stands, kept string
}

// eraseRules are by table. A table with free text needs one: the suite of the store
// fails without.
var eraseRules = map[string]eraseRule{
	"player_card":   {drop: true},
	"voice_print":   {drop: true}, // though the ban stands: it holds without
	"player_report": {clear: []string{"detail", "content"}},
	"appeal":        {clear: []string{"words", "statement"}},
	"strike":        {},
	// A mute that stands is no more lifted by an erasure than a ban is.
	"penalty": {
		clear: []string{"reason", "lift_reason"}, kept: "penalties_kept",
		stands: `kind <> 'warn' AND lifted_ts = 0 AND ended_ts = 0 AND (expires_ts = 0 OR expires_ts > $3)`,
	},
}

// playerColumns are the columns that hold a player's id.
var playerColumns = []string{"player_id", "reporter_id"}

// stepped are the tables that steps of their own see to.
var stepped = []string{"decision", "scene_message", "review_case", "evidence", "ban", "economy_snooze", "player", "erasure"}

// eraseOthers erases a player from every other table that has one, as the schema
// says: a table that is new is not forgotten.
func (s *Store) eraseOthers(ctx context.Context, e *store.Erasure) error {
	tables, err := s.playerTables(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if slices.Contains(stepped, t.table) || strings.HasPrefix(t.table, "economy_log") {
			continue
		}
		if err := s.eraseTable(ctx, e, t, eraseRules[t.table]); err != nil {
			return fmt.Errorf("%s.%s: %w", t.table, t.column, err)
		}
	}
	return nil
}

type playerTable struct{ table, column string }

// playerTables lists the tables that have an app and a player, by name.
func (s *Store) playerTables(ctx context.Context) ([]playerTable, error) {
	query := `SELECT m.name, p.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p WHERE m.type = 'table' ORDER BY m.name, p.name`
	if s.driver == "postgres" {
		query = `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY table_name, column_name`
	}
	all, err := collect(ctx, s.core.read(), func(row scanner) (t playerTable, err error) {
		err = row.Scan(&t.table, &t.column)
		return t, err
	}, query)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(t playerTable) bool {
		return !slices.Contains(playerColumns, t.column) || !slices.Contains(all, playerTable{t.table, "app_id"})
	}), nil
}

// eraseTable applies a rule to what a table has of one player, which is little.
func (s *Store) eraseTable(ctx context.Context, e *store.Erasure, t playerTable, rule eraseRule) error {
	where := ` WHERE app_id = $1 AND ` + t.column + ` = $2`
	args := []any{string(e.App), string(e.Player)}
	if rule.stands != "" {
		args = append(args, millis(time.Now()))
	}
	change := func(query string, args ...any) error {
		return s.core.write(ctx, eraseAtOnce, func(ctx context.Context, q querier) error {
			n, err := exec(ctx, q, query, args...)
			if err == nil {
				err = s.count(ctx, q, e, t.table, n)
			}
			if err == nil && rule.stands != "" {
				err = s.countKept(ctx, q, e, rule.kept, `SELECT count(*) FROM `+t.table+where+` AND `+rule.stands, args[:3]...)
			}
			return err
		})
	}
	gone := where
	if rule.stands != "" {
		gone += ` AND NOT (` + rule.stands + `)`
	}
	if rule.drop {
		return change(`DELETE FROM `+t.table+gone, args...)
	}
	set := []string{t.column + fmt.Sprintf(` = $%d`, len(args)+1)}
	for _, name := range rule.clear {
		set = append(set, name+` = ''`)
	}
	err := change(`UPDATE `+t.table+` SET `+strings.Join(set, `, `)+gone, append(slices.Clone(args), string(e.Pseudonym))...)
	if errors.Is(err, store.ErrExists) { // of an earlier erasure: one of the two is enough
		err = change(`DELETE FROM `+t.table+gone, args...)
	}
	return err
}

// countKept counts what stays; an erasure that goes on counts it once.
func (s *Store) countKept(ctx context.Context, q querier, e *store.Erasure, kind, query string, args ...any) error {
	var n int64
	if err := q.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		return err
	}
	return s.count(ctx, q, e, kind, n)
}
