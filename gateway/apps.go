package gateway

import (
	"context"
	"errors"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Apps keeps apps and their signing secrets. An app or secret that there is not is
// store.ErrNotFound, an app that is taken store.ErrExists, a third live secret
// store.ErrConflict.
type Apps interface {
	Apps(ctx context.Context) ([]store.App, error)
	Secrets(ctx context.Context, app engines.AppID) ([]store.Secret, error)
	// Register, Rotate and End act in somebody's name; the first two return the new
	// secret, which is shown this once.
	Register(ctx context.Context, app engines.AppID, by string) (store.Secret, error)
	Rotate(ctx context.Context, app engines.AppID, overlap time.Duration, by string) (store.Secret, error)
	End(ctx context.Context, app engines.AppID, keyID, by string) error
}

// listApps answers GET /apps. Secrets are told by their ids alone.
func (g *Gateway) listApps(c *call) error {
	apps, err := g.deps.Apps.Apps(c.ctx())
	if err != nil {
		return err
	}
	secrets := make([][]store.Secret, len(apps))
	for i := range apps {
		if secrets[i], err = g.deps.Apps.Secrets(c.ctx(), apps[i].ID); err != nil {
			return err
		}
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "apps", len(apps), func(dst []byte, i int) []byte {
			dst = wire.When(wire.Str(dst, "app_id", string(apps[i].ID)), "created_at", apps[i].Created)
			return wire.List(dst, "secrets", len(secrets[i]), func(dst []byte, j int) []byte { return appendSecret(dst, &secrets[i][j]) })
		})
	})
}

// appNames answers GET /apps/names, for every moderator: most of what the console asks
// names an app.
func (g *Gateway) appNames(c *call) error {
	apps, err := g.deps.Apps.Apps(c.ctx())
	if err != nil {
		return err
	}
	names := make([]string, len(apps))
	for i := range apps {
		names[i] = string(apps[i].ID)
	}
	return c.ok(func(dst []byte) []byte { return wire.Strs(dst, "apps", names) })
}

func appendSecret(dst []byte, s *store.Secret) []byte {
	dst = wire.When(wire.Str(dst, "key_id", s.KeyID), "created_at", s.Created)
	if !s.Expires.IsZero() {
		dst = wire.When(dst, "expires_at", s.Expires)
	}
	return dst
}

// addApp answers POST /apps {app_id}.
func (g *Gateway) addApp(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	app := engines.AppID(o.ID("app_id", true))
	if app != "" && !auth.ValidApp(app) {
		o.Fault("app_id", "must be 1 to 64 of A-Z a-z 0-9 . _ -")
	}
	if err := o.Err(); err != nil {
		return err
	}
	s, err := g.deps.Apps.Register(c.ctx(), app, c.user.Name)
	if err != nil {
		return noApp(err)
	}
	g.log.Info("app added", "request_id", c.request, "app", app, "by", c.user.Name)
	return c.newSecret(&s)
}

// newSecret answers with a secret; no other answer ever holds it.
func (c *call) newSecret(s *store.Secret) error {
	return c.ok(func(dst []byte) []byte {
		return wire.Str(appendSecret(wire.Str(dst, "app_id", string(s.App)), s), "secret", s.Secret)
	})
}

// maxOverlap is how many hours an old secret may go on signing.
const maxOverlap = 168

// rotateApp answers POST /apps/{id}/secrets {overlap_hours?}.
func (g *Gateway) rotateApp(c *call) error {
	app, err := pathApp(c)
	if err != nil {
		return err
	}
	o, err := c.optionalObject()
	if err != nil {
		return err
	}
	hours, given := o.Int("overlap_hours", 0, maxOverlap)
	if !given {
		hours = 24
	}
	if err := o.Err(); err != nil {
		return err
	}
	s, err := g.deps.Apps.Rotate(c.ctx(), app, time.Duration(hours)*time.Hour, c.user.Name)
	if err != nil {
		return noApp(err)
	}
	g.log.Info("secret rotated", "request_id", c.request, "app", app, "key_id", s.KeyID, "by", c.user.Name)
	return c.newSecret(&s)
}

// endSecret answers DELETE /apps/{id}/secrets/{key_id}. The tokens of the app end with
// it.
func (g *Gateway) endSecret(c *call) error {
	app, err := pathApp(c)
	if err != nil {
		return err
	}
	key, err := pathID(c, "key_id")
	if err != nil {
		return err
	}
	if err := g.deps.Apps.End(c.ctx(), app, key, c.user.Name); err != nil {
		return noApp(err)
	}
	g.log.Info("secret revoked", "request_id", c.request, "app", app, "key_id", key, "by", c.user.Name)
	return c.ok(func(dst []byte) []byte { return wire.Str(wire.Str(dst, "app_id", string(app)), "key_id", key) })
}

func pathApp(c *call) (engines.AppID, error) {
	id, err := pathID(c, "id")
	return engines.AppID(id), err
}

// noApp translates what is wrong with the app that is named.
func noApp(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return wire.Fail(wire.NotFound, "no such app, or no such live secret")
	case errors.Is(err, store.ErrExists):
		return wire.Fail(wire.Conflict, "the app exists already")
	case errors.Is(err, store.ErrConflict):
		return wire.Fail(wire.Conflict, "two secrets are live: revoke one first")
	}
	return err
}

func (g *Gateway) appRoutes() []route {
	return []route{
		{method: "GET", path: "/apps", auth: cookie, perm: auth.ManageKeys, handle: g.listApps},
		{method: "GET", path: "/apps/names", auth: cookie, perm: auth.SeeFeed, handle: g.appNames},
		{method: "POST", path: "/apps", auth: cookie, perm: auth.ManageKeys, handle: g.addApp},
		{method: "POST", path: "/apps/:id/secrets", auth: cookie, perm: auth.ManageKeys, handle: g.rotateApp},
		{method: "DELETE", path: "/apps/:id/secrets/:key_id", auth: cookie, perm: auth.ManageKeys, handle: g.endSecret},
	}
}
