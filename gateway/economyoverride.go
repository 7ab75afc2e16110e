package gateway

import (
	"errors"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// overrideRisk answers PUT /economy/players/{id}/override.
func (g *Gateway) overrideRisk(c *call) error {
	player, err := pathID(c, "id")
	if err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadOverride(o, c.app)
	if err != nil {
		return err
	}
	set, err := g.deps.Economy.Override(c.ctx(), economy.Override{
		App: c.app, Player: engines.PlayerID(player), Score: int(r.Score), By: c.actor(), Reason: r.Reason,
	}, r.Hours)
	if errors.Is(err, economy.ErrOverrides) {
		return wire.Fail(wire.Conflict, "the app has as many as it may have: 10,000 that hold")
	}
	if err != nil {
		return unknownPlayer(err)
	}
	g.log.Info("economy: override", "request_id", c.request, "app", c.app, "player", player, "score", r.Score, "hours", r.Hours, "by", c.actor())
	return c.ok(func(dst []byte) []byte { return wire.AppendOverride(wire.Str(dst, "player_id", player), &set) })
}
