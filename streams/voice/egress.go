package voice

import (
	"time"

	"github.com/portcullis-gg/portcullis/internal/session"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// DoorFor is how long a one-time address is good.
const DoorFor = time.Minute

// mostDoors bounds the addresses that nobody has used yet. Full-rule: no more are made.
const mostDoors = 4096

// egress is a one-time address: who will be heard there, and what comes.
type egress struct {
	who      session.Speaker
	rate     int
	channels int
	until    int64 // see Hub.now
}

// Door makes a one-time address for the sound of one player, and returns its name. It
// takes bare frames of PCM16, as LiveKit's track egress sends them.
func (h *Hub) Door(who *session.Speaker, rate, channels int) (string, error) {
	if err := h.admit(who, false); err != nil {
		return "", err
	}
	id := newID()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing || len(h.doors) >= mostDoors {
		e := wire.Fail(wire.Unavailable, "too many addresses wait to be used")
		e.RetryAfter = DoorFor
		return "", e
	}
	h.doors[id] = egress{*who, rate, channels, h.now() + int64(DoorFor)}
	return id, nil
}

// expireDoors removes the addresses that nobody has used in their time.
func (h *Hub) expireDoors(now int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, d := range h.doors {
		if now > d.until {
			delete(h.doors, id)
		}
	}
}

// Enter opens the call of a one-time address, which is used up. hangUp is called once the
// call has ended.
func (h *Hub) Enter(id string, hangUp func()) (*Egress, error) {
	h.mu.Lock()
	d, ok := h.doors[id]
	delete(h.doors, id)
	h.mu.Unlock()
	if !ok || h.now() > d.until {
		return nil, wire.Fail(wire.NotFound, "this address was used, or its minute is over")
	}
	if err := h.admit(&d.who, false); err != nil {
		return nil, err
	}
	sound, err := h.sound(wire.VoicePCM, d.rate, d.channels)
	if err != nil {
		return nil, err
	}
	c := h.newCall(&d.who, sound)
	c.bridged, c.hangUp = true, hangUp
	if err := h.add(c); err != nil {
		return nil, err
	}
	return &Egress{call: c, step: 2 * d.channels, rate: d.rate}, nil
}

// Egress is the call of a one-time address. It belongs to the goroutine that reads its
// socket.
type Egress struct {
	call  *Call
	step  int // bytes of a sample of all channels
	rate  int
	seq   uint16
	at    uint64 // samples that came
	odd   []byte // of a sample that was cut in two
	muted bool
}

// blockMS is how much sound is a packet: what comes in one frame may be seconds.
const blockMS = 20

// Sound takes the sound of one frame. It never waits, and reports whether the call goes on.
func (e *Egress) Sound(b []byte) bool {
	if e.call.over() {
		return false
	}
	if e.muted {
		return true
	}
	if len(e.odd) > 0 {
		b = append(e.odd, b...)
		e.odd = nil
	}
	block := e.rate * blockMS / 1000 * e.step
	for len(b) >= e.step {
		n := min(len(b)/e.step*e.step, block)
		ts := uint32(e.at * clock / uint64(e.rate)) //nolint:gosec // it goes round
		e.call.put(packet{source: 1, seq: e.seq, ts: ts, payload: append([]byte(nil), b[:n]...)})
		e.seq++
		e.at += uint64(n / e.step) //nolint:gosec // never negative
		b = b[n:]
	}
	if len(b) > 0 {
		e.odd = append([]byte(nil), b...)
	}
	return true
}

// Mute takes note that the player has muted itself: what comes until it has not is
// no sound.
func (e *Egress) Mute(muted bool) {
	if e.muted && !muted { // the pause took time
		e.odd = nil
	}
	e.muted = muted
}

// End ends the call.
func (e *Egress) End() { e.call.end("closed") }
