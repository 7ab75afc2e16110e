package gateway

import (
	"errors"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// appeal answers POST /appeals, by which a game server passes on what a player says
// against a decision or a penalty.
func (g *Gateway) appeal(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadAppeal(o)
	if err != nil {
		return err
	}
	a, err := g.deps.Cases.Appeal(c.ctx(), store.Appeal{
		App: c.app, Player: r.Player, Against: r.Case, Penalty: r.Penalty, Words: r.Words, By: c.actor(),
	})
	if errors.Is(err, store.ErrNotFound) {
		return wire.Fail(wire.NotFound, "the player has no such case or penalty")
	}
	if err != nil {
		return caseFault(err)
	}
	return c.ok(func(dst []byte) []byte { return appendAppeal(dst, &a) })
}

// listAppeals answers GET /appeals?player_id=&state=.
func (g *Gateway) listAppeals(c *call) error {
	var wrong faults
	p := wrong.part(c)
	q := store.AppealQuery{App: c.app, Player: engines.PlayerID(wrong.id(c, "player_id")), Before: p.before, Limit: p.most + 1}
	q.State = wrong.word(c, "state", store.AppealOpen, store.AppealUpheld, store.AppealDenied)
	if err := wrong.err(); err != nil {
		return err
	}
	list, err := g.deps.Cases.Appeals(c.ctx(), q)
	if err != nil {
		return err
	}
	var next economy.Mark
	if len(list) > p.most {
		list = list[:p.most]
		last := &list[p.most-1]
		next = economy.Mark{At: last.Created.UnixMilli(), ID: last.ID}
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.List(dst, "appeals", len(list), func(dst []byte, i int) []byte { return appendAppeal(dst, &list[i]) })
		return wire.Some(dst, "cursor", cursorOf(next))
	})
}

// readAppeal answers GET /appeals/{id}.
func (g *Gateway) readAppeal(c *call) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	a, err := g.deps.Cases.AppealOf(c.ctx(), c.app, id)
	if errors.Is(err, store.ErrNotFound) {
		return wire.Fail(wire.NotFound, "no such appeal")
	}
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte { return appendAppeal(dst, &a) })
}

func appendAppeal(dst []byte, a *store.Appeal) []byte {
	dst = wire.Str(wire.Str(wire.Str(dst, "appeal_id", a.ID), "player_id", string(a.Player)), "case_id", string(a.Case))
	dst = wire.Some(wire.Some(dst, "against_case_id", string(a.Against)), "penalty_id", a.Penalty)
	dst = wire.Str(wire.Str(wire.Str(dst, "words", a.Words), "state", a.State), "filed_by", a.By)
	dst = wire.Some(wire.When(dst, "created_at", a.Created), "statement", a.Statement)
	if !a.Decided.IsZero() {
		dst = wire.When(dst, "decided_at", a.Decided)
	}
	return dst
}
