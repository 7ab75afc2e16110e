package gateway

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
	"github.com/gofiber/fiber/v2"
)

// writeWithin bounds every write to a stream's socket that has to wait. A context
// for each write would cost four allocations.
const writeWithin = 5 * time.Second

// upgrade answers the WebSocket handshake as an ordinary Fiber response, so that
// middleware sees its true status, and runs serve on a goroutine of its own once
// fasthttp lets the socket go. The app must have KeepHijackedConns set. serve
// owns the connection and must recover its own panics. alive holds when the
// last ping frame came (Unix seconds).
func upgrade(c *fiber.Ctx, opts websocket.AcceptOptions, serve func(ws *websocket.Conn, alive *atomic.Int64)) error {
	f := c.Context()
	req := &http.Request{Method: string(f.Method()), Host: string(f.Host()), Header: http.Header{}, ProtoMajor: 1}
	if f.Request.Header.IsHTTP11() {
		req.ProtoMinor = 1
	}
	// string() copies: coder keeps the client's subprotocol, fasthttp re-uses its buffers.
	for k, v := range f.Request.Header.All() {
		req.Header.Add(string(k), string(v))
	}
	rec := &recorder{header: http.Header{}}
	alive := new(atomic.Int64)
	opts.OnPingReceived = func(_ context.Context, _ []byte) bool {
		alive.Store(time.Now().Unix())
		return true
	}
	ws, err := websocket.Accept(rec, req, &opts)
	for k := range rec.header {
		c.Set(k, rec.header.Get(k))
	}
	if err != nil {
		return badUpgrade(c, rec.code)
	}
	c.Status(rec.code)
	nc := rec.conn
	f.Hijack(func(h net.Conn) {
		u, ok := h.(interface{ UnsafeConn() net.Conn })
		if !ok {
			return // never bound: coder's finalizer closes it
		}
		raw := u.UnsafeConn()
		if nc.bind(raw, h) != nil {
			_ = raw.Close() // the client has gone; nothing to tell
			return
		}
		// Returning frees the request context and fasthttp's 4 KiB reader.
		go serve(ws, alive)
	})
	return nil
}

// conn is a net.Conn that gets its socket after the handshake was answered.
type conn struct {
	net.Conn
	early []byte // what the client sent right behind its upgrade request
}

func (c *conn) Read(p []byte) (int, error) {
	if len(c.early) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.early)
	if c.early = c.early[n:]; len(c.early) == 0 {
		c.early = nil
	}
	return n, nil
}

// Write sets the deadline of this write where the socket doesn't. It also mends what coder/websocket
// v1.8.15 does not check: it echoes a close frame whose reason is not UTF-8,
// where RFC 6455 section 7.1.6 asks to fail the connection; our answer is 1007.
func (c *conn) Write(p []byte) (int, error) {
	if _, ok := c.Conn.(*socket); !ok {
		if err := c.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
			return 0, err
		}
	}
	const opClose = 0x88 // FIN and opcode 8; a server's frames are not masked
	if len(p) > 4 && p[0] == opClose && len(p) == 2+int(p[1]) && !utf8.Valid(p[4:]) {
		if _, err := c.Conn.Write([]byte{opClose, 2, 1007 >> 8, 1007 & 0xff}); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	return c.Conn.Write(p)
}

func (c *conn) Close() error {
	if c.Conn == nil { // never bound: closed by coder's finalizer
		return nil
	}
	return c.Conn.Close()
}

// bind takes the raw socket out of fasthttp's pooled connection, whose Close is
// a no-op, and the bytes that it had read ahead. An expired read deadline hands
// out what is buffered and never touches the socket.
func (c *conn) bind(raw, hijacked net.Conn) error {
	err := raw.SetReadDeadline(time.Unix(1, 0))
	var buf [1024]byte
	for err == nil {
		var n int
		n, err = hijacked.Read(buf[:])
		c.early = append(c.early, buf[:n]...)
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	c.Conn = newSocket(raw, writeWithin)
	return raw.SetDeadline(time.Time{})
}

// recorder is the http.ResponseWriter that websocket.Accept answers into.
type recorder struct {
	header http.Header
	code   int
	conn   *conn // an allocation of its own: the session must not keep the recorder alive
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(code int)        { r.code = code }
func (r *recorder) Write(p []byte) (int, error) { return len(p), nil }

// Hijack hands out a connection with small buffers: a chat frame has some 200
// bytes, a verdict fewer, and what is larger than the reader's goes around it.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	const in, out = 256, 320
	r.conn = &conn{}
	return r.conn, bufio.NewReadWriter(bufio.NewReaderSize(r.conn, in), bufio.NewWriterSize(r.conn, out)), nil
}
