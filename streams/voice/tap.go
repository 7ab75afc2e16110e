package voice

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"sync"

	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"
)

// tap takes the packets of one connection where they are read from the network. On
// Pion's way each wakes four goroutines, one behind the other, and is copied by each (ICE,
// multiplexer, SRTP, track): that cost as much as to decode it. What is not for it, and what
// it can't decrypt, goes that way still: connecting, reports, the first packets of a track.
// Its methods are safe for concurrent use.
type tap struct {
	call *Call
	at   netip.AddrPort // taps.mu

	mu     sync.Mutex
	srtp   *srtp.Context // nil once it is closed
	tracks []*incoming   // mostTracks at most
	plain  []byte
	packet rtp.Packet
	taken  int64
}

// incoming is a track that is heard.
type incoming struct {
	source  uint32 // SSRC
	payload uint8  // type
	first   uint16 // sequence number of its first packet, which Pion decrypted
	shown   uint16 // of the last that Pion was shown
	going   bool   // the tap has taken one
	heard   reception
}

// showEvery is how far a track's numbers go on between two packets that Pion is shown, though they have been heard: it
// guesses how often the numbers have begun anew from those that it has decrypted, and must know where a client sends
// from another address for a while, or takes a track up again. It bears 1<<15.
const showEvery = 1 << 13

// show reports whether Pion is to have a packet that the tap took: it is heard once all the same (reception).
func (in *incoming) show(seq uint16) bool {
	ahead := seq - in.shown
	if ahead < showEvery || ahead >= 1<<15 {
		return false
	}
	in.shown = seq
	return true
}

// add has the packets of a track taken from now on. One whose source was taken before goes on where that one ended.
func (t *tap) add(in *incoming) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.srtp != nil && len(t.tracks) < mostTracks {
		_, in.going = t.srtp.ROC(in.source)
		in.shown = in.first
		t.tracks = append(t.tracks, in)
	}
}

// remove has them taken no more.
func (t *tap) remove(in *incoming) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tracks = slices.DeleteFunc(t.tracks, func(have *incoming) bool { return have == in })
}

// close ends it: its call gets nothing of it once it returns.
func (t *tap) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.srtp = nil
}

// take hears a packet, and reports whether nobody else is to have it. It does not change b, nor does it wait.
func (t *tap) take(b []byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.srtp == nil {
		return false
	}
	source := binary.BigEndian.Uint32(b[8:])
	at := slices.IndexFunc(t.tracks, func(in *incoming) bool { return in.source == source && in.payload == b[1]&0x7f })
	if at < 0 {
		return false
	}
	in := t.tracks[at]
	if !in.going { // its numbers may have begun anew between Pion's packet and this one, which may be forged
		again := uint32(0)
		if seq := binary.BigEndian.Uint16(b[2:]); seq < in.first && seq-in.first < 1<<15 {
			again = 1
		}
		t.srtp.SetROC(source, again)
	}
	t.packet = rtp.Packet{}
	plain, err := t.srtp.DecryptRTP(t.plain, b, &t.packet.Header)
	if err != nil {
		return false // forged, or sent twice: Pion refuses it, or it was heard
	}
	t.plain, in.going = plain, true
	t.taken++
	if t.packet.Unmarshal(plain) != nil {
		t.call.hub.m.malformed.Inc()
		return true
	}
	t.call.came(in, &t.packet)
	return !in.show(t.packet.SequenceNumber)
}

// taps has those of all connections of a socket, by the address that each is used from. Its
// methods are safe for concurrent use.
type taps struct {
	mu sync.RWMutex
	at map[netip.AddrPort]*tap
}

// put has the packets from an address go to a tap, and those of another no more.
func (a *taps) put(t *tap, at netip.AddrPort) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.at == nil {
		a.at = map[netip.AddrPort]*tap{}
	}
	a.forget(t)
	a.at[at], t.at = t, at
}

// drop forgets a tap.
func (a *taps) drop(t *tap) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.forget(t)
}

// forget is drop with mu held.
func (a *taps) forget(t *tap) {
	if a.at[t.at] == t {
		delete(a.at, t.at)
	}
}

// take gives a packet to the tap of who sent it, and reports whether that kept it.
func (a *taps) take(b []byte, from netip.AddrPort) bool {
	const head = 12
	if len(b) < head || b[0]>>6 != 2 || b[1] >= 192 && b[1] < 224 { // no RTP, or RTCP (RFC 5761 section 4)
		return false
	}
	a.mu.RLock()
	t := a.at[netip.AddrPortFrom(from.Addr().Unmap(), from.Port())]
	a.mu.RUnlock()
	return t != nil && t.take(b)
}
