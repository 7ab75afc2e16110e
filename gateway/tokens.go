package gateway

import (
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// tokenLife is how long a bearer token is good for unless the caller asks.
const tokenLife = time.Hour

// mintToken answers POST /auth/token.
func (g *Gateway) mintToken(c *call) error {
	o, err := c.optionalObject()
	if err != nil {
		return err
	}
	r, err := wire.ReadTokenRequest(o)
	if err != nil {
		return err
	}
	scopes, err := auth.ParseScopes(r.Scope)
	if err != nil {
		return wire.Invalid("/scope", "unknown scope; the scopes are check, stream and feed")
	}
	if r.ExpiresIn == 0 {
		r.ExpiresIn = tokenLife
	}
	token, expires, err := g.deps.Tokens.Mint(c.ctx(), c.app, scopes, r.ExpiresIn)
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte {
		dst = wire.Str(dst, "access_token", token)
		dst = wire.Str(dst, "token_type", "Bearer")
		dst = wire.Num(dst, "expires_in", int64(time.Until(expires).Round(time.Second)/time.Second))
		return wire.Str(dst, "scope", strings.Join(scopes, " "))
	})
}

// mintTicket answers POST /auth/ticket.
func (g *Gateway) mintTicket(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadTicketRequest(o)
	if err != nil {
		return err
	}
	ticket, ttl, err := g.deps.Tickets.Mint(c.ctx(), c.app, auth.Ticket{
		Player: r.Player, Scenes: r.Scenes, Segment: r.Segment, Region: r.Region, Language: r.Language,
	})
	if err != nil {
		return err
	}
	g.deps.Economy.Named(c.app, r.Player)
	return c.ok(func(dst []byte) []byte {
		return wire.Num(wire.Str(dst, "ticket", ticket), "expires_in", int64(ttl/time.Second))
	})
}
