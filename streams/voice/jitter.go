package voice

import "time"

const (
	// holdMost is how long a packet waits for those before it.
	holdMost = 40 * time.Millisecond
	// heldMost bounds those that wait. Full-rule: the gap before them is given up.
	heldMost = 16
	// jump is how far a sequence number may leap before it counts as a new start.
	jump = 3000 // RFC 3550 appendix A.1: MAX_DROPOUT
	// behind is how far back one may lie and still be late rather than a new start.
	behind = 100 // MAX_MISORDER
)

// order puts the packets of a call in order: one that comes in its turn goes on at
// once, one that comes early waits for those before it, holdMost at most.
type order struct {
	started bool
	source  uint32
	next    uint16
	held    []packet // by distance from next
	probe   uint16   // what would confirm that the sequence has started anew
	probing bool
	late    int64 // came too late, or twice
	lost    int64
}

// push takes one packet and gives on whatever is in its turn now.
func (o *order) push(p packet, give func(p packet, lost int)) {
	if !o.started || p.source != o.source {
		o.restart(p, give)
		return
	}
	d := int(int16(p.seq - o.next)) //nolint:gosec // the distance around the circle is what is wanted
	switch {
	case d == 0:
		o.probing = false
		give(p, 0)
		o.next++
		o.follow(give)
	case d > jump || d < -behind:
		if o.probing && p.seq == o.probe {
			o.restart(p, give)
			return
		}
		o.probe, o.probing = p.seq+1, true
		o.late++
	case d < 0:
		o.late++
	default:
		o.hold(p, d, give)
	}
}

func (o *order) restart(p packet, give func(packet, int)) {
	o.flush(give)
	o.started, o.probing, o.source, o.next = true, false, p.source, p.seq+1
	give(p, 0)
}

// hold keeps a packet that came before its turn.
func (o *order) hold(p packet, d int, give func(packet, int)) {
	at := len(o.held)
	for at > 0 {
		e := int(o.held[at-1].seq - o.next)
		if e == d {
			o.late++ // twice
			return
		}
		if e < d {
			break
		}
		at--
	}
	o.held = append(o.held, packet{})
	copy(o.held[at+1:], o.held[at:])
	o.held[at] = p
	if len(o.held) > heldMost {
		o.skip(give)
	}
}

// follow gives on those that waited for what just went.
func (o *order) follow(give func(packet, int)) {
	for len(o.held) > 0 && o.held[0].seq == o.next {
		p := o.held[0]
		o.shift()
		give(p, 0)
		o.next++
	}
}

func (o *order) shift() {
	copy(o.held, o.held[1:])
	o.held[len(o.held)-1] = packet{}
	o.held = o.held[:len(o.held)-1]
}

// skip gives the gap up before the first that waits.
func (o *order) skip(give func(packet, int)) {
	p := o.held[0]
	missing := int(p.seq - o.next)
	o.lost += int64(missing)
	o.shift()
	o.next = p.seq + 1
	give(p, missing)
	o.follow(give)
}

// expire gives up the gaps before packets that have waited long enough.
func (o *order) expire(now int64, give func(packet, int)) {
	for len(o.held) > 0 && o.oldest() <= now-int64(holdMost) {
		o.skip(give)
	}
}

func (o *order) oldest() int64 {
	oldest := o.held[0].arrived
	for i := range o.held {
		oldest = min(oldest, o.held[i].arrived)
	}
	return oldest
}

// flush gives on everything that waits.
func (o *order) flush(give func(packet, int)) {
	for len(o.held) > 0 {
		o.skip(give)
	}
}

func (o *order) waiting() bool { return len(o.held) > 0 }
