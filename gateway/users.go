package gateway

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Users keeps moderators. A name that there is not is store.ErrNotFound, one that is
// taken store.ErrExists, and to leave no admin store.ErrConflict.
type Users interface {
	Users(ctx context.Context) ([]store.User, error)
	User(ctx context.Context, name string) (store.User, error)
	AddUser(ctx context.Context, u store.User, link store.PasswordLink) error
	ChangeUser(ctx context.Context, u store.User, by string) (store.User, error)
	PutPasswordLink(ctx context.Context, l store.PasswordLink) error
	UserLogins
}

// UserLogins are the cookie sessions of moderators.
type UserLogins interface {
	LoginsOf(ctx context.Context, name string) ([]store.Login, error)
	// EndLogins ends one, or all where hash is nil, and says how many.
	EndLogins(ctx context.Context, name string, hash *[32]byte, by string) (int64, error)
}

// listUsers answers GET /users.
func (g *Gateway) listUsers(c *call) error {
	list, err := g.deps.Users.Users(c.ctx())
	if err != nil {
		return err
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "users", len(list), func(dst []byte, i int) []byte { return appendUser(dst, &list[i]) })
	})
}

// getUser answers GET /users/{name}.
func (g *Gateway) getUser(c *call) error {
	name, err := pathID(c, "name")
	if err != nil {
		return err
	}
	u, err := g.deps.Users.User(c.ctx(), name)
	if err != nil {
		return noUser(err)
	}
	return c.ok(func(dst []byte) []byte { return appendUser(dst, &u) })
}

// addUser answers POST /users: the new moderator sets a password by the link's token,
// which is shown this once.
func (g *Gateway) addUser(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadUser(o, true)
	if err != nil {
		return err
	}
	name, err := auth.UserName(r.Name)
	if err != nil {
		return err
	}
	u, err := g.userOf(name, &r)
	if err != nil {
		return err
	}
	token, link := auth.NewLink(name, c.user.Name, time.Now())
	if err := g.deps.Users.AddUser(c.ctx(), u, store.PasswordLink(link)); err != nil {
		return noUser(err)
	}
	g.log.Info("user added", "request_id", c.request, "user", name, "role", u.Role, "by", c.user.Name)
	return c.ok(func(dst []byte) []byte { return appendLink(appendUser(dst, &u), token, &link) })
}

// userOf is the moderator that a change asks for.
func (g *Gateway) userOf(name string, r *wire.UserChange) (store.User, error) {
	role, err := auth.ParseRole(r.Role)
	if err != nil {
		return store.User{}, wire.Invalid("/role", "must be viewer, moderator, senior, admin or auditor")
	}
	// One that there is not would leave the moderator without a case.
	for i, queue := range r.Queues {
		if !g.deps.Cases.HasQueue(queue) {
			return store.User{}, wire.Invalid("/queues/"+strconv.Itoa(i), "is no queue")
		}
	}
	for i, category := range r.Categories {
		if !wire.KnownCategory(engines.Category(category)) {
			return store.User{}, wire.Invalid("/categories/"+strconv.Itoa(i), "is no category")
		}
	}
	for _, list := range []*[]string{&r.Queues, &r.Categories} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return store.User{Name: name, Role: string(role), Disabled: r.Disabled, Created: time.Now(), Queues: r.Queues, Categories: r.Categories}, nil
}

// putUser answers PUT /users/{name}: role, standing and bounds as a whole.
func (g *Gateway) putUser(c *call) error {
	name, err := pathID(c, "name")
	if err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadUser(o, false)
	if err != nil {
		return err
	}
	u, err := g.userOf(name, &r)
	if err != nil {
		return err
	}
	u, err = g.deps.Users.ChangeUser(c.ctx(), u, c.user.Name)
	if err != nil {
		return noUser(err)
	}
	g.log.Info("user changed", "request_id", c.request, "user", name, "role", u.Role, "disabled", u.Disabled, "by", c.user.Name)
	return c.ok(func(dst []byte) []byte { return appendUser(dst, &u) })
}

// resetUser answers POST /users/{name}/reset with a new link to set a password.
func (g *Gateway) resetUser(c *call) error {
	name, err := pathID(c, "name")
	if err != nil {
		return err
	}
	token, link := auth.NewLink(name, c.user.Name, time.Now())
	if err := g.deps.Users.PutPasswordLink(c.ctx(), store.PasswordLink(link)); err != nil {
		return noUser(err)
	}
	return c.ok(func(dst []byte) []byte { return appendLink(wire.Str(dst, "name", name), token, &link) })
}

