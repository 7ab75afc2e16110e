package bench

import (
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// maxUnsent bounds what waits for a socket that takes no more: a peer that far
// behind has lost the run, and the link is closed.
const maxUnsent = 256 << 10

// link is one established connection, owned by the driver's thread.
type link struct {
	fd, slot int
	target   *target
	// scene is the JSON of a chat message between its id and its content, which
	// is the same for every message of the link.
	scene string
	in    []byte // the start of a frame that isn't all here yet
	out   []byte // what the socket didn't take
	// heartbeat is how often the server wants a sign of life; 0 on the echo.
	heartbeat time.Duration
	lastSent  time.Duration
	// seq is the last push seen, which a ping acknowledges.
	seq  uint64
	dead bool
}

// steal takes the socket out of Go's own poller, which would wake for every
// packet too. conn is closed; the descriptor returned is the caller's.
func steal(conn net.Conn) (fd int, err error) {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return -1, fmt.Errorf("take over socket: %T is no TCP connection", conn)
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return -1, fmt.Errorf("take over socket: %w", err)
	}
	var dupErr error
	err = raw.Control(func(from uintptr) {
		fd, dupErr = unix.FcntlInt(from, unix.F_DUPFD_CLOEXEC, 0)
	})
	if err = errors.Join(err, dupErr, conn.Close()); err != nil {
		return -1, fmt.Errorf("take over socket: %w", err)
	}
	return fd, nil
}

// send writes b, or keeps what the socket doesn't take now.
func (l *link) send(p *poller, b []byte) error {
	if len(l.out) > 0 {
		return l.keep(b)
	}
	n, err := unix.Write(l.fd, b)
	if err != nil {
		if !errors.Is(err, unix.EAGAIN) {
			return fmt.Errorf("write: %w", err)
		}
		n = 0
	}
	if n == len(b) {
		return nil
	}
	if err := l.keep(b[n:]); err != nil {
		return err
	}
	return p.watchWrites(l.fd, l.slot, true)
}

func (l *link) keep(b []byte) error {
	if len(l.out)+len(b) > maxUnsent {
		return errors.New("write: the server reads too slowly")
	}
	l.out = append(l.out, b...)
	return nil
}

// flush writes what send had to keep.
func (l *link) flush(p *poller) error {
	out := l.out
	for len(out) > 0 {
		n, err := unix.Write(l.fd, out)
		if errors.Is(err, unix.EAGAIN) {
			l.out = append(l.out[:0], out...)
			return nil
		}
		if err != nil {
			return fmt.Errorf("write: %w", err)
		}
		out = out[n:]
	}
	l.out = l.out[:0]
	return p.watchWrites(l.fd, l.slot, false)
}
