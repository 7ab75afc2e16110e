package gateway

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/penalty"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Penalties gives and lifts penalties; package penalty has the one there is. Errors
// are economy.ErrUnknownPlayer, penalty.ErrNone and the store's.
type Penalties interface {
	// Give returns the one that the same ID gave before as it is.
	Give(ctx context.Context, p store.Penalty, hours int64) (store.Penalty, error)
	Lift(ctx context.Context, app engines.AppID, player engines.PlayerID, id, by, reason string) (store.Penalty, error)
	Penalties(ctx context.Context, q store.PenaltyQuery) ([]store.Penalty, error)
	Ladder(app engines.AppID) store.Ladder
	PutLadder(ctx context.Context, l store.Ladder, was int) (store.Ladder, error)
}

// givePenalty answers POST /players/{id}/penalties.
func (g *Gateway) givePenalty(c *call) error {
	player, err := pathID(c, "id")
	if err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	r := wire.ReadPenalty(o)
	if r.Category != "" && !penalty.IsCategory(string(r.Category)) {
		o.Fault("category", "is not a category")
	}
	if err := o.Err(); err != nil {
		return err
	}
	id := c.penaltyID(player)
	return g.once(c, engines.PlayerID(player), turn{}, func() (int, []byte, error) {
		p, err := g.deps.Penalties.Give(c.ctx(), store.Penalty{
			App: c.app, ID: id, Player: engines.PlayerID(player), Kind: r.Kind, Category: r.Category, Reason: r.Reason, By: c.actor(),
		}, r.Hours)
		if err != nil {
			return 0, nil, unknownPlayer(err)
		}
		g.log.Info("penalty", "request_id", c.request, "app", c.app, "player", p.Player, "penalty_id", p.ID, "kind", p.Kind, "by", p.By)
		return fiber.StatusOK, wire.AppendSuccess(nil, c.request, func(dst []byte) []byte { return wire.AppendPenalty(dst, &p, time.Now()) }), nil
	})
}

// penaltyID names the penalty that a request gives: the same with the same
// Idempotency-Key, so that a repeat after a crash gives no second one.
func (c *call) penaltyID(player string) string {
	name := string(c.request)
	if keys := headers(c.Ctx, "Idempotency-Key"); len(keys) == 1 {
		name = "key:" + keys[0]
	}
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("give\n"+string(c.app)+"\n"+player+"\n"+name)).String()
}

// liftPenalty answers DELETE /players/{id}/penalties/{penalty_id}.
func (g *Gateway) liftPenalty(c *call) error {
	player, err := pathID(c, "id")
	if err != nil {
		return err
	}
	id, err := pathID(c, "penalty_id")
	if err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	reason, err := wire.ReadReason(o)
	if err != nil {
		return err
	}
	p, err := g.deps.Penalties.Lift(c.ctx(), c.app, engines.PlayerID(player), id, c.actor(), reason)
	switch {
	case errors.Is(err, penalty.ErrNone):
		return wire.Fail(wire.NotFound, "no such penalty holds")
	case err != nil:
		return unknownPlayer(err)
	}
	g.log.Info("penalty lifted", "request_id", c.request, "app", c.app, "player", player, "penalty_id", id, "kind", p.Kind, "by", c.actor())
	return c.ok(func(dst []byte) []byte { return wire.AppendPenalty(dst, &p, time.Now()) })
}

// listPenalties answers GET /penalties?player_id=&kind=&status=&limit=&cursor=.
func (g *Gateway) listPenalties(c *call) error {
	var wrong faults
	return g.penaltiesOf(c, wrong.id(c, "player_id"), wrong)
}

// playerPenalties answers GET /players/{id}/penalties, with the rest of the same query.
func (g *Gateway) playerPenalties(c *call) error {
	var wrong faults
	player, err := pathID(c, "id")
	wrong.add(err)
	return g.penaltiesOf(c, player, wrong)
}

func (g *Gateway) penaltiesOf(c *call, player string, wrong faults) error {
	p := wrong.part(c)
	q := store.PenaltyQuery{App: c.app, Player: engines.PlayerID(player), Before: p.before, Limit: p.most + 1}
	switch c.Query("status", "active") {
	case "active":
		q.Holding = true
	case "all":
	default:
		wrong.tell("?status", "must be active or all")
	}
	if name := c.Query("kind"); name != "" {
		kind, ok := wire.ReadPenaltyKind(strings.Clone(name))
		if !ok {
			wrong.tell("?kind", "must be warn, mute_text, mute_voice, trade_lock, suspend or ban")
		}
		q.Kind = kind
	}
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Penalties.Penalties(c.ctx(), q)
	if err != nil {
		return unknownPlayer(err)
	}
	var next economy.Mark
	if len(list) > p.most {
		list = list[:p.most]
		last := &list[p.most-1]
		next = economy.Mark{At: last.Created, ID: last.ID}
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendPenalties(dst, list, time.Now(), cursorOf(next)) })
}

// ladder answers GET /penalties/ladder.
func (g *Gateway) ladder(c *call) error {
	l := g.deps.Penalties.Ladder(c.app)
	return c.withLadder(&l)
}

// withLadder answers a ladder, with its version as ETag; the configuration's has none.
func (c *call) withLadder(l *store.Ladder) error {
	if l.Version > 0 {
		c.Set(fiber.HeaderETag, strconv.Quote(strconv.Itoa(l.Version)))
	}
	return c.ok(func(dst []byte) []byte { return wire.AppendLadder(dst, l) })
}

// putLadder answers PUT /penalties/ladder.
func (g *Gateway) putLadder(c *call) error {
	was, o, err := c.change()
	if err != nil {
		return err
	}
	rules := wire.ReadLadder(o)
	var wrong economy.RuleFaults
	has := func(layer string) bool { return g.deps.Policies.HasLayer(c.app, layer) }
	for _, f := range penalty.Faults(&rules, has) {
		wrong = append(wrong, economy.RuleFault(f))
	}
	if err := o.Merge("", wrong); err != nil {
		return err
	}
	l, err := g.deps.Penalties.PutLadder(c.ctx(), store.Ladder{App: c.app, Rules: rules, By: c.actor()}, was)
	if errors.Is(err, store.ErrConflict) {
		return wire.Fail(wire.Conflict, "the ladder has changed since it was read, or If-Match is missing")
	}
	if err != nil {
		return err
	}
	g.log.Info("ladder", "request_id", c.request, "app", c.app, "version", l.Version, "by", l.By)
	return c.withLadder(&l)
}
