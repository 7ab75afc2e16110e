package gateway

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Erasures removes players' data; internal/erasure has the one there is.
type Erasures interface {
	// Erase returns once the request is on disk, and waits a while for its end.
	Erase(ctx context.Context, app engines.AppID, player engines.PlayerID, by string, within time.Duration) (store.Erasure, error)
	// Erasure is store.ErrNotFound where the app has none of this id.
	Erasure(ctx context.Context, app engines.AppID, id string) (store.Erasure, error)
}

// eraseWithin is how long an answer waits for an erasure to end.
const eraseWithin = 5 * time.Second

// erasePlayer answers DELETE /players/{id}: 200 once all is gone, 202 while that goes
// on. A player that nothing names is erased as well: nobody learns who plays.
func (g *Gateway) erasePlayer(c *call) error {
	player, err := pathID(c, "id")
	if err != nil {
		return err
	}
	e, err := g.deps.Erasures.Erase(c.ctx(), c.app, engines.PlayerID(player), c.actor(), eraseWithin)
	if err != nil {
		return err
	}
	g.log.Info("player's data erased", "request_id", c.request, "app", c.app, "erasure_id", e.ID, "state", e.State, "by", c.actor())
	return c.erasure(&e)
}

// getErasure answers GET /erasures/{id}.
func (g *Gateway) getErasure(c *call) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	e, err := g.deps.Erasures.Erasure(c.ctx(), c.app, id)
	if errors.Is(err, store.ErrNotFound) {
		return wire.Fail(wire.NotFound, "no such erasure")
	}
	if err != nil {
		return err
	}
	return c.erasure(&e)
}

// keptCounts are what an erasure leaves.
var keptCounts = []string{"held", "bans_kept", "penalties_kept"}

func (c *call) erasure(e *store.Erasure) error {
	status := fiber.StatusOK
	if e.State != store.ErasureDone {
		status = fiber.StatusAccepted
	}
	return send(c.Ctx, status, wire.AppendSuccess(nil, c.request, func(dst []byte) []byte {
		dst = wire.Str(wire.Str(dst, "erasure_id", e.ID), "status", e.State)
		dst = wire.When(wire.Str(dst, "pseudonym", string(e.Pseudonym)), "created_at", e.Created)
		if !e.Done.IsZero() {
			dst = wire.When(dst, "done_at", e.Done)
		}
		// What a legal hold keeps, and bans that stand: not erased, and said so.
		for _, kind := range keptCounts {
			dst = wire.Num(dst, kind, e.Counts[kind])
		}
		return wire.Obj(dst, "erased", func(dst []byte) []byte {
			for _, kind := range slices.Sorted(maps.Keys(e.Counts)) {
				if !slices.Contains(keptCounts, kind) {
					dst = wire.Num(dst, kind, e.Counts[kind])
				}
			}
			return dst
		})
	}))
}

func (g *Gateway) erasureRoutes() []route {
	return []route{
		{method: "DELETE", path: "/players/:id", auth: managed, limit: limit.Admin, replay: auth.ReplayNonce, perm: auth.ErasePlayers, handle: g.erasePlayer},
		{method: "GET", path: "/players/:id/export", auth: managed, limit: limit.Admin, perm: auth.ErasePlayers, handle: g.exportPlayer},
		{method: "GET", path: "/erasures/:id", auth: managed, limit: limit.Admin, perm: auth.ErasePlayers, handle: g.getErasure},
	}
}
