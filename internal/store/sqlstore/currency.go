package sqlstore

import (
	"context"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
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

// PutCurrencyLogs commits logs of app and then says how many were new and how
// many were known, within logs or from before. A log is known by player, event
// day and log id; App of the entries is not looked at.
func (s *Store) PutCurrencyLogs(ctx context.Context, app engines.AppID, logs []store.CurrencyLog) (accepted, duplicates int, err error) {
	if len(logs) == 0 {
		return 0, 0, nil
	}
	insert := insertCurrencyRows
	if s.driver == "postgres" {
		insert = insertCurrencyArrays
	}
	err = s.economy.write(ctx, len(logs), func(ctx context.Context, q querier) error {
		var err error
		accepted, err = insert(ctx, q, app, logs)
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("store %d currency logs: %w", len(logs), classify(err))
	}
	return accepted, len(logs) - accepted, nil
}

const currencyColumns = `app_id, day, player_id, log_id, event_ts, currency, action, amount, balance_after, source, received_ts`

func insertCurrencyRows(ctx context.Context, q querier, app engines.AppID, logs []store.CurrencyLog) (int, error) {
	accepted := 0
	for i := range logs {
		l := &logs[i]
		n, err := exec(ctx, q, `INSERT INTO currency_log (`+currencyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
			ON CONFLICT (app_id, day, player_id, log_id) DO NOTHING`, app, day(l.EventTS), l.Player, l.LogID, l.EventTS, l.Currency, l.Action,
			l.Amount, l.BalanceAfter, l.Source, l.ReceivedTS)
		if err != nil {
			return 0, err
		}
		accepted += int(n)
	}
	return accepted, nil
}

// insertCurrencyArrays sends columns as arrays: one statement, one round trip,
// within a third of raw COPY, which knows no ON CONFLICT.
func insertCurrencyArrays(ctx context.Context, q querier, app engines.AppID, logs []store.CurrencyLog) (int, error) {
	n := len(logs)
	days, events, received := make([]int64, n), make([]int64, n), make([]int64, n)
	amounts, balances := make([]int64, n), make([]int64, n)
	players, ids, currencies := make([]string, n), make([]string, n), make([]string, n)
	actions, sources := make([]string, n), make([]string, n)
	for i := range logs {
		l := &logs[i]
		days[i], events[i], received[i] = day(l.EventTS), l.EventTS, l.ReceivedTS
		amounts[i], balances[i] = l.Amount, l.BalanceAfter
		players[i], ids[i], currencies[i] = string(l.Player), l.LogID, l.Currency
		actions[i], sources[i] = l.Action, l.Source
	}
	// Sorted by key, so that two batches with the same rows can't deadlock.
	accepted, err := exec(ctx, q, `INSERT INTO currency_log (`+currencyColumns+`)
		SELECT $1, u.* FROM unnest($2::int[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[], $9::bigint[],
			$10::text[], $11::bigint[]) AS u (day, player_id, log_id, event_ts, currency, action, amount, balance_after, source, received_ts)
		ORDER BY 2, 3, 4
		ON CONFLICT (app_id, day, player_id, log_id) DO NOTHING`,
		string(app), days, players, ids, events, currencies, actions, amounts, balances, sources, received)
	return int(accepted), err
}

// CurrencyLogs returns the logs of one player with fromMS <= event time < toMS,
// by event time.
func (s *Store) CurrencyLogs(ctx context.Context, app engines.AppID, player engines.PlayerID, fromMS, toMS int64) ([]store.CurrencyLog, error) {
	logs, err := collect(ctx, s.economy.read(), func(row scanner) (store.CurrencyLog, error) {
		l := store.CurrencyLog{App: app, Player: player}
		err := row.Scan(&l.LogID, &l.EventTS, &l.Currency, &l.Action, &l.Amount, &l.BalanceAfter, &l.Source, &l.ReceivedTS)
		return l, err
	}, `SELECT log_id, event_ts, currency, action, amount, balance_after, source, received_ts FROM currency_log
		WHERE app_id = $1 AND day BETWEEN $2 AND $3 AND player_id = $4 AND event_ts >= $5 AND event_ts < $6 ORDER BY event_ts, log_id`,
		app, day(fromMS), day(toMS), player, fromMS, toMS)
	if err != nil {
		return nil, fmt.Errorf("currency logs: %w", classify(err))
	}
	return logs, nil
}
