package gateway

import (
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// currencyLog answers POST /economy/currency-log: what it counts as accepted is
// on disk.
func (g *Gateway) currencyLog(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	now := time.Now()
	s, err := wire.ReadCurrencyLog(o, c.app, g.cfg.Limits.LogEntries, now)
	if err != nil {
		return err
	}
	rows := make([]store.CurrencyLog, len(s.Entries))
	for i, e := range s.Entries {
		rows[i] = store.CurrencyLog{
			App: c.app, LogID: e.LogID, Player: e.Player, EventTS: e.Timestamp, Currency: e.Currency, Action: e.Action,
			Amount: e.Amount, BalanceAfter: e.BalanceAfter, Source: e.Source, ReceivedTS: now.UnixMilli(),
		}
	}
	accepted, duplicates := 0, 0
	if len(rows) > 0 {
		if accepted, duplicates, err = g.deps.Logs.PutCurrencyLogs(c.ctx(), c.app, rows); err != nil {
			return err
		}
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendLogAnswer(dst, accepted, duplicates, s.Rejected) })
}
