package acoustic

import "math/bits"

// Print copies the fingerprint of what was heard, for another Meter's Echo.
func (m *Meter) Print(dst *Print) { *dst = m.prints.Print }

const (
	echoSteps  = 2500 / stepMS // looked at
	echoEnough = 800 / stepMS  // of them must be loud in both
	// echoOut is by how much of the bits the best delay must be better than the mean.
	echoOut = 0.08
)

// Echo looks for another's sound in the last 2.5 seconds of this one, later by up to
// Config.Echo.MaxDelay: a loudspeaker that the microphone hears. ahead is how many ms
// the other's time is ahead of this one's. It is for whoever holds both, once a second
// or so, and takes some 10 µs; ok is whether it is there, and delay by how many ms.
func (m *Meter) Echo(of *Print, ahead int64) (delay int64, ok bool) {
	best, bestAt, sum, n := 1.0, int64(0), 0.0, 0
	// Step i of mine was, in the other's count, shift steps later.
	shift := ahead/stepMS + (m.prints.heard - of.heard)
	for lag := int64(1); lag <= m.cfg.Echo.MaxDelay/stepMS; lag++ {
		d, known := m.echoAt(of, lag-shift)
		if !known {
			continue
		}
		sum += d
		n++
		if d < best {
			best, bestAt = d, lag
		}
	}
	ok = n >= 5 && best <= m.cfg.Echo.Differ && best <= sum/float64(n)-echoOut
	m.hold(&m.watches[echo], ok, m.now()-echoSteps*stepMS, best, 0)
	return bestAt * stepMS, ok
}

// echoAt is the share of bits in which this one's last steps differ from the other's
// that lie lag steps back.
func (m *Meter) echoAt(of *Print, lag int64) (differ float64, known bool) {
	mine := &m.prints.Print
	wrong, both := 0, 0
	for i := range int64(echoSteps) {
		j := i + lag
		if i >= mine.known() || j < 0 || j >= of.known() {
			continue
		}
		x, y := mine.since(i), of.since(j)
		if x&y&loud != 0 {
			both++
			wrong += bits.OnesCount32(x ^ y)
		}
	}
	if both < echoEnough {
		return 0, false
	}
	return float64(wrong) / float64(both*printBits), true
}
