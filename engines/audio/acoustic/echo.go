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
// both, once or twice a second, and takes some 5 µs for each of the others; ok is whether
// one is there and was two seconds before, of whose it is, and delay by how many ms.
func (m *Meter) Echo(others []Other) (of uint64, delay int64, ok bool) {
	best, since := 1.0, m.now()
	var room backwards
	room.fill(min(echoSteps, m.prints.known()), m.prints.since)
	for i := range others {
		o := &others[i]
		d, lag, found := m.echoOf(&room, o)
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

// pair is the fingerprints of two steps, one behind the other: their bits, and those that
// are sure, with that which says that a step is loud, where it is.
type pair struct{ bits, sure uint64 }

// loudPair has the bits that say so.
const loudPair = loud | loud<<half

const half = 32 // bits of a step in a pair

// backwards is fingerprints in pairs, the last step first.
type backwards [(echoSteps + 1) / 2]pair

// fill has what lies up to n steps back, echoSteps at most.
func (b *backwards) fill(n int64, since func(int64) (word, sure uint32)) {
	for i := range n {
		if word, sure := since(i); word&loud != 0 {
			b[i/2].put(i, word, sure)
		}
	}
}

// put has the step of an index in a pair.
func (p *pair) put(i int64, word, sure uint32) {
	shift := i & 1 * half
	p.bits |= uint64(word) << shift
	p.sure |= uint64(sure|loud) << shift
}

// placed is what a Trace has, in pairs that begin with each of its steps, with nothing
// before and behind.
type placed [2][beside + traceSteps/2 + beside]pair

const (
	// beside is how many pairs of nothing there are, so that nobody has to look where what is
	// there ends.
	beside = 64
	pad    = 2 * beside // steps
)

func (b *placed) fill(t *Trace) {
	for i := range t.n {
		if word, sure := t.since(i); word&loud != 0 {
			at := i + pad
			b[0][at/2].put(at, word, sure)
			b[1][(at-1)/2].put(at-1, word, sure)
		}
	}
}

// echoOf is the least share of bits that differ from another's sound at a delay, in
// steps, and whether that is the same sound.
func (m *Meter) echoOf(own *backwards, o *Other) (best float64, at int64, ok bool) {
	var other placed
	other.fill(o.Trace)
	best = 1
	sum, n := 0.0, 0
	// Step i of mine was, in the other's count, shift steps later.
	shift := o.Ahead/stepMS + (m.prints.heard - o.Trace.heard)
	for lag := int64(1); lag <= m.cfg.Echo.MaxDelay/stepMS; lag++ {
		d, known := differ(own, &other, lag-shift)
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
func differ(own *backwards, other *placed, lag int64) (share float64, known bool) {
	if lag <= -pad || lag >= traceSteps {
		return 0, false
	}
	from := lag + pad
	others := other[from&1][from/2:][:len(own)]
	var wrong, all, both int
	for i := range own {
		x, y := &own[i], &others[i]
		sure := x.sure & y.sure
		all += bits.OnesCount64(sure)
		both += bits.OnesCount64(sure & loudPair)
		wrong += bits.OnesCount64((x.bits ^ y.bits) & sure) // both are loud there
	}
	all -= both
	if both < echoEnough || all < enoughBits {
		return 0, false
	}
	return float64(wrong) / float64(all), true
}
