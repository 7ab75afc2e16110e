package gateway

import (
	"time"

	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// deed names what a request makes: the same request makes the same thing, however often
// and at whichever gateway it arrives. A signature says which is the same, a moderator's
// Idempotency-Key does; without one a moderator's request is each time another.
func (c *call) deed() (string, error) {
	if c.user.Name == "" {
		return uuid.NewSHA1(uuid.NameSpaceURL, []byte("svc:"+string(c.app)+":"+c.svc.Signature)).String(), nil
	}
	key, err := c.key()
	if err != nil {
		return "", err
	}
	if key == "" {
		key = c.user.Name + ":" + string(c.request)
	}
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("moderator:"+string(c.app)+":"+key)).String(), nil
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
	id, err := c.deed()
	if err != nil {
		return err
	}
	made, again, err := g.standing(c, r)
	if err == nil && !again {
		made, err = g.deps.Economy.Ban(c.ctx(), economy.Ban{
			App: c.app, ID: id, Player: r.Player, Type: r.Type, Reason: r.Reason, By: c.actor(), Request: c.request,
		}, r.Hours)
	}
	if err != nil {
		return unknownPlayer(err)
	}
	c.repeated(made.Request)
	g.log.Info("economy: ban", "request_id", c.request, "app", c.app, "player", made.Player, "ban_id", made.ID, "type", made.Type, "by", c.actor())
	return c.ok(func(dst []byte) []byte { return wire.AppendBan(dst, &made) })
}

// sameEnd is how far apart two bans may end that are the same one, asked for twice.
const sameEnd = time.Minute

// standing is the ban that a moderator asks for, where the player is under it already:
// of that type, for that reason and, where it ends, ending then. A button that is
// pressed twice bans once.
func (g *Gateway) standing(c *call, r wire.BanRequest) (economy.Ban, bool, error) {
	if c.user.Name == "" {
		return economy.Ban{}, false, nil // its signature says whether it is the same
	}
	list, err := g.deps.Economy.Bans(c.ctx(), economy.BanQuery{App: c.app, Player: r.Player, Holding: true, Limit: pageAtMost})
	if err != nil {
		return economy.Ban{}, false, err
	}
	ends := time.Now().Add(time.Duration(r.Hours) * time.Hour)
	for i := range list {
		b := &list[i]
		if b.Type != r.Type || b.Reason != r.Reason || (b.Ends == 0) != (r.Hours == 0) {
			continue
		}
		if b.Ends == 0 || ends.Sub(time.UnixMilli(b.Ends)).Abs() < sameEnd {
			return *b, true, nil
		}
	}
	return economy.Ban{}, false, nil
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
	id, err := c.deed()
	if err != nil {
		return err
	}
	lifted, err := g.deps.Economy.Lift(c.ctx(), economy.Lift{
		App: c.app, Player: r.Player, ID: r.ID, Type: r.Type, Reason: r.Reason, By: c.actor(), Key: id, Request: c.request,
	})
	if err != nil {
		return unknownPlayer(err)
	}
	if len(lifted) == 0 {
		return wire.Fail(wire.NotFound, "no such ban holds")
	}
	c.repeated(lifted[0].LiftRequest)
	g.log.Info("economy: lift", "request_id", c.request, "app", c.app, "player", r.Player, "bans", len(lifted), "by", c.actor())
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
