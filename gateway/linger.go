package gateway

import (
	"crypto/tls"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// How much of a refused request is still read, and for how long.
const (
	lingerBytes  = 1 << 20
	lingerWithin = 500 * time.Millisecond
)

// lingering hands out connections that can be closed gently. A server that refuses
// a request before it has read all of it and closes its socket makes the kernel
// reset the connection, and the reset overtakes the answer (RFC 9112 section 9.6).
type lingering struct{ net.Listener }

// Accept wraps each TCP connection.
func (l lingering) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err //nolint:wrapcheck // fasthttp tells net.ErrClosed from the rest
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		return &lingerConn{TCPConn: tcp}, nil
	}
	return c, nil
}

// lingerConn is a socket that, where it was asked to, reads for a moment after its
// last write before it closes.
type lingerConn struct {
	*net.TCPConn
	gently atomic.Bool
}

// Close closes the socket; at once unless a request was refused half-read.
func (c *lingerConn) Close() error {
	if c.gently.CompareAndSwap(true, false) && c.CloseWrite() == nil && c.SetReadDeadline(time.Now().Add(lingerWithin)) == nil {
		_, _ = io.CopyN(io.Discard, c.TCPConn, lingerBytes) // until the client has read its answer and closes
	}
	return c.TCPConn.Close() //nolint:wrapcheck // a net.Conn
}

// linger makes the connection of a request that was not read to its end close gently.
func linger(c *fiber.Ctx) {
	conn := c.Context().Conn()
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	if conn, ok := conn.(*lingerConn); ok {
		conn.gently.Store(true)
	}
}
