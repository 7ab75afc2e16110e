package acoustic

import "math/bits"

const (
	echoSteps  = 2500 / stepMS // looked at
	echoEnough = 800 / stepMS  // of them must be loud in both
	// echoOut is by how much of the bits the best delay must be better than the mean.
	echoOut = 0.08
	// An echo stays where it is: it must be found again after echoAgain, ms, from the same
	// other, no more than a step earlier or later, and meanwhile every echoGap at least.
	// What two people say is alike for a moment now and then, each time at another delay.
	echoAgain = 2000
	echoGap   = 3000
	// suspects is how many that may be echoes a Meter remembers. Full-rule: the one that was
	// found longest ago goes.
	suspects = 4
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

// Other is another's sound, which one that is, and by how many ms its time is ahead of
// this one's.
type Other struct {
	ID    uint64
	Trace *Trace
	Ahead int64
}

// suspect is what may be an echo: whose, at what delay, and since and until when, ms.
type suspect struct {
	of          uint64
	delay       int64 // steps
	since, last int64
}

// Echo looks for the sound of others in the last 2.5 seconds of this one, later by up to
// Config.Echo.MaxDelay: a loudspeaker that the microphone hears. It is for whoever holds
// both, once or twice a second, and takes some 10 µs for each of the others; ok is whether
// one is there and was two seconds before, of whose it is, and delay by how many ms.
func (m *Meter) Echo(others []Other) (of uint64, delay int64, ok bool) {
	best, since := 1.0, m.now()
	var room backwards
	own := room.fill(min(echoSteps, m.prints.known()), m.prints.since)
	for i := range others {
		o := &others[i]
		d, lag, found := m.echoOf(own, o)
		if !found {
			continue
		}
		if s := m.suspect(o.ID, lag); s.last-s.since >= echoAgain && d < best {
			best, of, delay, since, ok = d, s.of, lag*stepMS, s.since, true
		}
	}
	m.hold(&m.watches[echo], ok, since-echoSteps*stepMS, best, 0)
	return of, delay, ok
}

// suspect takes note that another's sound was found at a delay.
func (m *Meter) suspect(of uint64, delay int64) *suspect {
	now := m.now()
	oldest := &m.echoes[0]
	for i := range m.echoes {
		s := &m.echoes[i]
		if s.of == of && s.last > 0 && now-s.last <= echoGap && max(delay-s.delay, s.delay-delay) <= 1 {
			s.last = now
			return s
		}
		if s.last < oldest.last {
			oldest = s
		}
	}
	*oldest = suspect{of: of, delay: delay, since: now, last: now}
	return oldest
}

// backwards is fingerprints in order, the last step first: its bits, and above them those
// that are sure.
type backwards [traceSteps]uint64

// fill has what lies up to n steps back.
func (b *backwards) fill(n int64, since func(int64) (word, sure uint32)) []uint64 {
	for i := range b[:n] {
		word, sure := since(int64(i))
		b[i] = uint64(word) | uint64(sure)<<32
	}
	return b[:n]
}

// echoOf is the least share of bits that differ from another's sound at a delay, in
// steps, and whether that is the same sound.
func (m *Meter) echoOf(own []uint64, o *Other) (best float64, at int64, ok bool) {
	var room backwards
	other := room.fill(o.Trace.n, o.Trace.since)
	best = 1
	sum, n := 0.0, 0
	// Step i of mine was, in the other's count, shift steps later.
	shift := o.Ahead/stepMS + (m.prints.heard - o.Trace.heard)
	for lag := int64(1); lag <= m.cfg.Echo.MaxDelay/stepMS; lag++ {
		d, known := differ(own, other, lag-shift)
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

// differ is the share of bits in which own last steps differ from the other's that lie
// lag steps back.
func differ(own, other []uint64, lag int64) (share float64, known bool) {
	from, to := max(0, -lag), min(int64(len(own)), int64(len(other))-lag)
	if to-from < echoEnough {
		return 0, false
	}
	own, other = own[from:to], other[from+lag:to+lag]
	var wrong, all, both int
	for i, x := range own {
		y := other[i]
		loudly := (x & y) / loud & 1
		sure := x & y >> 32 & -loudly
		both += int(loudly)
		all += bits.OnesCount64(sure)
		wrong += bits.OnesCount64((x ^ y) & sure)
	}
	if both < echoEnough || all < enoughBits {
		return 0, false
	}
	return float64(wrong) / float64(all), true
}
