package gateway

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Subprotocols: ours, and the one in which a browser brings its ticket.
const (
	subprotocol  = "portcullis.v1"
	bearerPrefix = "bearer."
)

// stream answers GET /stream: who shows a token is known at once, who shows none
// says hello with one.
func (g *Gateway) stream(c *call) error {
	if !websocketUpgrade(c.Ctx) {
		c.Set("Upgrade", "websocket")
		c.Set("Connection", "Upgrade")
		return send(c.Ctx, fiber.StatusUpgradeRequired, wire.Fail(wire.InvalidParameter, "a WebSocket upgrade is expected").AppendBody(nil, c.request))
	}
	if g.deps.Streams.Full() {
		e := wire.Fail(wire.Unavailable, "no room for more connections")
		e.RetryAfter = time.Second
		return e
	}
	id, err := g.identify(c)
	if err != nil {
		return err
	}
	id.From = c.from
	opts := websocket.AcceptOptions{
		Subprotocols: []string{subprotocol},
		// Who a stream belongs to is shown by a token that no other site has; the
		// cookie's origin is checked in identify. Origins are checked there too.
		InsecureSkipVerify: true,
		CompressionMode:    websocket.CompressionDisabled,
	}
	return upgrade(c.Ctx, opts, func(ws *websocket.Conn, alive *atomic.Int64) { g.deps.Streams.Serve(ws, alive, id) })
}

func websocketUpgrade(c *fiber.Ctx) bool {
	return strings.EqualFold(c.Get("Upgrade"), "websocket")
}

// identify finds who opens the stream: by token, by cookie, or nobody yet.
func (g *Gateway) identify(c *call) (session.Identity, error) {
	token, shown, err := streamToken(c.Ctx)
	if err != nil {
		return session.Identity{}, g.refused(c, err)
	}
	origin := c.Get(fiber.HeaderOrigin)
	own := auth.OriginIsHost(origin, c.Get(fiber.HeaderHost))
	if origin != "" && !own && !g.origins.allow(origin) {
		return session.Identity{}, wire.Fail(wire.Forbidden, "this origin may not open a stream")
	}
	if !shown && own && g.cookie(c.Ctx) != "" {
		return g.moderator(c.ctx(), g.cookie(c.Ctx))
	}
	if !shown {
		return session.Identity{}, nil
	}
	if err := g.blocked(c.from); err != nil {
		return session.Identity{}, err
	}
	id, err := g.deps.Identities.Identify(c.ctx(), token)
	if errors.Is(err, session.ErrUnknown) || errors.Is(err, session.ErrExpired) {
		return id, g.refused(c, &auth.Error{Cause: auth.CauseTicket, Err: err})
	}
	return id, err
}

// moderator is who a cookie belongs to, if that may watch the feed.
func (g *Gateway) moderator(ctx context.Context, cookie string) (session.Identity, error) {
	user, err := g.deps.Logins.Session(ctx, cookie)
	if err != nil {
		return session.Identity{}, err
	}
	if !user.Role.Can(auth.SeeFeed) {
		return session.Identity{}, wire.Fail(wire.Forbidden, "your role does not permit this")
	}
	valid := func(ctx context.Context) (bool, error) {
		user, err := g.deps.Logins.Session(ctx, cookie)
		if errors.Is(err, auth.ErrUnauthenticated) {
			return false, nil
		}
		return user.Role.Can(auth.SeeFeed), err
	}
	return session.Identity{Role: session.Moderator, User: user.Name, Valid: valid}, nil
}

// streamToken finds a token in the header or among the subprotocols.
func streamToken(c *fiber.Ctx) (token string, shown bool, err error) {
	switch lines := headers(c, fiber.HeaderAuthorization); len(lines) {
	case 0:
	case 1:
		token, _ = bearer(lines[0])
		return token, true, nil
	default:
		return "", false, errTwoCallers
	}
	for _, line := range headers(c, "Sec-WebSocket-Protocol") {
		for p := range strings.SplitSeq(line, ",") {
			if token, ok := strings.CutPrefix(strings.TrimSpace(p), bearerPrefix); ok {
				return strings.Clone(token), true, nil
			}
		}
	}
	return "", false, nil
}

// badUpgrade answers a handshake that coder/websocket refused.
func badUpgrade(c *fiber.Ctx, status int) error {
	e := wire.Fail(wire.InvalidParameter, "not a WebSocket handshake that we understand")
	if status < 400 {
		status = fiber.StatusBadRequest
	}
	return send(c, status, e.AppendBody(nil, requestID(c)))
}

// originList are the origins, besides our own, from which browsers may open a stream.
type originList struct {
	any  bool
	list map[string]bool
}

func newOriginList(allowed []string) originList {
	o := originList{list: map[string]bool{}}
	for _, a := range allowed {
		o.any = o.any || a == "*"
		o.list[strings.ToLower(a)] = true
	}
	return o
}

func (o originList) allow(origin string) bool { return o.any || o.list[strings.ToLower(origin)] }
