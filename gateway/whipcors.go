package gateway

import (
	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// fromBrowser lets a page of one of http.allowed_origins use a WHIP call: its browser asks
// first (whipPreflight), and shows the page an answer, and the call's address in it, that
// names its origin. Clients that are no browsers send no Origin. A page of another origin
// is refused, as it is of a stream.
func (g *Gateway) fromBrowser(handle func(*call) error) func(*call) error {
	return func(c *call) error {
		origin := c.Get(fiber.HeaderOrigin)
		if origin == "" {
			return handle(c)
		}
		c.Vary(fiber.HeaderOrigin)
		switch {
		case auth.OriginIsHost(origin, c.Get(fiber.HeaderHost)):
		case !g.origins.allow(origin):
			return wire.Fail(wire.Forbidden, "this origin may not open a call")
		default:
			c.Set(fiber.HeaderAccessControlAllowOrigin, origin)
			c.Set(fiber.HeaderAccessControlExposeHeaders, "Location, Accept-Patch, Retry-After")
		}
		return handle(c)
	}
}

// whipPreflight answers a browser that asks whether a page may. The ticket is in a header
// that the page sets itself: no cookie is let along.
func (g *Gateway) whipPreflight(c *call) error {
	methods := "POST"
	if c.Params("id") != "" {
		methods = "PATCH, DELETE"
	}
	c.Set(fiber.HeaderAccessControlAllowMethods, methods)
	c.Set(fiber.HeaderAccessControlAllowHeaders, "Authorization, Content-Type, If-Match")
	c.Set(fiber.HeaderAccessControlMaxAge, "600")
	return c.SendStatus(fiber.StatusNoContent)
}
