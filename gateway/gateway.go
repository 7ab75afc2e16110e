package gateway

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/valyala/fasthttp"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// Gateway serves the public listener.
type Gateway struct {
	cfg     Config
	deps    Deps
	log     *slog.Logger
	m       *metrics
	proxies auth.Proxies
	app     *fiber.App
	origins originList

	lingerers lingerers
	uploads   uploads
	egresses  egresses

	mu   sync.Mutex
	ln   net.Listener // while Serve runs
	down bool         // Shutdown was called
}

// New builds the routes. Serve starts it.
func New(cfg Config, deps Deps, reg prometheus.Registerer, log *slog.Logger) (*Gateway, error) {
	proxies, err := auth.ParseProxies(cfg.TrustedProxies)
	if err != nil {
		return nil, fmt.Errorf("http.trusted_proxies: %w", err)
	}
	g := &Gateway{cfg: cfg, deps: deps, log: log, m: newMetrics(reg), proxies: proxies, origins: newOriginList(cfg.AllowedOrigins), uploads: uploads{most: cfg.Uploads}}
	g.app = fiber.New(fiber.Config{
		DisableStartupMessage: true, StrictRouting: false, CaseSensitive: true,
		// A signature covers the bytes on the wire; a parsed form would be re-made.
		DisablePreParseMultipartForm: true,
		BodyLimit:                    cfg.Limits.BodyBytes,
		// A batch is not to be in memory before anybody knows who sends it: see whole.
		StreamRequestBody: true,
		// The head of a request: a ticket may fill 8 KiB of it.
		ReadBufferSize: 16 << 10,
		ReadTimeout:    cfg.ReadTimeout, WriteTimeout: cfg.WriteTimeout, IdleTimeout: cfg.IdleTimeout,
		ErrorHandler: g.failed,
	})
	server := g.app.Server()
	server.KeepHijackedConns = true // see upgrade
	server.NoDefaultServerHeader = true
	server.HeaderReceived = g.refuseEarly
	inner := server.Handler
	server.Handler = func(ctx *fasthttp.RequestCtx) {
		if !knownMethod(ctx.Method()) {
			// Fiber would answer 400 in plain text. No route has TRACE, so what is
			// asked gets the 405 (or 404) of any other method that it does not have.
			ctx.Request.Header.SetMethod(fiber.MethodTrace)
		}
		inner(ctx)
	}
	g.app.Use(g.around)
	if err := g.mount(); err != nil {
		return nil, err
	}
	return g, nil
}

// Serve answers on ln until Shutdown, not at all when that came first.
func (g *Gateway) Serve(ln net.Listener) error {
	if !g.begin(ln) {
		return ln.Close()
	}
	ln = lingering{ln, &g.lingerers}
	if g.cfg.TLS.Cert != "" {
		reload, err := newCertificate(g.cfg.TLS)
		if err != nil {
			return err
		}
		ln = tls.NewListener(ln, &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: reload.get})
	}
	return g.app.Listener(ln)
}

// Shutdown stops taking requests and waits for those under way. Streams and calls are
// not its own: drain them first.
func (g *Gateway) Shutdown(ctx context.Context) error {
	g.mu.Lock()
	g.down = true
	ln := g.ln
	g.mu.Unlock()
	g.lingerers.stop()
	err := errors.Join(g.app.ShutdownWithContext(ctx), g.lingerers.ended(ctx))
	g.egresses.close()
	if ln != nil {
		_ = ln.Close() // closed already, unless fasthttp had not yet taken it over
	}
	return err
}

// begin notes the listener; it reports false when it is too late to serve.
func (g *Gateway) begin(ln net.Listener) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ln = ln
	return !g.down
}

// around is outside every handler: the request's id, panics, metrics, headers
// that every answer has.
func (g *Gateway) around(c *fiber.Ctx) (err error) {
	start := time.Now()
	id := newRequestID()
	c.Locals(localRequest, id)
	c.Set("X-Request-Id", string(id))
	c.Set("X-Content-Type-Options", "nosniff")
	if own := c.Get("X-Request-Id"); own != "" && wire.ValidID(own) {
		c.Set("X-Client-Request-Id", strings.Clone(own))
	}
	unlinger(c)
	defer func() {
		if r := recover(); r != nil {
			g.m.panics.Inc()
			g.log.Error("http: panic", "request_id", id, "panic", r, "stack", string(debug.Stack()))
			err = g.failed(c, fmt.Errorf("panic in %s", c.Route().Path))
		}
		g.m.observe(c, time.Since(start))
	}()
	if !streams(c) {
		body, err := g.whole(c)
		if err != nil {
			return g.failed(c, err)
		}
		defer bodies.Put(body)
	}
	if err := c.Next(); err != nil {
		return g.failed(c, err)
	}
	return nil
}

const localRequest = "request_id"

func requestID(c *fiber.Ctx) engines.RequestID {
	if id, ok := c.Locals(localRequest).(engines.RequestID); ok {
		return id
	}
	// The server failed before any handler ran (a head too large, say).
	id := newRequestID()
	c.Locals(localRequest, id)
	c.Set("X-Request-Id", string(id))
	return id
}

// failed answers any error in the wire's shape, Fiber's own included.
func (g *Gateway) failed(c *fiber.Ctx, err error) error {
	e := translate(err)
	if e.Code == wire.Internal {
		g.log.Error("http: internal error", "request_id", requestID(c), "route", c.Route().Path, "err", err)
	}
	if e.Code == wire.TooLarge || streams(c) { // a stream that is refused may be half-read
		linger(c)
	}
	if e.RetryAfter > 0 && len(c.Response().Header.Peek("Retry-After")) == 0 {
		c.Set("Retry-After", retryAfter(e.RetryAfter))
	}
	return send(c, e.Code.Status(), e.AppendBody(nil, requestID(c)))
}

// translate makes of any error what a client sees; the rest is wire's.
func translate(err error) *wire.Error {
	var f *fiber.Error
	var small *fasthttp.ErrSmallBuffer
	switch {
	case errors.As(err, &small):
		return wire.Fail(wire.TooLarge, "the head of the request is too large")
	case errors.As(err, &f):
		return fromStatus(f.Code)
	}
	if e := fromAuth(err); e != nil {
		return e
	}
	return wire.From(err)
}

func fromStatus(status int) *wire.Error {
	switch status {
	case fiber.StatusNotFound:
		return wire.Fail(wire.NotFound, "no such route")
	case fiber.StatusMethodNotAllowed:
		return wire.Fail(wire.MethodNotAllowed, "")
	case fiber.StatusRequestEntityTooLarge, fiber.StatusRequestHeaderFieldsTooLarge:
		return wire.Fail(wire.TooLarge, "")
	case fiber.StatusRequestTimeout:
		return wire.Fail(wire.Timeout, "the request did not arrive in its time")
	case fiber.StatusBadGateway: // Fiber's word for a connection that broke while the request arrived
		return wire.Fail(wire.InvalidParameter, "the request did not arrive")
	case fiber.StatusServiceUnavailable:
		return wire.Fail(wire.Unavailable, "")
	}
	if status >= 400 && status < 500 {
		return wire.Fail(wire.InvalidParameter, "not a request that we understand")
	}
	return wire.Fail(wire.Internal, "")
}

// send answers with a JSON body.
func send(c *fiber.Ctx, status int, body []byte) error {
	c.Set(fiber.HeaderContentType, "application/json; charset=utf-8")
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Status(status).Send(body)
}
