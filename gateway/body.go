package gateway

import (
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/portcullis-gg/portcullis/internal/wire"
)

// streams reports whether a request's body is read as it arrives: the lines of a batch,
// a picture, a sound, or what fills an image bank. All others are read before their handler runs.
func streams(c *fiber.Ctx) bool {
	path := strings.TrimSuffix(c.Path(), "/")
	return c.Method() == fiber.MethodPost && (slices.Contains(streamed, path) || strings.HasPrefix(path, imageBanksPath))
}

// streamed are the paths whose bodies may be large: who sends one is known first.
var streamed = []string{batchesPath, "/api/v1/image/check", "/api/v1/audio/check"}

const (
	batchesPath    = "/api/v1/batches"
	imageBanksPath = "/api/v1/image-banks/" // and what is below
)

func mayStream(uri []byte) bool {
	return bytes.HasPrefix(uri, []byte(imageBanksPath)) ||
		slices.ContainsFunc(streamed, func(p string) bool { return bytes.HasPrefix(uri, []byte(p)) })
}

// wordyBytes bounds the body of what may hold an operator's words: policy.MaxWords of
// them with their tests take more than other requests have.
const wordyBytes = 4 << 20

// bodyLimit is how large the body of a request to a path may be, unless it streams.
func (g *Gateway) bodyLimit(path []byte) int {
	if bytes.HasPrefix(path, []byte("/api/v1/lists/")) || bytes.HasPrefix(path, []byte("/api/v1/policies/")) {
		return max(wordyBytes, g.cfg.Limits.BodyBytes)
	}
	return g.cfg.Limits.BodyBytes
}

// tooLarge is a header of our own that stands in for a length over the limit.
const tooLarge = "Portcullis-Too-Large"

// refuseEarly notes a body that is too large before any of it is read: fasthttp would
// wait for its first 8 KiB, which a client may never send.
func (g *Gateway) refuseEarly(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	if h.ContentLength() > g.bodyLimit(h.RequestURI()) && !mayStream(h.RequestURI()) {
		h.SetContentLength(0)
		h.Set(tooLarge, "1")
	}
	return fasthttp.RequestConfig{}
}

// bodies are the buffers of bodies. What handlers keep of a body are copies.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// whole reads the body of a request, no more than any may have. The buffer that holds
// it goes back to bodies when the request is done.
func (g *Gateway) whole(c *fiber.Ctx) (*bytes.Buffer, error) {
	buf, _ := bodies.Get().(*bytes.Buffer)
	buf.Reset()
	stream := c.Context().RequestBodyStream()
	if stream == nil {
		return buf, nil
	}
	most := g.bodyLimit(c.Request().Header.RequestURI())
	length := c.Request().Header.ContentLength()
	if length > most || len(c.Request().Header.Peek(tooLarge)) > 0 {
		return buf, cut(c, wire.Fail(wire.TooLarge, ""))
	}
	_, err := buf.ReadFrom(io.LimitReader(&arriving{stream, length}, int64(most)+1))
	switch {
	case err != nil:
		return buf, cut(c, notArrived(err))
	case buf.Len() > most:
		return buf, cut(c, wire.Fail(wire.TooLarge, ""))
	}
	c.Request().SetBodyRaw(buf.Bytes())
	return buf, nil
}

// whole is as Gateway's, of a request that streams.
func (c *call) whole() error {
	if !streams(c.Ctx) {
		return nil
	}
	buf, err := c.g.whole(c.Ctx)
	if e := (*wire.Error)(nil); errors.As(err, &e) && e.Code == wire.TooLarge {
		e.Message = "a signature covers the whole body, which may be no larger than any other; with a bearer token a batch, a list, a picture or a sound may"
	}
	if err == nil && buf.Len() > 0 {
		c.Request().SetBodyRaw(bytes.Clone(buf.Bytes()))
	}
	bodies.Put(buf)
	return err
}

// stream is the body of a request that streams.
func (c *call) stream() io.Reader {
	if s := c.Context().RequestBodyStream(); s != nil {
		return &sent{arriving{s, c.Request().Header.ContentLength()}, c}
	}
	return bytes.NewReader(c.body()) // read already, for its signature
}

// cut has the connection end after the answer: where its next request would begin is
// not known.
func cut(c *fiber.Ctx, err error) error {
	c.Context().SetConnectionClose()
	linger(c)
	return err
}

// notArrived translates what broke while a body was read.
func notArrived(err error) error {
	var late net.Error
	switch {
	case errors.As(err, &late) && late.Timeout():
		return fiber.ErrRequestTimeout
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fiber.ErrBadGateway // as Fiber calls it; see fromStatus
	}
	return fiber.ErrBadRequest
}

// arriving tells a body that ended early from one that is whole.
type arriving struct {
	io.Reader
	left int // -1: in chunks, which say where they end
}

func (a *arriving) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if a.left >= 0 {
		a.left -= n
		if errors.Is(err, io.EOF) && a.left > 0 {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err //nolint:wrapcheck // a Reader's
}

// sent is a body whose faults are answers.
type sent struct {
	arriving
	c *call
}

func (s *sent) Read(p []byte) (int, error) {
	n, err := s.arriving.Read(p)
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return n, cut(s.c.Ctx, notArrived(err))
	}
	return n, err //nolint:wrapcheck // a Reader's
}
