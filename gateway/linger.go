package gateway

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// How much of a refused request is still read, and for how long: in all, for as long
// as more comes, and once the gateway stops. Many clients send all of a body before
// they read the answer.
const (
	lingerBytes  = 64 << 20
	lingerWithin = 30 * time.Second
	lingerIdle   = 5 * time.Second
	lingerAtStop = 500 * time.Millisecond
	// lingerAtOnce is how many connections are read so at a time; one more is closed
	// at once, and its client may miss its answer.
	lingerAtOnce = 1000
)

// lingering hands out connections that can be closed gently. A server that refuses
// a request before it has read all of it and closes its socket makes the kernel
// reset the connection, and the reset overtakes the answer (RFC 9112 section 9.6).
type lingering struct {
	net.Listener
	all *lingerers
}

// Accept wraps each TCP connection.
func (l lingering) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err //nolint:wrapcheck // fasthttp tells net.ErrClosed from the rest
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		return &lingerConn{TCPConn: tcp, all: l.all}, nil
	}
	return c, nil
}

// lingerers are the connections that are being closed gently.
type lingerers struct {
	mu    sync.Mutex
	conns map[*lingerConn]time.Time // until when each may take
	down  bool
}

// enter reports whether a connection may take its time.
func (l *lingerers) enter(c *lingerConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.conns) >= lingerAtOnce {
		return false
	}
	if l.conns == nil {
		l.conns = map[*lingerConn]time.Time{}
	}
	within := lingerWithin
	if l.down {
		within = lingerAtStop
	}
	l.conns[c] = time.Now().Add(within)
	return true
}

func (l *lingerers) leave(c *lingerConn) {
	l.mu.Lock()
	delete(l.conns, c)
	l.mu.Unlock()
}

// wait gives a connection time for its next read; an error ends it.
func (l *lingerers) wait(c *lingerConn) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	until := l.conns[c]
	if idle := time.Now().Add(lingerIdle); idle.Before(until) {
		until = idle
	}
	return c.SetReadDeadline(until) //nolint:wrapcheck // ends a loop
}

// stop leaves those that linger a moment.
func (l *lingerers) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = true
	until := time.Now().Add(lingerAtStop)
	for c, was := range l.conns {
		if until.Before(was) {
			l.conns[c] = until
			_ = c.SetReadDeadline(until) // fails on one that is closed already
		}
	}
}

// ended waits until none lingers any more.
func (l *lingerers) ended(ctx context.Context) error {
	tick := time.NewTicker(10 * time.Millisecond) // as the server waits for its connections
	defer tick.Stop()
	for {
		l.mu.Lock()
		n := len(l.conns)
		l.mu.Unlock()
		if n == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d connections are still being closed: %w", n, ctx.Err())
		case <-tick.C:
		}
	}
}

// lingerConn is a socket that, where it was asked to, reads for a while after its last
// write before it closes.
type lingerConn struct {
	*net.TCPConn
	all    *lingerers
	gently atomic.Bool
}

// Close closes the socket; at once unless a request was refused half-read.
func (c *lingerConn) Close() error {
	if c.gently.CompareAndSwap(true, false) && c.all.enter(c) {
		c.drain()
		c.all.leave(c)
	}
	return c.TCPConn.Close() //nolint:wrapcheck // a net.Conn
}

// drain reads until the client has read its answer and closes, or has had its time.
func (c *lingerConn) drain() {
	if c.CloseWrite() != nil {
		return
	}
	var buf [16 << 10]byte
	for left := lingerBytes; left > 0 && c.all.wait(c) == nil; {
		n, err := c.TCPConn.Read(buf[:])
		if err != nil {
			return
		}
		left -= n
	}
}

// linger makes the connection of a request that was not read to its end close gently.
func linger(c *fiber.Ctx) {
	if conn := lingerConnOf(c); conn != nil {
		conn.gently.Store(true)
	}
}

// unlinger forgets what an earlier request of the connection asked for.
func unlinger(c *fiber.Ctx) {
	if conn := lingerConnOf(c); conn != nil && conn.gently.Load() {
		conn.gently.Store(false)
	}
}

func lingerConnOf(c *fiber.Ctx) *lingerConn {
	conn := c.Context().Conn()
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	l, _ := conn.(*lingerConn)
	return l
}
