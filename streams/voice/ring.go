package voice

import "sync"

// packet is one packet of a call, or one block of sound.
type packet struct {
	source  uint32 // SSRC: another one is another clock
	seq     uint16
	ts      uint32 // at 48 kHz
	arrived int64  // ns, see Hub.now
	payload []byte
}

// ringSize is 1.3 s of packets of 20 ms: what is older than that is no use to a live
// call. Pion's own buffer would hold four minutes, and say nothing.
const ringSize = 64

// ring takes packets from who reads the network to the call's worker. Full-rule: the
// oldest goes, and is counted.
type ring struct {
	mu      sync.Mutex
	slots   [ringSize]packet
	head    int // the oldest
	n       int
	dropped int64
}

// put never waits.
func (r *ring) put(p packet) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.n == ringSize {
		r.slots[r.head] = packet{}
		r.head = (r.head + 1) % ringSize
		r.n--
		r.dropped++
	}
	r.slots[(r.head+r.n)%ringSize] = p
	r.n++
}

// take moves everything into dst, oldest first, and returns how many were dropped
// since the last call.
func (r *ring) take(dst []packet) (out []packet, dropped int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for range r.n {
		dst = append(dst, r.slots[r.head])
		r.slots[r.head] = packet{}
		r.head = (r.head + 1) % ringSize
	}
	r.n = 0
	dropped, r.dropped = r.dropped, 0
	return dst, dropped
}

func (r *ring) empty() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n == 0
}
