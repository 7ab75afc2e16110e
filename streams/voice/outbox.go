package voice

import "sync"

// heardPacket is a packet of one call on its way to another. Nobody changes its payload.
type heardPacket struct {
	from    *Call
	source  uint32
	seq     uint16
	ts      uint32
	payload []byte
}

// outboxSize is what waits for one listener: 80 ms of four who speak at once. What is
// older is better not heard at all.
const outboxSize = 16

// outbox has what one listener is to hear. Full-rule: the oldest goes, and is counted.
type outbox struct {
	mu      sync.Mutex
	ring    [outboxSize]heardPacket
	head, n int
	dropped int
	came    chan struct{} // a token while something waits
	done    chan struct{}
	over    sync.Once
}

func newOutbox() *outbox {
	return &outbox{came: make(chan struct{}, 1), done: make(chan struct{})}
}

// put never waits.
func (o *outbox) put(p heardPacket) {
	o.mu.Lock()
	if o.n == outboxSize {
		o.head = (o.head + 1) % outboxSize
		o.n--
		o.dropped++
	}
	o.ring[(o.head+o.n)%outboxSize] = p
	o.n++
	o.mu.Unlock()
	select {
	case o.came <- struct{}{}:
	default:
	}
}

// take is the oldest, and how many went since the last call.
func (o *outbox) take() (p heardPacket, dropped int, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	dropped, o.dropped = o.dropped, 0
	if o.n == 0 {
		return p, dropped, false
	}
	p, o.ring[o.head] = o.ring[o.head], heardPacket{}
	o.head = (o.head + 1) % outboxSize
	o.n--
	return p, dropped, true
}

// close ends its serve.
func (o *outbox) close() { o.over.Do(func() { close(o.done) }) }
