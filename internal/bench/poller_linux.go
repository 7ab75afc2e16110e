package bench

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// timerSlot is the slot of the timer in the events; links have slots from 0.
const timerSlot = -1

// poller waits for sockets and for one deadline at a time. The deadline is a
// timerfd and not Go's timer or epoll's timeout, which round up to a
// millisecond: at 2,000 messages a second that alone would be the latency.
type poller struct {
	epoll, timer int
	events       []unix.EpollEvent
}

func newPoller() (*poller, error) {
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("epoll: %w", err)
	}
	timer, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_CLOEXEC|unix.TFD_NONBLOCK)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("timerfd: %w", err), unix.Close(epoll))
	}
	p := &poller{epoll: epoll, timer: timer, events: make([]unix.EpollEvent, 256)}
	if err := p.control(unix.EPOLL_CTL_ADD, timer, timerSlot, unix.EPOLLIN); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

func (p *poller) control(op, fd, slot int, events uint32) error {
	ev := unix.EpollEvent{Events: events, Fd: int32(slot)} // Fd is the caller's own word to epoll
	if err := unix.EpollCtl(p.epoll, op, fd, &ev); err != nil {
		return fmt.Errorf("epoll: %w", err)
	}
	return nil
}

// add starts watching a socket; ready names it by its slot.
func (p *poller) add(fd, slot int) error {
	return p.control(unix.EPOLL_CTL_ADD, fd, slot, unix.EPOLLIN)
}

// watchWrites says whether the socket is also to be reported when it takes more.
func (p *poller) watchWrites(fd, slot int, on bool) error {
	events := uint32(unix.EPOLLIN)
	if on {
		events |= unix.EPOLLOUT
	}
	return p.control(unix.EPOLL_CTL_MOD, fd, slot, events)
}

// wait blocks for at most d, or until sockets are ready, and calls ready for
// each that is. A d of 0 or less only looks.
func (p *poller) wait(d time.Duration, ready func(slot int, readable, writable bool)) error {
	timeout := 0
	if d > 0 {
		timeout = -1
		spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
		if err := unix.TimerfdSettime(p.timer, 0, &spec, nil); err != nil {
			return fmt.Errorf("timerfd: %w", err)
		}
	}
	n, err := p.epollWait(timeout)
	if err != nil {
		return err
	}
	for _, ev := range p.events[:n] {
		if ev.Fd == timerSlot {
			var expired [8]byte
			if _, err := unix.Read(p.timer, expired[:]); err != nil && !errors.Is(err, unix.EAGAIN) {
				return fmt.Errorf("timerfd: %w", err)
			}
			continue
		}
		ready(int(ev.Fd), ev.Events&^unix.EPOLLOUT != 0, ev.Events&unix.EPOLLOUT != 0)
	}
	return nil
}

// epollWait blocks without telling Go's scheduler (RawSyscall): its monitor
// would otherwise take the processor back after 20 µs of every wait and poll at
// that pace, which at 2,000 messages a second took half a core. The garbage
// collector's signal ends the wait with EINTR, so it waits for nothing.
func (p *poller) epollWait(timeout int) (int, error) {
	n, _, errno := unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.epoll),
		uintptr(unsafe.Pointer(&p.events[0])), uintptr(len(p.events)), uintptr(timeout), 0, 0)
	switch errno {
	case 0:
		return int(n), nil
	case unix.EINTR:
		return 0, nil
	}
	return 0, fmt.Errorf("epoll: %w", errno)
}

func (p *poller) close() error {
	return errors.Join(unix.Close(p.timer), unix.Close(p.epoll))
}
