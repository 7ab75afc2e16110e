package gateway

import (
	"context"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/players"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Players knows the players of apps; package players has the one there is. A player
// that nothing has named is economy.ErrUnknownPlayer.
type Players interface {
	// PutProfile names the player; moderator is who asks where it is a person.
	PutProfile(ctx context.Context, app engines.AppID, player engines.PlayerID, p store.Profile, moderator string) error
	PutPin(ctx context.Context, app engines.AppID, player engines.PlayerID, p store.Pin) error
	View(ctx context.Context, app engines.AppID, player engines.PlayerID) (players.View, error)
	// Timeline lists what happened with a player, newest first.
	Timeline(ctx context.Context, app engines.AppID, player engines.PlayerID, before economy.Mark, most int) ([]store.PlayerEvent, error)
}

// holdingShown is how many of a player's penalties that hold come with the player.
const holdingShown = 50

// putPlayer answers PUT /players/{id}.
func (g *Gateway) putPlayer(c *call) error {
	player, err := pathID(c, "id")
	if err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	p, err := wire.ReadProfile(o)
	if err != nil {
		return err
	}
	if err := g.deps.Players.PutProfile(c.ctx(), c.app, engines.PlayerID(player), p, c.user.Name); err != nil {
		return err
	}
	return g.withPlayer(c, engines.PlayerID(player))
}

// player answers GET /players/{id}.
func (g *Gateway) player(c *call) error {
	player, err := pathID(c, "id")
	if err != nil {
		return err
	}
	return g.withPlayer(c, engines.PlayerID(player))
}

func (g *Gateway) withPlayer(c *call, player engines.PlayerID) error {
	v, err := g.deps.Players.View(c.ctx(), c.app, player)
	if err != nil {
		return unknownPlayer(err)
	}
	holding, err := g.deps.Penalties.Penalties(c.ctx(), store.PenaltyQuery{App: c.app, Player: player, Holding: true, Limit: holdingShown})
	if err != nil {
		return unknownPlayer(err)
	}
	p := wire.Player{
		ID: player, Card: v.Card, Segment: v.Segment, Standing: v.Standing, Weight: v.Weight, Credit: v.Credit, Counts: v.Counts, Holding: holding,
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendPlayer(dst, &p, time.Now()) })
}

// putTrust answers PUT /players/{id}/trust.
func (g *Gateway) putTrust(c *call) error {
	player, err := pathID(c, "id")
	if err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	p, err := wire.ReadTrust(o, time.Now())
	if err != nil {
		return err
	}
	p.By = c.actor()
	if err := g.deps.Players.PutPin(c.ctx(), c.app, engines.PlayerID(player), p); err != nil {
		return unknownPlayer(err)
	}
	g.log.Info("trust", "request_id", c.request, "app", c.app, "player", player, "trust", p.Trust, "by", p.By)
	return g.withPlayer(c, engines.PlayerID(player))
}

// playerTimeline answers GET /players/{id}/timeline?limit=&cursor=.
func (g *Gateway) playerTimeline(c *call) error {
	var wrong faults
	player, err := pathID(c, "id")
	wrong.add(err)
	p := wrong.part(c)
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Players.Timeline(c.ctx(), c.app, engines.PlayerID(player), p.before, p.most+1)
	if err != nil {
		return unknownPlayer(err)
	}
	var next economy.Mark
	if len(list) > p.most {
		list = list[:p.most]
		next = list[p.most-1].Mark()
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendPlayerTimeline(dst, list, time.Now(), cursorOf(next)) })
}
