package gateway

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// call is one request on its way through a handler.
type call struct {
	*fiber.Ctx
	g       *Gateway
	route   *route
	request engines.RequestID
	from    netip.Addr
	app     engines.AppID
	user    auth.User
	svc     auth.SVC
	grant   auth.Grant
	player  session.Identity // of a ticketed route
}

// ctx is the request's context: handlers run to their end even when a client
// goes, so that what was accepted is answered for.
func (c *call) ctx() context.Context { return c.UserContext() }

// body is the request's body as it came over the wire, nothing of one that still streams.
// It must not outlive the call.
func (c *call) body() []byte {
	if c.Context().RequestBodyStream() != nil {
		return nil
	}
	return c.Request().Body()
}

// object reads the body as a JSON object.
func (c *call) object() (*wire.Object, error) {
	if enc := c.Get(fiber.HeaderContentEncoding); enc != "" && enc != "identity" {
		return nil, wire.Fail(wire.Unsupported, "Content-Encoding is not supported")
	}
	return wire.Parse(c.body())
}

// optionalObject is object where all of it is optional, the body too.
func (c *call) optionalObject() (*wire.Object, error) {
	if len(c.body()) == 0 {
		return wire.Parse([]byte("{}"))
	}
	return c.object()
}

// ok answers a success: code, request_id, and what members appends.
func (c *call) ok(members func([]byte) []byte) error {
	body := wire.AppendSuccess(make([]byte, 0, 512), c.request, members)
	return send(c.Ctx, fiber.StatusOK, body)
}

// guard runs a route's checks in the order of DATA.md §4.1 and then the route.
func (g *Gateway) guard(r route) fiber.Handler {
	return func(f *fiber.Ctx) error {
		c := &call{Ctx: f, g: g, route: &r, request: requestID(f), from: g.client(f)}
		if err := g.admit(c); err != nil {
			return err
		}
		return r.handle(c)
	}
}

func (g *Gateway) admit(c *call) error {
	r := c.route
	switch r.auth {
	case public, onStream:
		return nil
	case local:
		if !c.from.IsLoopback() {
			return wire.Fail(wire.NotFound, "no such route")
		}
		return nil
	case cookie:
		return g.byCookie(c)
	case managed, either:
		switch {
		case c.Get(fiber.HeaderAuthorization) != "":
		case r.ofAll:
			return g.byCookie(c)
		default:
			return g.byManager(c)
		}
	}
	if err := g.blocked(c.from); err != nil {
		return err
	}
	authenticate := g.authenticate
	if r.auth == ticketed {
		authenticate = g.byTicket
	}
	if err := authenticate(c); err != nil {
		return g.refused(c, err)
	}
	if err := g.limited(c, c.app); err != nil {
		return err
	}
	if c.svc.Signature == "" {
		return nil
	}
	return g.deps.Replay.Check(c.ctx(), r.replay, c.svc, strings.Clone(c.Get("X-SVC-Nonce")))
}

// authenticate finds the app by signature or, where the route takes it, by token.
func (g *Gateway) authenticate(c *call) error {
	lines := headers(c.Ctx, fiber.HeaderAuthorization)
	if len(lines) > 1 { // whoever looks at another line than we do sees another caller
		return errTwoCallers
	}
	if token, ok := bearer(c.Get(fiber.HeaderAuthorization)); ok && (c.route.auth == checked || c.route.auth == either || c.route.auth == bearing) {
		grant, err := g.deps.Tokens.Check(c.ctx(), token)
		if err != nil {
			return err
		}
		if !grant.Has(c.route.scope) {
			return wire.Fail(wire.Forbidden, "the token's scope does not cover this")
		}
		c.app, c.grant = grant.App, grant
		return nil
	}
	if c.route.auth == bearing {
		if len(lines) == 1 {
			return wire.Fail(wire.Forbidden, "this takes a bearer token (POST /api/v1/auth/token), not a signature")
		}
		return &auth.Error{Cause: auth.CauseGrammar, Err: errors.New("no Authorization header")}
	}
	if len(lines) == 1 { // a signature covers all of the body
		if err := c.whole(); err != nil {
			return err
		}
	}
	svc, err := g.deps.Verifier.Verify(c.ctx(), auth.Request{
		Authorization: lines,
		Nonce:         strings.Clone(c.Get("X-SVC-Nonce")),
		Method:        strings.Clone(c.Method()),
		Target:        string(c.Request().Header.RequestURI()),
		Body:          c.body(),
	})
	c.svc, c.app = svc, svc.App
	return err
}

// errTwoCallers: a request has one Authorization header at most.
var errTwoCallers = &auth.Error{Cause: auth.CauseGrammar, Err: errors.New("more than one Authorization header")}

