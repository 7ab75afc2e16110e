package voice

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// Overhearing is a Meter that finds the sound of other calls in its own, where its policy
// looks for that: a loudspeaker that the microphone hears. What it finds comes out of Drain.
type Overhearing interface {
	// Trace is what another needs to find this sound: of the last seconds, and never
	// changed again.
	Trace() any
	// Overhear looks for others' sound in the last seconds of this one.
	Overhear(others []Overheard)
}

// Overheard is the sound of another call, as its Meter left it.
type Overheard struct {
	// ID tells it from others.
	ID    uint64
	Trace any
	// AheadMS is by how much the other's time, from the first sample pushed, is ahead of
	// this one's.
	AheadMS int64
}

const (
	// overhearEvery is how often a call looks for others, in samples.
	overhearEvery = engines.SoundRate / 2
	// mostOverheard is how many others a call looks for at a time, those that are heard:
	// the next ones have their turn after half a second.
	mostOverheard = 16
	// traceFor is how old what another left may be.
	traceFor = 1500 * time.Millisecond
	// drift is by how much a client's clock may be slow, in ns a packet: 100 ppm of 20 ms.
	drift = 2000
	// leap is a difference that no network makes: the client has left out time.
	leap = int64(time.Second)
)

// trace is what a call leaves for the others of its scene.
type trace struct {
	id    uint64
	sound any
	zero  int64 // when the meter began, see Hub.now
	at    int64 // when it was left
}

// clock knows when a call's meter began, from when its packets come: the least delayed
// one says it best, unless the client's clock is slow.
type meterClock struct {
	zero  int64
	known bool
}

// came takes note of a packet that ends so many ns after the meter's beginning.
func (m *meterClock) came(arrived, end int64) {
	at := arrived - end
	if m.zero += drift; !m.known || at < m.zero || at > m.zero+leap {
		m.zero, m.known = at, true
	}
}

// overhear leaves what others need, and looks for them, where there is anybody.
func (e *ear) overhear() {
	if e.at < e.overhearAt {
		return
	}
	e.overhearAt = e.at + overhearEvery
	c := e.call
	m, able := e.meter.(Overhearing)
	all := c.around()
	if !able || !e.clock.known || len(all) < 2 {
		return
	}
	now := c.hub.now()
	c.trace.Store(&trace{c.number, m.Trace(), e.clock.zero, now})
	e.others = e.others[:0]
	for i := range all {
		at := (e.overheard + i) % len(all)
		o := all[at]
		if o.who.Player == c.who.Player { // one at two microphones
			continue
		}
		if t := o.trace.Load(); t != nil && now-t.at < int64(traceFor) {
			e.others = append(e.others, Overheard{t.id, t.sound, (e.clock.zero - t.zero) / int64(time.Millisecond)})
		}
		if len(e.others) == mostOverheard {
			e.overheard = at + 1
			break
		}
	}
	m.Overhear(e.others)
	clear(e.others)
}
