package gateway

import (
	"errors"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// cookie is the moderator's cookie as sent, copied.
func (g *Gateway) cookie(c *fiber.Ctx) string { return strings.Clone(c.Cookies(auth.CookieName)) }

// fromOwnPage refuses what another site makes a browser send: signing somebody
// in is a change too.
func (c *call) fromOwnPage() error {
	if !auth.SameOrigin(c.Get("Sec-Fetch-Site"), c.Get("Origin"), c.Get("Host"), true) {
		return wire.Fail(wire.Forbidden, "not from this site")
	}
	return nil
}

// login answers POST /auth/login.
func (g *Gateway) login(c *call) error {
	cred, err := c.credentials(false)
	if err != nil {
		return err
	}
	if err := g.blocked(c.from); err != nil {
		return err
	}
	if old := g.cookie(c.Ctx); old != "" {
		_ = g.deps.Logins.Logout(c.ctx(), old) // an old session that stays ends by itself
	}
	value, user, err := g.deps.Logins.Login(c.ctx(), cred.Name, cred.Password, c.from)
	if err != nil {
		return g.refused(c, err)
	}
	g.setCookie(c, value)
	return c.ok(me(user))
}

// setup answers POST /auth/setup: whoever has the one-time link becomes the
// first admin and is signed in.
func (g *Gateway) setup(c *call) error {
	cred, err := c.credentials(true)
	if err != nil {
		return err
	}
	if err := g.blocked(c.from); err != nil {
		return err
	}
	user, err := g.deps.Setup.Use(c.ctx(), cred.Token, cred.Name, cred.Password)
	if err != nil {
		return g.refused(c, err)
	}
	value, user, err := g.deps.Logins.Begin(c.ctx(), user)
	if err != nil {
		return err
	}
	g.log.Info("console: first admin made", "user", user.Name)
	g.setCookie(c, value)
	return c.ok(me(user))
}

func (c *call) credentials(setup bool) (wire.Credentials, error) {
	if err := c.fromOwnPage(); err != nil {
		return wire.Credentials{}, err
	}
	if !strings.HasPrefix(c.Get(fiber.HeaderContentType), fiber.MIMEApplicationJSON) {
		return wire.Credentials{}, wire.Fail(wire.Unsupported, "Content-Type must be application/json")
	}
	o, err := c.object()
	if err != nil {
		return wire.Credentials{}, err
	}
	return wire.ReadCredentials(o, setup)
}

// logout answers POST /auth/logout.
func (g *Gateway) logout(c *call) error {
	if err := g.deps.Logins.Logout(c.ctx(), g.cookie(c.Ctx)); err != nil {
		return err
	}
	g.setCookie(c, "")
	return c.ok(nil)
}

// me answers GET /auth/me: who is signed in and, where nobody is, whether the
// gateway still waits for its first admin.
func (g *Gateway) me(c *call) error {
	user, err := g.deps.Logins.Session(c.ctx(), g.cookie(c.Ctx))
	switch {
	case err == nil:
		return c.ok(me(user))
	case !errors.Is(err, auth.ErrUnauthenticated):
		return err
	}
	needed, err := g.deps.Setup.Needed(c.ctx())
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte { return wire.Flag(dst, "setup_needed", needed) })
}

func me(u auth.User) func([]byte) []byte {
	return func(dst []byte) []byte {
		return wire.Str(wire.Str(dst, "name", u.Name), "role", string(u.Role))
	}
}

// setCookie sets the session cookie; an empty value removes it. Browsers take a
// Secure cookie over plain http from loopback alone, which is what we want.
func (g *Gateway) setCookie(c *call, value string) {
	k := &fiber.Cookie{
		Name: auth.CookieName, Value: value, Path: "/", Secure: true, HTTPOnly: true,
		SameSite: fiber.CookieSameSiteLaxMode,
	}
	if value == "" {
		k.Expires = time.Unix(1, 0)
	}
	c.Cookie(k)
}
