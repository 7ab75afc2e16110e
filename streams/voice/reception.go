package voice

import (
	"sync"

	"github.com/pion/rtcp"
)

// reception counts the packets of one track, for the reports by which its sender knows of
// loss (RFC 3550 section 6.4 and appendices A.1, A.3, A.8). Where a tap takes packets neither
// it nor Pion sees all of them, so that each would take what the other has: what came twice is
// known here. Its methods are safe for concurrent use.
type reception struct {
	mu       sync.Mutex
	started  bool
	first    uint32 // numbers of packets with how often they began anew above them
	last     uint32
	seen     uint64 // which of replayWindow numbers up to last have come: the lowest bit is last
	received int64
	until    int64 // that were to come by the last report, and that came
	before   int64
	transit  int64 // of the last packet, in ticks of clock
	jitter   float64
}

// came counts a packet that arrived at a time in ns, and reports whether it is new: one that came before is not, nor
// one that lies replayWindow behind (RFC 3711 section 3.3.2).
func (r *reception) came(seq uint16, ts uint32, arrived int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	transit := int64(uint32(arrived/1000*(clock/1000)/1000) - ts) //nolint:gosec // both go round
	if !r.started {
		r.started, r.first, r.last, r.seen, r.received, r.transit = true, uint32(seq), uint32(seq), 1, 1, transit
		return true
	}
	switch ahead := int(int16(seq - uint16(r.last))); { //nolint:gosec // the distance around the circle is what is wanted
	case ahead > 0:
		r.last += uint32(ahead) //nolint:gosec // half of the circle at most
		r.seen = r.seen<<ahead | 1
	case -ahead >= replayWindow || r.seen>>-ahead&1 != 0:
		return false
	default:
		r.seen |= 1 << -ahead
	}
	r.received++
	d := int64(int32(transit - r.transit)) //nolint:gosec // as above
	r.transit = transit
	r.jitter += (float64(max(d, -d)) - r.jitter) / 16
	return true
}

// report is what there is to tell of a source since the last report; false before the first
// packet.
func (r *reception) report(source uint32) (rtcp.ReceptionReport, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.started {
		return rtcp.ReceptionReport{}, false
	}
	expected := int64(r.last-r.first) + 1
	lost := max(0, (expected-r.until)-(r.received-r.before))
	fraction := int64(0)
	if expected > r.until {
		fraction = min(255, lost*256/(expected-r.until))
	}
	r.until, r.before = expected, r.received
	return rtcp.ReceptionReport{
		SSRC: source, FractionLost: uint8(fraction), TotalLost: uint32(min(0x7fffff, max(0, expected-r.received))), //nolint:gosec // bounded
		LastSequenceNumber: r.last, Jitter: uint32(r.jitter),
	}, true
}