// setPassword answers POST /auth/password: whoever has a link's token sets the
// password of whose link it is.
func (g *Gateway) setPassword(c *call) error {
	if err := c.fromOwnPage(); err != nil {
		return err
	}
	if err := g.blocked(c.from); err != nil {
		return err
	}
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadPasswordChange(o)
	if err != nil {
		return err
	}
	name, err := g.deps.Links.Use(c.ctx(), r.Token, r.Password)
	if err != nil {
		return g.refused(c, err)
	}
	g.log.Info("password set", "request_id", c.request, "user", name)
	return c.ok(func(dst []byte) []byte { return wire.Str(dst, "name", name) })
}

// listLogins answers GET /users/{name}/logins.
func (g *Gateway) listLogins(c *call) error {
	name, err := pathID(c, "name")
	if err != nil {
		return err
	}
	list, err := g.deps.Users.LoginsOf(c.ctx(), name)
	if err != nil {
		return noUser(err)
	}
	return c.ok(func(dst []byte) []byte {
		return wire.List(dst, "logins", len(list), func(dst []byte, i int) []byte {
			l := &list[i]
			dst = wire.When(wire.Str(dst, "login_id", hex.EncodeToString(l.Hash[:])), "created_at", l.Created)
			return wire.When(wire.When(dst, "last_seen_at", l.LastSeen), "expires_at", l.Expires)
		})
	})
}

// endLogins answers DELETE /users/{name}/logins?login_id=: one of them, or all.
func (g *Gateway) endLogins(c *call) error {
	name, err := pathID(c, "name")
	if err != nil {
		return err
	}
	var hash *[32]byte
	if text := c.Query("login_id"); text != "" {
		raw, err := hex.DecodeString(text)
		if err != nil || len(raw) != 32 {
			return wire.Invalid("?login_id", "must be the login_id of an answer")
		}
		hash = (*[32]byte)(raw)
	}
	n, err := g.deps.Users.EndLogins(c.ctx(), name, hash, c.user.Name)
	if err != nil {
		return noUser(err)
	}
	return c.ok(func(dst []byte) []byte { return wire.Num(dst, "ended", n) })
}

// noUser translates what is wrong with the moderator that is named.
func noUser(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return wire.Fail(wire.NotFound, "no such user")
	case errors.Is(err, store.ErrExists):
		return wire.Fail(wire.Conflict, "the name is taken")
	case errors.Is(err, store.ErrConflict):
		return wire.Fail(wire.Conflict, "the last admin stays one")
	}
	return err
}

func appendUser(dst []byte, u *store.User) []byte {
	dst = wire.Flag(wire.Str(wire.Str(dst, "name", u.Name), "role", u.Role), "disabled", u.Disabled)
	dst = wire.Strs(wire.Strs(dst, "queues", u.Queues), "categories", u.Categories)
	return wire.When(dst, "created_at", u.Created)
}

func appendLink(dst []byte, token string, l *auth.LinkRecord) []byte {
	dst = wire.Str(wire.Str(dst, "token", token), "link", "/console/#/password?token="+token)
	return wire.When(dst, "link_expires_at", l.Expires)
}

func (g *Gateway) userRoutes() []route {
	return []route{
		{method: "POST", path: "/auth/password", auth: public, handle: g.setPassword},
		{method: "GET", path: "/users", auth: cookie, perm: auth.ManageUsers, handle: g.listUsers},
		{method: "POST", path: "/users", auth: cookie, perm: auth.ManageUsers, handle: g.addUser},
		{method: "GET", path: "/users/:name", auth: cookie, perm: auth.ManageUsers, handle: g.getUser},
		{method: "PUT", path: "/users/:name", auth: cookie, perm: auth.ManageUsers, handle: g.putUser},
		{method: "POST", path: "/users/:name/reset", auth: cookie, perm: auth.ManageUsers, handle: g.resetUser},
		{method: "GET", path: "/users/:name/logins", auth: cookie, perm: auth.ManageUsers, handle: g.listLogins},
		{method: "DELETE", path: "/users/:name/logins", auth: cookie, perm: auth.ManageUsers, handle: g.endLogins},
	}
}
