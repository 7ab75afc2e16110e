package gateway

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// demoSession answers POST /demo/session {player_id}: a ticket for the demo app,
// as a game server would mint it. It exists in development alone and answers
// this machine alone.
func (g *Gateway) demoSession(c *call) error {
	if err := c.fromOwnPage(); err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	player := engines.PlayerID(o.ID("player_id", true))
	if err := o.Err(); err != nil {
		return err
	}
	scenes := make([]engines.SceneID, len(g.deps.DemoScenes))
	for i, s := range g.deps.DemoScenes {
		scenes[i] = s.Scene
	}
	ticket, ttl, err := g.deps.Tickets.Mint(c.ctx(), g.deps.DemoApp, auth.Ticket{Player: player, Scenes: scenes})
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.Num(wire.Str(dst, "ticket", ticket), "expires_in", int64(ttl/time.Second))
		return wire.List(dst, "scenes", len(scenes), func(dst []byte, i int) []byte {
			s := g.deps.DemoScenes[i]
			return wire.Str(wire.Str(wire.Str(dst, "scene_id", string(s.Scene)), "mode", string(s.Mode)), "note", s.Note)
		})
	})
}

// demoExplain answers POST /demo/explain, a text check's body: what the engine found
// in a text, why, and what the policy makes of it. Nothing is stored or published.
func (g *Gateway) demoExplain(c *call) error {
	if err := c.fromOwnPage(); err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	check, err := wire.ReadTextCheck(o, g.cfg.Limits)
	if err != nil {
		return err
	}
	check.Item.App = g.deps.DemoApp
	out, err := g.deps.Explain.Explain(c.ctx(), &check.Item)
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte { return wire.Raw(dst, "explanation", out) })
}
