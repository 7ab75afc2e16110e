package gateway

import (
	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// deed names what a signed request makes: the same request makes the same thing,
// however often and at whichever gateway it arrives. What a moderator asks for has no
// signature and is made each time.
func (c *call) deed() string {
	if c.user.Name != "" {
		return uuid.NewSHA1(uuid.NameSpaceURL, []byte("moderator:"+c.user.Name+":"+string(c.request))).String()
	}
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("svc:"+string(c.app)+":"+c.svc.Signature)).String()
}

// repeated answers in the name of the request that acted, when it was another one
// than this.
func (c *call) repeated(first engines.RequestID) {
	if first != "" && first != c.request {
		c.request = first
		c.Set("X-Request-Id", string(first))
	}
}

// ban answers POST /economy/ban.
func (g *Gateway) ban(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadBan(o, c.app)
	if err != nil {
		return err
	}
	made, err := g.deps.Economy.Ban(c.ctx(), economy.Ban{
		App: c.app, ID: c.deed(), Player: r.Player, Type: r.Type, Reason: r.Reason, By: c.actor(), Request: c.request,
	}, r.Hours)
	if err != nil {
		return unknownPlayer(err)
	}
	c.repeated(made.Request)
	g.log.Info("economy: ban", "request_id", c.request, "app", c.app, "player", made.Player, "ban_id", made.ID, "type", made.Type, "reason", made.Reason, "by", c.actor())
	return c.ok(func(dst []byte) []byte { return wire.AppendBan(dst, &made) })
}

// lift answers DELETE /economy/ban.
func (g *Gateway) lift(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadLift(o, c.app)
	if err != nil {
		return err
	}
	lifted, err := g.deps.Economy.Lift(c.ctx(), economy.Lift{
		App: c.app, Player: r.Player, ID: r.ID, Type: r.Type, Reason: r.Reason, By: c.actor(), Key: c.deed(), Request: c.request,
	})
	if err != nil {
		return unknownPlayer(err)
	}
	if len(lifted) == 0 {
		return wire.Fail(wire.NotFound, "no such ban holds")
	}
	c.repeated(lifted[0].LiftRequest)
	g.log.Info("economy: lift", "request_id", c.request, "app", c.app, "player", r.Player, "bans", len(lifted), "reason", r.Reason, "by", c.actor())
	return c.ok(func(dst []byte) []byte { return wire.AppendLifted(dst, r.Player, lifted) })
}

// listBans answers GET /economy/bans?player_id=&status=&limit=&cursor=.
func (g *Gateway) listBans(c *call) error {
	var wrong faults
	p := wrong.part(c)
	q := economy.BanQuery{App: c.app, Player: engines.PlayerID(wrong.id(c, "player_id")), Before: p.before, Limit: p.most + 1}
	switch c.Query("status", "active") {
	case "active":
		q.Holding = true
	case "all":
	default:
		wrong.tell("?status", "must be active or all")
	}
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Economy.Bans(c.ctx(), q)
	if err != nil {
		return unknownPlayer(err)
	}
	var next economy.Mark
	if len(list) > p.most {
		list = list[:p.most]
		last := list[p.most-1]
		next = economy.Mark{At: last.Created, ID: last.ID}
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendBans(dst, list, g.deps.Economy.Status, cursorOf(next)) })
}
