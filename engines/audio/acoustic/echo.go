package acoustic

import "math/bits"

const (
	echoSteps  = 2500 / stepMS // looked at
	echoEnough = 800 / stepMS  // of them must be loud in both
	// echoOut is by how much of the bits the best delay must be better than the mean.
	echoOut = 0.08
	// traceSteps is how much a Trace has: what is looked at, the longest delay, and what
	// it may be old. A power of two.
	traceSteps = 256
)

// Trace is the end of a Meter's fingerprint, some five seconds in 2 KB: what it takes to
// find a sound in another, and not to hear it.
type Trace struct {
	bits, sure [traceSteps]uint32
	heard      int64 // steps in all
	n          int64 // of them here
}

// Leave copies the end of what was heard into t, for another Meter's Echo.
func (m *Meter) Leave(t *Trace) {
	p := &m.prints.Print
	t.heard, t.n = p.heard, min(p.known(), traceSteps)
	for i := range t.n {
		at := (p.heard - 1 - i) & (traceSteps - 1)
		t.bits[at], t.sure[at] = p.since(i)
	}
}

// since is the fingerprint of the step that lies i before the last, and its sure bits.
func (t *Trace) since(i int64) (word, sure uint32) {
	at := (t.heard - 1 - i) & (traceSteps - 1)
	return t.bits[at], t.sure[at]
}

// Other is another's sound, and by how many ms its time is ahead of this one's.
type Other struct {
	Trace *Trace
	Ahead int64
}

// Echo looks for the sound of others in the last 2.5 seconds of this one, later by up to
// Config.Echo.MaxDelay: a loudspeaker that the microphone hears. It is for whoever holds
// both, once or twice a second, and takes some 10 µs for each of the others; ok is whether
// one is there, of is which of them, and delay by how many ms.
func (m *Meter) Echo(others []Other) (of int, delay int64, ok bool) {
	best := 1.0
	for i := range others {
		if d, lag, found := m.echoOf(&others[i]); found && !ok || found == ok && d < best {
			best, of, delay, ok = d, i, lag*stepMS, found
		}
	}
	m.hold(&m.watches[echo], ok, m.now()-echoSteps*stepMS, best, 0)
	return of, delay, ok
}

// echoOf is the least share of bits that differ from another's sound at a delay, in
// steps, and whether that is the same sound.
func (m *Meter) echoOf(o *Other) (best float64, at int64, ok bool) {
	best = 1
	sum, n := 0.0, 0
	// Step i of mine was, in the other's count, shift steps later.
	shift := o.Ahead/stepMS + (m.prints.heard - o.Trace.heard)
	for lag := int64(1); lag <= m.cfg.Echo.MaxDelay/stepMS; lag++ {
		d, known := m.echoAt(o.Trace, lag-shift)
		if !known {
			continue
		}
		sum += d
		n++
		if d < best {
			best, at = d, lag
		}
	}
	return best, at, n >= 5 && best <= m.cfg.Echo.Differ && best <= sum/float64(n)-echoOut
}

// echoAt is the share of bits in which this one's last steps differ from the other's
// that lie lag steps back.
func (m *Meter) echoAt(of *Trace, lag int64) (differ float64, known bool) {
	mine := &m.prints.Print
	wrong, all, both := 0, 0, 0
	for i := max(0, -lag); i < min(echoSteps, mine.known(), of.n-lag); i++ {
		x, mySure := mine.since(i)
		y, sure := of.since(i + lag)
		if x&y&loud != 0 {
			both++
			sure &= mySure
			all += bits.OnesCount32(sure)
			wrong += bits.OnesCount32((x ^ y) & sure)
		}
	}
	if both < echoEnough || all < enoughBits {
		return 0, false
	}
	return float64(wrong) / float64(all), true
}