// bearer takes the token out of a header; the copy outlives the request.
func bearer(head string) (token string, ok bool) {
	scheme, rest, ok := strings.Cut(head, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	return strings.Clone(rest), true
}

// headers returns every line of a header, copied.
func headers(c *fiber.Ctx, name string) []string {
	var lines []string
	for _, v := range c.Request().Header.PeekAll(name) {
		lines = append(lines, string(v))
	}
	return lines
}

// client is who calls: the peer, or what our own proxies say.
func (g *Gateway) client(c *fiber.Ctx) netip.Addr {
	peer, ok := netip.AddrFromSlice(c.Context().RemoteIP())
	if !ok {
		return netip.Addr{}
	}
	return g.proxies.Client(peer, headers(c, fiber.HeaderXForwardedFor))
}

// blocked refuses an address that has failed too often, before any cryptography.
func (g *Gateway) blocked(from netip.Addr) error {
	wait, blocked := g.deps.Failures.Blocked(auth.LimitPrefix(from))
	if !blocked {
		return nil
	}
	e := wire.Fail(wire.RateLimited, "too many failed authentications")
	e.RetryAfter = max(wait, time.Second)
	return e
}

// refused charges a failed authentication to its address and notes its cause;
// the caller learns one wording for all of them.
func (g *Gateway) refused(c *call, err error) error {
	if errors.Is(err, auth.ErrUnauthenticated) {
		g.deps.Failures.Charge(auth.LimitPrefix(c.from))
		g.m.refused.WithLabelValues(string(auth.CauseOf(err))).Inc()
		g.log.Info("http: not authenticated", "request_id", c.request, "cause", string(auth.CauseOf(err)), "route", c.route.path)
	}
	return err
}

// limited takes one request off the app's rate and says so in the headers.
func (g *Gateway) limited(c *call, app engines.AppID) error {
	class := c.route.limit
	if class == "" {
		return nil
	}
	d, err := g.deps.Limiter.Allow(c.ctx(), class, app)
	if err != nil {
		return err
	}
	policy, left, after := limit.Headers(d, class)
	c.Set("RateLimit-Policy", policy)
	c.Set("RateLimit", left)
	if d.Allowed {
		return nil
	}
	c.Set("Retry-After", after)
	g.m.limited.WithLabelValues(string(class)).Inc()
	e := wire.Fail(wire.RateLimited, "")
	e.RetryAfter = max(d.RetryAfter, time.Millisecond)
	return e
}

// byCookie admits a moderator. A write must come from our own pages and be JSON,
// which no form can send.
func (g *Gateway) byCookie(c *call) error {
	write := c.Method() != fiber.MethodGet
	if !auth.SameOrigin(c.Get("Sec-Fetch-Site"), c.Get("Origin"), c.Get("Host"), write) {
		return wire.Fail(wire.Forbidden, "not from this site")
	}
	if kind := c.Get(fiber.HeaderContentType); write && !strings.HasPrefix(kind, "application/json") {
		if !c.route.raw {
			return wire.Fail(wire.Unsupported, "Content-Type must be application/json")
		}
		if formType(kind) {
			return wire.Fail(wire.Unsupported, "Content-Type must say what it is, as text/csv, image/png or application/octet-stream do")
		}
	}
	user, err := g.deps.Logins.Session(c.ctx(), g.cookie(c.Ctx))
	if err != nil {
		return err
	}
	if p := c.route.perm; p != "" && !user.Role.Can(p) {
		return wire.Fail(wire.Forbidden, "your role does not permit this")
	}
	c.user = user
	return nil
}

// formType reports whether a browser sends a type for a page of another site without
// asking: the three of forms, and none.
func formType(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded":
		return true
	}
	return false
}

// byManager admits a moderator to what an app may do for itself. The query names
// the app: a cookie belongs to none.
func (g *Gateway) byManager(c *call) error {
	if err := g.byCookie(c); err != nil {
		return err
	}
	id := strings.Clone(c.Query("app_id"))
	if !auth.ValidApp(engines.AppID(id)) {
		return wire.Invalid("?app_id", "must name an app")
	}
	c.app = engines.AppID(id)
	return nil
}

// actor is who asks, for records: a moderator's name, or the app's with "app/" before it.
func (c *call) actor() string {
	if c.user.Name != "" {
		return c.user.Name
	}
	return "app/" + string(c.app)
}

// fromAuth translates what auth and limit refuse; nil for other errors.
func fromAuth(err error) *wire.Error {
	var throttled *auth.ThrottledError
	switch {
	case errors.Is(err, auth.ErrUnauthenticated):
		e := wire.Fail(wire.Unauthenticated, "")
		e.ServerTime = time.Now()
		return e
	case errors.As(err, &throttled):
		e := wire.Fail(wire.RateLimited, "too many attempts")
		e.RetryAfter = throttled.Retry
		return e
	case errors.Is(err, auth.ErrNonce):
		return wire.Fail(wire.InvalidParameter, "X-SVC-Nonce is required: 16 to 64 of A-Z a-z 0-9 - _")
	case errors.Is(err, auth.ErrReplayed):
		return wire.Fail(wire.Conflict, "this signed request was seen before")
	case errors.Is(err, auth.ErrInvalid):
		return wire.Fail(wire.InvalidParameter, strings.TrimPrefix(err.Error(), "auth: "))
	case errors.Is(err, auth.ErrExists):
		return wire.Fail(wire.Conflict, "an admin exists already")
	case errors.Is(err, auth.ErrUnavailable), errors.Is(err, auth.ErrBusy), errors.Is(err, limit.ErrUnavailable):
		e := wire.Fail(wire.Unavailable, "")
		e.RetryAfter = time.Second
		return e
	}
	return nil
}
