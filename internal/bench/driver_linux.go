package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// look is how often the driver turns to heartbeats and cancellation.
	look = 100 * time.Millisecond
	// patience is how long after a round's last message answers still count.
	patience = 10 * time.Second
)

// target is one server under load: the gateway or the echo.
type target struct {
	name  string
	pid   int // 0: not known, so no CPU or memory
	links []*link
	lost  map[string]int // links that went, by reason
}

// driver owns every socket of the run. Its methods are for one goroutine, which
// they pin to a thread while they work.
type driver struct {
	poll  *poller
	began time.Time
	links []*link // by slot
	buf   []byte
	frame []byte // the frame being built
	text  []byte // its payload
	round *round // the one that runs; nil between rounds
	lookT time.Duration
	err   error // a fault of the driver itself
}

func newDriver() (*driver, error) {
	p, err := newPoller()
	if err != nil {
		return nil, err
	}
	return &driver{poll: p, began: time.Now(), buf: make([]byte, 64<<10)}, nil
}

func (d *driver) now() time.Duration { return time.Since(d.began) }

// adopt takes over a connection that has said its hello. rest is what was read
// past the last answer.
func (d *driver) adopt(t *target, c *connected) error {
	fd, err := steal(c.conn)
	if err != nil {
		return err
	}
	l := &link{fd: fd, slot: len(d.links), target: t, scene: c.scene, heartbeat: c.heartbeat, lastSent: d.now(), in: c.rest}
	d.links = append(d.links, l)
	t.links = append(t.links, l)
	return d.poll.add(fd, l.slot)
}

// rest keeps the links alive for dur, without load.
func (d *driver) rest(ctx context.Context, dur time.Duration) error {
	return d.loop(ctx, d.now()+dur, func() bool { return false })
}

// run drives one round and waits for its answers.
func (d *driver) run(ctx context.Context, r *round) error {
	d.round = r
	defer func() { d.round = nil }()
	r.plan.start = d.now() + 10*time.Millisecond
	end := r.plan.due(r.plan.total) + patience
	if err := d.loop(ctx, end, r.over); err != nil {
		return fmt.Errorf("%s: %w", r.target.name, err)
	}
	return nil
}

// loop turns until done, until the given time, or until ctx ends.
func (d *driver) loop(ctx context.Context, end time.Duration, done func() bool) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for !done() {
		now := d.now()
		if now >= end {
			return nil
		}
		if now >= d.lookT {
			if err := ctx.Err(); err != nil {
				return err
			}
			d.heartbeats(now)
			d.lookT = now + look
		}
		d.sendDue()
		wake := min(end, d.lookT)
		if d.round != nil {
			if at, ok := d.round.plan.wake(); ok {
				wake = min(wake, at)
			}
		}
		if err := d.poll.wait(wake-d.now(), d.ready); err != nil {
			return err
		}
		if d.err != nil {
			return d.err
		}
	}
	return nil
}

// sendDue sends every message whose time has come.
func (d *driver) sendDue() {
	r := d.round
	if r == nil {
		return
	}
	for {
		i, ok := r.plan.take(d.now())
		if !ok {
			return
		}
		if i == r.plan.warm {
			d.err = errors.Join(d.err, r.openWindow())
		}
		l := r.target.links[i%len(r.target.links)]
		if l.dead {
			r.side.faults["session gone"]++
			r.left--
		} else {
			r.noteSent(i, d.now())
			d.text = r.appendMessage(d.text[:0], l.scene, i)
			d.sendText(l)
		}
		if i == r.plan.total-1 {
			d.err = errors.Join(d.err, r.closeWindow())
		}
	}
}

// sendText sends d.text as one text frame.
func (d *driver) sendText(l *link) {
	d.send(l, opText, d.text)
}

func (d *driver) send(l *link, op byte, payload []byte) {
	d.frame = appendFrame(d.frame[:0], op, payload, rand.Uint32())
	l.lastSent = d.now()
	if err := l.send(d.poll, d.frame); err != nil {
		d.drop(l, err.Error())
	}
}

// ready handles one socket that epoll reported.
func (d *driver) ready(slot int, readable, writable bool) {
	l := d.links[slot]
	if writable && !l.dead {
		if err := l.flush(d.poll); err != nil {
			d.drop(l, err.Error())
		}
	}
	if !readable || l.dead {
		return
	}
	n, err := unix.Read(l.fd, d.buf)
	at := d.now() // at the socket, before any of our own work on it
	switch {
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR):
		return
	case err != nil:
		d.drop(l, fmt.Sprintf("read: %v", err))
		return
	case n == 0:
		d.drop(l, io.ErrUnexpectedEOF.Error())
		return
	}
	d.take(l, d.buf[:n], at)
}

// take handles the whole frames of b and keeps the start of the next one.
func (d *driver) take(l *link, b []byte, at time.Duration) {
	if len(l.in) > 0 {
		l.in = append(l.in, b...)
		b = l.in
	}
	for !l.dead {
		op, payload, size, err := readFrame(b)
		if err != nil {
			d.drop(l, err.Error())
			return
		}
		if size == 0 {
			break
		}
		d.handle(l, op, payload, at)
		b = b[size:]
	}
	l.in = append(l.in[:0], b...)
}

func (d *driver) handle(l *link, op byte, payload []byte, at time.Duration) {
	switch op {
	case opText:
		m, err := parseAnswer(payload)
		if err != nil {
			d.drop(l, err.Error())
			return
		}
		l.seq = max(l.seq, m.Seq)
		if d.round != nil && d.round.target == l.target {
			d.round.note(m, at)
		}
	case opPing:
		d.send(l, opPong, payload)
	case opPong:
	case opClose:
		d.drop(l, closeReason(payload))
	default:
		d.drop(l, "frame of kind "+strconv.Itoa(int(op)))
	}
}

// heartbeats pings for every link that has been silent for 80 % of its time.
func (d *driver) heartbeats(now time.Duration) {
	for _, l := range d.links {
		if l.dead || l.heartbeat == 0 || now-l.lastSent < l.heartbeat*8/10 {
			continue
		}
		d.text = append(d.text[:0], `{"type":"ping","seq":`...)
		d.text = strconv.AppendUint(d.text, l.seq, 10)
		d.text = append(d.text, '}')
		d.sendText(l)
	}
}

// drop gives a link up and counts why.
func (d *driver) drop(l *link, why string) {
	if l.dead {
		return
	}
	l.dead = true
	if l.target.lost == nil {
		l.target.lost = make(map[string]int)
	}
	l.target.lost[why]++
	d.err = errors.Join(d.err, closeFD(l))
}

func closeFD(l *link) error {
	if err := unix.Close(l.fd); err != nil {
		return fmt.Errorf("close socket: %w", err)
	}
	return nil
}

// hangUp closes the links of a target, with a close frame where it speaks WebSocket.
func (d *driver) hangUp(t *target) error {
	var errs []error
	for _, l := range t.links {
		if l.dead {
			continue
		}
		if l.heartbeat > 0 {
			d.send(l, opClose, []byte{3, 232}) // 1000
		}
		if !l.dead {
			l.dead = true
			errs = append(errs, closeFD(l))
		}
	}
	t.links = nil
	return errors.Join(errs...)
}

func (d *driver) close() error { return d.poll.close() }
