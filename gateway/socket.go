package gateway

import (
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// socket reads and writes a stream's TCP socket without telling the scheduler.
// net.Conn brackets each read and write with entersyscall, which wakes Go's
// monitor thread out of its sleep; on a gateway that is idle between messages,
// waking it and its 20 µs naps took a quarter of the whole CPU time. A socket in
// non-blocking mode never blocks its thread, so the brackets buy nothing.
//
// One goroutine may read and one write at a time, as with coder/websocket.
type socket struct {
	net.Conn
	raw     syscall.RawConn
	within  time.Duration // of the time a write first has to wait
	in, out transfer
}

// transfer is one direction: what its step moves next and how that went.
type transfer struct {
	step   func(fd uintptr) bool // made once: a closure for each call would be an allocation
	p      []byte
	n      int
	errno  syscall.Errno
	waited bool
}

// newSocket takes over conn, whose writes have to be through within that time once
// they have to wait. Where conn has no descriptor of its own (TLS, a
// pipe in a test) it is returned as it is.
func newSocket(conn net.Conn, within time.Duration) net.Conn {
	sc, ok := conn.(syscall.Conn)
	if !ok || !direct {
		return conn
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return conn
	}
	s := &socket{Conn: conn, raw: raw, within: within}
	s.in.step, s.out.step = s.readStep, s.writeStep
	return s
}

func (s *socket) readStep(fd uintptr) bool {
	t := &s.in
	for {
		t.n, t.errno = rawRead(fd, t.p)
		if t.errno != syscall.EINTR {
			return t.errno != syscall.EAGAIN
		}
	}
}

// writeStep sets the deadline when it first has to wait: a deadline for every
// write would move a timer that is hardly ever needed.
func (s *socket) writeStep(fd uintptr) bool {
	t := &s.out
	for t.n < len(t.p) {
		n, errno := rawWrite(fd, t.p[t.n:])
		switch errno {
		case 0:
			t.n += n
		case syscall.EINTR:
		case syscall.EAGAIN:
			if t.waited {
				return false
			}
			t.waited = true
			return s.SetWriteDeadline(time.Now().Add(s.within)) != nil // closed meanwhile
		default:
			t.errno = errno
			return true
		}
	}
	return true
}

func (s *socket) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	t := &s.in
	t.p, t.n, t.errno = p, 0, 0
	err := s.raw.Read(t.step)
	t.p = nil // the session must not keep the caller's buffer alive
	switch {
	case err != nil:
		return 0, fmt.Errorf("read: %w", err)
	case t.errno != 0:
		return 0, os.NewSyscallError("read", t.errno)
	case t.n == 0:
		return 0, io.EOF
	}
	return t.n, nil
}

// Write writes all of p, or fails with os.ErrDeadlineExceeded when that takes too long.
func (s *socket) Write(p []byte) (int, error) {
	t := &s.out
	t.p, t.n, t.errno, t.waited = p, 0, 0, false
	err := s.raw.Write(t.step)
	t.p = nil
	if t.waited && err == nil {
		err = s.SetWriteDeadline(time.Time{})
	}
	switch {
	case err != nil:
		return t.n, fmt.Errorf("write: %w", err)
	case t.errno != 0:
		return t.n, os.NewSyscallError("write", t.errno)
	case t.n < len(p):
		return t.n, io.ErrShortWrite
	}
	return t.n, nil
}
