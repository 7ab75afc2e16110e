package gateway

import (
	"errors"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// logsTurn: a repeat of a keyed submission gets the answer of the first one. Where
// that gateway was killed, none comes, and a client that gave up would lose logs:
// the repeat stores what is not stored yet, and says what was.
var logsTurn = turn{wait: 2 * time.Second, anyway: true}

// submit answers POST /economy/{log}-log: what it counts as accepted is on disk.
func (g *Gateway) submit(log economy.Log) func(*call) error {
	return func(c *call) error {
		var s wire.LogSubmission
		var err error
		g.bulk(func() { s, err = g.readLog(c, log) })
		if err != nil {
			return err
		}
		return g.once(c, "", logsTurn, func() (int, []byte, error) {
			accepted, err := g.deps.Economy.Submit(c.ctx(), c.app, s.Entries)
			if err != nil {
				return 0, nil, err
			}
			return 200, wire.AppendSuccess(nil, c.request, func(dst []byte) []byte {
				return wire.AppendLogAnswer(dst, accepted, len(s.Entries)-accepted, s.Rejected)
			}), nil
		})
	}
}

// readLog is a submission of a log. Some hundred entries take milliseconds.
func (g *Gateway) readLog(c *call, log economy.Log) (wire.LogSubmission, error) {
	o, err := c.object()
	if err != nil {
		return wire.LogSubmission{}, err
	}
	return wire.ReadLog(o, c.app, log, g.cfg.Limits.LogEntries, time.Now())
}

// bulk runs what takes milliseconds and nobody waits for at a screen.
func (g *Gateway) bulk(f func()) {
	if g.deps.Bulk == nil {
		f()
		return
	}
	g.deps.Bulk(f)
}

// riskScore answers GET /economy/risk-score?player_id=.
func (g *Gateway) riskScore(c *call) error {
	player, err := queryID(c, "player_id", true)
	if err != nil {
		return err
	}
	risk, bans, err := g.deps.Economy.Risk(c.ctx(), c.app, engines.PlayerID(player))
	if err != nil {
		return unknownPlayer(err)
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendRisk(dst, engines.PlayerID(player), &risk, bans) })
}

// evaluateTrade answers POST /economy/evaluate-trade.
func (g *Gateway) evaluateTrade(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	p, err := wire.ReadProposal(o, c.app, time.Now())
	if err != nil {
		return err
	}
	e, err := g.deps.Economy.Evaluate(c.ctx(), c.app, &p)
	if err != nil {
		return unknownPlayer(err)
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendEvaluation(dst, &e) })
}

// timeline answers GET /economy/players/{id}/timeline?limit=&cursor=. Its bans come
// with the first page.
func (g *Gateway) timeline(c *call) error {
	var wrong faults
	player, err := pathID(c, "id")
	wrong.add(err)
	p := wrong.part(c)
	if err := wrong.err(); err != nil {
		return err
	}
	entries, next, err := g.deps.Economy.Timeline(c.ctx(), c.app, engines.PlayerID(player), p.before, p.most)
	if err != nil {
		return unknownPlayer(err)
	}
	var bans []economy.Ban
	if p.before == (economy.Mark{}) {
		bans, err = g.deps.Economy.Bans(c.ctx(), economy.BanQuery{App: c.app, Player: engines.PlayerID(player), Limit: pageAtMost})
		if err != nil {
			return unknownPlayer(err)
		}
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.AppendTimeline(dst, engines.PlayerID(player), entries)
		return wire.AppendBans(dst, bans, g.deps.Economy.Status, cursorOf(next))
	})
}

const (
	webHops = 2
	webMost = 60
)

// web answers GET /economy/players/{id}/web?hops=&limit=: who gave what to whom around
// a player.
func (g *Gateway) web(c *call) error {
	var wrong faults
	player, err := pathID(c, "id")
	wrong.add(err)
	hops, most := wrong.count(c, "hops", webHops, economy.WebHopsAtMost), wrong.count(c, "limit", webMost, economy.WebAtMost)
	if err := wrong.err(); err != nil {
		return err
	}
	w, err := g.deps.Economy.Around(c.ctx(), c.app, engines.PlayerID(player), hops, most)
	if err != nil {
		return unknownPlayer(err)
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendWeb(dst, engines.PlayerID(player), &w) })
}

// unknownPlayer is 3001 where nothing has named a player.
func unknownPlayer(err error) error {
	if errors.Is(err, economy.ErrUnknownPlayer) {
		return wire.Fail(wire.PlayerNotFound, "")
	}
	return err
}

// queryID reads an id of the query string.
func queryID(c *call, name string, required bool) (string, error) {
	id := strings.Clone(c.Query(name))
	switch {
	case id == "" && !required:
		return "", nil
	case id == "":
		return "", wire.Invalid("?"+name, "is required")
	case !wire.ValidID(id):
		return "", wire.Invalid("?"+name, "must be 1 to 128 bytes without control characters")
	}
	return id, nil
}

// catalogue answers GET /economy/catalogue: every factor and reason in the languages
// of the console.
func (g *Gateway) catalogue(c *call) error {
	return c.ok(func(dst []byte) []byte { return wire.AppendCatalogue(dst, g.deps.Catalogue) })
}
